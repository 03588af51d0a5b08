/// Grabs in motion: the damped oscillator that they are, when they act, their accounts, and those that a
/// caller brings to any step.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/dynamics/controls.hpp>
#include <electret/dynamics/step_schedule.hpp>
#include <electret/scene/read.hpp>

#include "dynamics/networks.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

class Grabs : public testing::TestWithParam<std::string_view> {
 protected:
  [[nodiscard]] static std::string method() { return std::string(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Methods, Grabs, testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

KeyFrames<Vec3> resting(const Vec3& target, double since = 0.0) {
  return {{since}, {target}, Interpolation::linear};
}

/// A vertex of 2 kg at rest 0.5 m from the target, pulled from t = 0 on.
Assembly pulled_vertex(const std::string& method, double step, double stiffness, double damping) {
  Assembly a = loose_vertices({{0.3, 0.4, 1.0}}, step, method);
  a.masses = {2.0};
  a.grabs = {{{0}, {1.0}, stiffness, damping, resting({0, 0, 1})}};
  return a;
}

/// m ẍ = -k x - c ẋ from rest at 1.
double oscillation(double t, double m, double k, double c) {
  const double decay = c / (2.0 * m), omega = std::sqrt(k / m - decay * decay);
  return std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
}

/// The largest distance from the analytic motion over 2 s.
double oscillator_error(const std::string& method, double step, double damping) {
  Simulator run = simulator(pulled_vertex(method, step, 50.0, damping));
  double largest = 0.0;
  for (Count n = 1; n <= std::lround(2.0 / step); ++n) {
    run.step();
    const double along = oscillation(static_cast<double>(n) * step, 2.0, 50.0, damping);
    largest = std::max(largest, norm(run.state().positions[0] - (Vec3{0, 0, 1} + along * Vec3{0.3, 0.4, 0})));
  }
  return largest;
}

TEST_P(Grabs, SwingAFreeVertexAsADampedOscillator) {
  const int order = simulator(pulled_vertex(method(), 0.01, 1.0, 0.0)).integrator().order();
  const double free_ratio = oscillator_error(method(), 0.001, 0.0) / oscillator_error(method(), 0.0005, 0.0);
  EXPECT_NEAR(std::log2(free_ratio), order, 0.15);
  EXPECT_LT(oscillator_error(method(), 0.0005, 0.0), order == 2 ? 1e-5 : 3e-2);
  const double damped = oscillator_error(method(), 0.0005, 3.0);
  EXPECT_LT(damped, 3e-3);
  EXPECT_GT(oscillator_error(method(), 0.001, 3.0) / damped, 1.9);
}

/// A heavily damped pull comes to rest at its target, and stays there.
TEST_P(Grabs, BringWhatTheyPullToRestAtTheTarget) {
  Simulator run = simulator(pulled_vertex(method(), 0.01, 50.0, 20.0));
  run.run(1000);
  EXPECT_LT(norm(run.state().positions[0] - Vec3{0, 0, 1}), 1e-12);
  EXPECT_LT(norm(run.state().velocities[0]), 1e-12);
  EXPECT_NEAR(run.energies().external, 0.0, 1e-20);
}

/// Free vertices that share a grab: their weighted mean moves as one vertex of the mass 1/Σ(w²/m).
TEST_P(Grabs, MoveTheMeanOfSeveralVerticesAsOneMass) {
  const std::vector<double> weights{0.5, 0.3, 0.2};
  Assembly several = loose_vertices({{0, 0, 0}, {1, 0, 0}, {0, 2, 0}}, 0.01, method());
  several.masses = {1.0, 0.5, 3.0};
  several.grabs = {{{0, 1, 2}, weights, 20.0, 0.5, resting({1, 1, 1})}};
  Vec3 mean;
  double mobility = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    mean += weights[k] * several.initial_positions[k];
    mobility += weights[k] * weights[k] / several.masses[k];
  }
  Assembly one = loose_vertices({mean}, 0.01, method());
  one.masses = {1.0 / mobility};
  one.grabs = {{{0}, {1.0}, 20.0, 0.5, resting({1, 1, 1})}};
  Simulator of_several = simulator(several), of_one = simulator(one);
  for (int n = 0; n < 100; ++n) {
    of_several.step(), of_one.step();
    Vec3 now;
    for (std::size_t k = 0; k < 3; ++k) now += weights[k] * of_several.state().positions[k];
    ASSERT_LT(norm(now - of_one.state().positions[0]), 1e-12) << "step " << n;
  }
  EXPECT_GT(norm(of_one.state().positions[0] - mean), 0.1);
  EXPECT_NEAR(of_several.energies().external, of_one.energies().external, 1e-12);
  EXPECT_NEAR(of_several.work().dissipation, of_one.work().dissipation, 1e-12);
}

/// A network and a grab of some of its vertices.
Assembly grabbed_network(const std::string& method, double step = 0.01) {
  NetworkOptions options;
  options.method = method;
  options.step = step;
  options.gravity = options.pins = true;
  options.drag = 0.2;
  Assembly a = random_network(options);
  a.grabs = {{{8, 11, 16}, {0.5, 0.25, 0.25}, 30.0, 2.0, {}}};
  a.grabs[0].targets = {
      {4 * step, 8 * step, 12 * step}, {{2, 1, 2}, {3, 1, 2}, {3, 2, 1}}, Interpolation::step};
  a.grabs[0].until = 16 * step;
  return a;
}

/// In a free vertex the force is seen at once: it moves only while the grab acts.
TEST_P(Grabs, PullFromTheFirstTimeUntilTheirEnd) {
  const double h = 0.1;
  Assembly a = loose_vertices({{0, 0, 0}}, h, method());
  a.grabs = {{{0}, {1.0}, 1.0, 0.1, {{3 * h, 5 * h}, {{1, 0, 0}, {2, 0, 0}}, Interpolation::linear}, 6 * h}};
  Simulator run = simulator(std::move(a));
  // A method that reads forces at a step's end sees the grab one step earlier.
  Inputs inputs;
  for (const auto& [time, stiffness] : {std::pair(0.0, 0.0),
                                        {2.9 * h, 0.0},
                                        {3 * h - 1e-11, 1.0},
                                        {3 * h, 1.0},
                                        {5.9 * h, 1.0},
                                        {6 * h, 0.0},
                                        {9.0, 0.0}}) {
    run.system().schedule.evaluate(time, inputs);
    ASSERT_EQ(inputs.grabs.size(), 1U);
    EXPECT_EQ(inputs.grabs[0].stiffness, stiffness) << time;
    EXPECT_EQ(inputs.grabs[0].damping, 0.1 * stiffness) << time;
  }
  run.run(2);
  EXPECT_EQ(run.state().positions[0], Vec3{});
  EXPECT_EQ(run.state().velocities[0], Vec3{});
  run.run(6);
  const Vec3 speed = run.state().velocities[0];
  EXPECT_GT(speed.x, 0.1);
  run.run(7);
  const Vec3 later = run.state().velocities[0], place = run.state().positions[0];
  run.run(20);
  EXPECT_LT(norm(run.state().velocities[0] - later), 1e-14);
  EXPECT_LT(norm(run.state().positions[0] - (place + 13 * h * later)), 1e-13);
  EXPECT_EQ(run.energies().external, 0.0);
}

/// A grab without a force changes no bit of any result.
TEST_P(Grabs, ThatDoNotActChangeNoBit) {
  Assembly without = grabbed_network(method()), weak = without, late = without;
  without.grabs.clear();
  weak.grabs[0].stiffness = weak.grabs[0].damping = 0.0;
  late.grabs[0].targets.times = {100.0, 101.0, 102.0};
  late.grabs[0].until = 200.0;
  Simulator run = simulator(without);
  run.run(20);
  for (const Assembly& idle : {weak, late}) {
    Simulator other = simulator(idle);
    other.run(20);
    EXPECT_TRUE(same_bits(other.state().positions, run.state().positions));
    EXPECT_TRUE(same_bits(other.state().velocities, run.state().velocities));
    EXPECT_EQ(other.energies().total(), run.energies().total());
    EXPECT_EQ(other.work().dissipation, run.work().dissipation);
    EXPECT_EQ(other.work().keyframe_work, run.work().keyframe_work);
  }
}

TEST_P(Grabs, GiveTheSameBitsForAnyNumberOfThreads) {
  const State one = state_after(grabbed_network(method()), 20, 1),
              three = state_after(grabbed_network(method()), 20, 3);
  EXPECT_TRUE(same_bits(one.positions, three.positions));
  EXPECT_TRUE(same_bits(one.velocities, three.velocities));
}

void expect_same(const WorkAccounts& a, const WorkAccounts& b) {
  EXPECT_EQ(a.field_work, b.field_work);
  EXPECT_EQ(a.keyframe_work, b.keyframe_work);
  EXPECT_EQ(a.pin_work, b.pin_work);
  EXPECT_EQ(a.dissipation, b.dissipation);
}

/// What a caller writes into the inputs of a scene without grabs does what the same `[[grab]]` does.
TEST_P(Grabs, MayComeUnannouncedInAStepsInputs) {
  Assembly bare = grabbed_network(method());
  bare.grabs.clear();
  Simulator scheduled = simulator(grabbed_network(method())), driven = simulator(std::move(bare));
  StepSchedule inputs(scheduled.system(), std::as_const(scheduled).integrator().stage_fractions());
  for (Count n = 0; n < 20; ++n) {
    inputs.evaluate(n);
    StepInputs given = inputs.inputs();
    if (n > 17)  // Nothing is left of it.
      for (Inputs* at : {&given.start, &given.end}) at->grabs.clear();
    scheduled.step();
    driven.step(given);
    ASSERT_TRUE(same_bits(scheduled.state().positions, driven.state().positions)) << n;
    ASSERT_TRUE(same_bits(scheduled.state().velocities, driven.state().velocities)) << n;
    expect_same(scheduled.work(), driven.work());
    EXPECT_EQ(scheduled.energies().external, driven.energies().external);
  }
  EXPECT_GT(scheduled.work().dissipation, 0.0);
}

TEST_P(Grabs, OfACallerAllocateNothingAfterTheFirstStep) {
  if (!AllocationCounter::works()) GTEST_SKIP();
  Simulator run = simulator(grabbed_network(method()));
  StepInputs inputs{run.inputs(), run.inputs(), {}};
  inputs.stages.resize(std::as_const(run).integrator().stage_fractions().size(), run.inputs());
  const PlacedGrab hand{{1, 2, 3}, 20.0, 1.0, {10, 12}, {0.5, 0.5}};
  for (Inputs* at : {&inputs.start, &inputs.end}) at->grabs.push_back(hand);
  for (Inputs& at : inputs.stages) at.grabs.push_back(hand);
  run.step(inputs), run.step(inputs);
  const AllocationCounter counter;
  inputs.start.grabs[1].target.x += 0.1, inputs.end.grabs[1].target.x += 0.1;
  run.step(inputs);
  EXPECT_EQ(counter.count(), 0);
}

/// E_f - E_0 less what the accounts say, J.
double balance_error(Assembly assembly, double duration) {
  const auto steps = std::lround(duration / assembly.scene.time.step);
  Simulator run = simulator(std::move(assembly));
  const double start = run.energies().total();
  run.run(steps);
  return run.energies().total() - start - run.work().work() + run.work().dissipation;
}

/// A free vertex at rest, then a grab that begins 0.5 m away: its spring's energy comes from the key-frames.
TEST_P(Grabs, TakeTheWorkOfTheirBeginningFromTheKeyFrames) {
  Assembly a = pulled_vertex(method(), 0.01, 50.0, 0.0);
  a.grabs[0].targets = resting({0, 0, 1}, 0.05);
  a.grabs[0].until = 0.07;
  Simulator run = simulator(a);
  run.run(5);
  const double energy = 0.5 * 50.0 * 0.25;
  EXPECT_NEAR(run.energies().external, energy, 0.01 * energy);
  EXPECT_NEAR(run.work().keyframe_work, run.energies().external, 1e-12 + 1e-3 * energy);
  run.run(10);
  EXPECT_EQ(run.energies().external, 0.0);
  // What was left in the spring went back to them.
  EXPECT_LT(run.work().keyframe_work, 0.1 * energy);
  EXPECT_NEAR(run.energies().kinetic - run.work().keyframe_work, 0.0, 0.02 * energy);
}

TEST_P(Grabs, AccountsCloseToFirstOrder) {
  const auto error = [&](double step) {
    Assembly a = pulled_vertex(method(), step, 50.0, 3.0);
    a.grabs[0].targets = {{0.1, 0.3, 0.6}, {{0, 0, 1}, {0, 1, 1}, {1, 1, 1}}, Interpolation::cubic};
    a.grabs[0].until = 0.8;
    return balance_error(std::move(a), 1.0);
  };
  const double coarse = error(0.002), fine = error(0.0005);
  EXPECT_LT(std::abs(fine), method() == "explicit_euler" ? 0.2 : 0.02);  // It gains energy on any spring.
  EXPECT_GT(coarse / fine, 3.4) << coarse << ", " << fine;
}

/// The stiffest hand that is stable whatever else holds the body, at small and at large steps.
TEST_P(Grabs, OfAFewTenthsOfTheStableStiffnessDoNotDiverge) {
  if (method() == "explicit_euler") GTEST_SKIP() << "gains energy on any spring";
  const double size = method() == "kick_midpoint" ? 0.05 : 0.3;
  const bool is_explicit = std::find(explicit_integrator_methods.begin(), explicit_integrator_methods.end(),
                                     method()) != explicit_integrator_methods.end();
  for (const double step : {0.01, 0.1}) {
    if (is_explicit && step > 0.01) continue;  // The springs alone diverge there.
    NetworkOptions options;
    options.method = method();
    options.step = step;
    options.coulomb = false;
    options.tolerance = 1e-6;
    Assembly a = random_network(options);
    double mobility = 0.0;
    for (const std::size_t i : {8U, 11U, 16U}) mobility += 1.0 / 9.0 / a.masses[i];
    const double k = size / mobility / (step * step), c = size / mobility / step;
    KeyFrames<Vec3> path{{}, {}, Interpolation::linear};
    const VectorArray places{{1, 1, 1}, {4, -2, 1}, {-3, 0, 2}, {2, 5, -2}, {1, 1, 1}};
    for (std::size_t n = 0; n < places.size(); ++n)
      path.times.push_back(25.0 * step * static_cast<double>(n)), path.values.push_back(places[n]);
    a.grabs = {{{8, 11, 16}, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}, k, c, path}};
    Simulator run = simulator(std::move(a));
    run.run(100);
    const double in_motion = run.energies().kinetic;
    run.run(400);
    EXPECT_LT(run.energies().kinetic, 2.0 * in_motion + 1.0) << step;
    for (const Vec3& x : run.state().positions) EXPECT_LT(norm(x), 100.0) << step;
  }
}

/// Far from the origin a pull is what it is near it, to the rounding of the places themselves.
TEST_P(Grabs, PullFarFromTheOriginAsNearIt) {
  const Vec3 away{1048576.0, -524288.0, 262144.0};
  Assembly near = loose_vertices({{0, 0, 0}, {1, 0, 0}, {0, 2, 0}}, 0.015625, method());
  near.grabs = {{{0, 1, 2}, {0.5, 0.3, 0.1999999}, 20.0, 0.5, resting({1, 1, 1})}};
  Assembly far = near;
  for (VectorArray* places : {&far.rest_positions, &far.initial_positions, &far.grabs[0].targets.values})
    for (Vec3& x : *places) x += away;
  const State a = state_after(near, 60), b = state_after(far, 60);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(norm(b.positions[i] - away - a.positions[i]), 3e-7) << i;
}

TEST(GrabRuns, RefuseGrabsThatCannotBeComputedWith) {
  Simulator run = simulator(random_network({}));
  StepInputs inputs{run.inputs(), run.inputs(), {}};
  inputs.end.grabs = {{{1, 2, 3}, 20.0, 1.0, {10, 27}, {0.5, 0.5}}};
  try {
    run.step(inputs);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("grab 0 names vertex 27, which does not exist"));
  }
  EXPECT_EQ(run.state().step, 0);
  EXPECT_THROW(run.restore(run.state(), {}, inputs.end), std::invalid_argument);
  inputs.end.grabs[0].vertices[1] = 26;
  run.step(inputs);
  EXPECT_EQ(run.state().step, 1);
}

TEST(GrabRuns, RefuseAssembliesWhoseGrabsDoNotFit) {
  const auto refused = [](auto&& change) {
    Assembly a = grabbed_network("imex");
    change(a.grabs[0]);
    EXPECT_THROW(compile(std::move(a), 1), std::invalid_argument);
  };
  refused([](GrabTrack& grab) { grab.vertices[0] = 27; });
  refused([](GrabTrack& grab) { grab.weights.pop_back(); });
  refused([](GrabTrack& grab) { grab.weights[0] = 0.6; });
  refused([](GrabTrack& grab) { grab.weights = {1.5, -0.25, -0.25}; });
  refused([](GrabTrack& grab) { grab.targets = {}; });
  refused([](GrabTrack& grab) { grab.stiffness = std::nan(""); });
}

/// An explicit pull has a longest step; a run that is beyond it says so, and which.
TEST(GrabRuns, SayThatAGrabIsTooStiffForTheStep) {
  for (const auto& [stiffness, damping] : {std::pair(900.0, 0.0), {0.0, 90.0}, {500.0, 30.0}}) {
    Assembly a = pulled_vertex("imex", 0.1, stiffness, damping);
    a.initial_velocities[0] = {1, 0, 0};
    Simulator run = simulator(std::move(a));
    try {
      run.run(2000);
      FAIL() << stiffness;
    } catch (const DivergenceError& error) {
      EXPECT_THAT(error.cause(), HasSubstr("grab 0 is too stiff for the step"));
      EXPECT_EQ(error.vertex(), 0);
    }
  }
  // 2/ω of the first: just below it the motion stays bounded.
  Simulator stable = simulator(pulled_vertex("imex", 0.99 * 2.0 * std::sqrt(2.0 / 900.0), 900.0, 0.0));
  stable.run(2000);
  EXPECT_LT(norm(stable.state().positions[0]), 20.0);
}

/// A control holds the target over the step; of a first-order method this is what a key with `step` does.
TEST(GrabRuns, AreDrivenByName) {
  const std::string text =
      "time = { step = 0.01, steps = 20 }\nintegrator = { method = \"imex\", tolerance = 1e-12 }\n"
      "[[body]]\nname = \"b\"\ngenerate = { shape = \"chain\", vertices = 5 }\nmass = 0.1\n"
      "[[body.springs]]\nstiffness = 20\n[[grab]]\nbody = \"b\"\nvertices = [4]\nstiffness = 3\ndamping = "
      "0.1\n"
      "interpolation = \"step\"\n";
  const auto made = [&](const std::string& keys) {
    return Simulator(compile(load_scene_text(text + keys, "scene", ".", {}, read_regular_file), 1));
  };
  Simulator scheduled = made("times = [0, 0.05]\ntargets = [[5, 0, 1], [5, 1, 1]]\n"),
            driven = made("times = [0]\ntargets = [[9, 9, 9]]\n");
  const Controls controls(driven.system(), {"grab.0.target", "grab.0.stiffness", "grab.0.damping"});
  DrivenSteps steps(driven.system(), controls, std::as_const(driven).integrator().stage_fractions());
  for (int n = 0; n < 10; ++n) {
    scheduled.step();
    driven.step(steps.inputs(driven.state(), std::vector{5.0, n < 5 ? 0.0 : 1.0, 1.0, 3.0, 0.1}));
    EXPECT_TRUE(same_bits(scheduled.state().positions, driven.state().positions)) << n;
  }
  Inputs inputs = driven.inputs();
  EXPECT_THROW(controls.write(std::vector{5.0, 0.0, 1.0, -3.0, 0.1}, inputs), InputError);
  inputs.grabs.clear();
  EXPECT_THROW(controls.write(std::vector{5.0, 0.0, 1.0, 3.0, 0.1}, inputs), std::invalid_argument);

  // And one without a name, beside the scene's.
  const PlacedGrab hand{{0, 0, 3}, 1.0, 0.0, {0, 1}, {0.5, 0.5}};
  const StepInputs& held =
      steps.inputs(driven.state(), std::vector{5.0, 0.0, 1.0, 3.0, 0.1}, std::array{hand});
  ASSERT_EQ(held.start.grabs.size(), 2U);
  ASSERT_EQ(held.end.grabs.size(), 2U);
  EXPECT_EQ(held.end.grabs[1].target, (Vec3{0, 0, 3}));
  EXPECT_EQ(held.end.grabs[0].target, (Vec3{5, 0, 1}));
  driven.step(held);
  EXPECT_GT(driven.state().velocities[1].z, 0.0);
  EXPECT_TRUE(
      same_inputs(steps.inputs_at(driven.state(), std::vector{5.0, 0.0, 1.0, 3.0, 0.1}, std::array{hand}),
                  driven.inputs(), read_by_forces));
}

}  // namespace
}  // namespace electret::test
