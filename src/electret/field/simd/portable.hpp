#pragma once
/// \file
/// The vectors of any processor: GNU vector types of 16 bytes, which the compiler maps to what there is.
///
/// Included only by translation units compiled for that instruction set; all lies in an unnamed namespace, so
/// that the linker shares none of it with code that must run everywhere.

#include <cstdint>

#include <electret/field/simd/inline.hpp>

namespace electret::simd {
namespace {

ELECTRET_INLINE float root_of(float a) {
  return __builtin_sqrtf(a);
}
ELECTRET_INLINE double root_of(double a) {
  return __builtin_sqrt(a);
}

template <class T>
struct Portable {
  using Scalar = T;
  static constexpr int width = 16 / sizeof(T), registers = 2, pair_rows = 1;
  static constexpr int derivative_chunk = 32;
  typedef T Vector __attribute__((vector_size(16)));
  struct Inverse {
    Vector cube, square;
  };
  struct DerivativeFactors {
    Vector charge_over_cube, minus_three_over_square;
  };

  static ELECTRET_INLINE Vector load(const T* p) {
    Vector a;
    __builtin_memcpy(&a, p, sizeof a);
    return a;
  }
  /// 16 bytes of a row: see the wider vectors.
  static ELECTRET_INLINE Vector load_pieces(const T* const* rows, int, std::int64_t at) {
    return load(rows[0] + at);
  }
  static ELECTRET_INLINE Vector broadcast(T a) { return Vector{} + a; }
  static ELECTRET_INLINE Vector fma(Vector a, Vector b, Vector c) { return a * b + c; }
  static ELECTRET_INLINE Vector min(Vector a, Vector b) { return b < a ? b : a; }
  static ELECTRET_INLINE void add_to(double* sums, Vector a, double factor) {
    for (int l = 0; l < width; ++l) sums[l] += factor * static_cast<double>(a[l]);
  }
  static ELECTRET_INLINE Vector square_root(Vector a) {
    Vector root;
    for (int l = 0; l < width; ++l) root[l] = root_of(a[l]);
    return root;
  }
  static ELECTRET_INLINE double lane_sum(Vector a) {
    if constexpr (width == 4) return static_cast<double>((a[0] + a[2]) + (a[1] + a[3]));
    return static_cast<double>(a[0] + a[1]);
  }
  static ELECTRET_INLINE Vector count_if_zero(Vector rho2, Vector q) {
    const Vector zero{}, one = zero + T{1};
    return rho2 == zero ? (q == zero ? zero : one) : zero;
  }
  template <bool Masked>
  static ELECTRET_INLINE Inverse inverse_cube_and_square(Vector rho2) {
    const Vector zero{}, one = zero + T{1};
    Vector root;
    for (int l = 0; l < width; ++l) root[l] = root_of(rho2[l]);
    Inverse inverse{one / (rho2 * root), one / rho2};
    if constexpr (Masked) {
      inverse.cube = rho2 == zero ? zero : inverse.cube;
      inverse.square = rho2 == zero ? zero : inverse.square;
    }
    return inverse;
  }
  template <bool Masked, bool>
  static ELECTRET_INLINE Vector charge_over_cube(Vector q, Vector rho2) {
    return q * inverse_cube_and_square<Masked>(rho2).cube;
  }
  template <bool, bool>
  static constexpr double unit() {
    return 1.0;
  }
  template <bool, bool>
  static ELECTRET_INLINE Vector inverse_cube(Vector rho2) {
    return inverse_cube_and_square<false>(rho2).cube;
  }
  template <bool, bool>
  static constexpr double cube_unit() {
    return 1.0;
  }
  static constexpr double estimate_error = 0.0;
  /// With one division, which costs more than all the rest: ρ⁻³ = (ρ ρ⁻²) ρ⁻².
  template <bool Masked, bool>
  static ELECTRET_INLINE DerivativeFactors derivative_factors(Vector q, Vector rho2) {
    const Vector zero{}, one = zero + T{1};
    Vector square = one / rho2;
    if constexpr (Masked) square = rho2 == zero ? zero : square;
    return {q * (square_root(rho2) * square * square), T{-3} * square};
  }
  template <bool, bool>
  static constexpr double derivative_unit() {
    return 1.0;
  }
};

}  // namespace
}  // namespace electret::simd
