#include <array>

#include <electret/core/errors.hpp>
#include <electret/record/detail/contact_frames.hpp>

namespace electret {
namespace {

constexpr std::array<RowColumn, 5> contact_columns{
    {{"contact/vertices", hdf5::Stored::int32, 0, 1},
     {"contact/obstacles", hdf5::Stored::int32, 1, 1},
     {"contact/states", hdf5::Stored::int32, 2, 1},
     {"contact/normal_forces", hdf5::Stored::float64, 3, 3},
     {"contact/tangential_forces", hdf5::Stored::float64, 6, 3}}};
constexpr const char* obstacle_names = "contact/obstacle_names";

[[noreturn]] void fail_contact(const std::string& name, const std::string& why) {
  throw IoError("its dataset " + name + " " + why);
}

}  // namespace

const RowTable contact_row_table{"contact", "contact/offsets", contact_columns, 9};

void put_contacts(std::span<const ContactForce> frame, std::vector<double>& rows) {
  rows.clear();
  for (const ContactForce& c : frame) {
    const Vec3 n = c.normal * c.direction;
    rows.insert(rows.end(),
                {static_cast<double>(c.vertex), static_cast<double>(c.obstacle), static_cast<double>(c.state),
                 n.x, n.y, n.z, c.tangential.x, c.tangential.y, c.tangential.z});
  }
}

void write_contact_obstacles(hdf5::Id file, const std::vector<std::string>& names) {
  hdf5::write_texts(file, obstacle_names, names);
}

ContactLayout checked_contact_layout(hdf5::Id file) {
  return {hdf5::read_texts(file, obstacle_names), checked_offsets(file, contact_row_table)};
}

std::vector<ContactForce> contact_forces(hdf5::Id file, const ContactLayout& layout, Count frame,
                                         Index vertices) {
  const std::vector<double> numbers = frame_numbers(file, contact_row_table, layout.offsets, frame);
  std::vector<ContactForce> forces;
  for (std::size_t at = 1; at < numbers.size(); at += contact_row_table.width) {
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
