#pragma once
/// \file
/// Taylor series of the softened 1/ρ, ρ² = r² + ε², which is not harmonic: every power x^i y^j z^k of a
/// degree i + j + k up to the order counts.
///
/// A cell's numbers are stored by degree, so that a lower order is their beginning; kernels work on rows of
/// equal j and k, in which i grows.
///
/// This header is included by translation units compiled for wider instruction sets than the rest of the
/// library: it must hold no function that the linker could share between them.

namespace electret::fmm {

/// The largest degree of a Taylor series: a pair of cells costs (p+1)…(p+6)/720 products.
inline constexpr int max_taylor_order = 12;

/// Numbers in a series up to degree `order`.
static constexpr int powers(int order) {
  return (order + 1) * (order + 2) * (order + 3) / 6;
}

template <class T>
struct TaylorTables {
  static constexpr int size = powers(max_taylor_order);
  /// [j][k]: where the row x^i y^j z^k begins, j + k ≤ max_taylor_order.
  short row[max_taylor_order + 1][max_taylor_order + 1];
  /// By number: its place in the rows, and the numbers of the powers with one or two x, y, z less; `size`
  /// where there is none.
  short place[size], one_less[size][3], two_less[size][3];
  T factorial[size];  ///< i! j! k!
};

/// Found on the first call.
template <class T>
const TaylorTables<T>& taylor_tables();

extern template const TaylorTables<float>& taylor_tables();
extern template const TaylorTables<double>& taylor_tables();

}  // namespace electret::fmm
