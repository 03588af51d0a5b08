#pragma once
/// \file
/// Real solid harmonics, the basis of the expansions, and the constants that rotate and translate them.
///
/// The functions are Schmidt's semi-normalised cosine and sine functions,
///
///   C_n^m = √((2 - δ_m0)(n-m)!/(n+m)!) r^n P_n^m(cos θ) cos mφ,   S_n^m the same with sin mφ,
///
/// A rotation of the coordinates mixes the 2n + 1 functions of degree n by an orthogonal matrix. An
/// expansion's coefficients are stored by degree; degree n begins at n². Each degree has four groups in which
/// m grows:
///
///   cosines of even m (0, 2, …), sines of even m (2, 4, …), cosines of odd m, sines of odd m.
///
/// The exchange of x and z maps each group to one group, its partner. All other entries of the matrix are 0.
///
/// Translation units that are compiled for wider instruction sets than the rest of the library include this
/// header. It must therefore hold no function that the linker could share between them.

namespace electret::fmm {

/// The largest degree of an expansion.
inline constexpr int max_order = 18;

/// The number of coefficients of an expansion up to degree `order`.
static constexpr int coefficients(int order) {
  return (order + 1) * (order + 1);
}

/// The number of coefficients of a group: of this degree, or, in a higher degree, those with m ≤ `degree`.
static constexpr int group_size(int degree, int group) {
  return group == 0 ? degree / 2 + 1 : group == 1 ? degree / 2 : (degree + 1) / 2;
}
static constexpr int group_start(int degree, int group) {
  int start = degree * degree;
  for (int g = 0; g < group; ++g) start += group_size(degree, g);
  return start;
}
/// The group that `group` becomes if x and z are exchanged.
static constexpr int partner(int degree, int group) {
  const bool cosine = group % 2 == 0, stays = cosine == (degree % 2 == 0);
  return stays ? group : (group + 2) % 4;
}
/// Where the matrix between a group and its partner begins. It has one row per coefficient of the partner.
static constexpr int swap_start(int degree, int group) {
  int start = 0;
  for (int n = 0; n <= degree; ++n)
    for (int g = 0; g < 4 && (n < degree || g < group); ++g)
      start += group_size(n, g) * group_size(n, partner(n, g));
  return start;
}

/// The length of a column: room for the largest group, in whole registers.
inline constexpr int basis_column = 16;
/// Where the columns of a group's change of basis begin.
static constexpr int basis_start(int degree, int group) {
  return group_start(degree, group) * basis_column;
}
/// The reduced powers x^i y^j z^k (k = 0 or 1) of which a group's functions are sums: their k, and their
/// smallest j.
static constexpr int basis_z_power(int degree, int group) {
  return (degree + group / 2) % 2;
}
static constexpr int basis_y_power(int group) {
  return group % 2;
}

template <class T>
struct HarmonicTables {
  /// The exchange of x and z. The matrix is its own inverse and its own transpose.
  alignas(64) T swap[swap_start(max_order + 1, 0)];
  /// M2L along z. [m][n][k] is (-1)^{n+k+m} (n+k)!/√((n-m)!(n+m)!(k-m)!(k+m)!), the factor from a moment of
  /// degree k to the local of degree n at distance 1; n + k ≤ max_order.
  alignas(64) T far[max_order / 2 + 1][max_order + 1][max_order + 1];
  /// M2M and L2L along z. [m][n][k] is √(binomial(n-m, n-k) binomial(n+m, n-k)), k ≤ n, the factor of
  /// C_k^m(x) in C_n^m(x + e_z).
  alignas(64) T shift[max_order + 1][max_order + 1][max_order + 1];
  /// The change of basis from the reduced powers h_b to harmonics, and its transpose for locals. Both are
  /// stored by columns of basis_column elements.
  alignas(64) T to_harmonics[basis_start(max_order + 1, 0)];
  alignas(64) T to_powers[basis_start(max_order + 1, 0)];
};

/// The tables, computed in float64 on the first call and rounded once.
template <class T>
const HarmonicTables<T>& harmonic_tables();

extern template const HarmonicTables<float>& harmonic_tables();
extern template const HarmonicTables<double>& harmonic_tables();

}  // namespace electret::fmm
