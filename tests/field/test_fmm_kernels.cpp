/// The fast multipole method's kernels that move expansions, against solid harmonics written out at points.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <electret/field/fmm/kernels.hpp>

namespace electret::fmm {
namespace {

using direct::InstructionSet;

/// Legendre's P_n^m(cos θ) without the factor (-1)^m, times r^n/sin^m θ: a polynomial in z and r².
double legendre(int n, int m, double z, double square) {
  double before = 0.0, value = 1.0;
  for (int i = 1; i <= m; ++i) value *= 2 * i - 1;
  for (int k = m + 1; k <= n; ++k) {
    const double next = ((2 * k - 1) * z * value - (k + m - 1) * square * before) / (k - m);
    before = value, value = next;
  }
  return value;
}

/// All solid harmonics of x up to `order`, in the order in which they are stored.
std::vector<double> harmonics(const Vec3& x, int order) {
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

template <class T>
double value_at(const T* locals, const Vec3& x, int order) {
  const std::vector<double> basis = harmonics(x, order);
  double sum = 0.0;
  for (std::size_t k = 0; k < basis.size(); ++k) sum += locals[k] * basis[k];
  return sum;
}

/// 1/|R + v| up to degree `order` in v.
double expanded_inverse(const Vec3& r, const Vec3& v, int order) {
  const double distance = norm(r);
  double sum = 0.0;
  for (int n = 0; n <= order; ++n)
    sum += (n % 2 ? -1.0 : 1.0) * legendre(n, 0, dot(r, v) / distance, squared_norm(v)) /
           std::pow(distance, n + 1);
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

constexpr int room = (coefficients(max_order) + max_lanes - 1) / max_lanes * max_lanes;
constexpr int sets = 2;

/// A register's worth of cells, each with random expansions.
template <class T>
struct Cells {
  std::vector<T> numbers = std::vector<T>(static_cast<std::size_t>(room * sets * max_lanes), T{7});
  T* of(int cell, int set = 0) { return numbers.data() + (cell * sets + set) * room; }
  const T* of(int cell, int set = 0) const { return numbers.data() + (cell * sets + set) * room; }
  void set_moments(int cell, int set, double charge, const Vec3& x, int order) {
    const std::vector<double> basis = harmonics(x, order);
    for (std::size_t k = 0; k < basis.size(); ++k) of(cell, set)[k] = static_cast<T>(charge * basis[k]);
  }
  /// Degree n about 1/(2n + 1) in size.
  void set_random(int cell, int set, int order, Random& random) {
    for (int n = 0; n <= order; ++n)
      for (int k = n * n; k < (n + 1) * (n + 1); ++k)
        of(cell, set)[k] = static_cast<T>(random.value() / (2 * n + 1));
  }
};

/// Pairs of cells, a charge in each source.
template <class T>
struct Pairs {
  int targets;
  FarBatch<T> batch;
  Cells<T> moments, locals, before;
  double charges[sets][max_lanes];
  Vec3 places[sets][max_lanes];

  /// Targets of them, one after another.
  Pairs(int order, int count, int of_targets, Random& random) : targets(of_targets) {
    batch.count = count;
    batch.order = order;
    batch.sets = sets;
    batch.set_stride = room;
    for (int l = 0; l < max_lanes; ++l) {
      batch.moments[l] = moments.of(l);
      batch.locals[l] = locals.of(l * targets / max_lanes);
      Vec3 away = random.in_unit_ball();
      // Along and nearly along the axes, too.
      if (l % 4 == 1) away[0] = away[1] = 0.0;
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
        double expected = value_at(before.of(target, set), x, batch.order), size = 1.0;
        for (int l = 0; l < batch.count; ++l) {
          if (l * targets / max_lanes != target) continue;
          const auto a = static_cast<double>(batch.target_scale[l]),
                     b = static_cast<double>(batch.source_scale[l]);
          expected += charges[set][l] * expanded_inverse(offset(l), a * x + b * places[set][l], batch.order);
          size += std::abs(charges[set][l]) / norm(offset(l)) / (1.0 - 0.8 * (a + b) / norm(offset(l)));
        }
        worst = std::max(worst, std::abs(value_at(locals.of(target, set), x, batch.order) - expected) / size);
      }
    return worst;
  }

  bool left_others_alone() const {
    Cells<T> rest = locals;
    for (int target = 0; target < targets; ++target)
      for (int set = 0; set < sets; ++set)
        std::copy_n(before.of(target, set), coefficients(batch.order), rest.of(target, set));
    return rest.numbers == before.numbers;
  }
};

class FmmKernels : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (!direct::is_supported(GetParam())) GTEST_SKIP() << "this machine lacks the instruction set";
  }
  template <class T>
  const ExpansionKernels<T>& kernels() const {
    return fmm::kernels(GetParam()).of<T>();
  }
  template <class T>
  static double tolerance(int order) {
    return (4.0 + 2.0 * order) * std::numeric_limits<T>::epsilon();
  }
  template <class T>
  std::array<int, 3> counts() const {
    return {1, kernels<T>().width - 1, kernels<T>().width};
  }

  template <class T>
  void far_pairs_meet_the_series() {
    Random random(1);
    for (int order = 1; order <= max_order; ++order)
      for (const int count : counts<T>())
        for (const int targets : {1, 3, max_lanes}) {
          Pairs<T> pairs(order, count, targets, random);
          kernels<T>().far(pairs.batch);
          EXPECT_LT(pairs.error(random), tolerance<T>(order)) << order << ' ' << count << ' ' << targets;
          EXPECT_TRUE(pairs.left_others_alone()) << order << ' ' << count << ' ' << targets;
        }
  }

  template <class T>
  void far_pairs_in_lanes_meet_the_series() {
    struct alignas(64) Line {
      std::array<T, 64 / sizeof(T)> values{};
    };
    std::vector<Line> lines(static_cast<std::size_t>(2 * lane_sums_stride * max_lanes) * sizeof(T) / 64);
    T* const sums = lines[0].values.data();
    Random random(2);
    for (int order = 1; order <= max_order; ++order)
      for (const int count : counts<T>()) {
        Pairs<T> pairs(order, count, 1, random);
        pairs.batch.sums = sums;
        kernels<T>().far(pairs.batch);
        EXPECT_EQ(pairs.locals.numbers, pairs.before.numbers);
        kernels<T>().collect_lanes(sums, order, sets, pairs.batch.locals[0], room);
        EXPECT_LT(pairs.error(random), tolerance<T>(order)) << order << ' ' << count;
        for (const Line& line : lines)
          for (const T value : line.values) ASSERT_EQ(value, T{0});
      }
  }

  /// Children of one parent, one of them at its centre and two all but there.
  template <class T>
  static ShiftBatch<T> shifts(int order, int count, Cells<T>& from, Cells<T>& to, Random& random) {
    ShiftBatch<T> batch;
    batch.count = count;
    batch.order = order;
    batch.sets = sets;
    batch.set_stride = room;
    for (int l = 0; l < max_lanes; ++l) {
      batch.from[l] = from.of(l);
      batch.to[l] = to.of(l);
      const Vec3 offset = (l == 1 ? 1e-18 : l == 2 ? 3e-22 : 0.7) * random.in_unit_ball();
      for (int axis = 0; axis < 3; ++axis)
        batch.offset[axis][l] = l == 0 ? T{0} : static_cast<T>(offset[axis]);
      batch.ratio[l] = l % 3 ? T{0.25} : T{1};
    }
    return batch;
  }
  template <class T>
  static Vec3 offset(const ShiftBatch<T>& batch, int l) {
    return {batch.offset[0][l], batch.offset[1][l], batch.offset[2][l]};
  }

  template <class T>
  void moments_move() {
    Random random(3);
    for (int order = 1; order <= max_order; ++order)
      for (const int count : counts<T>()) {
        Cells<T> from, to;
        ShiftBatch<T> batch = shifts(order, count, from, to, random);
        const Cells<T> before = to;
        Vec3 places[sets][max_lanes];
        for (int l = 0; l < max_lanes; ++l)
          for (int set = 0; set < sets; ++set) {
            places[set][l] = random.in_unit_ball();
            from.set_moments(l, set, 1.0, places[set][l], order);
          }
        kernels<T>().shift_moments(batch);
        for (int l = 0; l < max_lanes; ++l)
          for (int set = 0; set < sets; ++set) {
            // A moment's argument is (centre - x).
            const Vec3 moved = static_cast<double>(batch.ratio[l]) * places[set][l] - offset(batch, l);
            const std::vector<double> expected = harmonics(moved, order);
            for (std::size_t k = 0; k < expected.size(); ++k) {
              const double sum = before.of(l, set)[k] + (l < count ? expected[k] : 0.0);
              EXPECT_NEAR(to.of(l, set)[k], sum, 10.0 * tolerance<T>(order) * std::pow(1.7, order))
                  << order << ' ' << l << ' ' << k;
            }
          }
      }
  }

  template <class T>
  void locals_move() {
    Random random(4);
    for (int order = 1; order <= max_order; ++order)
      for (const int count : counts<T>()) {
        Cells<T> from, to;
        ShiftBatch<T> batch = shifts(order, count, from, to, random);
        for (int l = 0; l < max_lanes; ++l)
          for (int set = 0; set < sets; ++set) {
            from.set_random(l, set, order, random);
            to.set_random(l, set, order, random);
          }
        const Cells<T> before = to;
        kernels<T>().shift_locals(batch);
        for (int l = 0; l < max_lanes; ++l)
          for (int set = 0; set < sets; ++set) {
            const Vec3 x = random.in_unit_ball();
            const Vec3 parents = offset(batch, l) + static_cast<double>(batch.ratio[l]) * x;
            const double expected = value_at(before.of(l, set), x, order) +
                                    (l < count ? value_at(from.of(l, set), parents, order) : 0.0);
            EXPECT_NEAR(value_at(to.of(l, set), x, order), expected,
                        10.0 * tolerance<T>(order) * std::pow(1.7, order))
                << order << ' ' << l;
          }
      }
  }

  template <class T>
  void leaves_have_their_moments() {
    Random random(5);
    constexpr int n = 37;
    std::array<std::vector<T>, 7> data;  // x, y, z, what rounding lost (nothing), charges
    for (auto& values : data) values.assign(n + max_lanes, T{0});
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 x = random.in_unit_ball();
      for (std::size_t axis = 0; axis < 3; ++axis) data[axis][i] = static_cast<T>(x[static_cast<int>(axis)]);
      data[6][i] = static_cast<T>(random.value());
    }
    MomentTask<T> task;
    task.leaf.points = {data[0].data(), data[1].data(), data[2].data(),
                        data[3].data(), data[4].data(), data[5].data()};
    task.leaf.count = n;
    for (int axis = 0; axis < 3; ++axis) task.leaf.centre[axis] = T{0.125}, task.leaf.centre_low[axis] = T{0};
    task.leaf.inverse_scale = T{0.5};
    task.charges = data[6].data();
    for (int order = 1; order <= max_order; ++order) {
      Cells<T> out;
      task.order = order;
      task.moments = out.of(0);
      task.dipole_moments = nullptr;
      kernels<T>().moments(task);
      std::vector<double> expected(static_cast<std::size_t>(coefficients(order)));
      for (std::size_t i = 0; i < n; ++i) {
        const Vec3 x{data[0][i], data[1][i], data[2][i]};
        const std::vector<double> basis = harmonics(0.5 * (Vec3{0.125, 0.125, 0.125} - x), order);
        for (std::size_t k = 0; k < basis.size(); ++k) expected[k] += data[6][i] * basis[k];
      }
      for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_NEAR(out.of(0)[k], expected[k], n * tolerance<T>(order)) << order << ' ' << k;
    }
  }
};

TEST_P(FmmKernels, FarPairsMeetTheSeriesInFloat32) {
  far_pairs_meet_the_series<float>();
}
TEST_P(FmmKernels, FarPairsMeetTheSeriesInFloat64) {
  far_pairs_meet_the_series<double>();
}
TEST_P(FmmKernels, FarPairsInLanesMeetTheSeriesInFloat32) {
  far_pairs_in_lanes_meet_the_series<float>();
}
TEST_P(FmmKernels, FarPairsInLanesMeetTheSeriesInFloat64) {
  far_pairs_in_lanes_meet_the_series<double>();
}
TEST_P(FmmKernels, MomentsMoveInFloat32) {
  moments_move<float>();
}
TEST_P(FmmKernels, MomentsMoveInFloat64) {
  moments_move<double>();
}
TEST_P(FmmKernels, LocalsMoveInFloat32) {
  locals_move<float>();
}
TEST_P(FmmKernels, LocalsMoveInFloat64) {
  locals_move<double>();
}
TEST_P(FmmKernels, LeavesHaveTheirMomentsInFloat32) {
  leaves_have_their_moments<float>();
}
TEST_P(FmmKernels, LeavesHaveTheirMomentsInFloat64) {
  leaves_have_their_moments<double>();
}

INSTANTIATE_TEST_SUITE_P(Sets, FmmKernels,
                         testing::Values(InstructionSet::portable, InstructionSet::avx2,
                                         InstructionSet::avx512),
                         [](const auto& each) {
                           return each.param == InstructionSet::portable ? "portable"
                                  : each.param == InstructionSet::avx2   ? "avx2"
                                                                         : "avx512";
                         });

}  // namespace
}  // namespace electret::fmm
