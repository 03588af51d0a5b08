/// The fast multipole method's kernels that make, move and evaluate expansions, harmonic ones and Taylor
/// series, against their bases written out at points.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <field/written_out_series.hpp>

namespace electret::fmm {
namespace {

class FmmKernels : public KernelTest {
 protected:
  template <class T>
  static double tolerance(int order) {
    return (4.0 + 2.0 * order) * std::numeric_limits<T>::epsilon();
  }
  template <class T>
  std::array<int, 3> counts() const {
    return {1, kernels<T>().width - 1, kernels<T>().width};
  }

  template <class Basis, class T>
  void far_pairs_meet_the_series() {
    Random random(1);
    for (int order = 1; order <= Basis::highest; ++order)
      for (const int count : counts<T>())
        for (const int targets : {1, 3, max_lanes}) {
          Pairs<Basis, T> pairs(order, count, targets, random);
          Basis::of(kernels<T>()).m2l(pairs.batch);
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
    for (int order = 1; order <= Harmonic::highest; ++order)
      for (const int count : counts<T>()) {
        Pairs<Harmonic, T> pairs(order, count, 1, random);
        pairs.batch.sums = sums;
        Harmonic::of(kernels<T>()).m2l(pairs.batch);
        EXPECT_EQ(pairs.locals.numbers, pairs.before.numbers);
        kernels<T>().collect_lanes(sums, order, sets, pairs.batch.locals[0], room);
        EXPECT_LT(pairs.error(random), tolerance<T>(order)) << order << ' ' << count;
        for (const Line& line : lines)
          for (const T value : line.values) ASSERT_EQ(value, T{0});
      }
  }

  /// Children of one parent, one of them at its centre and two all but there.
  template <class Basis, class T>
  static ShiftBatch<T> shifts(int order, int count, Cells<Basis, T>& from, Cells<Basis, T>& to,
                              Random& random) {
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

  template <class Basis, class T>
  void moments_move() {
    Random random(3);
    for (int order = 1; order <= Basis::highest; ++order)
      for (const int count : counts<T>()) {
        Cells<Basis, T> from, to;
        ShiftBatch<T> batch = shifts(order, count, from, to, random);
        // The last two have one parent, and what is left of another batch behind them has it, too.
        const int parent = count - (count > 1 ? 2 : 1);
        for (int l = parent; l < std::min(count + 1, max_lanes); ++l) batch.to[l] = to.of(parent);
        const Cells<Basis, T> before = to;
        Vec3 places[sets][max_lanes];
        for (int l = 0; l < max_lanes; ++l)
          for (int set = 0; set < sets; ++set) {
            places[set][l] = random.in_unit_ball();
            from.set_moments(l, set, 1.0, places[set][l], order);
          }
        Basis::of(kernels<T>()).m2m(batch);
        std::vector<double> expected(to.numbers.size());
        std::copy(before.numbers.begin(), before.numbers.end(), expected.begin());
        for (int l = 0; l < count; ++l)
          for (int set = 0; set < sets; ++set) {
            // A moment's argument is (centre - x).
            const Vec3 moved = static_cast<double>(batch.ratio[l]) * places[set][l] - offset(batch, l);
            const std::vector<double> basis = Basis::at(moved, order);
            const auto first = static_cast<std::size_t>(batch.to[l] - to.numbers.data() + set * room);
            for (std::size_t k = 0; k < basis.size(); ++k) expected[first + k] += basis[k];
          }
        for (std::size_t k = 0; k < expected.size(); ++k) {
          int degree = 0;
          while (Basis::numbers(degree) <= static_cast<int>(k % room)) ++degree;
          const double size = std::pow(1.7, std::min(degree, order));
          ASSERT_NEAR(to.numbers[k], expected[k], 10.0 * tolerance<T>(order) * size)
              << order << ' ' << count << ' ' << k;
        }
      }
  }

  template <class Basis, class T>
  void locals_move() {
    Random random(4);
    for (int order = 1; order <= Basis::highest; ++order)
      for (const int count : counts<T>()) {
        Cells<Basis, T> from, to;
        ShiftBatch<T> batch = shifts(order, count, from, to, random);
        for (int l = 0; l < max_lanes; ++l)
          for (int set = 0; set < sets; ++set) {
            from.set_random(l, set, order, random);
            to.set_random(l, set, order, random);
          }
        const Cells<Basis, T> before = to;
        Basis::of(kernels<T>()).l2l(batch);
        for (int l = 0; l < max_lanes; ++l)
          for (int set = 0; set < sets; ++set) {
            const Vec3 x = random.in_unit_ball();
            const Vec3 parents = offset(batch, l) + static_cast<double>(batch.ratio[l]) * x;
            const double expected = value_at<Basis>(before.of(l, set), x, order) +
                                    (l < count ? value_at<Basis>(from.of(l, set), parents, order) : 0.0);
            EXPECT_NEAR(value_at<Basis>(to.of(l, set), x, order), expected,
                        10.0 * tolerance<T>(order) * std::pow(1.7, order))
                << order << ' ' << l;
          }
      }
  }

  /// A leaf with a register that is not full.
  template <class T>
  struct Leaf {
    static constexpr int n = 37;
    std::array<std::vector<T>, 6> coordinates;  ///< What rounding lost of them is nothing.
    LeafPoints<T> points;
    explicit Leaf(Random& random) {
      for (auto& values : coordinates) values.assign(n + max_lanes, T{0});
      for (std::size_t i = 0; i < n; ++i) {
        const Vec3 x = random.in_unit_ball();
        for (int axis = 0; axis < 3; ++axis)
          coordinates[static_cast<std::size_t>(axis)][i] = static_cast<T>(x[axis]);
      }
      points.points = {coordinates[0].data(), coordinates[1].data(), coordinates[2].data(),
                       coordinates[3].data(), coordinates[4].data(), coordinates[5].data()};
      points.count = n;
      for (int axis = 0; axis < 3; ++axis) points.centre[axis] = T{0.125}, points.centre_low[axis] = T{0};
      points.inverse_scale = T{0.5};
    }
    /// (x - centre)/σ
    Vec3 at(std::size_t i) const {
      return 0.5 *
             (Vec3{coordinates[0][i], coordinates[1][i], coordinates[2][i]} - Vec3{0.125, 0.125, 0.125});
    }
  };
  template <class T>
  static std::array<std::vector<T>, 3> vectors(Random& random) {
    std::array<std::vector<T>, 3> all;
    for (auto& values : all) {
      for (int i = 0; i < Leaf<T>::n; ++i) values.push_back(static_cast<T>(random.value()));
      values.resize(Leaf<T>::n + max_lanes);
    }
    return all;
  }
  template <class T>
  static Vec3 vector_of(const std::array<std::vector<T>, 3>& all, std::size_t i) {
    return {all[0][i], all[1][i], all[2][i]};
  }

  /// Potential, field, and the products with z, of locals at every point; derivatives by differences.
  template <class Basis, class T>
  void leaves_evaluate_their_locals() {
    Random random(6);
    const Leaf<T> leaf(random);
    const auto z = vectors<T>(random);
    constexpr double h = 1e-4, per_length = 0.5;
    for (int order = 1; order <= 6; ++order) {
      Cells<Basis, T> locals;
      for (int set = 0; set < 2; ++set) locals.set_random(0, set, order, random);
      std::array<std::vector<T>, 8> out;
      for (auto& values : out) values.assign(Leaf<T>::n + max_lanes, T{0});
      LocalTask<T> task;
      task.leaf = leaf.points;
      task.order = order;
      task.locals = locals.of(0), task.dipole_locals = locals.of(0, 1);
      task.z = {z[0].data(), z[1].data(), z[2].data()};
      for (std::size_t axis = 0; axis < 3; ++axis)
        task.sums.field[axis] = out[axis].data(), task.sums.product[axis] = out[4 + axis].data();
      task.sums.potential = out[3].data(), task.sums.charge_product = out[7].data();
      Basis::of(kernels<T>()).l2p(task);
      const auto gradient = [&](int set, const Vec3& x) {
        Vec3 g;
        for (int axis = 0; axis < 3; ++axis) {
          Vec3 step;
          step[axis] = h;
          g[axis] = per_length *
                    (value_at<Basis>(locals.of(0, set), x + step, order) -
                     value_at<Basis>(locals.of(0, set), x - step, order)) /
                    (2 * h);
        }
        return g;
      };
      const double near = 1e-6 + 100.0 * std::numeric_limits<T>::epsilon();
      for (std::size_t i = 0; i < Leaf<T>::n; ++i) {
        const Vec3 x = leaf.at(i), along = vector_of(z, i), g = gradient(0, x), of_dipoles = gradient(1, x);
        const Vec3 second =
            (per_length / (2 * h)) * (gradient(0, x + h * along) - gradient(0, x - h * along));
        EXPECT_NEAR(out[3][i], value_at<Basis>(locals.of(0), x, order), near) << order;
        EXPECT_NEAR(out[7][i], -dot(along, g) - value_at<Basis>(locals.of(0, 1), x, order), near) << order;
        for (int axis = 0; axis < 3; ++axis) {
          EXPECT_NEAR(out[static_cast<std::size_t>(axis)][i], -g[axis], near) << order;
          EXPECT_NEAR(out[static_cast<std::size_t>(4 + axis)][i], -second[axis] - of_dipoles[axis], near)
              << order;
        }
      }
    }
  }

  template <class Basis, class T>
  void leaves_have_their_moments() {
    Random random(5);
    constexpr int n = Leaf<T>::n;
    const Leaf<T> leaf(random);
    const auto charges = vectors<T>(random)[0];
    const auto dipoles = vectors<T>(random);
    constexpr double h = 1e-5, per_length = 0.5;
    for (int order = 1; order <= Basis::highest; ++order) {
      Cells<Basis, T> out;
      MomentTask<T> task;
      task.leaf = leaf.points;
      task.charges = charges.data();
      task.dipoles = {dipoles[0].data(), dipoles[1].data(), dipoles[2].data()};
      task.order = order;
      task.moments = out.of(0);
      task.dipole_moments = out.of(0, 1);
      Basis::of(kernels<T>()).p2m(task);
      std::vector<double> expected(static_cast<std::size_t>(Basis::numbers(order))), of_dipoles = expected;
      for (std::size_t i = 0; i < n; ++i) {
        // A moment's argument is (centre - x): it moves against the dipole.
        const Vec3 x = -1.0 * leaf.at(i), u = (h * per_length) * vector_of(dipoles, i);
        const std::vector<double> basis = Basis::at(x, order), ahead = Basis::at(x - u, order),
                                  behind = Basis::at(x + u, order);
        for (std::size_t k = 0; k < basis.size(); ++k) {
          expected[k] += charges[i] * basis[k];
          of_dipoles[k] += (ahead[k] - behind[k]) / (2 * h);
        }
      }
      for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_NEAR(out.of(0)[k], expected[k], n * tolerance<T>(order)) << order << ' ' << k;
        EXPECT_NEAR(out.of(0, 1)[k], of_dipoles[k], 1e-7 + n * order * tolerance<T>(order))
            << order << ' ' << k;
      }
    }
  }
};

TEST_P(FmmKernels, FarPairsMeetTheSeriesInFloat32) {
  far_pairs_meet_the_series<Harmonic, float>();
}
TEST_P(FmmKernels, FarPairsMeetTheSeriesInFloat64) {
  far_pairs_meet_the_series<Harmonic, double>();
}
TEST_P(FmmKernels, FarPairsInLanesMeetTheSeriesInFloat32) {
  far_pairs_in_lanes_meet_the_series<float>();
}
TEST_P(FmmKernels, FarPairsInLanesMeetTheSeriesInFloat64) {
  far_pairs_in_lanes_meet_the_series<double>();
}
TEST_P(FmmKernels, MomentsMoveInFloat32) {
  moments_move<Harmonic, float>();
}
TEST_P(FmmKernels, MomentsMoveInFloat64) {
  moments_move<Harmonic, double>();
}
TEST_P(FmmKernels, LocalsMoveInFloat32) {
  locals_move<Harmonic, float>();
}
TEST_P(FmmKernels, LocalsMoveInFloat64) {
  locals_move<Harmonic, double>();
}
TEST_P(FmmKernels, LeavesHaveTheirMomentsInFloat32) {
  leaves_have_their_moments<Harmonic, float>();
}
TEST_P(FmmKernels, LeavesHaveTheirMomentsInFloat64) {
  leaves_have_their_moments<Harmonic, double>();
}

TEST_P(FmmKernels, LeavesEvaluateTheirLocalsInFloat32) {
  leaves_evaluate_their_locals<Harmonic, float>();
}
TEST_P(FmmKernels, LeavesEvaluateTheirLocalsInFloat64) {
  leaves_evaluate_their_locals<Harmonic, double>();
}

class FmmTaylorKernels : public FmmKernels {};

TEST_P(FmmTaylorKernels, FarPairsMeetTheSeriesInFloat32) {
  far_pairs_meet_the_series<Taylor, float>();
}
TEST_P(FmmTaylorKernels, FarPairsMeetTheSeriesInFloat64) {
  far_pairs_meet_the_series<Taylor, double>();
}
TEST_P(FmmTaylorKernels, MomentsMoveInFloat32) {
  moments_move<Taylor, float>();
}
TEST_P(FmmTaylorKernels, MomentsMoveInFloat64) {
  moments_move<Taylor, double>();
}
TEST_P(FmmTaylorKernels, LocalsMoveInFloat32) {
  locals_move<Taylor, float>();
}
TEST_P(FmmTaylorKernels, LocalsMoveInFloat64) {
  locals_move<Taylor, double>();
}
TEST_P(FmmTaylorKernels, LeavesHaveTheirMomentsInFloat32) {
  leaves_have_their_moments<Taylor, float>();
}
TEST_P(FmmTaylorKernels, LeavesHaveTheirMomentsInFloat64) {
  leaves_have_their_moments<Taylor, double>();
}
TEST_P(FmmTaylorKernels, LeavesEvaluateTheirLocalsInFloat32) {
  leaves_evaluate_their_locals<Taylor, float>();
}
TEST_P(FmmTaylorKernels, LeavesEvaluateTheirLocalsInFloat64) {
  leaves_evaluate_their_locals<Taylor, double>();
}

ELECTRET_FOR_INSTRUCTION_SETS(FmmKernels);
ELECTRET_FOR_INSTRUCTION_SETS(FmmTaylorKernels);

}  // namespace
}  // namespace electret::fmm
