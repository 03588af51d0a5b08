#include <cmath>

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

std::vector<Vec3> all_slopes(int vertices) {
  if (vertices == 4) return {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  require(vertices == 8, "rest shape: elements of no volume");
  std::vector<Vec3> result;
  for (const Vec3& point : gauss_points())
    for (const Vec3& slope : hexahedron_slopes(point)) result.push_back(slope);
  return result;
}

/// Whether the Jacobians at each element's `points` differ by rounding only.
bool are_uniform(const std::vector<Mat3>& jacobians, std::size_t points) {
  constexpr double rounding = 1e-12;
  double largest = 0.0, difference = 0.0;
  for (std::size_t k = 0; k < jacobians.size(); ++k) {
    if (k % points == 0) {
      if (difference > rounding * largest) return false;
      largest = difference = 0.0;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 &row = jacobians[k].rows[i], &first = jacobians[k - k % points].rows[i];
      for (int j = 0; j < 3; ++j) {
        largest = std::max(largest, std::abs(row[j]));
        difference = std::max(difference, std::abs(row[j] - first[j]));
      }
    }
  }
  return difference <= rounding * largest;
}

}  // namespace

RestShape::RestShape(const ElementBlock& elements, VectorView rest_positions)
    : vertices_(static_cast<std::size_t>(elements.vertices_per_element())),
      points_(elements.vertices_per_element() == 8 ? 8 : 1),
      slopes_(all_slopes(elements.vertices_per_element())),
      batches_(elements, rest_positions) {
  const std::vector<Mat3> all = jacobians(elements, rest_positions);
  if (!are_uniform(all, points_)) kept_points_ = points_;
  values_.resize(static_cast<std::size_t>(batches_.size()) * kept_points_ * 10 * width);
  const auto count = static_cast<std::size_t>(elements.size());
  for (std::size_t k = 0; k < static_cast<std::size_t>(batches_.size()) * width; ++k) {
    // The last batch is filled with its first element.
    const std::size_t place = k < count ? k : k / width * width;
    const Index e = batches_.elements(static_cast<Count>(place / width))[place % width];
    for (std::size_t q = 0; q < kept_points_; ++q)
      keep((k / width * kept_points_ + q) * 10 * width + k % width,
           all[static_cast<std::size_t>(e) * points_ + q]);
  }
}

std::vector<Mat3> RestShape::jacobians(const ElementBlock& elements, VectorView rest_positions) const {
  const auto connectivity = elements.connectivity();
  std::vector<Mat3> result;
  result.reserve(connectivity.size() / vertices_ * points_);
  for (std::size_t first = 0; first < connectivity.size(); first += vertices_)
    for (std::size_t q = 0; q < points_; ++q) {
      Mat3 jacobian;
      for (std::size_t a = 0; a < vertices_; ++a)
        jacobian += outer(rest_positions[static_cast<std::size_t>(connectivity[first + a])], slopes(q)[a]);
      result.push_back(jacobian);
    }
  return result;
}

void RestShape::keep(std::size_t at, const Mat3& jacobian) {
  const Mat3 columns = transposed(jacobian);
  const Vec3 &x = columns.rows[0], &y = columns.rows[1], &z = columns.rows[2];
  const double determinant = dot(x, cross(y, z));
  // Scenes are checked before. A caller that moves rest positions, as a fit does, may get here and back off.
  if (!(determinant > 0.0))
    throw DivergenceError(0, -1, "an element is inverted or flat at rest",
                          "rest positions must leave every element a volume");
  const Mat3 inverse = (1.0 / determinant) * Mat3{{cross(y, z), cross(z, x), cross(x, y)}};
  for (std::size_t k = 0; k < 9; ++k) values_[at + k * width] = inverse.rows[k / 3][static_cast<int>(k % 3)];
  values_[at + 9 * width] = points_ == 1 ? determinant / 6.0 : determinant;
}

Mat3 RestShape::inverse(Count e, std::size_t q) const {
  Mat3 result;
  for (std::size_t k = 0; k < 9; ++k)
    result.rows[k / 3][static_cast<int>(k % 3)] = values_[at(e, q) + k * width];
  return result;
}

}  // namespace electret
