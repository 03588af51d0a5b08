// The suite of elastic_conformance.hpp: energies, gradients, parameters. Derivatives are compared with
// five-point differences of step 1e-3 (lengths here are about 1): truncation about 1e-11, rounding about
// 1e-12.

#include "elastic/elastic_conformance.hpp"

#include <algorithm>

#include <electret/core/errors.hpp>

#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

constexpr double step = 1e-3;
constexpr double tolerance = 1e-9;

using Slopes = std::vector<std::vector<double>>;

std::vector<ScalarSpan> spans_of(Slopes& slopes) {
  return {slopes.begin(), slopes.end()};
}

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

TEST_P(ElasticConformance, ParameterDerivatives) {
  const VectorArray z = random_vectors(x_.size(), 7);
  const auto parameters = energy_->parameters();
  ASSERT_FALSE(parameters.empty());
  Slopes of_energy = slopes_of(*energy_), of_gradient = of_energy;
  energy_->add_energy_parameter_gradients(x_, spans_of(of_energy));
  energy_->add_gradient_parameter_products(x_, z, spans_of(of_gradient));
  for (std::size_t p = 0; p < parameters.size(); ++p)
    for (std::size_t k = 0; k < parameters[p].values.size(); ++k) {
      const double value = parameters[p].values[k];
      const auto changed = [&](double by) { return make(few, threads_, {p, k, by}); };
      const double energy_slope = derivative([&](double s) { return changed(s)->energy(x_); }, step * value);
      const double gradient_slope =
          derivative([&](double s) { return dot(z, gradient(*changed(s), x_)); }, step * value);
      const double energy_size = energy_->energy(x_) / value, gradient_size = norm(gradient(x_)) / value;
      EXPECT_NEAR(of_energy[p][k], energy_slope, tolerance * energy_size) << parameters[p].name;
      EXPECT_NEAR(of_gradient[p][k], gradient_slope, tolerance * norm(z) * gradient_size)
          << parameters[p].name;
    }
}

TEST_P(ElasticConformance, RestPositionDerivatives) {
  ASSERT_EQ(energy_->has_rest_shape(), static_cast<bool>(GetParam().of_rest_shape));
  if (!energy_->has_rest_shape()) GTEST_SKIP() << "no rest shape";
  const VectorArray z = random_vectors(x_.size(), 7);
  VectorArray of_energy(x_.size(), Vec3{1, 2, 3}), of_gradient = of_energy;
  energy_->add_energy_rest_gradient(x_, of_energy);
  energy_->add_gradient_rest_products(x_, z, of_gradient);
  const double size = norm(z) * norm(gradient(x_));
  for (std::size_t k = 0; k < 3 * x_.size(); ++k) {
    const auto moved = [&](double s) {
      VectorArray moves = coordinate(k);
      for (Vec3& move : moves) move *= s;
      return GetParam().of_rest_shape(threads_, moves);
    };
    const double start = static_cast<double>(k % 3 + 1);
    const auto axis = static_cast<int>(k % 3);
    EXPECT_NEAR(of_energy[k / 3][axis] - start,
                derivative([&](double s) { return moved(s)->energy(x_); }, step), 1e-7 * energy_->energy(x_))
        << "coordinate " << k;
    EXPECT_NEAR(of_gradient[k / 3][axis] - start,
                derivative([&](double s) { return dot(z, gradient(*moved(s), x_)); }, step), 1e-7 * size)
        << "coordinate " << k;
  }
}

TEST_P(ElasticConformance, RestPositionDerivativesAreTheReferences) {
  if (!GetParam().reference || !energy_->has_rest_shape()) GTEST_SKIP() << "no rest shape, or the reference";
  const Index n = 500;
  const VectorArray x = GetParam().positions(n), z = random_vectors(x.size(), 7);
  const auto block = GetParam().elements(n);
  VectorArray fast(x.size()), slow(x.size());
  GetParam().make(block, n, threads_, {})->add_gradient_rest_products(x, z, fast);
  GetParam().reference(block, n, threads_, {})->add_gradient_rest_products(x, z, slow);
  EXPECT_LE(distance(fast, slow), 1e-12 * norm(slow));
  EXPECT_GT(norm(slow), 0.0);
}

TEST_P(ElasticConformance, GivesOnlyTheParametersAskedFor) {
  const VectorArray z = random_vectors(x_.size(), 7), v = random_vectors(x_.size(), 9);
  const auto count = energy_->parameters().size();
  Slopes all[3] = {slopes_of(*energy_), slopes_of(*energy_), slopes_of(*energy_)};
  const auto add = [&](int which, const std::vector<ScalarSpan>& outs) {
    if (which == 0) energy_->add_energy_parameter_gradients(x_, outs);
    if (which == 1) energy_->add_gradient_parameter_products(x_, z, outs);
    if (which == 2 && energy_->clamped_form() != nullptr)
      energy_->clamped_form()->add_parameter_gradients(x_, z, v, outs);
  };
  for (int which = 0; which < 3; ++which) {
    add(which, spans_of(all[which]));
    for (std::size_t p = 0; p < count; ++p) {
      Slopes one = slopes_of(*energy_);
      std::vector<ScalarSpan> outs(count);
      outs[p] = one[p];
      add(which, outs);
      EXPECT_EQ(one[p], all[which][p]);
    }
  }
}

TEST_P(ElasticConformance, ClampedFormDerivatives) {
  ClampedForm* form = energy_->clamped_form();
  if (form == nullptr) GTEST_SKIP() << "no third derivatives";
  const VectorArray z = random_vectors(x_.size(), 8), v = random_vectors(x_.size(), 9);
  VectorArray g(x_.size());
  form->add_gradient(x_, z, v, g);
  for (std::size_t k = 0; k < 3 * x_.size(); ++k) {
    const VectorArray d = coordinate(k);
    const double expected =
        derivative([&](double s) { return clamped_form(*energy_, moved(s, d), z, v); }, step);
    EXPECT_NEAR(dot(g, d), expected, tolerance * norm(g)) << "coordinate " << k;
  }
  Slopes slopes = slopes_of(*energy_);
  form->add_parameter_gradients(x_, z, v, spans_of(slopes));
  const double size = norm(z) * norm(hessian_product(x_, v, HessianKind::exact));
  for (std::size_t p = 0; p < slopes.size(); ++p)
    for (std::size_t k = 0; k < slopes[p].size(); ++k) {
      const double value = energy_->parameters()[p].values[k];
      const double expected = derivative(
          [&](double s) {
            return clamped_form(*make(few, threads_, {p, k, s}), x_, z, v);
          },
          step * value);
      EXPECT_NEAR(slopes[p][k], expected, tolerance * size / value);
    }
}

TEST_P(ElasticConformance, IsObjective) {
  const VectorArray g = gradient(x_);
  const auto turn = [&](const VectorArray& a) { return GetParam().objective ? rotated(a) : a; };
  VectorArray turned = turn(x_);
  for (Vec3& v : turned) v += Vec3{3, -2, 1};
  EXPECT_NEAR(energy_->energy(turned), energy_->energy(x_), 1e-13 * energy_->energy(x_));
  EXPECT_LE(distance(gradient(turned), turn(g)), 1e-13 * norm(g) * 10);
}

TEST_P(ElasticConformance, BalancesMomentum) {
  const VectorArray g = gradient(x_);
  Vec3 force, torque;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    force += g[i];
    torque += cross(x_[i], g[i]);
  }
  EXPECT_LE(norm(force), 1e-14 * norm(g));
  if (!GetParam().objective) return;
  EXPECT_LE(norm(torque), 1e-14 * norm(g) * norm(x_));
}

/// What it is for one element each energy's own tests say.
TEST_P(ElasticConformance, ForceScaleIsOfTheElementsVertices) {
  std::vector<double> scale(x_.size()), added(x_.size(), 2.0);
  energy_->add_force_scale(scale);
  energy_->add_force_scale(added);
  const auto ends = energy_->elements().connectivity();
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const bool has_elements = std::find(ends.begin(), ends.end(), static_cast<Index>(i)) != ends.end();
    EXPECT_EQ(scale[i] > 0.0, has_elements) << i;
    EXPECT_NEAR(added[i], 2.0 + scale[i], 1e-14 * (2.0 + scale[i])) << i;
  }
}

/// Every operation, into arrays that already hold something.
struct Results {
  std::vector<double> energies;
  std::vector<VectorArray> vectors;
  std::vector<std::vector<double>> scalars;
  friend bool operator==(const Results&, const Results&) = default;
};

Results everything(ElasticEnergy& energy, const VectorArray& x, const Vec3& start) {
  const VectorArray z = random_vectors(x.size(), 10), v = random_vectors(x.size(), 11);
  Results r;
  const auto vectors = [&]() -> VectorSpan { return r.vectors.emplace_back(x.size(), start); };
  const auto add_scalars = [&](auto&& add) {
    Slopes slopes;
    for (const ElasticParameter& p : energy.parameters()) slopes.emplace_back(p.values.size(), start.x);
    add(spans_of(slopes));
    r.scalars.insert(r.scalars.end(), slopes.begin(), slopes.end());
  };
  r.energies.push_back(energy.energy(x));
  r.energies.push_back(energy.add_gradient(x, vectors()));
  for (const HessianKind kind : {HessianKind::exact, HessianKind::clamped}) {
    r.energies.push_back(energy.linearise(x, kind, vectors()));
    energy.add_hessian_product(z, vectors());
  }
  add_scalars([&](auto outs) { energy.add_energy_parameter_gradients(x, outs); });
  add_scalars([&](auto outs) { energy.add_gradient_parameter_products(x, z, outs); });
  energy.add_energy_rest_gradient(x, vectors());
  energy.add_gradient_rest_products(x, z, vectors());
  if (ClampedForm* form = energy.clamped_form()) {
    form->add_gradient(x, z, v, vectors());
    add_scalars([&](auto outs) { form->add_parameter_gradients(x, z, v, outs); });
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
  const auto alone = make(many, threads_);
  ASSERT_GE(alone->elements().size(), GetParam().several_chunks) << "too few elements for several threads";
  const Results expected = everything(*alone, x, {1, 2, 3});
  for (const int count : {2, 3, 7}) {
    Threads threads(count);
    const auto energy = make(many, threads);
    EXPECT_TRUE(everything(*energy, x, {1, 2, 3}) == expected) << count << " threads";
    // Seven threads on fewer processors are scheduled otherwise each time.
    if (count == 7) {
      EXPECT_TRUE(everything(*energy, x, {1, 2, 3}) == expected) << "7 threads, again";
    }
  }
}

/// One sum could agree by luck.
TEST_P(ElasticConformance, EnergiesAreBitwiseTheSameForAnyNumberOfThreads) {
  const auto alone = make(many, threads_);
  const VectorArray x = GetParam().positions(many);
  for (const int count : {2, 3}) {
    Threads threads(count);
    const auto energy = make(many, threads);
    for (unsigned seed = 0; seed < 20; ++seed) {
      VectorArray place = random_vectors(x.size(), 200 + seed, 0.05);
      for (std::size_t i = 0; i < x.size(); ++i) place[i] += x[i];
      EXPECT_EQ(energy->energy(place), alone->energy(place)) << count << " threads";
    }
  }
}

TEST_P(ElasticConformance, AllocatesNothingAfterTheFirstCall) {
  const VectorArray x = GetParam().positions(many), d = random_vectors(x.size(), 12);
  const auto energy = make(many, threads_);
  VectorArray out(x.size());
  Slopes slopes = slopes_of(*energy);
  const std::vector<ScalarSpan> outs = spans_of(slopes);
  const auto call = [&] {
    double sum = energy->energy(x) + energy->add_gradient(x, out);
    sum += energy->linearise(x, HessianKind::exact, out);
    energy->add_hessian_product(d, out);
    energy->add_energy_parameter_gradients(x, outs);
    energy->add_gradient_parameter_products(x, d, outs);
    energy->add_gradient_rest_products(x, d, out);
    if (ClampedForm* form = energy->clamped_form()) {
      form->add_gradient(x, d, d, out);
      form->add_parameter_gradients(x, d, d, outs);
    }
    return sum;
  };
  call();
  const AllocationCounter counter;
  call();
  EXPECT_EQ(counter.count(), 0);
}

TEST_P(ElasticConformance, DescribesItsElements) {
  const ElementBlock& block = energy_->elements();
  EXPECT_FALSE(energy_->name().empty());
  EXPECT_GT(block.size(), 0);
  EXPECT_EQ(block.vertex_count(), static_cast<Index>(x_.size()));
  EXPECT_EQ(block.connectivity().size(),
            static_cast<std::size_t>(block.size() * block.vertices_per_element()));
  for (const Index v : block.connectivity()) EXPECT_TRUE(v >= 0 && v < static_cast<Index>(x_.size()));
  for (const ElasticParameter& p : energy_->parameters()) {
    EXPECT_FALSE(p.name.empty());
    EXPECT_EQ(p.values.size(), static_cast<std::size_t>(p.count * p.numbers));
    EXPECT_EQ(p.count, p.per == ParameterScope::element  ? block.size()
                       : p.per == ParameterScope::vertex ? block.vertex_count()
                                                         : 1);
  }
}

TEST_P(ElasticConformance, RejectsArraysOfAnotherSize) {
  VectorArray wrong(x_.size() + 1), right(x_.size());
  Slopes slopes = slopes_of(*energy_), too_long = slopes;
  too_long[0].push_back(0.0);
  const std::vector<ScalarSpan> outs = spans_of(slopes);
  EXPECT_THROW(energy_->energy(wrong), InternalError);
  EXPECT_THROW(energy_->add_gradient(x_, wrong), InternalError);
  EXPECT_THROW(energy_->add_gradient(wrong, right), InternalError);
  EXPECT_THROW(energy_->linearise(wrong, HessianKind::exact, right), InternalError);
  EXPECT_THROW(energy_->linearise(x_, HessianKind::exact, wrong), InternalError);
  EXPECT_THROW(energy_->add_energy_parameter_gradients(x_, spans_of(too_long)), InternalError);
  EXPECT_THROW(energy_->add_energy_parameter_gradients(x_, std::span(outs).first(outs.size() - 1)),
               InternalError);
  EXPECT_THROW(energy_->add_energy_parameter_gradients(wrong, outs), InternalError);
  EXPECT_THROW(energy_->add_gradient_parameter_products(x_, wrong, outs), InternalError);
  if (ClampedForm* form = energy_->clamped_form()) {
    EXPECT_THROW(form->add_gradient(x_, right, wrong, right), InternalError);
    EXPECT_THROW(form->add_parameter_gradients(x_, right, wrong, outs), InternalError);
  }
}

}  // namespace
}  // namespace electret::test
