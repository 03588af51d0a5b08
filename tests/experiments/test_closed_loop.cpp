#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <electret/adjoint/differences.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/fit/losses.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/read.hpp>
#include <experiments/adam.hpp>
#include <experiments/closed_loop.hpp>
#include <experiments/learning.hpp>

namespace electret::experiments {
namespace {

TEST(Perceptron, BeginsWithOrthogonalWeights) {
  Perceptron network({7, 4, 5});
  network.begin(3);
  const std::vector<double>& p = network.parameters();
  ASSERT_EQ(p.size(), 4U * 7 + 4 + 5 * 4 + 5);
  const auto rows_product = [&](std::size_t a, std::size_t b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 7; ++k) sum += p[7 * a + k] * p[7 * b + k];
    return sum;
  };
  const auto columns_product = [&](std::size_t a, std::size_t b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 5; ++k) sum += p[32 + 4 * k + a] * p[32 + 4 * k + b];
    return sum;
  };
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < 4; ++b) {
      EXPECT_NEAR(rows_product(a, b), a == b ? 25.0 / 9.0 : 0.0, 1e-14);
      EXPECT_NEAR(columns_product(a, b), a == b ? 25.0 / 9.0 : 0.0, 1e-14);
    }
  for (std::size_t k = 28; k < 32; ++k) EXPECT_EQ(p[k], 0.0);
  Perceptron other({7, 4, 5});
  other.begin(4);
  EXPECT_NE(other.parameters(), p);
  other.begin(3);
  EXPECT_EQ(other.parameters(), p);
}

TEST(Perceptron, IsTanhOfSumsAndHasTheirDerivatives) {
  Perceptron network({3, 4, 2});
  network.begin(1);
  std::vector<double>& p = network.parameters();
  for (std::size_t k = 0; k < p.size(); ++k) p[k] += 0.1 * std::sin(static_cast<double>(k));
  const std::vector<double> input{0.3, -0.4, 0.8}, by_output{0.7, -1.3};
  const Perceptron::Values values = network.evaluate(input);
  const double first = std::tanh(p[0] * 0.3 + p[1] * -0.4 + p[2] * 0.8 + p[12]);
  EXPECT_NEAR(values[1][0], first, 1e-15);
  std::vector<double> by_parameters(p.size()), by_input(3);
  network.pull(values, by_output, by_parameters, by_input);
  const auto loss = [&](const std::vector<double>& at) {
    const auto out = network.evaluate(at).back();
    return by_output[0] * out[0] + by_output[1] * out[1];
  };
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double middle = p[k];
    const auto moved = [&](double offset) { return p[k] = middle + offset, loss(input); };
    EXPECT_NEAR(by_parameters[k], difference(moved, 0.1).value, 1e-9) << k;
    p[k] = middle;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const auto moved = [&](double offset) {
      std::vector<double> at = input;
      at[k] += offset;
      return loss(at);
    };
    EXPECT_NEAR(by_input[k], difference(moved, 0.1).value, 1e-9) << k;
  }
}

TEST(Training, KeepsTheBestAndCountsFailures) {
  Perceptron first({2, 1}), second({2, 1});
  first.begin(1);
  second.begin(2);
  Training good;
  good.note(-0.5, first);
  good.note(1.5, second);
  good.note(0.5, first);
  EXPECT_EQ(good.best, 1.5);
  EXPECT_EQ(good.best_network.parameters(), second.parameters());
  good.fail("it diverged");
  EXPECT_EQ(good.rewards, (std::vector{-0.5, 1.5, 0.5}));
  EXPECT_EQ(good.best, 1.5);
  EXPECT_EQ(good.failed, "it diverged");

  // A first run that fails has the least of rewards.
  Training failed;
  failed.fail("it diverged");
  EXPECT_EQ(failed.rewards, (std::vector{Training::none}));
  EXPECT_LT(failed.best, -1e300);
  EXPECT_FALSE(failed.is_saturated());
  for (const double reward : {std::nan(""), HUGE_VAL}) {
    Training wrong;
    wrong.note(reward, first);
    EXPECT_TRUE(wrong.failed);
    EXPECT_EQ(wrong.rewards, (std::vector{Training::none}));
    EXPECT_EQ(wrong.best, Training::none);
    Training later;
    later.note(0.25, first);
    later.note(reward, second);
    EXPECT_TRUE(later.failed);
    EXPECT_EQ(later.best, 0.25);
    EXPECT_EQ(later.best_network.parameters(), first.parameters());
  }
}

TEST(DelayLines, SignalsGoOnByACellAFrame) {
  DelayLines lines({{0, -1.0, {{0}, {1, 2}, {3}}}, {0, 1.0, {{4}, {5}}}});
  std::vector<double> action(6);
  lines.advance(std::vector{0.5}, action);
  EXPECT_EQ(action, (std::vector{1.0, 1.0, 1.0, 1.0, 0.5, 1.0}));
  lines.advance(std::vector{-0.25}, action);
  EXPECT_EQ(action, (std::vector{0.75, 1.0, 1.0, 1.0, 1.0, 0.5}));
  lines.advance(std::vector{-0.75}, action);
  EXPECT_EQ(action, (std::vector{0.25, 0.75, 0.75, 1.0, 1.0, 1.0}));
  lines.restart();
  lines.advance(std::vector{-0.5}, action);
  EXPECT_EQ(action, (std::vector{0.5, 1.0, 1.0, 1.0, 1.0, 1.0}));
}

TEST(Adam, TakesTheStepsOfItsPaper) {
  Adam adam(2, {.rate = 0.1, .most_norm = 1.0, .weight_decay = 0.5});
  std::vector<double> p{1.0, -2.0};
  adam.step(p, std::vector{3.0, 4.0}, 1.0);
  // The gradient is scaled to (0.6, 0.8); with the decay it is (1.1, -0.2): the first step has the rate's
  // length.
  EXPECT_NEAR(p[0], 0.9, 1e-8);
  EXPECT_NEAR(p[1], -1.9, 1e-7);
  adam.step(p, std::vector{0.2, 0.0}, 0.5);
  const double g = 0.2 + 0.5 * 0.9;
  const double mean = (0.9 * 0.1 * 1.1 + 0.1 * g) / (1.0 - 0.81),
               square = (0.999 * 0.001 * 1.21 + 0.001 * g * g) / (1.0 - 0.999 * 0.999);
  EXPECT_NEAR(p[0], 0.9 - 0.5 * 0.1 * mean / std::sqrt(square), 1e-8);
}

/// A bar of cubes in oblique water, in which no face is near to grazing, where the force jumps.
Assembly swimmer(const std::string& method, double step, const std::string& further_muscle = "") {
  return load_scene_text(R"toml(
[time]
step = )toml" + std::to_string(step) +
                             R"toml(
steps = 10
[integrator]
method = ")toml" + method + R"toml("
tolerance = 1e-13
max_iterations = 2000
[[body]]
name = "bar"
generate = { shape = "box", cells = [4, 1, 2], cell_size = 0.1, element = "hex" }
mass = 1.0
velocity = [0.3, -0.2, 0.5]
  [[body.material]]
  model = "projective"
  youngs_modulus = 7e5
  poissons_ratio = 0.2
  [[body.muscle]]
  fibre = [1.0, 0.0, 0.0]
  stiffness = 1e5
  activation = 1.0
)toml" + further_muscle + R"toml(
[[hydrodynamics]]
velocity = [-0.1, 0.15, 0.1]
)toml",
                         "bar.toml", ".", {}, {});
}

/// A network that sees four vertices and pulls one side of the bar or the other.
struct Loop {
  explicit Loop(Assembly assembly, int threads = 1)
      : simulator(compile(std::move(assembly), threads)),
        controls(simulator.system(), std::vector<std::string>{"body.bar.muscle.0.activations"}),
        rollout(simulator, controls, {.steps = 10, .control = {}}),
        loss(speed_loss({-1.0, 0.0, 0.0}, 10.0, {1, 4, 7})) {
    std::vector<Cord> cords(2);
    cords[0].side = -1.0;
    for (std::size_t cell = 0; cell < 4; ++cell)
      for (std::size_t side = 0; side < 2; ++side) cords[side].cells.push_back({2 * cell + side});
    network.begin(5);
    loop = std::make_unique<ClosedLoop>(Senses{{0, 3, 9}, {2, 5, 8, 11}}, cords, network, *loss);
  }

  Simulator simulator;
  Controls controls;
  Rollout rollout;
  std::unique_ptr<Loss> loss;
  Perceptron network{{27, 8, 1}};
  std::unique_ptr<ClosedLoop> loop;
};

class ClosedLoops : public testing::TestWithParam<std::pair<const char*, double>> {
 protected:
  Assembly assembly = swimmer(GetParam().first, GetParam().second);
};

TEST_P(ClosedLoops, HaveTheGradientByWeightsOfDifferences) {
  Loop loop(assembly);
  EXPECT_NE(loop.loop->forward(loop.rollout), 0.0);
  loop.loop->backward(loop.rollout);
  const std::vector<double> start = loop.network.parameters(), slopes = loop.loop->by_parameters();
  for (const std::size_t part : {0U, 1U, 2U}) {  // Of the weights, each with other ones.
    std::vector<double> direction(start.size());
    double along = 0.0, squares = 0.0;
    for (std::size_t k = part; k < start.size(); k += 3) {
      direction[k] = std::cos(static_cast<double>(7 * k));
      along += direction[k] * slopes[k];
      squares += direction[k] * slopes[k] * direction[k] * slopes[k];
    }
    const Difference wanted = difference(
        [&](double offset) {
          for (std::size_t k = 0; k < start.size(); ++k)
            loop.network.parameters()[k] = start[k] + offset * direction[k];
          return loop.loop->forward(loop.rollout, false);
        },
        0.01);
    EXPECT_NEAR(along, wanted.value, 1e-7 * std::sqrt(squares)) << part << " ±" << wanted.error;
  }
}

TEST_P(ClosedLoops, HaveTheGradientByWaterAndMaterialOfDifferences) {
  Loop loop(assembly);
  loop.loop->forward(loop.rollout);
  const RolloutGradient got = loop.loop->backward(loop.rollout);
  for (const char* name : {"hydrodynamics.0.density", "hydrodynamics.0.drag", "hydrodynamics.0.thrust",
                           "body.bar.youngs_modulus"}) {
    const Parameter parameter = find_parameter(assembly, name);
    const std::vector<double> slopes = parameter.pull(got.gradient), at = parameter.read(assembly);
    double along = 0.0;
    for (std::size_t k = 0; k < at.size(); ++k) along += at[k] * slopes[k];
    const Difference wanted = difference(
        [&](double offset) {
          Assembly moved = assembly;
          std::vector<double> values = at;
          for (double& value : values) value *= 1.0 + offset;
          parameter.write(moved, values);
          Loop other(std::move(moved));
          return other.loop->forward(other.rollout, false);
        },
        0.02);
    EXPECT_NEAR(along / wanted.value, 1.0, 1e-7) << name << " ±" << wanted.error / wanted.value;
  }
}

/// Beside what the network pulls, a muscle across the bar goes by a formula, whose numbers the loss depends
/// on through all that the network sees.
TEST_P(ClosedLoops, HaveTheGradientByActivationsConstantsOfDifferences) {
  const Assembly formula = swimmer(GetParam().first, GetParam().second, R"toml(
  [[body.muscle]]
  fibre = [0.0, 0.0, 1.0]
  stiffness = 1e5
  expression = "1 - A*sin(w*t/h + p)"
  constants = { A = 0.4, w = 0.5, p = 0.3 }
)toml");
  Loop loop(formula);
  loop.loop->forward(loop.rollout);
  const RolloutGradient got = loop.loop->backward(loop.rollout);
  for (const char* name : {"body.bar.muscle.1.A", "body.bar.muscle.1.w", "body.bar.muscle.1.p"}) {
    const Parameter parameter = find_parameter(formula, name);
    const double slope = parameter.pull(got.gradient).at(0), at = parameter.read(formula).at(0);
    const Difference wanted = difference(
        [&](double offset) {
          Assembly moved = formula;
          parameter.write(moved, std::vector{at + offset});
          Loop other(std::move(moved));
          return other.loop->forward(other.rollout, false);
        },
        0.02);
    EXPECT_NEAR(slope / wanted.value, 1.0, 1e-7) << name << " ±" << wanted.error / wanted.value;
  }
}

TEST_P(ClosedLoops, HaveTheSameBitsAtAnyNumberOfThreads) {
  Loop one(assembly, 1), three(assembly, 3);
  const double loss = one.loop->forward(one.rollout);
  EXPECT_TRUE(same_bits(loss, three.loop->forward(three.rollout)));
  one.loop->backward(one.rollout);
  three.loop->backward(three.rollout);
  EXPECT_EQ(one.loop->by_parameters(), three.loop->by_parameters());
  // Running again begins with empty cords.
  EXPECT_TRUE(same_bits(loss, one.loop->forward(one.rollout)));
  one.loop->backward(one.rollout);
  EXPECT_EQ(one.loop->by_parameters(), three.loop->by_parameters());
}

INSTANTIATE_TEST_SUITE_P(Methods, ClosedLoops,
                         testing::Values(std::pair("imex", 0.0333), std::pair("kick_midpoint", 0.0333),
                                         std::pair("verlet", 0.001)),
                         [](const auto& each) { return std::string(each.param.first); });

}  // namespace
}  // namespace electret::experiments
