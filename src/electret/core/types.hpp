#pragma once
/// \file
/// The types of arrays: vertex indices, counts, 3-vectors, 3×3 matrices and views of them.
///
/// Public arrays are float64 and row-major n×3: `std::span<const Vec3>`. A view never owns its data; the
/// function that returns a view says who does.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace electret {

using Index = std::int32_t;  ///< The number of a vertex, spring or element, from 0.
using Count = std::int64_t;  ///< Counts, offsets and numbers of steps; may exceed 2³¹.

/// A vector of R³; three contiguous doubles.
struct Vec3 {
  double x = 0.0, y = 0.0, z = 0.0;

  constexpr double& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  constexpr double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  constexpr Vec3& operator+=(const Vec3& b) { return x += b.x, y += b.y, z += b.z, *this; }
  constexpr Vec3& operator-=(const Vec3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
  constexpr Vec3& operator*=(double s) { return x *= s, y *= s, z *= s, *this; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};
static_assert(sizeof(Vec3) == 3 * sizeof(double));

constexpr Vec3 operator+(Vec3 a, const Vec3& b) {
  return a += b;
}
constexpr Vec3 operator-(Vec3 a, const Vec3& b) {
  return a -= b;
}
constexpr Vec3 operator-(const Vec3& a) {
  return {-a.x, -a.y, -a.z};
}
constexpr Vec3 operator*(double s, Vec3 a) {
  return a *= s;
}
constexpr Vec3 operator*(Vec3 a, double s) {
  return a *= s;
}
constexpr double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr double squared_norm(const Vec3& a) {
  return dot(a, a);
}
inline double norm(const Vec3& a) {
  return std::sqrt(dot(a, a));
}
inline bool is_finite(const Vec3& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// A 3×3 matrix; its entries are `rows[i][j]`.
struct Mat3 {
  std::array<Vec3, 3> rows{};

  static constexpr Mat3 identity() { return {{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}}; }
  constexpr Mat3& operator+=(const Mat3& b) {
    for (std::size_t i = 0; i < 3; ++i) rows[i] += b.rows[i];
    return *this;
  }
  constexpr Mat3& operator*=(double s) {
    for (auto& row : rows) row *= s;
    return *this;
  }
};
constexpr Mat3 operator+(Mat3 a, const Mat3& b) {
  return a += b;
}
constexpr Mat3 operator*(double s, Mat3 a) {
  return a *= s;
}
constexpr Vec3 operator*(const Mat3& a, const Vec3& v) {
  return {dot(a.rows[0], v), dot(a.rows[1], v), dot(a.rows[2], v)};
}
/// Aᵀv.
constexpr Vec3 transposed_product(const Mat3& a, const Vec3& v) {
  return v.x * a.rows[0] + v.y * a.rows[1] + v.z * a.rows[2];
}
/// a bᵀ.
constexpr Mat3 outer(const Vec3& a, const Vec3& b) {
  return {{a.x * b, a.y * b, a.z * b}};
}

using VectorArray = std::vector<Vec3>;       ///< n×3.
using VectorView = std::span<const Vec3>;    ///< n×3, read only.
using VectorSpan = std::span<Vec3>;          ///< n×3, writable.
using ScalarView = std::span<const double>;  ///< n, read only.
using ScalarSpan = std::span<double>;        ///< n, writable.

using Edge = std::array<Index, 2>;      ///< Two vertex indices.
using Triangle = std::array<Index, 3>;  ///< Three vertex indices.
/// Four vertex indices in Gmsh's order. The volume is positive if (x₁-x₀, x₂-x₀, x₃-x₀) are right-handed.
using Tetrahedron = std::array<Index, 4>;
/// Eight vertex indices in Gmsh's order: one face in turn, then the opposite face. The volume is positive if
/// the normal of the first face by the right-hand rule points to the second face.
using Hexahedron = std::array<Index, 8>;

}  // namespace electret
