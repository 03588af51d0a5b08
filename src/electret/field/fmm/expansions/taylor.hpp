#pragma once
/// \file
/// Taylor series of the softened 1/ρ with ρ² = r² + ε². It is not harmonic, so every power x^i y^j z^k with i
/// + j + k up to the order counts.
///
/// A cell's coefficients are stored by degree, so that a series of lower order is a prefix. Kernels work on
/// rows of equal j and k in which i grows.
///
/// Translation units that are compiled for wider instruction sets than the rest of the library include this
/// header. It must therefore hold no function that the linker could share between them.

namespace electret::fmm {

/// The largest degree p of a Taylor series. M2L of a pair of cells costs (p+1)…(p+6)/720 products.
inline constexpr int max_taylor_order = 12;

/// The number of coefficients of a series up to degree `order`.
static constexpr int powers(int order) {
  return (order + 1) * (order + 2) * (order + 3) / 6;
}

template <class T>
struct TaylorTables {
  static constexpr int size = powers(max_taylor_order);
  /// [j][k] is where the row x^i y^j z^k begins, j + k ≤ max_taylor_order.
  short row[max_taylor_order + 1][max_taylor_order + 1];
  /// Per coefficient: its place in the rows, and the coefficients with one or two powers less of x, y and z
  /// (`size` if there is none).
  short place[size], one_less[size][3], two_less[size][3];
  T factorial[size];  ///< i! j! k!
};

/// The tables, computed on the first call.
template <class T>
const TaylorTables<T>& taylor_tables();

extern template const TaylorTables<float>& taylor_tables();
extern template const TaylorTables<double>& taylor_tables();

}  // namespace electret::fmm
