#pragma once
/// \file
/// Real solid harmonics: the basis of expansions, and the constants that turn and move them.
///
/// With Schmidt's semi-normalised functions, cosine and sine,
///
///   C_n^m = √((2 - δ_m0)(n-m)!/(n+m)!) r^n P_n^m(cos θ) cos mφ,   S_n^m the same with sin mφ,
///
/// turning the coordinates mixes the 2n + 1 functions of degree n by an orthogonal matrix. A cell's numbers
/// are stored by degree, degree n from n² on, within it in four groups of growing m:
///
///   cosines of even m (0, 2, …), sines of even m (2, 4, …), cosines of odd m, sines of odd m.
///
/// Exchanging x and z maps each group to one group, its partner, and leaves the rest of a matrix empty.
///
/// This header is included by translation units compiled for wider instruction sets than the rest of the
/// library: it must hold no function that the linker could share between them.

namespace electret::fmm {

/// The largest degree of an expansion.
inline constexpr int max_order = 18;

/// Numbers in an expansion up to degree `order`.
static constexpr int coefficients(int order) {
  return (order + 1) * (order + 1);
}

/// Numbers of a group: of that degree, or of those of a higher one with m up to `degree`.
static constexpr int group_size(int degree, int group) {
  return group == 0 ? degree / 2 + 1 : group == 1 ? degree / 2 : (degree + 1) / 2;
}
static constexpr int group_start(int degree, int group) {
  int start = degree * degree;
  for (int g = 0; g < group; ++g) start += group_size(degree, g);
  return start;
}
/// The group that `group` becomes as x and z change places.
static constexpr int partner(int degree, int group) {
  const bool cosine = group % 2 == 0, stays = cosine == (degree % 2 == 0);
  return stays ? group : (group + 2) % 4;
}
/// Where the matrix between a group and its partner stands: a row for each number of the partner.
static constexpr int swap_start(int degree, int group) {
  int start = 0;
  for (int n = 0; n <= degree; ++n)
    for (int g = 0; g < 4 && (n < degree || g < group); ++g)
      start += group_size(n, g) * group_size(n, partner(n, g));
  return start;
}

/// Numbers of a column, those of the largest group and some more: whole registers.
inline constexpr int basis_column = 16;
/// Where the columns of a group's change of basis stand.
static constexpr int basis_start(int degree, int group) {
  return group_start(degree, group) * basis_column;
}
/// The reduced powers x^i y^j z^k (k = 0 or 1) that a group's functions are made of: their k, and the least
/// j.
static constexpr int basis_z_power(int degree, int group) {
  return (degree + group / 2) % 2;
}
static constexpr int basis_y_power(int group) {
  return group % 2;
}

template <class T>
struct HarmonicTables {
  /// Exchange of x and z. It is its own inverse and its own transpose.
  alignas(64) T swap[swap_start(max_order + 1, 0)];
  /// [m][n][k]: (-1)^{n+k+m} (n+k)!/√((n-m)!(n+m)!(k-m)!(k+m)!), with which a moment of degree k at distance
  /// 1 along z enters the local of degree n; n + k ≤ max_order.
  alignas(64) T far[max_order / 2 + 1][max_order + 1][max_order + 1];
  /// [m][n][k]: √(binomial(n-m, n-k) binomial(n+m, n-k)), k ≤ n: of C_n^m(x + e_z) = Σ_k … C_k^m(x).
  alignas(64) T shift[max_order + 1][max_order + 1][max_order + 1];
  /// Harmonics from the numbers h_b of the reduced Cartesian powers, and locals' way back (the transpose):
  /// matrices by columns of basis_column numbers.
  alignas(64) T to_harmonics[basis_start(max_order + 1, 0)];
  alignas(64) T to_powers[basis_start(max_order + 1, 0)];
};

/// Found in float64 on the first call, rounded once.
template <class T>
const HarmonicTables<T>& harmonic_tables();

extern template const HarmonicTables<float>& harmonic_tables();
extern template const HarmonicTables<double>& harmonic_tables();

}  // namespace electret::fmm
