#include <algorithm>
#include <limits>

#include <electret/core/errors.hpp>
#include <electret/record/detail/frame_rows.hpp>

namespace electret {
namespace {

constexpr std::uint64_t rows_per_chunk = 512;

hdf5::Shape shape_of_row(const RowColumn& column) {
  return column.count > 1 ? hdf5::Shape{column.count} : hdf5::Shape{};
}

[[noreturn]] void fail_rows(const std::string& name, const std::string& why) {
  throw IoError("its dataset " + name + " " + why);
}

}  // namespace

// Frames share chunks, and a compressed chunk that is written again has another length: whoever is killed
// between the chunk and the index that says its length leaves a chunk that nobody can read.
void FrameRowWriter::create(hdf5::Id file) {
  { const hdf5::Handle folder = hdf5::make_group(file, table_.folder); }
  { const hdf5::Handle made = hdf5::create_growing(file, {table_.offsets, {}, hdf5::Stored::int64, 64, 0}); }
  for (const RowColumn& column : table_.columns)
    const hdf5::Handle made =
        hdf5::create_growing(file, {column.name, shape_of_row(column), column.stored, rows_per_chunk, 0});
  open(file);
  const double none = 0.0;
  hdf5::append_rows(offsets_.get(), 0, 1, std::span(&none, 1));
  ends_ = {0};
}

void FrameRowWriter::open(hdf5::Id file) {
  offsets_ = hdf5::open_growing(file, table_.offsets);
  columns_.clear();
  for (const RowColumn& column : table_.columns) columns_.push_back(hdf5::open_growing(file, column.name));
  if (hdf5::shape_of(file, table_.offsets).at(0) > 0)
    ends_ = hdf5::read_dataset<std::int64_t>(file, table_.offsets, 1);
}

void FrameRowWriter::close() {
  for_datasets([](hdf5::Handle& dataset) { dataset.close(); });
}

void FrameRowWriter::append(std::span<const double> rows) {
  const std::size_t count = rows.size() / table_.width;
  numbers_.assign(1, static_cast<double>(count));
  numbers_.insert(numbers_.end(), rows.begin(), rows.end());
  const auto first = static_cast<std::uint64_t>(ends_.back());
  for (std::size_t k = 0; k < columns_.size() && count > 0; ++k) {
    const RowColumn& column = table_.columns[k];
    column_.clear();
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t c = 0; c < column.count; ++c)
        column_.push_back(rows[table_.width * row + column.first + c]);
    hdf5::append_rows(columns_[k].get(), first, count, column_);
  }
  ends_.push_back(ends_.back() + static_cast<std::int64_t>(count));
  const auto end = static_cast<double>(ends_.back());
  hdf5::append_rows(offsets_.get(), ends_.size() - 1, 1, std::span(&end, 1));
}

void FrameRowWriter::cut(Count frames) {
  ends_.resize(std::min(ends_.size(), static_cast<std::size_t>(frames) + 1));
  hdf5::cut_rows(offsets_.get(), ends_.size());
  for (hdf5::Handle& dataset : columns_)
    hdf5::cut_rows(dataset.get(), static_cast<std::uint64_t>(ends_.back()));
}

void FrameRowWriter::for_datasets(const std::function<void(hdf5::Handle&)>& visit) {
  if (offsets_.open()) visit(offsets_);
  for (hdf5::Handle& dataset : columns_)
    if (dataset.open()) visit(dataset);
}

std::vector<std::int64_t> checked_offsets(hdf5::Id file, const RowTable& table) {
  std::vector<std::int64_t> offsets = hdf5::read_dataset<std::int64_t>(file, table.offsets, 1);
  if (offsets.empty() || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()))
    fail_rows(table.offsets, "does not ascend from 0");
  std::uint64_t rows = std::numeric_limits<std::int64_t>::max();
  for (const RowColumn& column : table.columns) {
    const auto [shape, stored] = hdf5::form_of(file, column.name);
    const hdf5::Shape row = shape_of_row(column);
    if (shape.size() != row.size() + 1 || !std::equal(row.begin(), row.end(), shape.begin() + 1))
      fail_rows(column.name, "has a wrong shape");
    if (stored != column.stored) fail_rows(column.name, "has a wrong type");
    rows = std::min(rows, shape[0]);
  }
  // The datasets of a file that grows or was killed may differ by one frame.
  while (offsets.back() > static_cast<std::int64_t>(rows)) offsets.pop_back();
  return offsets;
}

std::vector<double> frame_numbers(hdf5::Id file, const RowTable& table, std::span<const std::int64_t> offsets,
                                  Count frame) {
  const auto f = static_cast<std::size_t>(frame);
  if (f + 1 >= offsets.size())
    throw IoError("it has no rows of frame " + std::to_string(frame) + " in " + table.folder);
  const auto first = static_cast<std::uint64_t>(offsets[f]);
  const auto count = static_cast<std::uint64_t>(offsets[f + 1]) - first;
  std::vector<double> numbers(1 + table.width * count);
  numbers[0] = static_cast<double>(count);
  for (const RowColumn& column : table.columns) {
    const std::vector<double> values = hdf5::read_rows(file, column.name, first, count);
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t c = 0; c < column.count; ++c)
        numbers[1 + table.width * row + column.first + c] = values[column.count * row + c];
  }
  return numbers;
}

}  // namespace electret
