#include <array>
#include <cmath>
#include <memory>

#include <electret/field/fmm/expansions/harmonics.hpp>

namespace electret::fmm {
namespace {

/// Factorials and binomials. float64 holds them exactly as far as it can hold integers.
class Combinatorics {
 public:
  Combinatorics() {
    factorials_[0] = 1.0;
    for (std::size_t n = 1; n < size; ++n) factorials_[n] = factorials_[n - 1] * static_cast<double>(n);
    for (std::size_t n = 0; n < size; ++n) {
      binomials_[n][0] = 1.0;
      for (std::size_t k = 1; k <= n; ++k) binomials_[n][k] = binomials_[n - 1][k - 1] + binomials_[n - 1][k];
    }
  }
  double factorial(int n) const { return factorials_[static_cast<std::size_t>(n)]; }
  double binomial(int n, int k) const {
    return k < 0 || k > n ? 0.0 : binomials_[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
  }

 private:
  static constexpr std::size_t size = 2 * max_order + 2;
  std::array<double, size> factorials_{};
  std::array<std::array<double, size>, size> binomials_{};
};

double sign(int power) {
  return power % 2 == 0 ? 1.0 : -1.0;
}

/// The m of a group's coefficient.
int azimuthal(int group, int number) {
  return 2 * number + (group == 0 ? 0 : group == 1 ? 2 : 1);
}

/// Wigner's d^n_ab for a right angle.
double quarter_turn(const Combinatorics& of, int n, int a, int b) {
  double sum = 0.0;
  for (int s = 0; s <= n + b; ++s)
    sum += sign(a - b + s + 2 * n) * of.binomial(n + b, s) * of.binomial(n - b, n - a - s);
  return std::ldexp(sum, -n) *
         std::sqrt(of.factorial(n + a) * of.factorial(n - a) / (of.factorial(n + b) * of.factorial(n - b)));
}

/// The entry between the cosines (or sines) of orders a and b in the matrix that exchanges x and z.
double swap_entry(const Combinatorics& of, int n, int a, int b, bool sine) {
  const double once = quarter_turn(of, n, a, b), mirrored = sign(b) * quarter_turn(of, n, a, -b);
  const double weight = (a == 0 ? std::sqrt(0.5) : 1.0) * (b == 0 ? std::sqrt(0.5) : 1.0);
  return sign(a) * weight * (sine ? mirrored - once : once + mirrored);
}

/// The product of b! and the factor of x^i y^j z^k in the harmonic f of degree n and order m, with k = 0 or 1
/// and i = n - j - k. f(∂) applied to that power gives this number, so it is the factor of h_b in f.
double basis_entry(const Combinatorics& of, int n, int m, int j, int k, bool sine) {
  const int t = (n - m - k) / 2, i = n - j - k;
  // The term of r^{2t} z^k (x + iy)^m. Higher powers of z do not count, so r² is x² + y².
  const double norm = std::sqrt((m == 0 ? 1.0 : 2.0) * of.factorial(n - m) / of.factorial(n + m));
  const double legendre =
      sign(t) * std::ldexp(of.binomial(n, t) * of.binomial(2 * n - 2 * t, n), -n) * of.factorial(m + k);
  double power = 0.0;
  for (int s = 0; s <= t && 2 * s <= j; ++s) {
    const int from_turn = j - 2 * s;
    power += of.binomial(t, s) * of.binomial(m, from_turn) * sign((from_turn - (sine ? 1 : 0)) / 2);
  }
  return norm * legendre * power * of.factorial(i) * of.factorial(j);
}

template <class T>
void fill_degree(const Combinatorics& of, int n, int group, HarmonicTables<T>& tables) {
  const bool sine = group % 2 == 1;
  const int size = group_size(n, group), other = partner(n, group), k = basis_z_power(n, group);
  for (int j = 0; j < group_size(n, other); ++j)
    for (int r = 0; r < size; ++r)
      tables.swap[swap_start(n, group) + j * size + r] =
          static_cast<T>(swap_entry(of, n, azimuthal(other, j), azimuthal(group, r), sine));
  for (int r = 0; r < size; ++r)
    for (int a = 0; a < size; ++a) {
      const auto value =
          static_cast<T>(basis_entry(of, n, azimuthal(group, r), basis_y_power(group) + 2 * a, k, sine));
      tables.to_harmonics[basis_start(n, group) + a * basis_column + r] = value;
      tables.to_powers[basis_start(n, group) + r * basis_column + a] = value;
    }
}

template <class T>
void fill_axial(const Combinatorics& of, HarmonicTables<T>& tables) {
  for (int m = 0; m <= max_order; ++m)
    for (int n = m; n <= max_order; ++n) {
      for (int k = m; k <= n; ++k)
        tables.shift[m][n][k] =
            static_cast<T>(std::sqrt(of.binomial(n - m, n - k) * of.binomial(n + m, n - k)));
      for (int k = m; k <= max_order - n; ++k)
        tables.far[m][n][k] = static_cast<T>(
            sign(n + k + m) * std::sqrt(of.binomial(n + k, n - m) * of.binomial(n + k, n + m)));
    }
}

}  // namespace

template <class T>
const HarmonicTables<T>& harmonic_tables() {
  static const std::unique_ptr<const HarmonicTables<T>> tables = [] {
    auto made = std::make_unique<HarmonicTables<T>>();
    const Combinatorics of;
    for (int n = 0; n <= max_order; ++n)
      for (int group = 0; group < 4; ++group) fill_degree(of, n, group, *made);
    fill_axial(of, *made);
    return made;
  }();
  return *tables;
}

template const HarmonicTables<float>& harmonic_tables();
template const HarmonicTables<double>& harmonic_tables();

}  // namespace electret::fmm
