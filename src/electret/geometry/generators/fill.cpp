#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <electret/core/stop_scope.hpp>
#include <electret/geometry/embedding.hpp>
#include <electret/geometry/generators/fill.hpp>
#include <electret/geometry/generators/parameters.hpp>
#include <electret/geometry/generators/stuffing.hpp>
#include <electret/geometry/surface_parts.hpp>
#include <electret/geometry/volume.hpp>
#include <electret/geometry/volume_report.hpp>

namespace electret {
namespace {

/// The largest lattice; each vertex takes a byte.
constexpr double most_lattice_vertices = 2e8;

/// Numbers the corners of cubes in the order in which they occur.
class Cubes {
 public:
  Cubes(const Vec3& low, double size, const std::array<Count, 3>& cells)
      : low_(low), size_(size), cells_(cells) {}

  void add(Count i, Count j, Count k) {
    mesh.hexahedra.push_back({at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k),
                              at(i, j, k + 1), at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1),
                              at(i, j + 1, k + 1)});
  }

  Mesh mesh;

 private:
  Index at(Count i, Count j, Count k) {
    const Count corner = (k * (cells_[1] + 1) + j) * (cells_[0] + 1) + i;
    const auto [found, is_new] = numbers_.try_emplace(corner, static_cast<Index>(mesh.vertices.size()));
    if (is_new)
      mesh.vertices.push_back(
          low_ + size_ * Vec3{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
    return found->second;
  }

  Vec3 low_;
  double size_;
  std::array<Count, 3> cells_;
  std::unordered_map<Count, Index> numbers_;
};

/// The sizes of surfaces, m, whose areas, volumes and their products can be computed.
constexpr double least_extent = 1e-30, most_extent = 1e30;

/// Whether the surface's size can be computed with; if not, adds a finding.
bool has_allowed_size(const BoundingBox& box, std::vector<ParameterFinding>& findings) {
  double farthest = 0.0, largest = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    farthest = std::max({farthest, std::abs(box.low[axis]), std::abs(box.high[axis])});
    largest = std::max(largest, box.high[axis] - box.low[axis]);
  }
  const std::string allowed =
      "allowed: " + parameters::written(least_extent) + " to " + parameters::written(most_extent);
  if (farthest > most_extent)
    findings.push_back({"surface", "the surface reaches to " + parameters::written(farthest), allowed});
  else if (largest < least_extent)
    findings.push_back({"surface", "the surface's extent is " + parameters::written(largest), allowed});
  return farthest <= most_extent && largest >= least_extent;
}

/// Whether no two faces that meet at an edge face different ways; if some do, adds a finding. The winding
/// number would take a part away there, where holes and overlaps do no harm.
bool is_turned_alike(const Polygons& polygons, std::vector<ParameterFinding>& findings) {
  const SurfaceParts parts = parts_of_surface(polygons);
  if (parts.turned.empty()) return true;
  const Edge& edge = parts.turned.front().first;
  findings.push_back({"surface",
                      "the surface's faces are not turned the same way: both faces pass the edge between "
                      "vertices " +
                          std::to_string(edge[0]) + " and " + std::to_string(edge[1]) + " in one direction",
                      "allowed: a surface whose faces all point outwards"});
  return false;
}

/// What both shapes share: it checks the surface, makes the solid by `make(tree, cell_size)`, and ties the
/// surface to the solid.
template <class Make>
Mesh made_within(const ParameterValues& values, const Mesh& surface, std::vector<ParameterFinding>& findings,
                 Make&& make) {
  const double cell_size = parameters::value(values, "cell_size", 0.1);
  if (surface.polygons.size() == 0) {
    findings.push_back({"surface", "the surface has no faces", "allowed: a mesh of polygons"});
    return {};
  }
  if (!has_allowed_size(bounding_box(surface.vertices), findings) ||
      !is_turned_alike(surface.polygons, findings))
    return {};
  const SurfaceTree tree(surface);
  const Vec3 extent = tree.box().high - tree.box().low;
  const double largest = std::max({extent.x, extent.y, extent.z});
  if (cell_size > largest) {
    findings.push_back({"cell_size",
                        "\"cell_size\" = " + parameters::written(cell_size) +
                            " is more than the surface's extent, " + parameters::written(largest),
                        "allowed: smaller cells"});
    return {};
  }
  const double count = stuffing::lattice_vertices(tree.box(), cell_size);
  if (!(count <= most_lattice_vertices)) {
    findings.push_back({"cell_size", "a lattice of " + parameters::written(std::round(count)) + " places",
                        "allowed: a cell_size that gives at most " +
                            parameters::written(most_lattice_vertices) + " half cells"});
    return {};
  }
  Mesh solid = make(tree, cell_size);
  if (solid.element_count() == 0) {
    findings.push_back({"cell_size",
                        "\"cell_size\" = " + parameters::written(cell_size) +
                            " leaves no element: no place of its lattice is inside the surface",
                        "allowed: smaller cells, or a surface that faces outwards"});
    return {};
  }
  solid.polygons = boundary_of_elements(solid);
  solid.surface = surface_of_solid(solid, surface, tree);
  parameters::add_group(solid, "boundary", [is_used = std::vector<bool>(), &solid](std::size_t i) mutable {
    if (is_used.empty()) {
      is_used.resize(solid.vertices.size());
      for (const Index v : solid.polygons.indices) is_used[static_cast<std::size_t>(v)] = true;
    }
    return is_used[i];
  });
  return solid;
}

Shape shape_within(std::string_view name, std::string_view description) {
  return {name,
          description,
          {parameters::file("surface",
                            "the surface, closed and facing outwards; a point is inside if the "
                            "winding number there is over ½, which closes small holes"),
           parameters::length("cell_size", 0.1, "edge of a cell")},
          {"boundary"},
          nullptr};
}

double largest_distance(const SurfaceTree& tree, VectorView points, std::span<const Index> which) {
  double largest = 0.0;
  for (const Index v : which) {
    throw_if_stopped();
    largest = std::max(largest, tree.distance(points[static_cast<std::size_t>(v)]));
  }
  return largest;
}

}  // namespace

Mesh voxels(const SurfaceTree& surface, double cell_size, VoxelGrid grid) {
  constexpr double rounding = 1e-9;  // Of a cell: an extent of 15 cells holds 15, however it was computed.
  const BoundingBox& box = surface.box();
  std::array<Count, 3> cells{};
  Vec3 low = box.low;
  for (int axis = 0; axis < 3; ++axis) {
    const double size = (box.high[axis] - box.low[axis]) / cell_size;
    const double count = grid == VoxelGrid::corner ? std::floor(size + rounding) : std::ceil(size);
    cells[static_cast<std::size_t>(axis)] = std::max<Count>(1, static_cast<Count>(count));
    if (grid == VoxelGrid::centred)
      low[axis] = 0.5 * (box.low[axis] + box.high[axis] -
                         cell_size * static_cast<double>(cells[static_cast<std::size_t>(axis)]));
  }
  Cubes cubes(low, cell_size, cells);
  for (Count k = 0; k < cells[2]; ++k)
    for (Count j = 0; j < cells[1]; ++j)
      for (Count i = 0; i < cells[0]; ++i) {
        const Vec3 centre = low + cell_size * Vec3{static_cast<double>(i) + 0.5, static_cast<double>(j) + 0.5,
                                                   static_cast<double>(k) + 0.5};
        throw_if_stopped();
        if (surface.is_inside(centre)) cubes.add(i, j, k);
      }
  return std::move(cubes.mesh);
}

Mesh filled(const SurfaceTree& surface, double cell_size) {
  return stuffing::stuffed(surface, cell_size);
}

FilledSurface surface_of_solid(const Mesh& solid, const Mesh& surface, const SurfaceTree& tree) {
  FilledSurface result;
  result.polygons = surface.polygons;
  result.embedding = embed(solid, surface.vertices);
  result.is_closed = tree.is_closed();
  if (result.is_closed) {
    result.volume = tree.volume();
    result.volume_error = volume_report(solid, solid.vertices).volume / result.volume - 1.0;
  }
  result.outside = largest_distance(tree, solid.vertices, solid.polygons.indices);
  result.inside = largest_distance(SurfaceTree(solid), surface.vertices, surface.polygons.indices);
  return result;
}

const Shape& voxels_shape() {
  static const Shape shape = [] {
    Shape made = shape_within("voxels", "the cubes of a grid whose centres are inside a surface");
    made.parameters.push_back(parameters::choice(
        "grid", "centred", {"centred", "corner"},
        "where the grid lies: centred on the surface's box and covering it, or whole cells from the box's "
        "lowest corner on"));
    made.build_within = [](const ParameterValues& values, const Mesh& surface,
                           std::vector<ParameterFinding>& findings) {
      const bool from_corner = parameters::value(values, "grid", "centred") == "corner";
      return made_within(values, surface, findings, [&](const SurfaceTree& tree, double cell_size) {
        return voxels(tree, cell_size, from_corner ? VoxelGrid::corner : VoxelGrid::centred);
      });
    };
    return made;
  }();
  return shape;
}

const Shape& fill_shape() {
  static const Shape shape = [] {
    Shape made = shape_within("fill", "tetrahedra of good shape inside a surface (isosurface stuffing)");
    made.build_within = [](const ParameterValues& values, const Mesh& surface,
                           std::vector<ParameterFinding>& findings) {
      return made_within(values, surface, findings, filled);
    };
    return made;
  }();
  return shape;
}

}  // namespace electret
