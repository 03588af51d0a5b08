#include <electret/core/errors.hpp>
#include <electret/elastic/rest_shape.hpp>
#include <electret/geometry/volume.hpp>

namespace electret {
namespace {

Mat3 transposed(const Mat3& a) {
  Mat3 t;
  for (int i = 0; i < 3; ++i)
    t.rows[static_cast<std::size_t>(i)] = {a.rows[0][i], a.rows[1][i], a.rows[2][i]};
  return t;
}

std::vector<Vec3> all_slopes(ElementType type) {
  if (type == ElementType::tetrahedron) return {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  require(type == ElementType::hexahedron, "rest shape: elements of no volume");
  std::vector<Vec3> result;
  for (const Vec3& point : gauss_points())
    for (const Vec3& slope : hexahedron_slopes(point)) result.push_back(slope);
  return result;
}

}  // namespace

RestShape::RestShape(const ElementBlock& elements, VectorView rest_positions)
    : vertices_(static_cast<std::size_t>(elements.vertices_per_element())),
      points_(elements.type() == ElementType::hexahedron ? 8 : 1),
      slopes_(all_slopes(elements.type())) {
  require(rest_positions.size() == static_cast<std::size_t>(elements.vertex_count()),
          "rest shape: not one position for each vertex");
  const auto connectivity = elements.connectivity();
  for (std::size_t first = 0; first < connectivity.size(); first += vertices_)
    for (std::size_t q = 0; q < points_; ++q) {
      Mat3 jacobian;
      for (std::size_t a = 0; a < vertices_; ++a)
        jacobian += outer(rest_positions[static_cast<std::size_t>(connectivity[first + a])], slopes(q)[a]);
      const Mat3 columns = transposed(jacobian);
      const Vec3 &x = columns.rows[0], &y = columns.rows[1], &z = columns.rows[2];
      const double determinant = dot(x, cross(y, z));
      require(determinant > 0.0, "rest shape: an element is inverted or flat");
      inverses_.push_back((1.0 / determinant) * Mat3{{cross(y, z), cross(z, x), cross(x, y)}});
      weights_.push_back(points_ == 1 ? determinant / 6.0 : determinant);
    }
}

}  // namespace electret
