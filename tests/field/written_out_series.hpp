#pragma once
/// \file
/// The bases of the fast multipole method's expansions written out at points, cells of random expansions, and
/// pairs of these with the potential that they should have.

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <field/kernel_test.hpp>

namespace electret::fmm {

/// Legendre's P_n^m(cos θ) without the factor (-1)^m, times r^n/sin^m θ: a polynomial in z and r².
inline double legendre(int n, int m, double z, double square) {
  double before = 0.0, value = 1.0;
  for (int i = 1; i <= m; ++i) value *= 2 * i - 1;
  for (int k = m + 1; k <= n; ++k) {
    const double next = ((2 * k - 1) * z * value - (k + m - 1) * square * before) / (k - m);
    before = value, value = next;
  }
  return value;
}

/// All solid harmonics of x up to `order`, in the order in which they are stored.
inline std::vector<double> harmonics(const Vec3& x, int order) {
  std::vector<double> all;
  for (int n = 0; n <= order; ++n)
    for (int g = 0; g < 4; ++g)
      for (int i = 0; i < group_size(n, g); ++i) {
        const int m = 2 * i + std::array{0, 2, 1, 1}[static_cast<std::size_t>(g)];
        double ratio = m == 0 ? 1.0 : 2.0;  // of factorials, (n-m)!/(n+m)!
        for (int k = n - m + 1; k <= n + m; ++k) ratio /= k;
        const double about_z =
            std::pow(std::hypot(x.x, x.y), m) *
            (g % 2 == 0 ? std::cos(m * std::atan2(x.y, x.x)) : std::sin(m * std::atan2(x.y, x.x)));
        all.push_back(std::sqrt(ratio) * legendre(n, m, x.z, squared_norm(x)) * about_z);
      }
  return all;
}

/// Solid harmonics, of 1/r.
struct Harmonic {
  static constexpr int highest = max_order;
  static constexpr double softening_squared = 0.0;
  static int numbers(int order) { return coefficients(order); }
  static std::vector<double> at(const Vec3& x, int order) { return harmonics(x, order); }
  template <class T>
  static const SeriesKernels<T>& of(const ExpansionKernels<T>& kernels) {
    return kernels.harmonic;
  }
};

/// x^i y^j z^k/(i! j! k!), of the softened 1/ρ.
struct Taylor {
  static constexpr int highest = max_taylor_order;
  static constexpr double softening_squared = 2.5;
  static int numbers(int order) { return powers(order); }
  static std::vector<double> at(const Vec3& x, int order) {
    const auto power = [](double a, int n) { return std::pow(a, n) / std::tgamma(n + 1.0); };
    std::vector<double> all;
    for (int n = 0; n <= order; ++n)
      for (int k = 0; k <= n; ++k)
        for (int j = 0; j + k <= n; ++j) all.push_back(power(x.x, n - j - k) * power(x.y, j) * power(x.z, k));
    return all;
  }
  template <class T>
  static const SeriesKernels<T>& of(const ExpansionKernels<T>& kernels) {
    return kernels.taylor;
  }
};

template <class Basis, class T>
double value_at(const T* locals, const Vec3& x, int order) {
  const std::vector<double> basis = Basis::at(x, order);
  double sum = 0.0;
  for (std::size_t k = 0; k < basis.size(); ++k) sum += locals[k] * basis[k];
  return sum;
}

/// 1/√(|R + v|² + ε²) up to degree `order` in v: Σ c_n t^n at t = 1 of 1/√(a + 2bt + ct²).
inline double expanded_inverse(const Vec3& r, const Vec3& v, int order, double softening_squared) {
  const double a = squared_norm(r) + softening_squared, b = dot(r, v), c = squared_norm(v);
  double before = 0.0, last = 1.0 / std::sqrt(a), sum = last;
  for (int n = 1; n <= order; ++n) {
    const double next = -((2 * n - 1) * b * last + (n - 1) * c * before) / (n * a);
    before = last, last = next;
    sum += next;
  }
  return sum;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double value(double low = -1.0, double high = 1.0) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vec3 in_unit_ball() {
    for (;;)
      if (const Vec3 x{value(), value(), value()}; squared_norm(x) < 1.0) return x;
  }

 private:
  std::mt19937 engine_;
};

constexpr int room = (powers(max_taylor_order) + max_lanes - 1) / max_lanes * max_lanes;
static_assert(room > coefficients(max_order));
constexpr int sets = 2;

/// A register's worth of cells, each with random expansions.
template <class Basis, class T>
struct Cells {
  std::vector<T> numbers = std::vector<T>(static_cast<std::size_t>(room * sets * max_lanes), T{7});
  T* of(int cell, int set = 0) { return numbers.data() + (cell * sets + set) * room; }
  const T* of(int cell, int set = 0) const { return numbers.data() + (cell * sets + set) * room; }
  void set_moments(int cell, int set, double charge, const Vec3& x, int order) {
    const std::vector<double> basis = Basis::at(x, order);
    for (std::size_t k = 0; k < basis.size(); ++k) of(cell, set)[k] = static_cast<T>(charge * basis[k]);
  }
  /// Degree n about 1/(2n + 1) in size.
  void set_random(int cell, int set, int order, Random& random) {
    for (int n = 0; n <= order; ++n)
      for (int k = n == 0 ? 0 : Basis::numbers(n - 1); k < Basis::numbers(n); ++k)
        of(cell, set)[k] = static_cast<T>(random.value() / (2 * n + 1));
  }
};

/// Pairs of cells, a charge in each source.
template <class Basis, class T>
struct Pairs {
  int targets;
  FarBatch<T> batch;
  Cells<Basis, T> moments, locals, before;
  double charges[sets][max_lanes];
  Vec3 places[sets][max_lanes];

  /// Targets of them, one after another.
  Pairs(int order, int count, int of_targets, Random& random) : targets(of_targets) {
    batch.count = count;
    batch.order = order;
    batch.sets = sets;
    batch.set_stride = room;
    batch.softening_squared = static_cast<T>(Basis::softening_squared);
    for (int l = 0; l < max_lanes; ++l) {
      batch.moments[l] = moments.of(l);
      batch.locals[l] = locals.of(l * targets / max_lanes);
      Vec3 away = random.in_unit_ball();
      // Along z and so near to it that the angle's square is lost; all but in the planes of the axes.
      if (l % 4 == 1)
        for (const int axis : {0, 1}) away[axis] *= order % 2 ? 0.0 : 1e-22;
      if (l % 8 == 3) away[random.value() < 0.0 ? 0 : 1] *= 1e-18;
      const double distance = random.value(2.0, 8.0) / norm(away);
      for (int axis = 0; axis < 3; ++axis) batch.offset[axis][l] = static_cast<T>(distance * away[axis]);
      batch.target_scale[l] = l % 2 ? T{0.5} : T{1};
      batch.source_scale[l] = l % 3 ? T{0.25} : T{1};
      for (int set = 0; set < sets; ++set) {
        charges[set][l] = random.value();
        places[set][l] = random.in_unit_ball();
        moments.set_moments(l, set, charges[set][l], places[set][l], order);
        locals.set_random(l, set, order, random);
      }
    }
    before = locals;
  }

  Vec3 offset(int l) const { return {batch.offset[0][l], batch.offset[1][l], batch.offset[2][l]}; }

  /// The largest error of a potential in a target over the sum of its terms' sizes.
  double error(Random& random) const {
    double worst = 0.0;
    for (int target = 0; target < targets; ++target)
      for (int set = 0; set < sets; ++set) {
        const Vec3 x = random.in_unit_ball();
        double expected = value_at<Basis>(before.of(target, set), x, batch.order), size = 1.0;
        for (int l = 0; l < batch.count; ++l) {
          if (l * targets / max_lanes != target) continue;
          const auto a = static_cast<double>(batch.target_scale[l]),
                     b = static_cast<double>(batch.source_scale[l]);
          expected += charges[set][l] * expanded_inverse(offset(l), a * x + b * places[set][l], batch.order,
                                                         Basis::softening_squared);
          size += std::abs(charges[set][l]) / norm(offset(l)) / (1.0 - 0.8 * (a + b) / norm(offset(l)));
        }
        worst = std::max(worst,
                         std::abs(value_at<Basis>(locals.of(target, set), x, batch.order) - expected) / size);
      }
    return worst;
  }

  bool left_others_alone() const {
    Cells<Basis, T> rest = locals;
    for (int target = 0; target < targets; ++target)
      for (int set = 0; set < sets; ++set)
        std::copy_n(before.of(target, set), Basis::numbers(batch.order), rest.of(target, set));
    return rest.numbers == before.numbers;
  }
};

}  // namespace electret::fmm
