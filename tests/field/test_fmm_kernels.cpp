/// The fast multipole method's kernel of far pairs against the sum it stands for, written out.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <electret/field/fmm/kernels.hpp>

namespace electret::fmm {
namespace {

using direct::InstructionSet;

/// ∂^a (1/r) at R by n R² D_a = -[(2n-1) Σ a_i R_i D_{a-e_i} + (n-1) Σ a_i (a_i - 1) D_{a-2e_i}].
class Derivatives {
 public:
  explicit Derivatives(std::array<double, 3> at) : at_(at) {}

  double operator()(std::array<int, 3> a) {
    for (const int i : a)
      if (i < 0) return 0.0;
    if (const auto known = values_.find(a); known != values_.end()) return known->second;
    const double square = at_[0] * at_[0] + at_[1] * at_[1] + at_[2] * at_[2];
    const int n = a[0] + a[1] + a[2];
    double value = 1.0 / std::sqrt(square);
    if (n > 0) {
      double sum = 0.0;
      for (std::size_t i = 0; i < 3; ++i) {
        auto once = a, twice = a;
        once[i] -= 1, twice[i] -= 2;
        sum += (2 * n - 1) * a[i] * at_[i] * (*this)(once) + (n - 1) * a[i] * (a[i] - 1) * (*this)(twice);
      }
      value = -sum / (n * square);
    }
    return values_[a] = value;
  }

 private:
  std::array<double, 3> at_;
  std::map<std::array<int, 3>, double> values_;
};

/// The exponents of an expansion's numbers, in their order.
std::vector<std::array<int, 3>> exponents(int order) {
  std::vector<std::array<int, 3>> all;
  for (int n = 0; n <= order; ++n)
    for (int z = 0; z < (n > 0 ? 2 : 1); ++z)
      for (int y = 0; y <= n - z; ++y) all.push_back({n - z - y, y, z});
  return all;
}

/// Pairs of cells with random moments.
template <class T>
struct Pairs {
  static constexpr int sets = 2;
  std::vector<T> moments, locals, locals_before;
  FarBatch<T> batch;
  int stride;

  /// `targets` of them, one after another.
  Pairs(int order, int count, int targets, unsigned seed)
      : stride((coefficients(order) + max_lanes - 1) / max_lanes * max_lanes) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> value(-1.0, 1.0);
    const auto room = static_cast<std::size_t>(stride * sets * max_lanes);
    for (std::size_t k = 0; k < room; ++k) {
      moments.push_back(static_cast<T>(value(random)));
      locals.push_back(static_cast<T>(value(random)));
    }
    locals_before = locals;
    batch.count = count;
    batch.order = order;
    batch.sets = sets;
    batch.set_stride = stride;
    for (int l = 0; l < max_lanes; ++l) {
      batch.moments[l] = moments.data() + l * stride * sets;
      batch.locals[l] = locals.data() + (l * targets / max_lanes) * stride * sets;
      for (auto& axis : batch.offset) axis[l] = static_cast<T>(2.0 + value(random));
      batch.target_scale[l] = l % 2 ? T{0.5} : T{1};
      batch.source_scale[l] = l % 3 ? T{0.25} : T{1};
    }
  }

  /// The largest error of a local over the sum of its terms' absolute values, each with the largest
  /// derivative of its degree.
  double error() const {
    const auto all = exponents(batch.order);
    std::vector<double> expected(locals.size()), terms(locals.size());
    for (std::size_t k = 0; k < locals.size(); ++k)
      expected[k] = locals_before[k], terms[k] = std::abs(expected[k]);
    for (int l = 0; l < batch.count; ++l) {
      Derivatives d({batch.offset[0][l], batch.offset[1][l], batch.offset[2][l]});
      std::array<double, max_order + 1> largest{};
      for (const auto& a : all) {
        double& of_degree = largest[static_cast<std::size_t>(a[0] + a[1] + a[2])];
        of_degree = std::max(of_degree, std::abs(d(a)));
      }
      for (int set = 0; set < sets; ++set) {
        const auto first = static_cast<std::size_t>(batch.locals[l] - locals.data() + set * stride);
        const T* m = batch.moments[l] + set * stride;
        for (std::size_t a = 0; a < all.size(); ++a)
          for (std::size_t b = 0; b < all.size(); ++b) {
            const int of_a = all[a][0] + all[a][1] + all[a][2], of_b = all[b][0] + all[b][1] + all[b][2];
            if (of_a + of_b > batch.order) continue;
            const double term = m[b] * std::pow(static_cast<double>(batch.target_scale[l]), of_a) *
                                std::pow(static_cast<double>(batch.source_scale[l]), of_b);
            expected[first + a] +=
                term * d({all[a][0] + all[b][0], all[a][1] + all[b][1], all[a][2] + all[b][2]});
            terms[first + a] += std::abs(term) * largest[static_cast<std::size_t>(of_a + of_b)];
          }
      }
    }
    double worst = 0.0;
    const auto numbers = static_cast<std::size_t>(coefficients(batch.order));
    for (std::size_t k = 0; k < locals.size(); ++k)
      if (k % static_cast<std::size_t>(stride) < numbers)
        worst = std::max(worst, std::abs(locals[k] - expected[k]) / terms[k]);
    return worst;
  }
};

class FarKernel : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (!direct::is_supported(GetParam())) GTEST_SKIP() << "this machine lacks the instruction set";
  }
  template <class T>
  const ExpansionKernels<T>& kernels() const {
    return fmm::kernels(GetParam()).of<T>();
  }

  /// The derivatives' recurrence cancels: its rounding grows as 2^order.
  template <class T>
  static double tolerance(int order) {
    return 2.0 * std::numeric_limits<T>::epsilon() * std::pow(2.0, order);
  }

  template <class T>
  void meets_the_sum() {
    for (int order = 1; order <= max_order; ++order)
      for (const int count : {1, kernels<T>().width - 1, kernels<T>().width})
        for (const int targets : {1, 3, max_lanes}) {
          Pairs<T> pairs(order, count, targets, static_cast<unsigned>(order));
          kernels<T>().far(pairs.batch);
          EXPECT_LT(pairs.error(), tolerance<T>(order)) << order << ' ' << count << ' ' << targets;
        }
  }

  template <class T>
  void meets_the_sum_in_lanes() {
    struct alignas(64) Line {
      std::array<T, 64 / sizeof(T)> values{};
    };
    std::vector<Line> lines(static_cast<std::size_t>(2 * lane_sums_stride * max_lanes) * sizeof(T) / 64);
    T* const sums = lines[0].values.data();
    for (int order = 1; order <= max_order; ++order)
      for (const int count : {1, kernels<T>().width - 1, kernels<T>().width}) {
        Pairs<T> pairs(order, count, 1, static_cast<unsigned>(order));
        pairs.batch.sums = sums;
        kernels<T>().far(pairs.batch);
        EXPECT_EQ(pairs.locals, pairs.locals_before);
        kernels<T>().collect_lanes(sums, order, 2, pairs.batch.locals[0], pairs.batch.set_stride);
        EXPECT_LT(pairs.error(), tolerance<T>(order)) << order << ' ' << count;
        for (const Line& line : lines)
          for (const T value : line.values) ASSERT_EQ(value, T{0});
      }
  }
};

TEST_P(FarKernel, MeetsTheSumInFloat32) {
  meets_the_sum<float>();
}
TEST_P(FarKernel, MeetsTheSumInFloat64) {
  meets_the_sum<double>();
}
TEST_P(FarKernel, MeetsTheSumInLanesInFloat32) {
  meets_the_sum_in_lanes<float>();
}
TEST_P(FarKernel, MeetsTheSumInLanesInFloat64) {
  meets_the_sum_in_lanes<double>();
}

INSTANTIATE_TEST_SUITE_P(Sets, FarKernel,
                         testing::Values(InstructionSet::portable, InstructionSet::avx2,
                                         InstructionSet::avx512),
                         [](const auto& each) {
                           return each.param == InstructionSet::portable ? "portable"
                                  : each.param == InstructionSet::avx2   ? "avx2"
                                                                         : "avx512";
                         });

}  // namespace
}  // namespace electret::fmm
