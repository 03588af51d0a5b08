/// Fits of solid bodies: activations that bring a beam's end to a place, and a material told by its motion.

#include <cmath>

#include <gtest/gtest.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/fit/fit.hpp>
#include <electret/fit/losses.hpp>
#include <electret/scene/read.hpp>

#include "fit_testing.hpp"

namespace electret::test {
namespace {

/// A beam of 8 × 1 × 2 hexahedra, held on the left, each of them a muscle along it.
Assembly beam(const std::vector<std::string>& overrides = {}) {
  constexpr const char* text = R"toml(
[time]
step = 0.02
steps = 25
[integrator]
tolerance = 1e-8
[gravity]
acceleration = [0.0, 0.0, -9.81]
[damping]
drag = 3.0
[[body]]
name = "beam"
generate = { shape = "box", cells = [8, 1, 2], cell_size = 0.05, element = "hex" }
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 3e5
  poissons_ratio = 0.4
  [[body.muscle]]
  fibre = [1.0, 0.0, 0.0]
  stiffness = 3e5
  activation = 1.0
  [[body.group]]
  name = "wall"
  attribute = "left"
  [[body.pin]]
  group = "wall"
)toml";
  return load_scene_text(text, "beam.toml", "", overrides, read_regular_file);
}

/// |mean of `vertices` at the end - target|², m².
class ReachedPlace final : public Loss {
 public:
  ReachedPlace(std::vector<Index> vertices, const Vec3& target)
      : vertices_(std::move(vertices)), target_(target) {}
  [[nodiscard]] bool reads(Count step, Count last_step) const override { return step == last_step; }
  void start() override { miss_ = {}; }
  void observe(const LossPoint& at) override { miss_ = mean(at.state.positions) - target_; }
  [[nodiscard]] double value() const override { return squared_norm(miss_); }
  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    const Vec3 slope =
        (2.0 * factor / static_cast<double>(vertices_.size())) * (mean(at.state.positions) - target_);
    for (const Index v : vertices_) out.positions[static_cast<std::size_t>(v)] += slope;
  }

 private:
  [[nodiscard]] Vec3 mean(const VectorArray& x) const {
    Vec3 sum;
    for (const Index v : vertices_) sum += x[static_cast<std::size_t>(v)];
    return (1.0 / static_cast<double>(vertices_.size())) * sum;
  }
  std::vector<Index> vertices_;
  Vec3 target_, miss_;
};

/// The vertices of the right end.
std::vector<Index> end_of(const Assembly& assembly) {
  std::vector<Index> end;
  for (std::size_t v = 0; v < assembly.rest_positions.size(); ++v)
    if (assembly.rest_positions[v].x > 0.199) end.push_back(static_cast<Index>(v));
  return end;
}

/// 0.03 m up and 0.01 m back from where the end of the beam is at rest, in 16 activations.
TEST(SolidFits, SixteenActivationsReachAPlace) {
  const Assembly start = beam();
  const std::vector<Index> end = end_of(start);
  ASSERT_EQ(end.size(), 6U);
  ReachedPlace loss(end, {0.19, 0.0, 0.03});
  const Parameter activations = find_parameter(start, "body.beam.muscle.0.activations");
  ASSERT_EQ(activations.size(), 16U);
  Simulator before(compile(start, 1));
  ASSERT_GT(std::sqrt(loss_of_run(before, loss)), 0.02);
  std::vector<FitParameter> parameters(1);
  parameters[0].parameter = activations;
  parameters[0].minimum = 0.5, parameters[0].maximum = 1.5;
  const FitResult result = fit(start, parameters, loss, one_thread(1e-9));
  Assembly reached = start;
  result.apply(reached);
  Simulator after(compile(reached, 1));
  EXPECT_LT(std::sqrt(loss_of_run(after, loss)), 1e-4);
  for (const double a : result.values()) EXPECT_TRUE(a >= 0.5 && a <= 1.5) << a;
}

/// A fit that tries a rest shape inside out goes back, as from any run that diverges.
TEST(SolidFits, ARestShapeInsideOutDiverges) {
  const Assembly assembly = beam();
  const FitParameter rest = fitted(assembly, "body.beam.rest_positions");
  std::vector<double> as_is = values_of(assembly, {rest}), mirrored = as_is;
  for (std::size_t k = 0; k < mirrored.size(); k += 3) mirrored[k] = -mirrored[k];
  Assembly inside_out = assembly;
  write_values(inside_out, {rest}, mirrored);
  EXPECT_THROW(static_cast<void>(compile(inside_out, 1)), DivergenceError);
  ReachedPlace loss(end_of(assembly), {0.2, 0.0, 0.0});
  const std::vector<double> losses = scan_loss(assembly, {rest}, loss, {as_is, mirrored}, 1);
  EXPECT_TRUE(std::isfinite(losses[0]));
  EXPECT_TRUE(std::isinf(losses[1]));
}

/// By the beam's swinging under its weight, to six digits in every unit of the loss. The best loss is 0, so
/// that the loss falls by twenty orders and more.
TEST(SolidFits, AMaterialIsToldByItsMotion) {
  const std::string exact = "integrator.tolerance=1e-10";
  const Assembly guess =
      beam({exact, "body.0.material.0.youngs_modulus=6e5", "body.0.material.0.poissons_ratio=0.25"});
  std::vector<FitParameter> parameters =
      named(guess, {"body.beam.youngs_modulus", "body.beam.poissons_ratio"});
  parameters[1].minimum = 0.05, parameters[1].maximum = 0.48;
  for (const double weight : {1e-8, 1.0, 1e8}) {
    std::vector<WeightedLoss> terms;
    terms.push_back({weight, trajectory_of(beam({exact}))});
    const auto loss = sum_of_losses(std::move(terms));
    const FitResult result = fit(guess, parameters, *loss, one_thread(1e-9));
    EXPECT_EQ(result.outcomes[0].end, FitEnd::gradient) << weight;
    EXPECT_NEAR(result.values()[0], 3e5, 1e-6 * 3e5) << weight;
    EXPECT_NEAR(result.values()[1], 0.4, 1e-6 * 0.4) << weight;
  }
}

/// The open bound ½ of Poisson's ratio, and a modulus that overflows, are places without a value.
TEST(SolidFits, ATrialAtAnOpenBoundIsBackedOff) {
  const Assembly truth = beam({"time.steps=8"});
  const auto loss = trajectory_of(truth);
  for (const std::string name : {"body.beam.poissons_ratio", "body.beam.youngs_modulus"}) {
    const Assembly guess = beam(
        {"time.steps=8", "body.0.material.0.youngs_modulus=2.9e5", "body.0.material.0.poissons_ratio=0.39"});
    FitOptions options = one_thread();
    options.optimiser.method = "adam";
    options.optimiser.rate = 1000.0;  // exp 1000 is infinite.
    options.optimiser.evaluations = 12;
    int without = 0;
    options.observe = [&](const FitEvaluation& e) { without += std::isinf(e.loss) ? 1 : 0; };
    FitResult result;
    ASSERT_NO_THROW(result = fit(guess, {fitted(guess, name)}, *loss, options)) << name;
    EXPECT_GT(without, 0) << name;
    EXPECT_TRUE(std::isfinite(result.outcomes[0].loss)) << name;
  }
}

}  // namespace
}  // namespace electret::test
