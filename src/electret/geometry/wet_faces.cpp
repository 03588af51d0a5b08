#include <electret/geometry/enclosed_parts.hpp>
#include <electret/geometry/surface_parts.hpp>
#include <electret/geometry/volume.hpp>
#include <electret/geometry/wet_faces.hpp>

namespace electret {
namespace {

void add_faces(std::span<const Index> polygon, bool has_two_sides, std::vector<WetFace>& faces) {
  if (polygon.size() == 4) {
    faces.push_back({{polygon[0], polygon[1], polygon[2], polygon[3]}, has_two_sides});
    return;
  }
  for (std::size_t k = 2; k < polygon.size(); ++k)
    faces.push_back({{polygon[0], polygon[k - 1], polygon[k], -1}, has_two_sides});
}

}  // namespace

WetSurface wet_surface(const Polygons& polygons, VectorView vertices) {
  const SurfaceParts parts = parts_of_surface(polygons);
  const std::vector<double> volumes = volumes_of(parts, polygons, vertices);
  const std::vector<char> is_dry = enclosed_polygons(polygons, parts.of, parts.closed(), vertices);
  WetSurface surface;
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    if (is_dry[p] != 0) continue;
    const std::size_t part = parts.part(p);
    add_faces(polygons[p], parts.is_open[part] != 0, surface.faces);
    surface.is_turned_inside |= parts.is_open[part] == 0 && volumes[part] < 0.0;
  }
  for (const auto& [edge, polygon] : parts.turned) {
    const auto p = static_cast<std::size_t>(polygon);
    if (!surface.turned_edge && is_dry[p] == 0 && parts.has_rim[parts.part(p)] == 0)
      surface.turned_edge = edge;
  }
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
