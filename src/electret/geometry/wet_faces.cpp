#include <algorithm>
#include <numeric>
#include <utility>

#include <electret/geometry/polygon_sides.hpp>
#include <electret/geometry/volume.hpp>
#include <electret/geometry/wet_faces.hpp>

namespace electret {
namespace {

/// Sets of polygons, each known by one of its members.
class Parts {
 public:
  explicit Parts(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::size_t of(std::size_t p) {
    while (parent_[p] != p) p = parent_[p] = parent_[parent_[p]];
    return p;
  }
  void join(std::size_t a, std::size_t b) { parent_[of(a)] = of(b); }

 private:
  std::vector<std::size_t> parent_;
};

void add_faces(std::span<const Index> polygon, bool has_two_sides, std::vector<WetFace>& faces) {
  if (polygon.size() == 4) {
    faces.push_back({{polygon[0], polygon[1], polygon[2], polygon[3]}, has_two_sides});
    return;
  }
  for (std::size_t k = 2; k < polygon.size(); ++k)
    faces.push_back({{polygon[0], polygon[k - 1], polygon[k], -1}, has_two_sides});
}

/// Six times the volume of the tetrahedra that the polygon's fan spans with `from`.
double volume_below(std::span<const Index> polygon, VectorView vertices, const Vec3& from) {
  const auto at = [&](std::size_t k) { return vertices[static_cast<std::size_t>(polygon[k])] - from; };
  double volume = 0.0;
  for (std::size_t k = 2; k < polygon.size(); ++k) volume += dot(at(0), cross(at(k - 1), at(k)));
  return volume;
}

}  // namespace

WetSurface wet_surface(const Polygons& polygons, VectorView vertices) {
  const std::vector<PolygonSide> sides = polygon_sides(polygons);
  Parts parts(polygons.size());
  std::vector<char> is_open(polygons.size(), 0), is_at_rim(polygons.size(), 0);
  std::vector<std::pair<Edge, std::size_t>> turned;
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].edge() == sides[begin].edge()) {
      parts.join(static_cast<std::size_t>(sides[begin].polygon),
                 static_cast<std::size_t>(sides[end].polygon));
      ++end;
    }
    const auto first = static_cast<std::size_t>(sides[begin].polygon);
    const bool are_two = end - begin == 2;
    if (!are_two) is_at_rim[first] = 1;
    if (are_two && sides[begin].from == sides[begin + 1].to) continue;
    is_open[first] = 1;
    if (are_two) turned.emplace_back(sides[begin].edge(), first);
  }
  std::vector<char> part_is_open(polygons.size(), 0), part_has_rim(polygons.size(), 0);
  std::vector<double> volume(polygons.size(), 0.0);
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    const std::size_t part = parts.of(p);
    if (is_open[p] != 0) part_is_open[part] = 1;
    if (is_at_rim[p] != 0) part_has_rim[part] = 1;
    volume[part] +=
        volume_below(polygons[p], vertices, vertices[static_cast<std::size_t>(polygons[part][0])]);
  }
  WetSurface surface;
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    const std::size_t part = parts.of(p);
    add_faces(polygons[p], part_is_open[part] != 0, surface.faces);
    surface.is_turned_inside |= part_is_open[part] == 0 && volume[part] < 0.0;
  }
  for (const auto& [edge, polygon] : turned)
    if (!surface.turned_edge && part_has_rim[parts.of(polygon)] == 0) surface.turned_edge = edge;
  return surface;
}

std::vector<WetFace> wet_boundary(const std::vector<Tetrahedron>& tetrahedra,
                                  const std::vector<Hexahedron>& hexahedra) {
  Mesh mesh;
  mesh.tetrahedra = tetrahedra;
  mesh.hexahedra = hexahedra;
  const Polygons boundary = boundary_of_elements(mesh);
  std::vector<WetFace> faces;
  for (std::size_t p = 0; p < boundary.size(); ++p) add_faces(boundary[p], false, faces);
  return faces;
}

}  // namespace electret
