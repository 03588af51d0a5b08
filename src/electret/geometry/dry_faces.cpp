#include <span>

#include <electret/geometry/dry_faces.hpp>
#include <electret/geometry/enclosed_parts.hpp>
#include <electret/geometry/surface_parts.hpp>

namespace electret {

std::vector<WetFace> without_dry(const std::vector<WetFace>& boundary, VectorView vertices) {
  Polygons polygons;
  for (const WetFace& face : boundary)
    polygons.add(std::span(face.corners).first(static_cast<std::size_t>(face.corner_count())));
  const SurfaceParts parts = parts_of_boundary(polygons);
  const std::vector<char> is_dry = enclosed_polygons(polygons, parts.of, parts.closed(), vertices);
  std::vector<WetFace> wet;
  for (std::size_t p = 0; p < boundary.size(); ++p)
    if (is_dry[p] == 0) wet.push_back(boundary[p]);
  return wet;
}

}  // namespace electret
