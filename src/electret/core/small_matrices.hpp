#pragma once
/// \file
/// Products and inverses of 3×3 matrices.

#include <electret/core/types.hpp>

namespace electret {

inline double determinant(const Mat3& a) {
  return dot(a.rows[0], cross(a.rows[1], a.rows[2]));
}

/// a b.
inline Mat3 product(const Mat3& a, const Mat3& b) {
  Mat3 c;
  for (std::size_t i = 0; i < 3; ++i) c.rows[i] = transposed_product(b, a.rows[i]);
  return c;
}

/// x with A x = b, by Cramer's rule. Not finite where A is singular.
inline Vec3 solve(const Mat3& a, const Vec3& b) {
  const double inverse = 1.0 / determinant(a);
  return inverse * (b.x * cross(a.rows[1], a.rows[2]) + b.y * cross(a.rows[2], a.rows[0]) +
                    b.z * cross(a.rows[0], a.rows[1]));
}

/// x with Aᵀx = b: the rows of A are the columns of Aᵀ.
inline Vec3 solve_transposed(const Mat3& a, const Vec3& b) {
  const double inverse = 1.0 / determinant(a);
  return {inverse * dot(b, cross(a.rows[1], a.rows[2])), inverse * dot(b, cross(a.rows[2], a.rows[0])),
          inverse * dot(b, cross(a.rows[0], a.rows[1]))};
}

}  // namespace electret
