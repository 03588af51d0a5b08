#include <electret/geometry/mesh.hpp>

namespace electret {

std::vector<Triangle> triangulated(const Polygons& polygons) {
  std::vector<Triangle> triangles;
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    const auto polygon = polygons[p];
    for (std::size_t k = 2; k < polygon.size(); ++k)
      triangles.push_back({polygon[0], polygon[k - 1], polygon[k]});
  }
  return triangles;
}

}  // namespace electret
