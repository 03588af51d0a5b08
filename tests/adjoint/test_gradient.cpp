/// The reverse sweep: the same bits whatever is stored and by how many threads, states seen once and in
/// order, and what goes wrong told.

#include <cmath>

#include <gtest/gtest.h>

#include <electret/adjoint/checkpoint_schedule.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/dynamics/options.hpp>

#include "adjoint/adjoint_scene.hpp"

namespace electret::test {
namespace {

/// All numbers of a gradient.
std::vector<double> flat(const AssemblyGradient& g, const Assembly& assembly) {
  std::vector<double> all;
  for (const NumberKind* kind : number_kinds())
    for (std::size_t index = 0; index < kind->arrays(assembly); ++index) {
      const ScalarView values = g.scalars({*kind, index});
      all.insert(all.end(), values.begin(), values.end());
    }
  EXPECT_GT(all.size(), 9 * assembly.masses.size());
  return all;
}

struct Outcome {
  LossAndGradient result;
  std::vector<double> gradient;
  std::vector<Count> observed;
};

Outcome outcome(const std::string& method, const GradientOptions& options = {}, int threads = 1) {
  Assembly assembly = adjoint_scene(method);
  Simulator simulator(compile(assembly, threads));
  MixedLoss loss;
  Outcome got{loss_and_gradient(simulator, loss, options), {}, {}};
  got.gradient = flat(got.result.gradient, assembly);
  got.observed = loss.observed;
  return got;
}

class Gradient : public testing::TestWithParam<std::string_view> {};

TEST_P(Gradient, HasTheSameBitsWhateverIsStored) {
  const std::string method(GetParam());
  const Outcome whole = outcome(method);
  EXPECT_EQ(whole.result.report.forward_steps, 12);
  EXPECT_EQ(whole.observed, (std::vector<Count>{0, 3, 6, 9, 12}));
  Simulator probe(compile(adjoint_scene(method), 1));
  const double bytes = bytes_of_state(probe);
  for (const Count states : {3, 4, 5, 6, 9, 13}) {
    GradientOptions options;
    options.memory = (static_cast<double>(states) + 0.5) * bytes;
    const Outcome got = outcome(method, options);
    EXPECT_EQ(got.result.loss, whole.result.loss) << states;
    EXPECT_EQ(got.gradient, whole.gradient) << states << " states";
    EXPECT_EQ(got.observed, whole.observed) << states;
    EXPECT_LE(got.result.report.stored_states, states - 1);
    EXPECT_GE(got.result.report.forward_steps, forward_steps(12, states - 1));
    if (method != "kick_trbdf2") {
      EXPECT_EQ(got.result.report.forward_steps, forward_steps(12, states - 1));
    }
  }
}

TEST_P(Gradient, HasTheSameBitsForAnyNumberOfThreads) {
  const std::string method(GetParam());
  const Outcome one = outcome(method), three = outcome(method, {}, 3);
  EXPECT_EQ(one.result.loss, three.result.loss);
  EXPECT_EQ(one.gradient, three.gradient);
}

INSTANTIATE_TEST_SUITE_P(Methods, Gradient, testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

TEST(GradientSweep, LossIsThatOfThePlainRunAndASecondSweepGivesTheSame) {
  Simulator simulator(compile(adjoint_scene("imex"), 1));
  MixedLoss loss;
  const LossAndGradient first = loss_and_gradient(simulator, loss);
  EXPECT_EQ(loss_of_run(simulator, loss), first.loss);
  const LossAndGradient second = loss_and_gradient(simulator, loss);
  EXPECT_EQ(second.loss, first.loss);
  EXPECT_TRUE(same_bits(second.gradient.scalars(number::charges), first.gradient.scalars(number::charges)));
  EXPECT_GT(first.report.solves, 0);
  EXPECT_LT(first.report.worst_residual, 1e-9);
}

/// The published iteration belongs to the published methods; its gradient is the same.
TEST(GradientSweep, SaysHowItsSystemsWereSolved) {
  const auto sweep = [](const char* elastic_solver) {
    Assembly assembly = adjoint_scene("imex");
    assembly.scene.integrator.elastic_solver = elastic_solver;
    Simulator simulator(compile(std::move(assembly), 1));
    MixedLoss loss;
    return loss_and_gradient(simulator, loss);
  };
  const LossAndGradient newton = sweep("auto"), published = sweep("local_global");
  EXPECT_EQ(newton.report.quasi_newton_solves, 0);
  EXPECT_EQ(published.report.quasi_newton_solves, published.report.solves);
  EXPECT_EQ(newton.report.direct_solves + published.report.direct_solves, 0);
  const ScalarView of_newton = newton.gradient.scalars(number::charges);
  const ScalarView of_published = published.gradient.scalars(number::charges);
  ASSERT_EQ(of_newton.size(), of_published.size());
  for (std::size_t i = 0; i < of_newton.size(); ++i)
    EXPECT_NEAR(of_newton[i], of_published[i], 1e-6 * std::abs(of_newton[0]));
}

TEST(GradientSweep, StopsAndCountsBothSweeps) {
  Simulator simulator(compile(adjoint_scene("verlet"), 1));
  MixedLoss loss;
  std::stop_source stop;
  GradientOptions options;
  Count last = 0, total = 0;
  options.control.progress = [&](const Progress& progress) {
    EXPECT_GE(progress.done, last);
    last = progress.done;
    total = progress.total;
  };
  loss_and_gradient(simulator, loss, options);
  EXPECT_EQ(last, total);
  EXPECT_EQ(total, 24);
  options.control.stop = stop.get_token();
  options.control.progress = [&](const Progress& progress) {
    if (progress.done == 15) stop.request_stop();
    EXPECT_LE(progress.done, 15);
  };
  EXPECT_THROW(loss_and_gradient(simulator, loss, options), Cancelled);
}

/// Another loss, times a factor.
class Scaled final : public Loss {
 public:
  explicit Scaled(double by) : by_(by) {}
  [[nodiscard]] bool reads(Count step, Count last) const override { return loss_.reads(step, last); }
  void start() override { loss_.start(); }
  void observe(const LossPoint& at) override { loss_.observe(at); }
  [[nodiscard]] double value() const override { return by_ * loss_.value(); }
  void add_derivatives(const LossPoint& at, double factor, const LossGradients& out) override {
    loss_.add_derivatives(at, factor * by_, out);
  }

 private:
  double by_;
  MixedLoss loss_;
};

/// Squares of these derivatives are 0 or infinite. Powers of two round nothing.
TEST_P(Gradient, OfVeryLargeAndSmallLossesIsScaledAlone) {
  const Assembly assembly = adjoint_scene(std::string(GetParam()));
  Simulator simulator(compile(assembly, 1));
  Scaled one(1.0);
  const LossAndGradient plain = loss_and_gradient(simulator, one);
  for (const double by : {0x1p-800, 0x1p-500, 0x1p-200, 0x1p200, 0x1p600, 0x1p800}) {
    Scaled loss(by);
    const LossAndGradient got = loss_and_gradient(simulator, loss);
    EXPECT_EQ(got.loss, by * plain.loss);
    for (const Parameter& parameter : parameters(assembly)) {
      const auto expected = parameter.pull(plain.gradient), found = parameter.pull(got.gradient);
      for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_EQ(found[k], by * expected[k]) << parameter.name << ' ' << k << ' ' << by;
    }
  }
}

TEST(GradientSweep, ALossThatIsNotFiniteIsTold) {
  const Assembly assembly = adjoint_scene("imex");
  Simulator simulator(compile(assembly, 1));
  Scaled loss(1e308);
  ASSERT_TRUE(std::isinf(loss_of_run(simulator, loss)));
  try {
    (void)loss_and_gradient(simulator, loss);
    FAIL() << "it has a gradient";
  } catch (const DivergenceError& error) {
    EXPECT_EQ(error.cause(), "the loss is not finite");
  }
}

TEST(GradientSweep, CallersMistakesAreTold) {
  Simulator simulator(compile(adjoint_scene("verlet"), 1));
  MixedLoss loss;
  EXPECT_THROW(loss_of_run(simulator, loss, -1), std::invalid_argument);
  EXPECT_THROW(loss_and_gradient(simulator, loss, {.steps = -1, .control = {}}), std::invalid_argument);
  EXPECT_THROW(loss_and_gradient(simulator, loss, {.memory = -1.0, .control = {}}), std::invalid_argument);
  EXPECT_THROW(states_within(0.0, 0.0, 3), std::invalid_argument);
  EXPECT_THROW(states_within(0.0, 8.0, -3), std::invalid_argument);
}

TEST(GradientSweep, ADivergedRunIsTold) {
  Simulator simulator(compile(adjoint_scene("explicit_euler", {"time.step=40", "time.steps=400"}), 1));
  MixedLoss loss;
  EXPECT_THROW(loss_and_gradient(simulator, loss), DivergenceError);
  EXPECT_THROW(loss_of_run(simulator, loss), DivergenceError);
}

}  // namespace
}  // namespace electret::test
