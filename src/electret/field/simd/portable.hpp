#pragma once
/// \file
/// Powers of 1/ρ for Coulomb's sums in vectors for any processor.
///
/// Include this as core/simd/portable.hpp.

#include <electret/core/simd/portable.hpp>

namespace electret::coulomb {
namespace {

template <class T>
struct Portable : simd::Portable<T> {
  using typename simd::Portable<T>::Vector;
  using simd::Portable<T>::width, simd::Portable<T>::square_root;
  static constexpr int registers = 2, pair_rows = 1;
  static constexpr int derivative_chunk = 32;
  struct Inverse {
    Vector cube, square;
  };
  struct DerivativeFactors {
    Vector charge_over_cube, minus_three_over_square;
  };
  static ELECTRET_INLINE Vector min(Vector a, Vector b) { return b < a ? b : a; }
  static ELECTRET_INLINE Vector count_if_zero(Vector rho2, Vector q) {
    const Vector zero{}, one = zero + T{1};
    return rho2 == zero ? (q == zero ? zero : one) : zero;
  }
  template <bool Masked>
  static ELECTRET_INLINE Inverse inverse_cube_and_square(Vector rho2) {
    const Vector zero{}, one = zero + T{1};
    Vector root;
    for (int l = 0; l < width; ++l) root[l] = simd::root_of(rho2[l]);
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
  /// Uses only one division, because it costs more than all the rest: ρ⁻³ = (ρ ρ⁻²) ρ⁻².
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
}  // namespace electret::coulomb
