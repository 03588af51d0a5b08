#pragma once
/// \file
/// Inverses of symmetric 3×3 blocks.

namespace electret::detail {

/// Inverts a block of 9 floats by its cofactors. Returns false unless its three leading minors are positive.
/// A block that is singular to float32's precision counts as not definite.
inline bool invert_block(const float* block, float* inverse) {
  const double a = block[0], b = 0.5 * (double{block[1]} + block[3]), c = 0.5 * (double{block[2]} + block[6]);
  const double d = block[4], e = 0.5 * (double{block[5]} + block[7]), f = block[8];
  const double aa = d * f - e * e, ab = c * e - b * f, ac = b * e - c * d;
  const double minor = a * d - b * b, determinant = a * aa + b * ab + c * ac;
  constexpr double least = 1e-12;
  if (!(a > 0.0 && minor > least * a * d && determinant > least * a * d * f)) return false;
  const double s = 1.0 / determinant;
  const double bc = b * c - a * e;
  const double entries[9] = {aa, ab, ac, ab, a * f - c * c, bc, ac, bc, minor};
  for (int k = 0; k < 9; ++k) inverse[k] = static_cast<float>(s * entries[k]);
  return true;
}

}  // namespace electret::detail
