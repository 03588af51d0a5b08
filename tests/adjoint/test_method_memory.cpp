// A method whose memory matters: it is stored, restored, checked, and differentiated by whole runs and by
// single steps, as Python chains them.

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/adjoint/step_gradient.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/read.hpp>

#include "adjoint/adjoint_scene.hpp"
#include "dynamics/two_step.hpp"

namespace electret::test {
namespace {

const std::string text = R"toml(
[time]
step = 0.02
steps = 9
[coulomb]
solver = "direct"
[gravity]
acceleration = [0.3, 0.2, -9.81]
[damping]
drag = 0.3
[[body]]
name = "net"
generate = { shape = "lattice", nx = 3, ny = 3, nz = 2, spacing = 1.0 }
mass = 0.7
charge = 6e-6
velocity = [0.2, -0.4, 0.1]
  [[body.springs]]
  stiffness = 40.0
  rest_length_scale = 1.2
)toml";

Assembly scene(const std::string& more = "") {
  return load_scene_text(text + more, "net.toml", "", {}, read_regular_file);
}

Simulator two_step(Assembly assembly = scene(), int threads = 1) {
  return {compile(std::move(assembly), threads, IdleForces::kept),
          [](System& system) { return std::make_unique<TwoStep>(system); }};
}

const MethodMemory& memory_of(const Simulator& simulator) {
  return simulator.state().memory;
}

/// ∂ℒ/∂value by central differences of whole runs.
double slope(const Parameter& parameter, const std::vector<double>& values, std::size_t k, double reach) {
  double loss[2];
  for (const int side : {0, 1}) {
    Assembly assembly = scene();
    std::vector<double> moved = values;
    moved[k] += side == 0 ? -reach : reach;
    parameter.write(assembly, moved);
    Simulator run = two_step(std::move(assembly));
    MixedLoss of;
    loss[side] = loss_of_run(run, of, 0, {});
  }
  return (loss[1] - loss[0]) / (2.0 * reach);
}

TEST(MethodMemoryGradient, OfARunIsThatOfDifferences) {
  Simulator run = two_step();
  MixedLoss loss;
  const LossAndGradient got = loss_and_gradient(run, loss, {});
  int compared = 0;
  for (const Parameter& parameter : parameters(run.system().assembly)) {
    if (parameter.source.kind == &number::rest_positions) continue;
    const std::vector<double> values = parameter.read(run.system().assembly);
    const std::vector<double> derivatives = parameter.pull(got.gradient);
    for (const std::size_t k : {std::size_t{0}, values.size() - 1}) {
      const double size = typical_size(run.system().assembly, parameter, values),
                   wanted = slope(parameter, values, k, 1e-5 * size);
      EXPECT_NEAR(derivatives[k], wanted, 1e-6 * (std::abs(wanted) + std::abs(got.loss / size)))
          << parameter.name << " " << k;
      ++compared;
    }
  }
  EXPECT_GT(compared, 8);
}

TEST(MethodMemoryGradient, HasTheSameBitsWhereStatesAreComputedAgain) {
  Simulator run = two_step();
  MixedLoss loss;
  const LossAndGradient all = loss_and_gradient(run, loss, {});
  const LossAndGradient few = loss_and_gradient(run, loss, {.memory = 1.0});
  EXPECT_LT(few.report.stored_states, all.report.stored_states);
  EXPECT_GT(few.report.forward_steps, all.report.forward_steps);
  for (const Parameter& parameter : parameters(run.system().assembly))
    EXPECT_EQ(parameter.pull(few.gradient), parameter.pull(all.gradient)) << parameter.name;
}

/// Σ c·x + d·v of the last of three steps, and the derivatives with respect to the first state by chained
/// steps. `with_memory`: handed from step to step; `from`: its memory may be missing.
struct Chained {
  StepGradient by_start;
  double value = 0.0;
};

Chained chained(Simulator& run, const State& from, bool with_memory) {
  const Controls none;
  std::vector<State> states;
  run.restore(from, {});
  states.push_back(from);
  for (int k = 0; k < 3; ++k) {
    run.step();
    states.push_back(run.state());
  }
  VectorArray a(from.positions.size()), b(a.size());
  Chained result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto t = static_cast<double>(i);
    a[i] = {std::cos(t), std::sin(t), std::cos(2.0 * t)};
    b[i] = {0.1 * std::sin(3.0 * t), 0.1, 0.1 * std::cos(t)};
    result.value += dot(a[i], states.back().positions[i]) + dot(b[i], states.back().velocities[i]);
  }
  MethodMemory by_memory;
  for (std::size_t k = 3; k-- > 0;) {
    result.by_start = step_gradient(run, none, {states[k], states[k + 1], {}, {}},
                                    {a, b, with_memory ? by_memory.arrays : MethodMemory{}.arrays}, false);
    a = result.by_start.by_start.positions;
    b = result.by_start.by_start.velocities;
    by_memory = result.by_start.by_start.memory;
  }
  return result;
}

State started(bool with_memory) {
  Simulator run = two_step();
  run.run(2);
  State state = run.state();
  if (!with_memory) state.memory.arrays.clear();
  return state;
}

double difference(Simulator& run, const State& from, const std::function<double&(State&)>& number) {
  constexpr double reach = 1e-5;
  State above = from, below = from;
  number(above) += reach;
  number(below) -= reach;
  return (chained(run, above, true).value - chained(run, below, true).value) / (2.0 * reach);
}

TEST(MethodMemoryGradient, OfChainedStepsIsThatOfDifferences) {
  Simulator run = two_step();
  const State from = started(true);
  const Chained got = chained(run, from, true), without = chained(run, from, false);
  const auto memory_number = [](std::size_t array, std::size_t k) {
    return [=](State& state) -> double& { return state.memory.arrays[array].values[k]; };
  };
  const StepCotangent& by = got.by_start.by_start;
  ASSERT_EQ(by.memory.arrays.size(), 2U) << "those with derivatives";
  for (const std::size_t array : {std::size_t{0}, std::size_t{1}}) {
    ASSERT_EQ(by.memory.arrays[array].name, from.memory.arrays[array].name);
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      const double wanted = difference(run, from, memory_number(array, k));
      EXPECT_NEAR(by.memory.arrays[array].values[k], wanted, 1e-7 * (1.0 + std::abs(wanted)));
      EXPECT_GT(std::abs(wanted), 1e-6) << "it matters";
    }
  }
  const double wanted = difference(run, from, [](State& s) -> double& { return s.positions[4].y; });
  EXPECT_NEAR(by.positions[4].y, wanted, 1e-7 * (1.0 + std::abs(wanted)));
  EXPECT_GT(std::abs(without.by_start.by_start.positions[4].y - wanted), 1e-2 * std::abs(wanted))
      << "without the memory's derivatives it is wrong";
}

/// A state without memory, such as one whose positions a caller has made: the method starts anew from it.
TEST(MethodMemoryGradient, OfStepsFromAStateWithoutMemoryIsThatOfDifferences) {
  Simulator run = two_step();
  const State from = started(false);
  const StepCotangent by = chained(run, from, true).by_start.by_start;
  const double by_x = difference(run, from, [](State& s) -> double& { return s.positions[4].y; });
  const double by_v = difference(run, from, [](State& s) -> double& { return s.velocities[7].z; });
  EXPECT_NEAR(by.positions[4].y, by_x, 1e-7 * (1.0 + std::abs(by_x)));
  EXPECT_NEAR(by.velocities[7].z, by_v, 1e-7 * (1.0 + std::abs(by_v)));
  EXPECT_GT(std::abs(by_v), 1e-6);
  for (const auto& array : by.memory.arrays)
    for (const double value : array.values) EXPECT_EQ(value, 0.0);
}

TEST(MethodMemoryState, GoesOnBitForBitFromAState) {
  Simulator whole = two_step(), resumed = two_step(scene(), 2);
  whole.run(3);
  resumed.restore(whole.state(), whole.work());
  whole.run(7);
  resumed.run(7);
  EXPECT_EQ(whole.state().positions, resumed.state().positions);
  EXPECT_TRUE(same_bits(memory_of(whole).find("gain"), memory_of(resumed).find("gain")));
  State bare = started(true);
  bare.memory.arrays.clear();
  resumed.restore(bare, {});
  EXPECT_EQ(memory_of(resumed).find("gain")[0], 1.0) << "it starts anew";
}

TEST(MethodMemoryState, IsRefusedIfItIsOfAnotherSize) {
  Simulator run = two_step();
  const State good = started(true);
  State wrong = good;
  wrong.memory.values("gain", 3);
  EXPECT_THROW(run.restore(wrong, {}), std::invalid_argument);
  State foreign = good;
  foreign.memory.values("elastic_solver", 7);
  run.restore(foreign, {});
  EXPECT_EQ(memory_of(run).arrays.size(), good.memory.arrays.size()) << "another method's is dropped";
  State next = good;
  ++next.step;
  const Controls none;
  const auto gradient = [&](const State& start, const State& end, const MethodMemory& by) {
    return step_gradient(run, none, {start, end, {}, {}}, {{}, {}, by.arrays}, false);
  };
  EXPECT_NO_THROW(gradient(good, next, {}));
  EXPECT_THROW(gradient(wrong, next, {}), std::invalid_argument);
  MethodMemory by;
  by.values("calls", 1);
  EXPECT_THROW(gradient(good, next, by), std::invalid_argument) << "it has no derivatives";
  by.arrays.clear();
  by.values("gain", 5);
  EXPECT_THROW(gradient(good, next, by), std::invalid_argument);
  State bare = next;
  bare.memory.arrays.clear();
  EXPECT_THROW(gradient(good, bare, {}), std::invalid_argument);
}

TEST(MethodMemoryState, CountsInTheBytesOfAState) {
  const Simulator run = two_step();
  Simulator verlet(compile(scene("[integrator]\nmethod = \"verlet\"\n"), 1));
  const auto n = static_cast<double>(run.state().positions.size());
  EXPECT_EQ(bytes_of_state(run) - bytes_of_state(verlet), 24.0 * n + 16.0 + 8.0);
}

/// What methods store is what they declare, with every method and a body that needs each array.
TEST(MethodMemoryState, IsWhatTheMethodDeclares) {
  for (const char* method : {"imex", "newton", "kick_midpoint", "kick_trbdf2", "verlet", "linear_implicit"}) {
    Simulator run(compile(adjoint_scene(method), 1));
    run.run(2);
    const auto layout = std::as_const(run).integrator().memory_layout();
    EXPECT_EQ(wrong_memory(memory_of(run), layout, run.state().positions.size()), "") << method;
    EXPECT_FALSE(is_incomplete(memory_of(run), layout)) << method;
    EXPECT_LE(memory_of(run).arrays.size(), layout.size());
  }
}

}  // namespace
}  // namespace electret::test
