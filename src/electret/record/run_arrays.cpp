#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/record/run_arrays.hpp>

namespace electret {
namespace {

ArrayValues values(ScalarView view) {
  return std::vector<double>(view.begin(), view.end());
}

ArrayValues values(VectorView view) {
  std::vector<double> flat;
  flat.reserve(3 * view.size());
  for (const Vec3& v : view) flat.insert(flat.end(), {v.x, v.y, v.z});
  return flat;
}

ArrayValues values(std::span<const Count> view) {
  return std::vector<std::int64_t>(view.begin(), view.end());
}

/// Faces or elements.
template <std::size_t corners>
ArrayValues values(std::span<const std::array<Index, corners>> view) {
  std::vector<std::int32_t> flat;
  for (const auto& each : view) flat.insert(flat.end(), each.begin(), each.end());
  return flat;
}

ArrayValues ends(std::span<const Spring> springs) {
  std::vector<std::int32_t> flat;
  for (const Spring& spring : springs) flat.insert(flat.end(), {spring.i, spring.j});
  return flat;
}

template <auto member>
ArrayValues of_each(std::span<const Spring> springs) {
  std::vector<double> numbers;
  for (const Spring& spring : springs) numbers.push_back(spring.*member);
  return numbers;
}

/// Where each body's vertices begin among those of all surfaces; empty without surfaces.
ArrayValues surface_offsets(const TrajectoryHeader& header) {
  std::vector<std::int64_t> offsets;
  if (header.surfaces.empty()) return offsets;
  offsets.assign(header.body_offsets.size(), 0);
  for (const CarriedSurface& surface : header.surfaces)
    for (std::size_t b = surface.body + 1; b < offsets.size(); ++b)
      offsets[b] += static_cast<Count>(surface.corners.size());
  return offsets;
}

template <class Number, auto member>
ArrayValues of_surfaces(const TrajectoryHeader& header) {
  std::vector<Number> flat;
  for (const CarriedSurface& surface : header.surfaces)
    for (const auto& row : surface.*member) flat.insert(flat.end(), row.begin(), row.end());
  return flat;
}

ArrayValues surface_faces(const TrajectoryHeader& header) {
  std::vector<std::int32_t> flat;
  Index first = 0;
  for (const CarriedSurface& surface : header.surfaces) {
    for (const Triangle& face : surface.faces)
      for (const Index vertex : face) flat.push_back(first + vertex);
    first += static_cast<Index>(surface.corners.size());
  }
  return flat;
}

using H = const TrajectoryHeader&;

}  // namespace

const std::vector<RunArray>& run_arrays() {
  using enum ArrayContents;
  static const std::vector<RunArray> table = {
      {"masses", "masses", 1, false, [](H h) { return values(h.masses); }},
      {"rest_positions", "rest positions", 3, false, [](H h) { return values(h.rest_positions); }, numbers,
       "masses"},
      {"body_offsets", "bodies", 1, false, [](H h) { return values(h.body_offsets); }, offsets},
      {"springs", "springs", 2, false, [](H h) { return ends(h.springs); }, vertices},
      {"spring_stiffness", "springs", 1, false, [](H h) { return of_each<&Spring::stiffness>(h.springs); },
       numbers, "springs"},
      {"spring_rest_length", "springs", 1, false,
       [](H h) { return of_each<&Spring::rest_length>(h.springs); }, numbers, "springs"},
      {"faces", "faces", 3, true, [](H h) { return values(h.faces); }, vertices},
      {"tetrahedra", "elements", 4, true, [](H h) { return values(h.tetrahedra); }, vertices},
      {"hexahedra", "elements", 8, true, [](H h) { return values(h.hexahedra); }, vertices},
      {"pins", "pins", 1, true, [](H h) -> ArrayValues { return h.pins; }, vertices},
      {"surface_offsets", "surfaces", 1, true, surface_offsets, offsets},
      {"surface_corners", "surfaces", 8, true, of_surfaces<std::int32_t, &CarriedSurface::corners>, corners},
      {"surface_weights", "surfaces", 8, true, of_surfaces<double, &CarriedSurface::weights>, numbers,
       "surface_corners"},
      {"surface_faces", "surfaces", 3, true, surface_faces, surface_vertices},
  };
  return table;
}

const RunArray& run_array(std::string_view name) {
  const auto& all = run_arrays();
  const auto found = std::find_if(all.begin(), all.end(), [&](const RunArray& a) { return a.name == name; });
  require(found != all.end(), "an array of runs is looked for by a name that none has");
  return *found;
}

}  // namespace electret
