/// The fast multipole method's kernels of near pairs against the sums they stand for, written out.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <field/kernel_test.hpp>

namespace electret::fmm {
namespace {

/// Numbers of a leaf and of what is near it; every array has a register to spare.
template <class T>
struct NearPairs {
  using Array = std::vector<T>;
  int count, own, total;
  std::array<Array, 3> targets, targets_low, z, sources, sources_low, u, field, product;
  Array charges, potential, charge_product;
  NearTask<T> task;

  /// `points` targets; with `self` they are the first sources too. `registers` of sources besides.
  NearPairs(int points, bool self, int registers, int width, unsigned seed)
      : count(points), own(self ? (points + width - 1) / width * width : 0), total(own + registers * width) {
    std::mt19937 random(seed);
    const auto value = [&] {
      return static_cast<T>(std::uniform_real_distribution<double>(-1.0, 1.0)(random));
    };
    const auto fill = [&](Array& array, int size, T factor) {
      array.assign(static_cast<std::size_t>(size + max_lanes), T{0});
      for (int i = 0; i < size; ++i) array[static_cast<std::size_t>(i)] = factor * value();
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
      fill(targets[axis], count, 1), fill(targets_low[axis], count, T{3e-8F}), fill(z[axis], count, 1);
      fill(sources[axis], total, 1), fill(sources_low[axis], total, T{3e-8F}), fill(u[axis], total, 1);
      fill(field[axis], count, 1), fill(product[axis], count, 1);
    }
    fill(charges, total, 1), fill(potential, count, 1), fill(charge_product, count, 1);
    for (int i = 0; i < own; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (i >= count) charges[k] = T{0};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        sources[axis][k] = i < count ? targets[axis][k] : T{4};
        sources_low[axis][k] = i < count ? targets_low[axis][k] : T{0};
      }
    }
    const auto at = [](const auto& high, const auto& low) {
      return Points<T>{high[0].data(), high[1].data(), high[2].data(),
                       low[0].data(),  low[1].data(),  low[2].data()};
    };
    task.targets = at(targets, targets_low);
    task.sources = at(sources, sources_low);
    task.count = count, task.own = own, task.source_count = total;
    task.charges = charges.data();
    task.z = {z[0].data(), z[1].data(), z[2].data()};
    task.u = {u[0].data(), u[1].data(), u[2].data()};
  }

  /// Where the kernel adds: what is not asked for stays null.
  void ask(bool of_field, bool of_potential, bool products) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      task.sums.field[axis] = of_field ? field[axis].data() : nullptr;
      task.sums.product[axis] = products ? product[axis].data() : nullptr;
    }
    task.sums.potential = of_potential ? potential.data() : nullptr;
    task.sums.charge_product = products ? charge_product.data() : nullptr;
  }

  /// The eight sums of target i, and of their terms' absolute values.
  struct Sums {
    std::array<double, 8> sum{}, terms{};
    double closest = 1.0;
  };
  Sums exact(std::size_t i, bool low) const {
    Sums s;
    for (std::size_t j = 0; j < static_cast<std::size_t>(total); ++j) {
      if (i == j && own > 0) continue;
      std::array<double, 3> d{}, w{};
      double square = task.softening_squared, dw = 0.0, length = 0.0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        d[axis] = static_cast<double>(targets[axis][i]) - static_cast<double>(sources[axis][j]);
        if (low)
          d[axis] += static_cast<double>(targets_low[axis][i]) - static_cast<double>(sources_low[axis][j]);
        w[axis] = static_cast<double>(z[axis][i]) - static_cast<double>(u[axis][j]);
        square += d[axis] * d[axis], dw += d[axis] * w[axis], length += std::abs(d[axis] * w[axis]);
      }
      s.closest = std::min(s.closest, square);
      const double potential_term = charges[j] / std::sqrt(square), k = potential_term / square;
      const auto add = [&](std::size_t number, double term, double size) {
        s.sum[number] += term, s.terms[number] += std::abs(size);
      };
      for (std::size_t axis = 0; axis < 3; ++axis) {
        add(axis, k * d[axis], k * d[axis]);
        add(3 + axis, k * (w[axis] - 3.0 * dw / square * d[axis]),
            std::abs(k) * (std::abs(w[axis]) + 3.0 * length / square * std::abs(d[axis])));
      }
      add(6, potential_term, potential_term);
      add(7, k * dw, k * length);
    }
    return s;
  }
  [[nodiscard]] std::array<double, 8> held(std::size_t i) const {
    return {field[0][i],   field[1][i],   field[2][i],  product[0][i],
            product[1][i], product[2][i], potential[i], charge_product[i]};
  }
};

class NearKernel : public KernelTest {
 protected:
  template <class T>
  void meets_the_sum(T (*kernel)(const NearTask<T>&), NearPairs<T> pairs, bool low, std::array<bool, 3> asked,
                     double error = sizeof(T) == sizeof(float) ? 1e-6 : 1e-14) {
    const auto [of_field, of_potential, products] = asked;
    constexpr bool float32 = sizeof(T) == sizeof(float);
    const NearPairs<T> before = pairs;
    pairs.ask(of_field, of_potential, products);
    const auto closest = static_cast<double>(kernel(pairs.task));
    double expected_closest = 1.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(pairs.count); ++i) {
      const auto exact = before.exact(i, low);
      const auto then = before.held(i), now = pairs.held(i);
      expected_closest = std::min(expected_closest, exact.closest);
      for (std::size_t number = 0; number < 8; ++number) {
        const bool in_it = number < 3 ? of_field : number == 6 ? of_potential : products;
        const double tolerance = error * (std::abs(then[number]) + exact.terms[number]);
        if (in_it)
          ASSERT_NEAR(now[number], then[number] + exact.sum[number], tolerance) << i << ' ' << number;
        else
          ASSERT_EQ(now[number], then[number]) << i << ' ' << number;
      }
    }
    EXPECT_NEAR(closest, float32 ? expected_closest : 1.0, 1e-6 * expected_closest);
  }

  template <class T>
  void all_meet_the_sum() {
    const ExpansionKernels<T>& k = kernels<T>();
    unsigned seed = 0;
    for (const int count : {1, 6, 35})
      for (const bool self : {true, false})
        for (const int registers : {0, 1, 31, 32, 33, 65})
          for (const T softening : {T{0}, T{0.01F}}) {
            NearPairs<T> pairs(count, self, registers, k.width, ++seed);
            pairs.task.softening_squared = softening;
            SCOPED_TRACE(testing::Message() << count << ' ' << self << ' ' << registers << ' ' << softening);
            constexpr bool low = sizeof(T) == sizeof(float);
            meets_the_sum<T>(k.near_plain[0], pairs, false, {true, false, false});
            meets_the_sum<T>(k.near_plain[1], pairs, false, {true, true, false});
            meets_the_sum<T>(k.near[0], pairs, low, {true, false, false});
            meets_the_sum<T>(k.near[1], pairs, low, {true, true, false});
            meets_the_sum<T>(k.near[2], pairs, low, {true, false, true});
            meets_the_sum<T>(k.near[2], pairs, low, {false, false, true});
          }
  }
};

TEST_P(NearKernel, MeetsTheSumInFloat32) {
  all_meet_the_sum<float>();
}
TEST_P(NearKernel, MeetsTheSumInFloat64) {
  all_meet_the_sum<double>();
}

/// Mutual kernels: what else they write, and whom they leave alone.
template <class T>
struct MutualPairs {
  NearPairs<T> pairs;
  std::vector<T> charges;
  std::array<std::vector<T>, 8> columns, before;  ///< As NearPairs::held().

  MutualPairs(int points, bool self, int registers, int width, unsigned seed)
      : pairs(points, self, registers, width, seed), charges(static_cast<std::size_t>(points)) {
    std::mt19937 random(seed + 1000);
    const auto value = [&] {
      return static_cast<T>(std::uniform_real_distribution<double>(-1.0, 1.0)(random));
    };
    for (T& q : charges) q = value();
    if (self) std::copy(charges.begin(), charges.end(), pairs.charges.begin());
    for (auto& column : columns) {
      column.resize(static_cast<std::size_t>(pairs.total + max_lanes));
      for (T& number : column) number = value();
    }
    before = columns;
  }
  void ask(bool potential, bool products) {
    pairs.ask(true, potential, products);
    pairs.task.target_charges = charges.data();
    LeafSums<T>& to = pairs.task.columns = {};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      to.field[axis] = columns[axis].data();
      if (products) to.product[axis] = columns[3 + axis].data();
    }
    if (potential) to.potential = columns[6].data();
    if (products) to.charge_product = columns[7].data();
  }
  /// The pairs seen from the sources behind the leaf's own: these as targets, the leaf as sources.
  [[nodiscard]] NearPairs<T> reversed() const {
    NearPairs<T> r = pairs;
    r.targets = pairs.sources, r.targets_low = pairs.sources_low, r.z = pairs.u;
    r.sources = pairs.targets, r.sources_low = pairs.targets_low, r.u = pairs.z;
    r.charges = charges;
    r.own = 0, r.count = pairs.total, r.total = pairs.count;
    return r;
  }
};

class MutualKernel : public NearKernel {
 protected:
  template <class T>
  void columns_meet_the_sum(T (*kernel)(const NearTask<T>&), MutualPairs<T> m, bool low, bool potential,
                            bool products, double error) {
    const NearPairs<T> reversed = m.reversed();
    m.ask(potential, products);
    kernel(m.pairs.task);
    for (std::size_t j = 0; j < m.columns[0].size(); ++j) {
      // The leaf's own points have it from the rows; beyond the sources nothing is written.
      const bool in_it = static_cast<int>(j) >= m.pairs.own && static_cast<int>(j) < m.pairs.total;
      const auto expected = in_it ? reversed.exact(j, low) : typename NearPairs<T>::Sums{};
      for (std::size_t number = 0; number < 8; ++number) {
        const auto then = static_cast<double>(m.before[number][j]);
        const auto now = static_cast<double>(m.columns[number][j]);
        const bool asked = number < 3 || (number == 6 ? potential : products);
        const double sign = number >= 6 ? -1.0 : 1.0;
        if (in_it && asked)
          ASSERT_NEAR(now, then + sign * expected.sum[number],
                      error * (std::abs(then) + expected.terms[number]))
              << j << ' ' << number;
        else
          ASSERT_EQ(now, then) << j << ' ' << number;
      }
    }
  }
  template <class T>
  void all_meet_the_sums(double error, bool low, T (*const (&of)[2])(const NearTask<T>&),
                         bool products = false) {
    unsigned seed = 100;
    for (const int count : {1, 6, 35})
      for (const bool self : {true, false})
        for (const int registers : {0, 1, 31, 32, 33, 65})
          for (const T softening : {T{0}, T{0.01F}}) {
            MutualPairs<T> m(count, self, registers, kernels<T>().width, ++seed);
            m.pairs.task.softening_squared = softening;
            SCOPED_TRACE(testing::Message() << count << ' ' << self << ' ' << registers << ' ' << softening);
            for (const bool potential : {false, true}) {
              const auto kernel = of[potential ? 1 : 0];
              columns_meet_the_sum<T>(kernel, m, low, potential, products, error);
              MutualPairs<T> rows = m;
              rows.ask(potential, products);
              meets_the_sum<T>(kernel, rows.pairs, low, {true, potential, products}, error);
            }
          }
  }
};

TEST_P(MutualKernel, MeetsBothSumsInFloat32) {
  const MutualKernels<float>& k = kernels<float>().mutual;
  all_meet_the_sums<float>(1e-6, false, k.plain);
  all_meet_the_sums<float>(1e-6, true, k.near);
  all_meet_the_sums<float>(1e-6, true, k.products, true);
}
TEST_P(MutualKernel, MeetsBothSumsInFloat64) {
  const MutualKernels<double>& k = kernels<double>().mutual;
  all_meet_the_sums<double>(1e-14, false, k.plain);
  all_meet_the_sums<double>(1e-14, false, k.near);
  all_meet_the_sums<double>(1e-14, false, k.products, true);
}
TEST_P(MutualKernel, MeetsBothSumsAsFarAsEstimatesGo) {
  const MutualKernels<float>& k = kernels<float>().mutual;
  EXPECT_LT(k.estimate_error, 1.2e-3);
  all_meet_the_sums<float>(k.estimate_error + 1e-6, false, k.estimated);
}

/// Estimates of 1/ρ are off, but for both alike: what is summed of q_i E_i over the leaf and its sources is
/// nothing.
TEST_P(MutualKernel, ConservesMomentumWithEstimates) {
  const MutualKernels<float>& k = kernels<float>().mutual;
  MutualPairs<float> m(29, false, 20, kernels<float>().width, 7);
  for (auto& column : m.columns) std::fill(column.begin(), column.end(), 0.0F);
  for (auto& axis : m.pairs.field) std::fill(axis.begin(), axis.end(), 0.0F);
  m.ask(false, false);
  k.estimated[0](m.pairs.task);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double sum = 0.0, terms = 0.0;
    const auto add = [&](float q, float e) {
      sum += static_cast<double>(q) * static_cast<double>(e);
      terms += std::abs(static_cast<double>(q) * static_cast<double>(e));
    };
    for (std::size_t i = 0; i < m.charges.size(); ++i) add(m.charges[i], m.pairs.field[axis][i]);
    for (std::size_t j = 0; j < static_cast<std::size_t>(m.pairs.total); ++j)
      add(m.pairs.charges[j], m.columns[axis][j]);
    EXPECT_LE(std::abs(sum), 3e-7 * terms);
  }
}

/// Behind the last number others stand, which keep what they have, or what is not finite.
TEST_P(MutualKernel, AddsAsManyNumbersAsThereAre) {
  const MutualKernels<float>& k = kernels<float>().mutual;
  using Arrays = std::array<std::array<float, 64>, 8>;
  const auto view = [](Arrays& arrays, bool potential, bool products) {
    LeafSums<float> sums;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sums.field[axis] = arrays[axis].data();
      if (products) sums.product[axis] = arrays[3 + axis].data();
    }
    if (potential) sums.potential = arrays[6].data();
    if (products) sums.charge_product = arrays[7].data();
    return sums;
  };
  for (const int count : {1, 3, 4, 15, 16, 17, 40})
    for (const bool potential : {false, true})
      for (const bool products : {false, true})
        for (const bool of_columns : {false, true}) {
          Arrays from{}, to{};
          for (std::size_t number = 0; number < 8; ++number)
            for (std::size_t i = 0; i < 64; ++i) {
              from[number][i] = static_cast<int>(i) < count ? static_cast<float>(i + 100 * number + 1)
                                                            : std::numeric_limits<float>::quiet_NaN();
              to[number][i] = 0.5F;
            }
          (of_columns ? k.add_columns : k.add)(view(from, potential, products), count,
                                               view(to, potential, products));
          for (std::size_t number = 0; number < 8; ++number)
            for (std::size_t i = 0; i < 64; ++i) {
              const bool in_it =
                  static_cast<int>(i) < count && (number < 3 || (number == 6 ? potential : products));
              const float sign = of_columns && number >= 6 ? -1.0F : 1.0F;
              EXPECT_EQ(to[number][i], 0.5F + (in_it ? sign * from[number][i] : 0.0F));
            }
        }
}

/// Two close charges whose forces cancel, the first and the last of many: a lane that holds the first one's
/// all along would lose the others' whole, each less than half of its last place.
TEST_P(NearKernel, KeepsSmallTermsBesideAClosePair) {
  const ExpansionKernels<float>& k = kernels<float>();
  constexpr int registers = 640;
  constexpr float close = 1.1e-3F, small = 0.02F;
  for (const auto kernel : {k.near_plain[0], k.near[0], k.near[2], k.mutual.plain[0], k.mutual.estimated[0],
                            k.mutual.near[0], k.mutual.products[0]}) {
    MutualPairs<float> mutual(1, false, registers, k.width, 1);
    NearPairs<float>& pairs = mutual.pairs;
    for (auto* arrays : {&pairs.targets, &pairs.targets_low, &pairs.sources, &pairs.sources_low, &pairs.u,
                         &pairs.z, &pairs.field, &pairs.product})
      for (auto& array : *arrays) std::fill(array.begin(), array.end(), 0.0F);
    std::fill(pairs.charges.begin(), pairs.charges.end(), 0.0F);
    std::fill(pairs.sources[0].begin(), pairs.sources[0].end(), -1.0F);
    for (int r = 0; r < registers; ++r) pairs.charges[static_cast<std::size_t>(r * k.width)] = small;
    const auto last = static_cast<std::size_t>((registers - 1) * k.width);
    pairs.sources[0][0] = -close, pairs.sources[0][last] = close;
    pairs.charges[0] = pairs.charges[last] = 1.0F;
    mutual.ask(false, kernel == k.near[2] || kernel == k.mutual.products[0]);
    kernel(pairs.task);
    const double expected = (registers - 2) * static_cast<double>(small);
    EXPECT_NEAR(pairs.field[0][0], expected, 0.2 * expected);
  }
}

ELECTRET_FOR_INSTRUCTION_SETS(NearKernel);
ELECTRET_FOR_INSTRUCTION_SETS(MutualKernel);

}  // namespace
}  // namespace electret::fmm
