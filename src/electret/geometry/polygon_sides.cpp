#include <algorithm>
#include <tuple>

#include <electret/geometry/polygon_sides.hpp>

namespace electret {

std::vector<PolygonSide> polygon_sides(const Polygons& polygons) {
  std::vector<PolygonSide> result;
  result.reserve(polygons.indices.size());
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    const auto corners = polygons[p];
    for (std::size_t k = 0; k < corners.size(); ++k)
      result.push_back(
          {corners[k], corners[(k + 1) % corners.size()], static_cast<Index>(p), static_cast<Count>(k)});
  }
  std::sort(result.begin(), result.end(), [](const PolygonSide& a, const PolygonSide& b) {
    return std::make_tuple(a.edge(), a.polygon, a.at) < std::make_tuple(b.edge(), b.polygon, b.at);
  });
  return result;
}

}  // namespace electret
