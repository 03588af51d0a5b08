#pragma once
/// \file
/// Powers of 1/ρ for Coulomb's sums in the vectors of AVX-512.
///
/// Include this as core/simd/avx512.hpp.

#include <electret/core/simd/avx512.hpp>

namespace electret::coulomb {
namespace {

/// ρ⁻³ from an estimate y of 1/ρ with a relative error up to 2⁻¹⁴. With h = 1 - ρ²y², ρ⁻³ = y³ (1-h)^(-3/2) =
/// y³ (1 + 3/2 h + 15/8 h² + …). One Newton step is the linear term; its error 15/8 h² is at most 3e-8.
struct Avx512Float32 : simd::Avx512Float32 {
  static constexpr int registers = 1, pair_rows = 4;
  static constexpr int derivative_chunk = 1;
  struct Inverse {
    Vector cube, square;
  };
  struct DerivativeFactors {
    Vector charge_over_cube, minus_three_over_square;
  };
  /// For ρ² ≥ 0 the bits of float32 are ordered like the numbers. The integer minimum leaves the
  /// floating-point ports free.
  static ELECTRET_INLINE Vector min(Vector a, Vector b) {
    return _mm512_castsi512_ps(_mm512_min_epi32(_mm512_castps_si512(a), _mm512_castps_si512(b)));
  }
  /// ρ⁻³ and ρ⁻², each with the term linear in h.
  template <bool>
  static ELECTRET_INLINE Inverse inverse_cube_and_square(Vector rho2) {
    const Vector y = _mm512_rsqrt14_ps(rho2), y2 = y * y, h = _mm512_fnmadd_ps(rho2, y2, broadcast(1.0F));
    return {y * y2 * fma(h, broadcast(1.5F), broadcast(1.0F)), fma(y2, h, y2)};
  }
  /// -2/3 of q ρ⁻³: (1 + 3/2 h) = -3/2 (ρ²y² - 5/3), and `unit` holds the factor -3/2.
  template <bool, bool>
  static ELECTRET_INLINE Vector charge_over_cube(Vector q, Vector rho2) {
    const Vector y = _mm512_rsqrt14_ps(rho2), y2 = y * y;
    return (q * y) * (y2 * fma(rho2, y2, broadcast(-5.0F / 3.0F)));
  }
  /// ρ⁻³ over `cube_unit`, as above. With `Estimate` it is y³, whose relative error is at most
  /// `estimate_error`.
  template <bool Estimate, bool>
  static ELECTRET_INLINE Vector inverse_cube(Vector rho2) {
    const Vector y = _mm512_rsqrt14_ps(rho2), y2 = y * y;
    if constexpr (Estimate) return y * y2;
    return y * (y2 * fma(rho2, y2, broadcast(-5.0F / 3.0F)));
  }
  template <bool Estimate, bool>
  static constexpr double cube_unit() {
    return Estimate ? 1.0 : -1.5;
  }
  static constexpr double estimate_error = 3.0 * 0x1p-14;
  template <bool, bool>
  static constexpr double unit() {
    return -1.5;
  }
  /// -2/3 of q ρ⁻³, and -3 ρ⁻² = y² (3 ρ²y² - 6), whose error h² is smaller still.
  template <bool, bool>
  static ELECTRET_INLINE DerivativeFactors derivative_factors(Vector q, Vector rho2) {
    const Vector y = _mm512_rsqrt14_ps(rho2), y2 = y * y;
    const Vector series = fma(rho2, y2, broadcast(-5.0F / 3.0F));
    return {(q * y) * (y2 * series), y2 * fma(series, broadcast(3.0F), broadcast(-1.0F))};
  }
  template <bool Masked, bool Compensated>
  static constexpr double derivative_unit() {
    return unit<Masked, Compensated>();
  }
};

struct Avx512Float64 : simd::Avx512Float64 {
  static constexpr int registers = 1, pair_rows = 4;
  static constexpr int derivative_chunk = 1;
  struct Inverse {
    Vector cube, square;
  };
  struct DerivativeFactors {
    Vector charge_over_cube, minus_three_over_square;
  };
  static ELECTRET_INLINE Vector count_if_zero(Vector rho2, Vector q) {
    const __mmask8 at_zero = _mm512_cmp_pd_mask(rho2, _mm512_setzero_pd(), _CMP_EQ_OQ);
    return _mm512_maskz_mov_pd(_mm512_mask_cmp_pd_mask(at_zero, q, _mm512_setzero_pd(), _CMP_NEQ_UQ),
                               broadcast(1.0));
  }
  /// 1/ρ from two terms of the series (error 5/16 h³ < 1e-12). The caller adds one more Newton step.
  static ELECTRET_INLINE Vector inverse_root(Vector rho2) {
    const Vector y = _mm512_rsqrt14_pd(rho2);
    const Vector h = _mm512_fnmadd_pd(rho2 * y, y, broadcast(1.0));
    return fma(y * h, fma(h, broadcast(0.375), broadcast(0.5)), y);
  }
  template <bool Masked>
  static ELECTRET_INLINE Inverse inverse_cube_and_square(Vector rho2) {
    if constexpr (Masked) {
      const __mmask8 apart = _mm512_cmp_pd_mask(rho2, _mm512_setzero_pd(), _CMP_NEQ_UQ);
      const Vector square = _mm512_maskz_div_pd(apart, broadcast(1.0), rho2);
      return {_mm512_maskz_div_pd(apart, square, _mm512_sqrt_pd(rho2)), square};
    } else {
      const Vector y = inverse_root(rho2), y2 = y * y, h = _mm512_fnmadd_pd(rho2, y2, broadcast(1.0));
      return {y * y2 * fma(h, broadcast(1.5), broadcast(1.0)), fma(y2, h, y2)};
    }
  }
  /// The series up to h³, divided by its last coefficient 35/16. The remainder 2.5 h⁴ is at most 5e-16, at
  /// the worst estimate.
  static ELECTRET_INLINE Vector cube_series(Vector rho2, Vector y2) {
    const Vector h = _mm512_fnmadd_pd(rho2, y2, broadcast(1.0));
    Vector series = h + broadcast(6.0 / 7.0);
    series = fma(series, h, broadcast(24.0 / 35.0));
    return fma(series, h, broadcast(16.0 / 35.0));
  }
  template <bool Masked, bool>
  static ELECTRET_INLINE Vector charge_over_cube(Vector q, Vector rho2) {
    if constexpr (Masked) return q * inverse_cube_and_square<true>(rho2).cube;
    const Vector y = _mm512_rsqrt14_pd(rho2), y2 = y * y;
    return (q * y) * (y2 * cube_series(rho2, y2));
  }
  /// ρ⁻³ over `cube_unit`, as above.
  template <bool, bool>
  static ELECTRET_INLINE Vector inverse_cube(Vector rho2) {
    const Vector y = _mm512_rsqrt14_pd(rho2), y2 = y * y;
    return y * (y2 * cube_series(rho2, y2));
  }
  template <bool, bool>
  static constexpr double cube_unit() {
    return unit<false, false>();
  }
  static constexpr double estimate_error = 0.0;
  template <bool Masked, bool>
  static constexpr double unit() {
    return Masked ? 1.0 : 35.0 / 16.0;
  }
  /// 16/35 of q ρ⁻³ as above, and -3 ρ⁻² also with terms up to h³. Its remainder 3 h⁴ is at most 7e-16.
  template <bool Masked, bool>
  static ELECTRET_INLINE DerivativeFactors derivative_factors(Vector q, Vector rho2) {
    const Vector three = broadcast(-3.0);
    if constexpr (Masked) {
      const Inverse inverse = inverse_cube_and_square<true>(rho2);
      return {q * inverse.cube, three * inverse.square};
    }
    const Vector y = _mm512_rsqrt14_pd(rho2), y2 = y * y;
    const Vector h = _mm512_fnmadd_pd(rho2, y2, broadcast(1.0));
    Vector cube = h + broadcast(6.0 / 7.0), square = fma(h, three, three);
    cube = fma(cube, h, broadcast(24.0 / 35.0));
    square = fma(square, h, three);
    cube = fma(cube, h, broadcast(16.0 / 35.0));
    square = fma(square, h, three);
    return {(q * y) * (y2 * cube), y2 * square};
  }
  template <bool Masked, bool Compensated>
  static constexpr double derivative_unit() {
    return unit<Masked, Compensated>();
  }
};

}  // namespace
}  // namespace electret::coulomb
