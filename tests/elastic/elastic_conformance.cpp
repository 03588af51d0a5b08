// The suite of elastic_conformance.hpp. Derivatives are compared with five-point differences of step 1e-3
// (lengths here are about 1): truncation about 1e-11, rounding about 1e-12.

#include "elastic/elastic_conformance.hpp"

#include <map>

#include <electret/core/errors.hpp>

#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

constexpr double step = 1e-3;
constexpr double tolerance = 1e-9;

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ElasticConformance);

/// A dense 3n×3n or n×n matrix from what an energy adds.
struct ScalarMatrix final : ScalarMatrixSink {
  std::map<std::pair<Index, Index>, double> entries;
  void add(Index row, Index column, double value) override { entries[{row, column}] += value; }
  [[nodiscard]] VectorArray product(const VectorArray& x) const {
    VectorArray out(x.size());
    for (const auto& [at, value] : entries)
      out[static_cast<std::size_t>(at.first)] += value * x[static_cast<std::size_t>(at.second)];
    return out;
  }
};
struct BlockMatrix final : BlockMatrixSink {
  std::map<std::pair<Index, Index>, Mat3> entries;
  void add(Index row, Index column, const Mat3& block) override { entries[{row, column}] += block; }
  [[nodiscard]] VectorArray product(const VectorArray& x) const {
    VectorArray out(x.size());
    for (const auto& [at, block] : entries)
      out[static_cast<std::size_t>(at.first)] += block * x[static_cast<std::size_t>(at.second)];
    return out;
  }
};

TEST_P(ElasticConformance, GradientIsTheEnergysDerivative) {
  const VectorArray g = gradient(x_);
  for (std::size_t k = 0; k < 3 * x_.size(); ++k) {
    const VectorArray d = coordinate(k);
    const double expected = derivative([&](double s) { return energy_->energy(moved(s, d)); }, step);
    EXPECT_NEAR(dot(g, d), expected, tolerance * norm(g)) << "coordinate " << k;
  }
}

TEST_P(ElasticConformance, GradientReturnsTheEnergy) {
  VectorArray g(x_.size());
  EXPECT_EQ(energy_->add_gradient(x_, g), energy_->energy(x_));
  EXPECT_GT(energy_->energy(x_), 0.0);
}

TEST_P(ElasticConformance, HessianIsTheGradientsDerivative) {
  const VectorArray z = random_vectors(x_.size(), 1);
  for (std::size_t k = 0; k < 3 * x_.size(); ++k) {
    const VectorArray d = coordinate(k);
    const VectorArray product = hessian_product(x_, d, HessianKind::exact);
    const double expected = derivative([&](double s) { return dot(z, gradient(moved(s, d))); }, step);
    EXPECT_NEAR(dot(z, product), expected, tolerance * norm(z) * norm(product)) << "coordinate " << k;
  }
}

TEST_P(ElasticConformance, HessianBlocksGiveTheProduct) {
  for (const HessianKind kind : {HessianKind::exact, HessianKind::clamped}) {
    BlockMatrix blocks;
    energy_->add_hessian_blocks(x_, kind, blocks);
    const VectorArray d = random_vectors(x_.size(), 2);
    const VectorArray expected = hessian_product(x_, d, kind);
    EXPECT_LE(distance(blocks.product(d), expected), 1e-13 * norm(expected));
  }
}

TEST_P(ElasticConformance, HessianIsSymmetric) {
  for (const HessianKind kind : {HessianKind::exact, HessianKind::clamped}) {
    const VectorArray a = random_vectors(x_.size(), 3), b = random_vectors(x_.size(), 4);
    const double ab = dot(a, hessian_product(x_, b, kind)), ba = dot(b, hessian_product(x_, a, kind));
    EXPECT_NEAR(ab, ba, 1e-13 * norm(a) * norm(hessian_product(x_, b, kind)));
  }
}

/// The lowest Rayleigh quotient that 300 power iterations on (shift - H) find.
TEST_P(ElasticConformance, ClampedHessianIsPositiveSemidefiniteAndTheExactOneIsNot) {
  const auto lowest = [&](HessianKind kind) {
    VectorArray d = random_vectors(x_.size(), 5);
    double shift = 0.0;
    for (int k = 0; k < 50; ++k) {
      d = hessian_product(x_, d, kind);
      shift = norm(d);
      for (Vec3& v : d) v *= 1.0 / shift;
    }
    d = random_vectors(x_.size(), 6);
    double quotient = 0.0;
    for (int k = 0; k < 300; ++k) {
      const VectorArray product = hessian_product(x_, d, kind);
      quotient = dot(d, product) / dot(d, d) / shift;
      for (std::size_t i = 0; i < d.size(); ++i) d[i] = 1.1 * d[i] - (1.0 / shift) * product[i];
      const double size = norm(d);
      for (Vec3& v : d) v *= 1.0 / size;
    }
    return quotient;
  };
  EXPECT_GE(lowest(HessianKind::clamped), -1e-13);
  EXPECT_LT(lowest(HessianKind::exact), -1e-3) << "the case needs compressed elements";
}

TEST_P(ElasticConformance, MajoriserIsSymmetricAndBoundsTheHessian) {
  ScalarMatrix l;
  energy_->add_majoriser(l);
  for (const auto& [at, value] : l.entries) EXPECT_EQ(value, (l.entries[{at.second, at.first}]));
  if (!GetParam().majorised) GTEST_SKIP() << "not a majoriser, by its docstring";
  for (unsigned seed = 0; seed < 50; ++seed) {
    const VectorArray d = random_vectors(x_.size(), 100 + seed);
    const double bound = dot(d, l.product(d));
    EXPECT_GE(bound, dot(d, hessian_product(x_, d, HessianKind::exact)) - 1e-12 * bound);
  }
  const VectorArray shift(x_.size(), Vec3{1, 2, 3});
  EXPECT_LE(norm(l.product(shift)), 1e-12 * norm(l.product(x_)));
}

TEST_P(ElasticConformance, ProjectionGivesTheGradient) {
  if (!energy_->has_projection()) GTEST_SKIP() << "no projection";
  ScalarMatrix l;
  energy_->add_majoriser(l);
  VectorArray jp(x_.size());
  energy_->add_projection(x_, jp);
  VectorArray expected = l.product(x_);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= jp[i];
  EXPECT_LE(distance(gradient(x_), expected), 1e-13 * (norm(jp) + norm(expected)));
}

TEST_P(ElasticConformance, ParameterDerivatives) {
  const VectorArray z = random_vectors(x_.size(), 7);
  ASSERT_FALSE(energy_->parameters().empty());
  for (std::size_t p = 0; p < energy_->parameters().size(); ++p) {
    const ScalarSpan values = energy_->parameters()[p].values;
    ASSERT_EQ(values.size(), elements());
    std::vector<double> of_energy(values.size()), of_gradient(values.size());
    energy_->add_energy_parameter_gradient(x_, p, of_energy);
    energy_->add_gradient_parameter_product(x_, z, p, of_gradient);
    for (std::size_t e = 0; e < values.size(); ++e) {
      const double before = values[e];
      const auto at = [&](double s, auto&& function) {
        values[e] = before + s;
        const double result = function();
        values[e] = before;
        return result;
      };
      const double energy_slope =
          derivative([&](double s) { return at(s, [&] { return energy_->energy(x_); }); }, step * before);
      const double gradient_slope =
          derivative([&](double s) { return at(s, [&] { return dot(z, gradient(x_)); }); }, step * before);
      const double energy_size = energy_->energy(x_) / before, gradient_size = norm(gradient(x_)) / before;
      EXPECT_NEAR(of_energy[e], energy_slope, tolerance * energy_size) << energy_->parameters()[p].name;
      EXPECT_NEAR(of_gradient[e], gradient_slope, tolerance * norm(z) * gradient_size)
          << energy_->parameters()[p].name;
    }
  }
}

TEST_P(ElasticConformance, ClampedFormDerivatives) {
  const VectorArray z = random_vectors(x_.size(), 8), v = random_vectors(x_.size(), 9);
  VectorArray g(x_.size());
  energy_->add_clamped_form_gradient(x_, z, v, g);
  for (std::size_t k = 0; k < 3 * x_.size(); ++k) {
    const VectorArray d = coordinate(k);
    const double expected = derivative([&](double s) { return clamped_form(moved(s, d), z, v); }, step);
    EXPECT_NEAR(dot(g, d), expected, tolerance * norm(g)) << "coordinate " << k;
  }
  for (std::size_t p = 0; p < energy_->parameters().size(); ++p) {
    const ScalarSpan values = energy_->parameters()[p].values;
    std::vector<double> slopes(values.size());
    energy_->add_clamped_form_parameter_gradient(x_, z, v, p, slopes);
    for (std::size_t e = 0; e < values.size(); ++e) {
      const double before = values[e];
      const double expected = derivative(
          [&](double s) {
            values[e] = before + s;
            const double form = clamped_form(x_, z, v);
            values[e] = before;
            return form;
          },
          step * before);
      EXPECT_NEAR(slopes[e], expected,
                  tolerance * norm(z) * norm(hessian_product(x_, v, HessianKind::exact)) / before);
    }
  }
}

TEST_P(ElasticConformance, IsObjective) {
  const VectorArray g = gradient(x_);
  VectorArray turned = rotated(x_);
  for (Vec3& v : turned) v += Vec3{3, -2, 1};
  EXPECT_NEAR(energy_->energy(turned), energy_->energy(x_), 1e-13 * energy_->energy(x_));
  EXPECT_LE(distance(gradient(turned), rotated(g)), 1e-13 * norm(g) * 10);
}

TEST_P(ElasticConformance, BalancesMomentum) {
  const VectorArray g = gradient(x_);
  Vec3 force, torque;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    force += g[i];
    torque += cross(x_[i], g[i]);
  }
  EXPECT_LE(norm(force), 1e-14 * norm(g));
  EXPECT_LE(norm(torque), 1e-14 * norm(g) * norm(x_));
}

TEST_P(ElasticConformance, ForceScaleSumsOverElements) {
  std::vector<double> scale(x_.size(), 1.0);
  energy_->add_force_scale(scale);
  double total = 0.0;
  for (const double s : scale) {
    EXPECT_GE(s, 1.0);
    total += s - 1.0;
  }
  EXPECT_GT(total, 0.0);
}

/// Every operation, into arrays that already hold something.
struct Results {
  double energy = 0.0, energy_of_gradient = 0.0;
  std::vector<VectorArray> vectors;
  std::vector<std::vector<double>> scalars;
  friend bool operator==(const Results&, const Results&) = default;
};

Results everything(ElasticEnergy& energy, const VectorArray& x, const Vec3& start) {
  const VectorArray z = random_vectors(x.size(), 10), v = random_vectors(x.size(), 11);
  Results r;
  r.vectors.assign(5, VectorArray(x.size(), start));
  const auto elements = static_cast<std::size_t>(energy.elements().size());
  r.scalars.assign(3 * energy.parameters().size(), std::vector<double>(elements, start.x));
  r.energy = energy.energy(x);
  r.energy_of_gradient = energy.add_gradient(x, r.vectors[0]);
  energy.add_hessian_product(x, z, HessianKind::exact, r.vectors[1]);
  energy.add_hessian_product(x, z, HessianKind::clamped, r.vectors[2]);
  energy.add_projection(x, r.vectors[3]);
  energy.add_clamped_form_gradient(x, z, v, r.vectors[4]);
  for (std::size_t p = 0; p < energy.parameters().size(); ++p) {
    energy.add_energy_parameter_gradient(x, p, r.scalars[3 * p]);
    energy.add_gradient_parameter_product(x, z, p, r.scalars[3 * p + 1]);
    energy.add_clamped_form_parameter_gradient(x, z, v, p, r.scalars[3 * p + 2]);
  }
  return r;
}

TEST_P(ElasticConformance, AddsToWhatIsThere) {
  const Results from_zero = everything(*energy_, x_, {});
  const Results from_two = everything(*energy_, x_, {2, 2, 2});
  for (std::size_t k = 0; k < from_zero.vectors.size(); ++k)
    for (std::size_t i = 0; i < x_.size(); ++i)
      EXPECT_LE(norm(from_two.vectors[k][i] - from_zero.vectors[k][i] - Vec3{2, 2, 2}), 1e-12) << k;
  for (std::size_t k = 0; k < from_zero.scalars.size(); ++k)
    for (std::size_t e = 0; e < from_zero.scalars[k].size(); ++e)
      EXPECT_NEAR(from_two.scalars[k][e], from_zero.scalars[k][e] + 2.0, 1e-12) << k;
}

TEST_P(ElasticConformance, IsBitwiseTheSameForAnyNumberOfThreads) {
  const VectorArray x = GetParam().positions(many);
  const auto alone = GetParam().make(many, threads_);
  ASSERT_GE(alone->elements().size(), 32768) << "too few elements for several threads";
  const Results expected = everything(*alone, x, {1, 2, 3});
  for (const int count : {2, 3, 7}) {
    Threads threads(count);
    const auto energy = GetParam().make(many, threads);
    EXPECT_TRUE(everything(*energy, x, {1, 2, 3}) == expected) << count << " threads";
    EXPECT_TRUE(everything(*energy, x, {1, 2, 3}) == expected) << count << " threads, again";
  }
}

TEST_P(ElasticConformance, AllocatesNothingAfterTheFirstCall) {
  const VectorArray x = GetParam().positions(many), d = random_vectors(x.size(), 12);
  const auto energy = GetParam().make(many, threads_);
  VectorArray out(x.size());
  std::vector<double> slopes(static_cast<std::size_t>(energy->elements().size()));
  const auto call = [&] {
    double sum = energy->energy(x) + energy->add_gradient(x, out);
    energy->add_hessian_product(x, d, HessianKind::exact, out);
    energy->add_projection(x, out);
    energy->add_clamped_form_gradient(x, d, d, out);
    for (std::size_t p = 0; p < energy->parameters().size(); ++p)
      energy->add_gradient_parameter_product(x, d, p, slopes);
    return sum;
  };
  call();
  const AllocationCounter counter;
  call();
  EXPECT_EQ(counter.count(), 0);
}

TEST_P(ElasticConformance, DescribesItsElements) {
  const ElementBlock block = energy_->elements();
  EXPECT_FALSE(energy_->name().empty());
  EXPECT_EQ(block.connectivity.size(), elements() * static_cast<std::size_t>(block.vertices_per_element));
  for (const Index v : block.connectivity) EXPECT_TRUE(v >= 0 && v < static_cast<Index>(x_.size()));
  for (const ElasticParameter& p : energy_->parameters()) EXPECT_FALSE(p.name.empty());
}

TEST_P(ElasticConformance, RejectsArraysOfAnotherSize) {
  VectorArray wrong(x_.size() + 1), right(x_.size());
  std::vector<double> slopes(elements());
  std::vector<double> too_many(elements() + 1);
  EXPECT_THROW(energy_->energy(wrong), InternalError);
  EXPECT_THROW(energy_->add_gradient(x_, wrong), InternalError);
  EXPECT_THROW(energy_->add_gradient(wrong, right), InternalError);
  EXPECT_THROW(energy_->add_hessian_product(x_, wrong, HessianKind::exact, right), InternalError);
  EXPECT_THROW(energy_->add_energy_parameter_gradient(x_, 0, too_many), InternalError);
  EXPECT_THROW(energy_->add_energy_parameter_gradient(x_, 99, slopes), InternalError);
  EXPECT_THROW(energy_->add_gradient_parameter_product(x_, wrong, 0, slopes), InternalError);
  EXPECT_THROW(energy_->add_clamped_form_gradient(x_, right, wrong, right), InternalError);
}

}  // namespace
}  // namespace electret::test
