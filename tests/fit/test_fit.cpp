/// Fits that recover what a target was made with, from far away, and what is told when they cannot.

#include <cmath>
#include <numeric>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/options.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/fit/fit.hpp>
#include <electret/fit/identifiability.hpp>
#include <electret/fit/losses.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/start_findings.hpp>

#include "fit_testing.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

/// A net of 12 charged points that swells.
Assembly net(const std::string& method = "imex", const std::vector<std::string>& overrides = {}) {
  constexpr const char* text = R"toml(
[time]
step = 0.02
steps = 20
[integrator]
tolerance = 1e-11
[coulomb]
[[body]]
name = "net"
generate = { shape = "grid", rows = 3, columns = 4, width = 1.5, height = 1.0 }
mass = 0.4
charge = 2e-6
velocity = [0.1, 0.2, 0.0]
  [[body.springs]]
  stiffness = 15.0
  rest_length_scale = 0.8
)toml";
  std::vector<std::string> all{"integrator.method=" + method};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return load_scene_text(text, "net.toml", "", all, read_regular_file);
}

class FitMethods : public testing::TestWithParam<std::string_view> {};

TEST_P(FitMethods, RecoverWhatTheirOwnTargetWasMadeWith) {
  const std::string method(GetParam());
  const auto loss = trajectory_of(net(method), 5);
  const Assembly guess = net(method, {"body.0.charge=1.2e-6", "body.0.springs.0.stiffness=6"});
  FitResult result = fit(guess, {fitted(guess, "body.net.charge"), fitted(guess, "body.net.stiffness")},
                         *loss, one_thread());
  EXPECT_NEAR(result.values()[0], 2e-6, 1e-4 * 2e-6);
  EXPECT_NEAR(result.values()[1], 15.0, 1e-4 * 15.0);
  Assembly fitted = guess;
  result.apply(fitted);
  EXPECT_EQ(fitted.springs[3].stiffness, result.values()[1]);
  EXPECT_EQ(fitted.charges[5], result.values()[0]);
}

INSTANTIATE_TEST_SUITE_P(Methods, FitMethods, testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

TEST(Fit, RecoversEachVertexsChargeOfEitherSign) {
  const Assembly truth = [] {
    Assembly assembly = net();
    for (std::size_t i = 0; i < assembly.charges.size(); ++i)
      assembly.charges[i] = 4e-6 * std::sin(2.3 * static_cast<double>(i) + 0.7);
    return assembly;
  }();
  const auto loss = trajectory_of(truth);
  const Assembly guess = net("imex", {"body.0.charge=1e-6"});
  FitOptions options = one_thread();
  options.optimiser.evaluations = 400;
  options.optimiser.gradient_tolerance = 1e-10;
  options.optimiser.change_tolerance = 1e-9;
  // Signs are valleys of their own: starts of random signs, of which some lead to the right one.
  options.horizons = {2, 6, 20};
  std::mt19937_64 engine(3);
  for (int s = 0; s < 4; ++s) {
    auto& start = options.starts.emplace_back();
    for (int i = 0; i < 12; ++i) start.push_back(engine() % 2 == 0 ? 3e-6 : -3e-6);
  }
  const FitResult result = fit(guess, {fitted(guess, "body.net.charges")}, *loss, options);
  // All charges with the other sign move alike.
  const double sign = result.values()[0] * truth.charges[0] < 0.0 ? -1.0 : 1.0;
  for (std::size_t i = 0; i < truth.charges.size(); ++i)
    EXPECT_NEAR(sign * result.values()[i], truth.charges[i], 1e-3 * 4e-6) << i;
}

TEST(Fit, AnInitialVelocityHitsATarget) {
  const Assembly scene = net();
  const auto loss = centre_of_mass_loss({2.0, -1.0, 0.5});
  const FitResult result = fit(scene, {fitted(scene, "body.net.velocity")}, *loss, one_thread());
  EXPECT_LT(result.outcomes[0].loss, 1e-12);
}

TEST(Fit, KeepsWithinLimitsAndNearPriors) {
  const auto loss = trajectory_of(net(), 5);
  const Assembly guess = net("imex", {"body.0.springs.0.stiffness=6"});
  FitParameter bounded = fitted(guess, "body.net.stiffness");
  bounded.minimum = 1.0;
  bounded.maximum = 10.0;
  for (const char* method : {"lbfgs", "mma", "adam"}) {
    FitOptions options = one_thread();
    options.optimiser.method = method;
    EXPECT_EQ(fit(guess, {bounded}, *loss, options).values()[0], 10.0) << method;
  }
  FitParameter near = fitted(guess, "body.net.stiffness");
  near.prior_weight = 1e3;
  EXPECT_NEAR(fit(guess, {near}, *loss, one_thread()).values()[0], 6.0, 1e-2);
  near.prior = {9.0};
  EXPECT_NEAR(fit(guess, {near}, *loss, one_thread()).values()[0], 9.0, 1e-2);
}

/// The unit in which a loss is measured is no part of the problem.
TEST(Fit, WithinLimitsFindsTheSameInEveryUnitOfTheLoss) {
  const Assembly guess = net("imex", {"body.0.charge=1.2e-6", "body.0.springs.0.stiffness=6"});
  FitParameter charge = fitted(guess, "body.net.charge"), stiffness = fitted(guess, "body.net.stiffness");
  charge.minimum = -1e-4, charge.maximum = 1e-4;
  stiffness.minimum = 1.0, stiffness.maximum = 1e3;
  for (const std::string method : {"lbfgs", "mma"})
    for (const double weight : {1e-8, 1e-6, 1.0, 1e4, 1e8}) {
      std::vector<WeightedLoss> terms;
      terms.push_back({weight, trajectory_of(net(), 5)});
      const auto loss = sum_of_losses(std::move(terms));
      FitOptions options = one_thread(1e-9);
      options.optimiser.method = method;
      options.optimiser.evaluations = method == "mma" ? 2000 : 200;
      const FitResult result = fit(guess, {charge, stiffness}, *loss, options);
      EXPECT_EQ(result.outcomes[0].end, FitEnd::gradient) << method << ' ' << weight;
      EXPECT_NEAR(result.values()[0], 2e-6, 1e-6 * 2e-6) << method << ' ' << weight;
      EXPECT_NEAR(result.values()[1], 15.0, 1e-6 * 15.0) << method << ' ' << weight;
    }
}

/// The scene's own size of a parameter is its unit: micrometres for metres change no step.
TEST(Fit, WithinLimitsTakesTheSameWayInEveryUnitOfAVariable) {
  std::vector<std::vector<double>> ways;
  for (const double unit : {1.0, 0x1p-20, 0x1p20}) {
    const Assembly guess = net("imex", {fmt::format("body.0.velocity=[{}, {}, 0]", 0.1 * unit, 0.2 * unit)});
    FitParameter velocity = fitted(guess, "body.net.velocity");
    velocity.minimum = -5.0 * unit, velocity.maximum = 0.5 * unit;
    const auto loss = centre_of_mass_loss({2.0 * unit, -0.3 * unit, 0.0});
    FitOptions options = one_thread(1e-8);
    auto& way = ways.emplace_back();
    options.observe = [&](const FitEvaluation& e) { way.push_back(e.variables[1]); };
    const FitResult result = fit(guess, {velocity}, *loss, options);
    EXPECT_EQ(result.values()[0], 0.5 * unit);
    EXPECT_EQ(result.outcomes[0].end, FitEnd::gradient);
  }
  ASSERT_EQ(ways[1].size(), ways[0].size());
  ASSERT_EQ(ways[2].size(), ways[0].size());
  for (std::size_t k = 0; k < ways[0].size(); ++k) {
    EXPECT_NEAR(ways[1][k], ways[0][k], 1e-6) << k;
    EXPECT_NEAR(ways[2][k], ways[0][k], 1e-6) << k;
  }
}

TEST(Fit, MovesKeysButNotWherePinsStart) {
  const Assembly scene = load_scene_text(R"toml(
[time]
step = 0.02
steps = 20
[[body]]
name = "chain"
generate = { shape = "chain", vertices = 4 }
mass = 1.0
  [[body.springs]]
  stiffness = 40.0
  [[body.group]]
  name = "hand"
  indices = [0]
  [[body.pin]]
  group = "hand"
  times = [0.0, 0.2, 0.4]
  offsets = [[0, 0, 0], [0.1, 0, 0], [0.1, 0, 0.0]]
)toml",
                                         "pin.toml", "", {}, read_regular_file);
  const auto loss = centre_of_mass_loss({0.5, 0.3, 0.1});
  const FitResult result = fit(scene, {fitted(scene, "body.chain.pin[hand].offsets")}, *loss, one_thread());
  EXPECT_LT(result.outcomes[0].loss, 1e-8);
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_EQ(result.values()[axis], 0.0);
}

/// Whichever keys decide where the pin is at time 0 keep the scene's offsets, to the last bit.
TEST(Fit, KeepsWherePinsStartWhateverTheirKeysAre) {
  struct Case {
    const char *keys, *interpolation;
    std::vector<std::size_t> held;
  };
  const std::vector<Case> cases{
      {"times = [0.1, 0.2]\n  offsets = [[0, 0, 0], [0.1, 0, 0]]", "linear", {0}},
      {"times = [-0.1, 0.1]\n  offsets = [[-0.1, 0, 0], [0.1, 0, 0]]", "linear", {0, 1}},
      {"times = [-0.1, 0.0, 0.2]\n  offsets = [[0.1, 0, 0], [0, 0, 0], [0.1, 0, 0]]", "linear", {1}},
      {"times = [-0.1, 0.0, 0.2]\n  offsets = [[0.1, 0, 0], [0, 0, 0], [0.1, 0, 0]]", "cubic", {1}},
      {"times = [-0.2, -0.1, 0.1, 0.2]\n  offsets = [[-0.2, 0, 0], [-0.1, 0, 0], [0.1, 0, 0], [0.2, 0, 0]]",
       "cubic",
       {0, 1, 2, 3}},
      {"times = [-0.1, 0.1]\n  offsets = [[0, 0, 0], [0.1, 0, 0]]", "step", {0}}};
  for (const Case& each : cases) {
    std::string text = R"toml(
[time]
step = 0.02
steps = 20
[[body]]
name = "chain"
generate = { shape = "chain", vertices = 4 }
mass = 1.0
  [[body.springs]]
  stiffness = 40.0
  [[body.group]]
  name = "hand"
  indices = [0]
  [[body.pin]]
  group = "hand"
)toml";
    text += std::string("  ") + each.keys + "\n  interpolation = \"" + each.interpolation + "\"\n";
    SCOPED_TRACE(text);
    const Assembly scene = load_scene_text(text, "pin.toml", "", {}, read_regular_file);
    const auto offsets = named(scene, {"body.chain.pin[hand].offsets"});
    const std::vector<double> before = values_of(scene, offsets);
    const auto loss = centre_of_mass_loss({0.5, 0.3, 0.1});
    std::vector<std::size_t> all(before.size() / 3);
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (each.held == all) {
      EXPECT_THROW(fit(scene, offsets, *loss, one_thread()), InputError) << "nothing is left to fit";
      continue;
    }
    FitOptions options = one_thread();
    options.optimiser.evaluations = 5;
    const FitResult result = fit(scene, offsets, *loss, options);
    EXPECT_NE(result.values(), before);
    for (const std::size_t key : each.held)
      for (std::size_t k = 3 * key; k < 3 * key + 3; ++k) EXPECT_EQ(result.values()[k], before[k]) << k;
    Assembly fitted = scene;
    result.apply(fitted);
    EXPECT_EQ(evaluate(fitted.pin_tracks[0].offsets, 0.0, 0.02), Vec3{});
  }
}

TEST(Fit, TheBestOfSeveralStartsWinsAndHorizonsFollowEachOther) {
  const auto loss = trajectory_of(net(), 5);
  const Assembly guess = net();
  FitOptions options = one_thread();
  options.starts = {{2.0}, {20.0}, {400.0}};
  options.horizons = {5, 20};
  std::vector<FitEvaluation> seen;
  options.observe = [&](const FitEvaluation& evaluation) { seen.push_back(evaluation); };
  const FitResult result = fit(guess, {fitted(guess, "body.net.stiffness")}, *loss, options);
  ASSERT_EQ(result.outcomes.size(), 3U);
  EXPECT_NEAR(result.values()[0], 15.0, 1e-3);
  for (const FitOutcome& outcome : result.outcomes)
    EXPECT_GE(outcome.loss, result.outcomes[result.best].loss);
  EXPECT_EQ(result.outcomes[2].start, (std::vector{400.0}));
  Count count = 0;
  for (const FitOutcome& outcome : result.outcomes) count += outcome.evaluations;
  EXPECT_EQ(static_cast<Count>(seen.size()), count);
  EXPECT_EQ(seen.front().steps, 5);
  EXPECT_EQ(seen.front().values, (std::vector{std::exp(std::log(2.0))}));
  EXPECT_EQ(seen.back().steps, 20);
  EXPECT_EQ(seen.back().start, 2U);
}

TEST(Fit, ALongerHorizonThatIsFittedAlreadyEndsAtOnce) {
  const auto loss = trajectory_of(net());
  const Assembly guess = net("imex", {"body.0.springs.0.stiffness=6"});
  FitOptions options = one_thread();
  options.horizons = {10, 20};
  Count at_the_second = 0;
  options.observe = [&](const FitEvaluation& evaluation) { at_the_second += evaluation.steps == 20 ? 1 : 0; };
  const FitResult result = fit(guess, {fitted(guess, "body.net.stiffness")}, *loss, options);
  EXPECT_NEAR(result.values()[0], 15.0, 1e-6);
  EXPECT_LE(at_the_second, 4);
}

TEST(Fit, AFirstStepDoesNotEndAtACharge0) {
  // No loss of positions tells a charge's sign: by a charge of 0 its derivative is 0, wherever the target is.
  const auto loss = trajectory_of(net("imex", {"body.0.charge=4e-6"}), 5);
  for (const char* charge : {"1e-6", "6e-6", "7.9e-6"}) {
    const Assembly guess = net("imex", {std::string("body.0.charge=") + charge});
    const FitResult result = fit(guess, {fitted(guess, "body.net.charge")}, *loss, one_thread());
    EXPECT_NEAR(std::abs(result.values()[0]), 4e-6, 1e-9) << charge;
  }
}

TEST(Fit, AStepThatDivergesIsBackedOff) {
  // Verlet is unstable from 4 kg / (0.02 s)² · … on: a first step of a factor e leads there.
  const Assembly truth = net("verlet", {"body.0.springs.0.stiffness=450"});
  const auto loss = trajectory_of(truth, 5);
  const Assembly guess = net("verlet", {"body.0.springs.0.stiffness=300"});
  FitOptions options = one_thread();
  options.optimiser.rate = 4.0;
  options.optimiser.method = "adam";
  options.optimiser.evaluations = 120;
  int diverged = 0;
  options.observe = [&](const FitEvaluation& e) { diverged += std::isinf(e.loss) ? 1 : 0; };
  const FitResult result = fit(guess, {fitted(guess, "body.net.stiffness")}, *loss, options);
  EXPECT_TRUE(std::isfinite(result.outcomes[0].loss));
  EXPECT_GT(result.values()[0], 0.0);
  // From a start that diverges there is no way back.
  options.starts = {{3e12}};
  EXPECT_THROW(fit(guess, {fitted(guess, "body.net.stiffness")}, *loss, options), DivergenceError);
}

TEST(Fit, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto loss = trajectory_of(net(), 5);
  const Assembly guess = net("imex", {"body.0.charge=1.2e-6"});
  FitOptions one = one_thread(), three;
  three.threads = 3;
  EXPECT_EQ(fit(guess, {fitted(guess, "body.net.charge")}, *loss, one).values(),
            fit(guess, {fitted(guess, "body.net.charge")}, *loss, three).values());
}

TEST(Fit, GoesOnWhereItWasStoppedToTheSameBits) {
  const auto loss = trajectory_of(net(), 5);
  const Assembly guess = net("imex", {"body.0.charge=1.2e-6"});
  FitOptions options = one_thread();
  options.starts = {{1e-6, 3.0}, {3e-6, 30.0}};
  std::vector<KnownEvaluation> all;
  options.observe = [&](const FitEvaluation& e) { all.push_back({e.loss, e.variables, e.gradient}); };
  const std::vector<FitParameter> both{fitted(guess, "body.net.charge"), fitted(guess, "body.net.stiffness")};
  const FitResult whole = fit(guess, both, *loss, options);
  for (const std::size_t kept : {std::size_t{1}, all.size() / 2, all.size()}) {
    FitOptions later = one_thread();
    later.starts = options.starts;
    later.known.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept));
    std::size_t replayed = 0, seen = 0;
    later.observe = [&](const FitEvaluation& e) { ++seen, replayed += e.is_replayed ? 1 : 0; };
    const FitResult again = fit(guess, both, *loss, later);
    EXPECT_EQ(again.values(), whole.values());
    EXPECT_EQ(again.outcomes[1].loss, whole.outcomes[1].loss);
    EXPECT_EQ(replayed, kept);
    EXPECT_EQ(seen, all.size());
  }
  FitOptions other = one_thread();
  other.known = all;
  EXPECT_THROW(fit(guess, both, *loss, other), InputError);
}

TEST(Fit, StopsWhenAskedTo) {
  const auto loss = trajectory_of(net(), 5);
  const Assembly guess = net("imex", {"body.0.charge=1.2e-6"});
  std::stop_source stop;
  FitOptions options = one_thread();
  options.stop = stop.get_token();
  options.observe = [&](const FitEvaluation& e) {
    if (e.evaluation == 2) stop.request_stop();
    EXPECT_LE(e.evaluation, 2);
  };
  EXPECT_THROW(fit(guess, {fitted(guess, "body.net.charge")}, *loss, options), Cancelled);
}

std::string findings_of(const Assembly& assembly, std::vector<FitParameter> parameters, FitOptions options) {
  const auto loss = centre_of_mass_loss({});
  options.observe = [](const FitEvaluation&) { ADD_FAILURE() << "a run was made"; };
  try {
    fit(assembly, std::move(parameters), *loss, options);
  } catch (const InputError& error) {
    std::string all;
    for (const Finding& finding : error.findings()) all += to_string(finding) + "\n";
    return all;
  }
  ADD_FAILURE() << "nothing was found";
  return "";
}

TEST(Fit, BadJobsAreToldBeforeAnythingRuns) {
  const Assembly scene = net();
  FitParameter crossed = fitted(scene, "body.net.stiffness"), outside = fitted(scene, "body.net.masses");
  crossed.minimum = 5.0, crossed.maximum = 2.0;
  outside.minimum = -1.0;
  outside.prior = {1.0, 2.0};
  FitOptions options = one_thread();
  options.starts = {{1.0}};
  options.horizons = {10, 5, 21};
  const std::string all = findings_of(
      scene, {crossed, outside, fitted(scene, "body.net.charge"), fitted(scene, "body.net.charges")},
      options);
  EXPECT_THAT(all, HasSubstr("body.net.stiffness: error: minimum = 5 is more than maximum = 2"));
  EXPECT_THAT(all, HasSubstr("body.net.masses: error: minimum = -1 is out of range; allowed: > 0"));
  EXPECT_THAT(all, HasSubstr("body.net.masses: error: its prior has 2 values; expected 12"));
  EXPECT_THAT(all,
              HasSubstr("body.net.charges: error: some of its values are fitted under another name, too"));
  EXPECT_THAT(all, HasSubstr("start 1: error: has 1 values; expected 26"));
  EXPECT_THAT(all, HasSubstr("a horizon of 5 steps"));
  EXPECT_THAT(all, HasSubstr("a horizon of 21 steps"));
  EXPECT_THAT(findings_of(scene, {}, one_thread()), HasSubstr("nothing is fitted"));
  options = one_thread();
  options.starts = {{-3.0}};
  EXPECT_THAT(findings_of(scene, {fitted(scene, "body.net.stiffness")}, options),
              HasSubstr("outside its limits"));
}

TEST(Fit, ALossThatDependsOnNothingIsTold) {
  const Assembly scene = net("imex", {"body.0.charge=0"});
  const auto loss = centre_of_mass_loss({1.0, 0.0, 0.0});
  try {
    fit(scene, {fitted(scene, "body.net.charge")}, *loss, one_thread());
    FAIL() << "a flat loss was fitted";
  } catch (const InputError& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("the derivative of the loss with respect to it is 0"));
  }
}

/// Markers of the end say nothing of a horizon that ends before: the loss is 0 there, whatever is fitted.
TEST(Fit, ALossThatDependsOnNothingIsToldAfterAHorizonWithoutAnyLoss) {
  const Assembly scene = net("imex", {"body.0.charge=0"});
  const VectorArray target(scene.masses.size(), Vec3{1.0, 0.0, 0.0});
  const auto loss = trajectory_loss({{20, target}});
  FitOptions options = one_thread();
  options.horizons = {5, 20};
  try {
    fit(scene, {fitted(scene, "body.net.charge")}, *loss, options);
    FAIL() << "a flat loss was fitted";
  } catch (const InputError& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("the derivative of the loss with respect to it is 0"));
    EXPECT_THAT(std::string(error.what()), HasSubstr("start elsewhere"));
  }
  // What the loss depends on is fitted all the same.
  const FitResult result = fit(scene, {fitted(scene, "body.net.velocity")}, *loss, options);
  EXPECT_TRUE(has_converged(result.outcomes[0].end));
  EXPECT_NEAR(result.values()[0], (1.0 - 0.0) / 0.4, 1e-6);
}

/// By a charge of 0 the derivative is 0. That is no minimum, even if no other start came lower.
TEST(Fit, ALaterStartWhereTheLossIsFlatHasNotConverged) {
  const auto loss = trajectory_of(net("imex", {"body.0.charge=1e-7"}), 5);
  const Assembly guess = net("imex", {"body.0.charge=9e-6"});
  FitOptions options = one_thread();
  options.starts = {{9e-6}, {0.0}};
  const FitResult result = fit(guess, {fitted(guess, "body.net.charge")}, *loss, options);
  EXPECT_TRUE(has_converged(result.outcomes[0].end));
  EXPECT_EQ(result.outcomes[1].end, FitEnd::flat);
  EXPECT_EQ(result.outcomes[1].values, (std::vector{0.0}));
  EXPECT_GT(result.outcomes[1].loss, result.outcomes[0].loss);
}

/// Where a fit starts at its minimum, loss and gradient are rounding: nothing is left to do.
TEST(Fit, ThatStartsAtItsMinimumEndsThere) {
  const Assembly scene = net();
  for (const Assembly& truth : {scene, [&] {
                                  Assembly almost = scene;  // One ulp away.
                                  for (Vec3& x : almost.initial_positions) x.x = std::nextafter(x.x, 10.0);
                                  return almost;
                                }()}) {
    const auto loss = trajectory_of(truth);
    for (const char* name : {"body.net.stiffness", "body.net.positions"}) {
      const FitResult result = fit(scene, {fitted(scene, name)}, *loss, one_thread());
      EXPECT_EQ(result.outcomes[0].end, FitEnd::loss) << name;
      EXPECT_EQ(result.outcomes[0].evaluations, 1) << name;
      EXPECT_EQ(result.values(), result.outcomes[0].start) << name;
    }
  }
}

/// The exponent of a negative number has no derivative.
TEST(Fit, ALossWithoutADerivativeIsToldByTheParametersName) {
  const Assembly scene = load_scene_text(R"toml(
[time]
step = 0.02
steps = 5
[[body]]
name = "bead"
generate = { shape = "chain", vertices = 2 }
mass = 1.0
charge = 1e-3
[[electric_field]]
expression = ["a*(x - 10)^n", "0", "0"]
constants = { a = 2.0, n = 2.0 }
)toml",
                                         "bead.toml", "", {}, read_regular_file);
  const auto loss = centre_of_mass_loss({1.0, 0.0, 0.0});
  for (const std::string method : {"lbfgs", "mma", "adam"})
    for (const auto& names : {std::vector<std::string>{"electric_field.0.n"},
                              std::vector<std::string>{"electric_field.0.a", "electric_field.0.n"}}) {
      FitOptions options = one_thread();
      options.optimiser.method = method;
      try {
        fit(scene, named(scene, names), *loss, options);
        FAIL() << "it was fitted";
      } catch (const DivergenceError& error) {
        EXPECT_THAT(error.cause(), HasSubstr("the loss has no derivative with respect to "
                                             "\"electric_field.0.n\" where that is 2"))
            << method;
      }
    }
  EXPECT_NO_THROW(fit(scene, named(scene, {"electric_field.0.a"}), *loss, one_thread()));
}

/// Where the origin is says nothing about what a place does.
TEST(Fit, OfAPlaceTakesTheSameWayFarFromTheOrigin) {
  const auto scene = [](double far) {
    return load_scene_text(fmt::format(R"toml(
[time]
step = 0.01
steps = 20
[integrator]
tolerance = 1e-11
[coulomb]
[[body]]
name = "b"
generate = {{ shape = "chain", vertices = 2 }}
translate = [{0}, {0}, {0}]
mass = 1e-3
charge = 1e-6
  [[body.springs]]
  stiffness = 10.0
[[external_charge]]
charge = 1e-6
position = [{1}, {2}, {3}]
)toml",
                                       far, far + 0.5, far + 0.625, far + 0.75),
                           "far.toml", "", {}, read_regular_file);
  };
  std::vector<double> ratios;
  for (const double far : {0.0, 0x1p17}) {
    const Assembly start = scene(far);
    Assembly truth = start;
    truth.external_charges[0].position.values[0] += Vec3{0.125, -0.125, 0.0625};
    const auto loss = trajectory_of(truth);
    const auto place = named(start, {"external_charge.0.position"});
    const FitResult result = fit(start, place, *loss, one_thread(1e-8));
    const Vec3 found = truth.external_charges[0].position.values[0];
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(result.values()[axis], found[static_cast<int>(axis)], far > 0.0 ? 1e-4 : 1e-6);
    ratios.push_back(identifiability(truth, place, *loss, values_of(truth, place), 3, one_thread()).ratio());
  }
  EXPECT_GT(ratios[0], 1e-3);
  EXPECT_NEAR(ratios[1], ratios[0], 1e-2 * ratios[0]);
}

/// A scene with the values found must run: one that starts inside of its floor does not.
TEST(Fit, LeavesOutPlacesFromWhichASceneCannotStart) {
  const Assembly scene = load_scene_text(R"toml(
[time]
step = 0.01
steps = 12
[integrator]
method = "imex"
tolerance = 1e-10
[gravity]
acceleration = [0, 0, -9.81]
[[body]]
name = "m"
generate = { shape = "box", cells = [1, 1, 1], cell_size = 0.1, element = "tet" }
density = 1000.0
translate = [0, 0, 0.08]
  [[body.material]]
  model = "corotated"
  youngs_modulus = 1e5
  poissons_ratio = 0.3
[[obstacle]]
name = "floor"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
)toml",
                                         "floor.toml", "", {}, read_regular_file);
  ASSERT_THAT(findings_at_start(scene), testing::IsEmpty());
  const auto point = named(scene, {"obstacle.floor.point"});
  // A little deeper than a floor that touches the box would lead to; a run takes so small a depth.
  const auto loss = centre_of_mass_loss({0.0, 0.0, 0.07985});
  FitOptions options = one_thread();
  options.optimiser.evaluations = 40;
  const FitResult result = fit(scene, point, *loss, options);
  Assembly found = scene;
  result.apply(found);
  EXPECT_THAT(findings_at_start(found), testing::IsEmpty());
  const auto scanned = scan_loss(scene, point, *loss, {{0, 0, 0.0299}, {0, 0, 0.0301}, {0, 0, 0.04}}, 1);
  EXPECT_TRUE(std::isfinite(scanned[0]));
  EXPECT_TRUE(std::isinf(scanned[1]));
  EXPECT_TRUE(std::isinf(scanned[2]));
}

TEST(Fit, AScanGivesTheLossAtEachPoint) {
  const auto loss = trajectory_of(net(), 5);
  const Assembly scene = net();
  const auto found =
      scan_loss(scene, {fitted(scene, "body.net.stiffness")}, *loss, {{5.0}, {15.0}, {1e30}}, 1);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_GT(found[0], 1e-6);
  EXPECT_LT(found[1], 1e-15);
}

}  // namespace
}  // namespace electret::test
