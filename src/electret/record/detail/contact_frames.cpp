#include <algorithm>
#include <array>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/record/detail/contact_frames.hpp>

namespace electret {
namespace {

constexpr std::uint64_t contact_rows_per_chunk = 512;

/// A dataset of one row per pushed vertex, and its columns of `contact_row`.
struct ContactColumn {
  const char* name;
  hdf5::Stored stored;
  std::size_t first, count;
};
constexpr std::array<ContactColumn, 5> contact_columns{
    {{"contact/vertices", hdf5::Stored::int32, 0, 1},
     {"contact/obstacles", hdf5::Stored::int32, 1, 1},
     {"contact/states", hdf5::Stored::int32, 2, 1},
     {"contact/normal_forces", hdf5::Stored::float64, 3, 3},
     {"contact/tangential_forces", hdf5::Stored::float64, 6, 3}}};
constexpr const char* offsets_name = "contact/offsets";

hdf5::Shape row_shape(const ContactColumn& column) {
  return column.count > 1 ? hdf5::Shape{column.count} : hdf5::Shape{};
}

/// The numbers of a frame after their count.
void put_numbers(std::span<const ContactForce> frame, std::vector<double>& numbers) {
  numbers.assign(1, static_cast<double>(frame.size()));
  for (const ContactForce& c : frame) {
    const Vec3 n = c.normal * c.direction;
    numbers.insert(numbers.end(), {static_cast<double>(c.vertex), static_cast<double>(c.obstacle),
                                   static_cast<double>(c.state), n.x, n.y, n.z, c.tangential.x,
                                   c.tangential.y, c.tangential.z});
  }
}

[[noreturn]] void fail_contact(const std::string& name, const std::string& why) {
  throw IoError("its dataset " + name + " " + why);
}

}  // namespace

void ContactWriter::create(hdf5::Id file, const std::vector<std::string>& obstacles, int compression) {
  { const hdf5::Handle folder = hdf5::make_group(file, "contact"); }
  hdf5::write_texts(file, "contact/obstacle_names", obstacles);
  { const hdf5::Handle made = hdf5::create_growing(file, {offsets_name, {}, hdf5::Stored::int64, 64, 0}); }
  for (const ContactColumn& column : contact_columns)
    const hdf5::Handle made = hdf5::create_growing(
        file, {column.name, row_shape(column), column.stored, contact_rows_per_chunk, compression});
  open(file);
  const double none = 0.0;
  hdf5::append_rows(offsets_.get(), 0, 1, std::span(&none, 1));
  ends_ = {0};
}

void ContactWriter::open(hdf5::Id file) {
  offsets_ = hdf5::open_growing(file, offsets_name);
  const std::array<hdf5::Handle*, 5> all{&vertices_, &obstacles_, &states_, &normal_, &tangential_};
  for (std::size_t k = 0; k < all.size(); ++k) *all[k] = hdf5::open_growing(file, contact_columns[k].name);
  if (hdf5::shape_of(file, offsets_name).at(0) > 0)
    ends_ = hdf5::read_dataset<std::int64_t>(file, offsets_name, 1);
}

void ContactWriter::close() {
  for_datasets([](hdf5::Handle& dataset) { dataset.close(); });
}

void ContactWriter::append(std::span<const ContactForce> frame) {
  put_numbers(frame, numbers_);
  const std::array<hdf5::Handle*, 5> all{&vertices_, &obstacles_, &states_, &normal_, &tangential_};
  const auto first = static_cast<std::uint64_t>(ends_.back());
  for (std::size_t k = 0; k < all.size() && !frame.empty(); ++k) {
    column_.clear();
    for (std::size_t row = 0; row < frame.size(); ++row)
      for (std::size_t c = 0; c < contact_columns[k].count; ++c)
        column_.push_back(numbers_[1 + contact_row * row + contact_columns[k].first + c]);
    hdf5::append_rows(all[k]->get(), first, frame.size(), column_);
  }
  ends_.push_back(ends_.back() + static_cast<std::int64_t>(frame.size()));
  const auto end = static_cast<double>(ends_.back());
  hdf5::append_rows(offsets_.get(), ends_.size() - 1, 1, std::span(&end, 1));
}

void ContactWriter::cut(Count frames) {
  ends_.resize(std::min(ends_.size(), static_cast<std::size_t>(frames) + 1));
  hdf5::cut_rows(offsets_.get(), ends_.size());
  for (hdf5::Handle* dataset : {&vertices_, &obstacles_, &states_, &normal_, &tangential_})
    hdf5::cut_rows(dataset->get(), static_cast<std::uint64_t>(ends_.back()));
}

void ContactWriter::for_datasets(const std::function<void(hdf5::Handle&)>& visit) {
  for (hdf5::Handle* dataset : {&offsets_, &vertices_, &obstacles_, &states_, &normal_, &tangential_})
    if (dataset->open()) visit(*dataset);
}

ContactLayout checked_contact_layout(hdf5::Id file) {
  ContactLayout layout;
  layout.obstacles = hdf5::read_texts(file, "contact/obstacle_names");
  layout.offsets = hdf5::read_dataset<std::int64_t>(file, offsets_name, 1);
  if (layout.offsets.empty() || layout.offsets.front() != 0 ||
      !std::is_sorted(layout.offsets.begin(), layout.offsets.end()))
    fail_contact(offsets_name, "does not ascend from 0");
  std::uint64_t rows = std::numeric_limits<std::int64_t>::max();
  for (const ContactColumn& column : contact_columns) {
    const auto [shape, stored] = hdf5::form_of(file, column.name);
    const hdf5::Shape row = row_shape(column);
    if (shape.size() != row.size() + 1 || !std::equal(row.begin(), row.end(), shape.begin() + 1))
      fail_contact(column.name, "has a wrong shape");
    if (stored != column.stored) fail_contact(column.name, "has a wrong type");
    rows = std::min(rows, shape[0]);
  }
  // The datasets of a file that grows or was killed may differ by one frame.
  while (layout.offsets.back() > static_cast<std::int64_t>(rows)) layout.offsets.pop_back();
  return layout;
}

std::vector<double> contact_numbers(hdf5::Id file, const ContactLayout& layout, Count frame) {
  const auto f = static_cast<std::size_t>(frame);
  if (f + 1 >= layout.offsets.size()) throw IoError("it has no contacts of frame " + std::to_string(frame));
  const auto first = static_cast<std::uint64_t>(layout.offsets[f]);
  const auto count = static_cast<std::uint64_t>(layout.offsets[f + 1]) - first;
  std::vector<double> numbers(1 + contact_row * count);
  numbers[0] = static_cast<double>(count);
  for (const ContactColumn& column : contact_columns) {
    const std::vector<double> values = hdf5::read_rows(file, column.name, first, count);
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t c = 0; c < column.count; ++c)
        numbers[1 + contact_row * row + column.first + c] = values[column.count * row + c];
  }
  return numbers;
}

std::vector<ContactForce> contact_forces(hdf5::Id file, const ContactLayout& layout, Count frame,
                                         Index vertices) {
  const std::vector<double> numbers = contact_numbers(file, layout, frame);
  std::vector<ContactForce> forces;
  for (std::size_t at = 1; at < numbers.size(); at += contact_row) {
    const double* row = &numbers[at];
    if (!(row[0] >= 0.0 && row[0] < vertices)) fail_contact("contact/vertices", "names no vertex");
    if (!(row[1] >= 0.0 && row[1] < static_cast<double>(layout.obstacles.size())))
      fail_contact("contact/obstacles", "names no obstacle");
    if (row[2] != 1.0 && row[2] != 2.0) fail_contact("contact/states", "has a number that is no state");
    const Vec3 push{row[3], row[4], row[5]};
    const double size = norm(push);
    forces.push_back({static_cast<Index>(row[0]), static_cast<Index>(row[1]),
                      static_cast<ContactState>(row[2]), size, Vec3{row[6], row[7], row[8]},
                      size > 0.0 ? (1.0 / size) * push : Vec3{}});
  }
  return forces;
}

}  // namespace electret
