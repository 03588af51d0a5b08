#include <array>
#include <string>

#include <electret/core/errors.hpp>
#include <electret/record/detail/pair_frames.hpp>

namespace electret {
namespace {

constexpr std::array<RowColumn, 6> pair_columns{
    {{"contact_pairs/kinds", hdf5::Stored::int32, 0, 1},
     {"contact_pairs/vertices", hdf5::Stored::int32, 1, 4},
     {"contact_pairs/gaps", hdf5::Stored::float64, 5, 1},
     {"contact_pairs/normal_forces", hdf5::Stored::float64, 6, 3},
     {"contact_pairs/tangential_forces", hdf5::Stored::float64, 9, 3},
     {"contact_pairs/slips", hdf5::Stored::int32, 12, 1}}};

[[noreturn]] void fail_pairs(const std::string& name, const std::string& why) {
  throw IoError("its dataset contact_pairs/" + name + " " + why);
}

}  // namespace

const RowTable pair_row_table{"contact_pairs", "contact_pairs/offsets", pair_columns, 13};

void put_pairs(std::span<const PairForce> frame, std::vector<double>& rows) {
  rows.clear();
  for (const PairForce& force : frame) {
    rows.push_back(static_cast<double>(force.pair.kind));
    for (const Index v : force.pair.vertices) rows.push_back(static_cast<double>(v));
    const Vec3 n = force.normal * force.direction, t = force.friction;
    rows.insert(rows.end(), {force.gap, n.x, n.y, n.z, t.x, t.y, t.z, force.slips ? 1.0 : 0.0});
  }
}

std::vector<PairForce> pair_forces(hdf5::Id file, std::span<const std::int64_t> offsets, Count frame,
                                   Index vertices) {
  const std::vector<double> numbers = frame_numbers(file, pair_row_table, offsets, frame);
  std::vector<PairForce> forces;
  for (std::size_t at = 1; at < numbers.size(); at += pair_row_table.width) {
    const double* row = &numbers[at];
    if (row[0] != 0.0 && row[0] != 1.0) fail_pairs("kinds", "has a number that is no kind");
    if (row[12] != 0.0 && row[12] != 1.0) fail_pairs("slips", "has a number that is neither 0 nor 1");
    PairForce& force = forces.emplace_back();
    force.pair.kind = row[0] == 0.0 ? PairKind::vertex_triangle : PairKind::edge_edge;
    for (std::size_t k = 0; k < 4; ++k) {
      if (!(row[1 + k] >= 0.0 && row[1 + k] < vertices)) fail_pairs("vertices", "names no vertex");
      force.pair.vertices[k] = static_cast<Index>(row[1 + k]);
    }
    force.gap = row[5];
    const Vec3 push{row[6], row[7], row[8]};
    force.normal = norm(push);
    if (force.normal > 0.0) force.direction = (1.0 / force.normal) * push;
    force.friction = {row[9], row[10], row[11]};
    force.tangential = norm(force.friction);
    force.slips = row[12] == 1.0;
  }
  return forces;
}

}  // namespace electret
