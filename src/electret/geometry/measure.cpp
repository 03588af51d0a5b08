#include <algorithm>
#include <stdexcept>

#include <electret/geometry/measure.hpp>
#include <electret/geometry/springs.hpp>

namespace electret {
BoundingBox bounding_box(VectorView points) {
  if (points.empty()) throw std::invalid_argument("bounding_box: no points");
  BoundingBox box{points[0], points[0]};
  for (const Vec3& point : points)
    for (int axis = 0; axis < 3; ++axis) {
      box.low[axis] = std::min(box.low[axis], point[axis]);
      box.high[axis] = std::max(box.high[axis], point[axis]);
    }
  return box;
}

EdgeLengths edge_lengths(const Mesh& mesh) {
  std::vector<double> lengths;
  for (const auto& [a, b] : edges(mesh))
    lengths.push_back(
        norm(mesh.vertices[static_cast<std::size_t>(a)] - mesh.vertices[static_cast<std::size_t>(b)]));
  if (lengths.empty()) return {};
  std::sort(lengths.begin(), lengths.end());
  const std::size_t n = lengths.size();
  return {lengths.front(), 0.5 * (lengths[(n - 1) / 2] + lengths[n / 2]), lengths.back()};
}

}  // namespace electret
