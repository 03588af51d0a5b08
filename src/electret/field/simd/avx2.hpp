#pragma once
/// \file
/// Powers of 1/ρ for Coulomb's sums in the vectors of AVX2 with FMA.
///
/// Include this as core/simd/avx2.hpp.

#include <electret/core/simd/avx2.hpp>

namespace electret::coulomb {
namespace {

/// As for AVX-512, but from an estimate of 12 bits: h is up to 7.4e-4.
struct Avx2Float32 : simd::Avx2Float32 {
  static constexpr int registers = 1, pair_rows = 4;
  static constexpr int derivative_chunk = 32;
  struct Inverse {
    Vector cube, square;
  };
  struct DerivativeFactors {
    Vector charge_over_cube, minus_three_over_square;
  };
  /// Compares the bits, which are ordered like the numbers for ρ² ≥ 0.
  static ELECTRET_INLINE Vector min(Vector a, Vector b) {
    return _mm256_castsi256_ps(_mm256_min_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b)));
  }
  /// ρ⁻³ and ρ⁻², each with terms up to h²: 1 + 3/2 h + 15/8 h² and 1 + h + h².
  template <bool>
  static ELECTRET_INLINE Inverse inverse_cube_and_square(Vector rho2) {
    const Vector y = _mm256_rsqrt_ps(rho2), y2 = y * y, h = _mm256_fnmadd_ps(rho2, y2, broadcast(1.0F));
    const Vector cube = fma(fma(h, broadcast(1.875F), broadcast(1.5F)), h, broadcast(1.0F));
    return {y * y2 * cube, y2 * (fma(h, h, h) + broadcast(1.0F))};
  }
  /// The linear term leaves an error of 15/8 h² = 1e-6, which is enough for plain differences. Compensated
  /// differences keep the square: 1 + 3/2 h + 15/8 h² = 15/8 ((h + 2/5)² + 28/75), which costs one more
  /// operation.
  template <bool, bool Compensated>
  static ELECTRET_INLINE Vector charge_over_cube(Vector q, Vector rho2) {
    const Vector y = _mm256_rsqrt_ps(rho2);
    return (q * y) * square_and_series<Compensated>(rho2, y * y);
  }
  template <bool Compensated>
  static ELECTRET_INLINE Vector square_and_series(Vector rho2, Vector y2) {
    if constexpr (!Compensated) return y2 * fma(rho2, y2, broadcast(-5.0F / 3.0F));
    const Vector v = fma(rho2, y2, broadcast(-1.4F));  // -(h + 2/5)
    return y2 * fma(v, v, broadcast(28.0F / 75.0F));
  }
  template <bool, bool Compensated>
  static constexpr double unit() {
    return Compensated ? 1.875 : -1.5;
  }
  /// ρ⁻³ over `cube_unit`, as above. With `Estimate` it is y³, whose relative error is at most
  /// `estimate_error`.
  template <bool Estimate, bool Compensated>
  static ELECTRET_INLINE Vector inverse_cube(Vector rho2) {
    const Vector y = _mm256_rsqrt_ps(rho2), y2 = y * y;
    if constexpr (Estimate) return y * y2;
    return y * square_and_series<Compensated>(rho2, y2);
  }
  template <bool Estimate, bool Compensated>
  static constexpr double cube_unit() {
    return Estimate ? 1.0 : unit<false, Compensated>();
  }
  static constexpr double estimate_error = 3.0 * 1.5 * 0x1p-12;
  /// q ρ⁻³ as above, and -3 ρ⁻² with as many terms: -3 y² (1 + h), whose error is h² = 5e-7. Compensated: -3
  /// y² (1 + h + h²) = y² (-3 v² + 0.6 v - 2.28).
  template <bool, bool Compensated>
  static ELECTRET_INLINE DerivativeFactors derivative_factors(Vector q, Vector rho2) {
    const Vector y = _mm256_rsqrt_ps(rho2), y2 = y * y;
    if constexpr (Compensated) {
      const Vector v = fma(rho2, y2, broadcast(-1.4F));
      const Vector square = fma(fma(v, broadcast(-3.0F), broadcast(0.6F)), v, broadcast(-2.28F));
      return {(q * y) * (y2 * fma(v, v, broadcast(28.0F / 75.0F))), y2 * square};
    } else {
      const Vector series = fma(rho2, y2, broadcast(-5.0F / 3.0F));
      return {(q * y) * (y2 * series), y2 * fma(series, broadcast(3.0F), broadcast(-1.0F))};
    }
  }
  template <bool Masked, bool Compensated>
  static constexpr double derivative_unit() {
    return unit<Masked, Compensated>();
  }
};

struct Avx2Float64 : simd::Avx2Float64 {
  static constexpr int registers = 1, pair_rows = 4;
  static constexpr int derivative_chunk = 32;
  struct Inverse {
    Vector cube, square;
  };
  struct DerivativeFactors {
    Vector charge_over_cube, minus_three_over_square;
  };
  static ELECTRET_INLINE Vector count_if_zero(Vector rho2, Vector q) {
    const Vector zero = _mm256_setzero_pd();
    const Vector counted =
        _mm256_andnot_pd(_mm256_cmp_pd(q, zero, _CMP_EQ_OQ), _mm256_cmp_pd(rho2, zero, _CMP_EQ_OQ));
    return _mm256_and_pd(counted, broadcast(1.0));
  }
  /// The estimate goes through float32. A ρ² below float32's range (1e-38 in the scaled frame) gives an
  /// infinity, so the masked kernel sums that group again.
  static ELECTRET_INLINE Vector estimate(Vector rho2) {
    return _mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps(rho2)));
  }
  template <bool Masked>
  static ELECTRET_INLINE Inverse inverse_cube_and_square(Vector rho2) {
    if constexpr (Masked) {
      const Vector apart = _mm256_cmp_pd(rho2, _mm256_setzero_pd(), _CMP_NEQ_UQ);
      const Vector square = _mm256_and_pd(apart, broadcast(1.0) / rho2);
      return {_mm256_and_pd(apart, square / _mm256_sqrt_pd(rho2)), square};
    } else {
      // Two steps: the first with the terms to h² (error 5/16 h³ = 1e-10), the second of Newton.
      const Vector y0 = estimate(rho2), h0 = _mm256_fnmadd_pd(rho2 * y0, y0, broadcast(1.0));
      const Vector y = fma(y0 * h0, fma(h0, broadcast(0.375), broadcast(0.5)), y0);
      const Vector y2 = y * y, h = _mm256_fnmadd_pd(rho2, y2, broadcast(1.0));
      return {y * y2 * fma(h, broadcast(1.5), broadcast(1.0)), fma(y2, h, y2)};
    }
  }
  /// The series up to h⁵ (remainder 2.9 h⁶ < 1e-18), divided by its last coefficient 693/256.
  static ELECTRET_INLINE Vector cube_series(Vector rho2, Vector y2) {
    const Vector h = _mm256_fnmadd_pd(rho2, y2, broadcast(1.0));
    Vector series = h + broadcast(10.0 / 11.0);
    series = fma(series, h, broadcast(80.0 / 99.0));
    series = fma(series, h, broadcast(160.0 / 231.0));
    series = fma(series, h, broadcast(128.0 / 231.0));
    return fma(series, h, broadcast(256.0 / 693.0));
  }
  template <bool Masked, bool>
  static ELECTRET_INLINE Vector charge_over_cube(Vector q, Vector rho2) {
    if constexpr (Masked) return q * inverse_cube_and_square<true>(rho2).cube;
    const Vector y = estimate(rho2), y2 = y * y;
    return (q * y) * (y2 * cube_series(rho2, y2));
  }
  /// ρ⁻³ over `cube_unit`, as above.
  template <bool, bool>
  static ELECTRET_INLINE Vector inverse_cube(Vector rho2) {
    const Vector y = estimate(rho2), y2 = y * y;
    return y * (y2 * cube_series(rho2, y2));
  }
  template <bool, bool>
  static constexpr double cube_unit() {
    return unit<false, false>();
  }
  static constexpr double estimate_error = 0.0;
  template <bool Masked, bool>
  static constexpr double unit() {
    return Masked ? 1.0 : 693.0 / 256.0;
  }
  template <bool Masked, bool>
  static ELECTRET_INLINE DerivativeFactors derivative_factors(Vector q, Vector rho2) {
    const Inverse inverse = inverse_cube_and_square<Masked>(rho2);
    return {q * inverse.cube, broadcast(-3.0) * inverse.square};
  }
  template <bool, bool>
  static constexpr double derivative_unit() {
    return 1.0;
  }
};

}  // namespace
}  // namespace electret::coulomb
