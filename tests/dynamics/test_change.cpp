/// \file
/// A simulator that goes on with another assembly: what stays, how time goes on, and what is booked.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/core/same_bits.hpp>

#include "dynamics/contact_scenes.hpp"
#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

/// Two masses of 2 kg, 1 m apart, on a spring of 50 N/m and 0.8 m: ω² = 2k/m.
Assembly two_masses(double step, const std::string& method = "verlet") {
  Assembly assembly = loose_vertices({{0, 0, 0}, {1, 0, 0}}, step, method);
  assembly.scene.integrator.tolerance = 1e-12;
  assembly.masses = {2.0, 2.0};
  assembly.springs = {{0, 1, 50.0, 0.8}};
  assembly.spring_offsets = assembly.body_spring_offsets = {0, 1};
  return assembly;
}

double length(const Simulator& run) {
  return norm(run.state().positions[1] - run.state().positions[0]);
}

/// (hω)² as Verlet's method has it to rounding: l_{n+1} - 2 l_n + l_{n-1} = -(hω)² (l_n - l_0).
double squared_phase(Simulator& run) {
  const double before = length(run);
  run.step();
  const double now = length(run);
  run.step();
  return -(length(run) - 2.0 * now + before) / (now - 0.8);
}

TEST(Change, StiffnessTimesFourDoublesTheFrequency) {
  const double h = 0.01, squared = h * h * 2.0 * 50.0 / 2.0;
  Simulator run = simulator(two_masses(h));
  EXPECT_NEAR(squared_phase(run), squared, 1e-12);
  run.run(7);
  const State before = run.state();
  const double stored = run.energies().elastic;
  Assembly stiff = run.system().assembly;
  stiff.springs[0].stiffness *= 4.0;
  run.change(stiff);
  EXPECT_EQ(run.state().positions, before.positions);
  EXPECT_EQ(run.state().velocities, before.velocities);
  EXPECT_EQ(run.state().step, 7);
  EXPECT_DOUBLE_EQ(run.work().keyframe_work, 3.0 * stored);
  EXPECT_NEAR(squared_phase(run), 4.0 * squared, 1e-12);
}

/// 2.4 s do not become 1.2.
TEST(Change, TimeGoesOnWithAnotherStep) {
  Assembly assembly = two_masses(0.02, "kick_midpoint");
  assembly.charge_tracks = {{{1}, {{0.0, 10.0}, {0.0, 1e-6}, Interpolation::linear}, true, "q"}};
  Simulator run = simulator(assembly);
  run.run(120);
  EXPECT_EQ(run.system().time(120), 120 * 0.02);
  Assembly halved = run.system().assembly;
  halved.scene.time.step = 0.01;
  run.change(halved);
  const double start = 120 * 0.02;
  EXPECT_EQ(run.system().time(120), start);
  EXPECT_EQ(run.inputs().time, start);
  for (Count n = 1; n <= 3; ++n) {
    run.step();
    const double time = start + static_cast<double>(n) * 0.01;
    EXPECT_EQ(run.system().time(120 + n), time);
    EXPECT_EQ(run.inputs().time, time);
    EXPECT_DOUBLE_EQ(run.inputs().charges[1], 1e-7 * time);
  }
  EXPECT_EQ(run.system().time(60), 60 * 0.02) << "the past stays";
  EXPECT_EQ(run.system().time(122, 0.5), start + 2.5 * 0.01) << "a stage of a step";
  run.restart();
  EXPECT_EQ(run.system().time(3), 3 * 0.01) << "at the start, all steps are of one size again";
}

/// The same motion from the same state: a simulator that started with the other step.
TEST(Change, GoesOnAsASimulatorOfTheOtherStep) {
  for (const std::string_view method : integrator_methods) {
    Assembly assembly = two_masses(0.02, std::string(method));
    Simulator run = simulator(assembly);
    run.run(5);
    assembly.scene.time.step = 0.01;
    run.change(assembly);
    assembly.initial_positions = run.state().positions;
    assembly.initial_velocities = run.state().velocities;
    assembly.rest_positions = assembly.initial_positions;
    Simulator other = simulator(assembly);
    run.run(25);
    other.run(20);
    EXPECT_LE(largest_difference(run.state().positions, other.state().positions), 1e-9) << method;
  }
}

TEST(Change, TakesTheStepOfTheStateThatIsRestored) {
  Simulator run = simulator(two_masses(0.02));
  run.run(10);
  const State early = run.state();
  run.run(20);
  Assembly halved = run.system().assembly;
  halved.scene.time.step = 0.01;
  run.change(halved);
  run.run(30);
  EXPECT_DOUBLE_EQ(run.inputs().time, 0.5);
  run.restore(early, {});
  EXPECT_EQ(run.inputs().time, 10 * 0.02);
  run.step();
  EXPECT_EQ(run.inputs().time, 10 * 0.02 + 0.01);
}

TEST(TimeOptions, LegsAreExactAndTheirTimesMeet) {
  TimeOptions time{0.1, 10};
  for (Count n = 0; n < 10; ++n) EXPECT_EQ(time.at(n), static_cast<double>(n) * 0.1);
  time.change_step(4, 0.1);
  EXPECT_TRUE(time.legs.empty()) << "the same step is no change";
  time.change_step(4, 0.05);
  EXPECT_EQ(time.first_step(), 0.1);
  EXPECT_EQ(time.step, 0.05);
  EXPECT_EQ(time.at(3, 0.5), 3.5 * 0.1);
  EXPECT_EQ(time.at(4), 0.4);
  EXPECT_EQ(time.at(6), 0.4 + 2 * 0.05);
  time.change_step(4, 0.025);
  EXPECT_EQ(time.legs.size(), 2U) << "two changes at one step";
  EXPECT_EQ(time.at(6), 0.4 + 2 * 0.025);
  time.change_step(8, 0.1);
  EXPECT_EQ(time.at(9), 0.4 + 4 * 0.025 + 0.1);
  time.change_step(0, 0.2);
  EXPECT_EQ(time.at(9), 9 * 0.2);
}

/// What scenes have may change, alone and with the method.
struct Edit {
  const char* name;
  std::function<void(Assembly&)> apply;
};

std::vector<Edit> edits() {
  return {{"gravity",
           [](Assembly& a) {
             a.scene.gravity = Vec3{0.0, 3.0, 0.0};
           }},
          {"drag", [](Assembly& a) { a.scene.damping.drag = 0.7; }},
          {"spring damping", [](Assembly& a) { a.scene.damping.spring = 0.2; }},
          {"charges",
           [](Assembly& a) {
             for (double& q : a.charges) q *= -0.5;
           }},
          {"softening", [](Assembly& a) { a.scene.coulomb->softening = 0.3; }},
          {"masses",
           [](Assembly& a) {
             for (double& m : a.masses) m *= 1.5;
           }},
          {"stiffness",
           [](Assembly& a) {
             for (Spring& s : a.springs) s.stiffness *= 2.0;
           }},
          {"step", [](Assembly& a) { a.scene.time.step *= 0.5; }}};
}

NetworkOptions network_of(const std::string& method) {
  NetworkOptions options;
  options.method = method;
  options.step = 0.005;
  options.gravity = true;
  return options;
}

/// As a simulator that was compiled with the changed assembly and restored to the state.
TEST(Change, IsCompileAndRestoreForEveryMethodAndEdit) {
  for (const std::string_view method : integrator_methods)
    for (const Edit& edit : edits()) {
      const std::string what = std::string(method) + ", " + edit.name;
      Simulator run = simulator(random_network(network_of(std::string(method))));
      run.run(4);
      Assembly changed = run.system().assembly;
      edit.apply(changed);
      const State state = run.state();
      run.change(changed);
      EXPECT_EQ(run.state().positions, state.positions) << what;
      EXPECT_EQ(run.state().velocities, state.velocities) << what;
      changed.scene.time = run.system().assembly.scene.time;
      Simulator other = simulator(changed, 3);
      other.restore(state, run.work());
      run.run(9);
      other.run(9);
      EXPECT_TRUE(same_bits(run.state().positions, other.state().positions)) << what;
      EXPECT_TRUE(same_bits(run.state().velocities, other.state().velocities)) << what;
      EXPECT_EQ(run.work().keyframe_work, other.work().keyframe_work) << what;
      EXPECT_EQ(run.inputs().time, other.inputs().time) << what;
    }
}

TEST(Change, GoesFromEveryMethodToEveryOther) {
  for (const std::string_view from : integrator_methods)
    for (const std::string_view to : integrator_methods) {
      Simulator run = simulator(random_network(network_of(std::string(from))));
      run.run(3);
      Assembly changed = run.system().assembly;
      changed.scene.integrator.method = to;
      const State state = run.state();
      run.change(changed);
      if (to != "auto") {
        EXPECT_EQ(run.integrator().name(), to);
      }
      EXPECT_EQ(run.work().keyframe_work, 0.0) << "the method is no energy";
      changed.scene.time = run.system().assembly.scene.time;
      Simulator other = simulator(changed);
      other.restore(state, {});
      run.run(6);
      other.run(6);
      EXPECT_TRUE(same_bits(run.state().positions, other.state().positions)) << from << " to " << to;
    }
}

/// Through all changes, the energy that is gained is the work that is booked, to the method's order.
TEST(Change, AccountsCloseWithWhatIsBooked) {
  double errors[2];
  for (const int halved : {0, 1}) {
    NetworkOptions options = network_of("verlet");
    options.step = halved == 1 ? 0.00125 : 0.0025;
    Simulator run = simulator(random_network(options));
    const double start = run.energies().total();
    double booked = 0.0;
    Count until = 0;
    for (const Edit& edit : edits()) {
      if (std::string(edit.name) == "step") continue;
      until += halved == 1 ? 40 : 20;
      run.run(until);
      const double before = run.energies().total(), work = run.work().keyframe_work;
      Assembly changed = run.system().assembly;
      edit.apply(changed);
      run.change(changed);
      const double gained = run.energies().total() - before;
      EXPECT_NEAR(run.work().keyframe_work - work, gained, 1e-12 * (1.0 + std::abs(before))) << edit.name;
      booked += std::abs(gained);
    }
    run.run(until + (halved == 1 ? 40 : 20));
    const WorkAccounts& work = run.work();
    errors[halved] = std::abs(run.energies().total() - start - work.work() + work.dissipation);
    EXPECT_GT(booked, 1.0);
    EXPECT_LT(errors[halved], 0.01 * booked);
  }
  EXPECT_LT(errors[1], 0.7 * errors[0]);
}

TEST(Change, BooksNothingWhereNothingChanges) {
  Simulator run = simulator(random_network(network_of("imex"))),
            other = simulator(random_network(network_of("imex")));
  run.run(5);
  other.run(5);
  run.change(run.system().assembly);
  EXPECT_EQ(run.work().keyframe_work, 0.0);
  run.run(10);
  other.run(10);
  EXPECT_TRUE(same_bits(run.state().positions, other.state().positions));
}

/// `change` is refused, with these words, and the run goes on as if it had not been asked for.
void expect_refused(const Assembly& assembly, const Assembly& changed, const std::string& words) {
  Simulator run = simulator(assembly), other = simulator(assembly);
  run.run(3);
  try {
    run.change(changed);
    FAIL() << words;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(words));
    EXPECT_THAT(error.what(), HasSubstr("a change keeps the vertices and the pins"));
  }
  run.run(6);
  other.run(6);
  EXPECT_TRUE(same_bits(run.state().positions, other.state().positions));
}

/// A caller's own force: each vertex is pulled to the origin by k of it.
class Pull final : public ExplicitForce {
 public:
  explicit Pull(double k) : k_(k) {}
  std::string_view name() const override { return "pull"; }
  EnergyColumn column() const override { return EnergyColumn::external; }
  void add_force(const ForcePoint& at, VectorSpan f) override {
    for (std::size_t i = 0; i < f.size(); ++i) f[i] -= k_ * at.positions[i];
  }
  double potential_energy(const ForcePoint& at) override {
    double sum = 0.0;
    for (const Vec3& x : at.positions) sum += 0.5 * k_ * squared_norm(x);
    return sum;
  }
  void add_transposed_jacobian_x(const ForcePoint&, VectorView z, VectorSpan out) override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] -= k_ * z[i];
  }

 private:
  double k_;
};

TEST(Change, KeepsACallersOwnForces) {
  const auto pulled = [] {
    auto system = compile(two_masses(0.01), 1);
    system->forces.push_back(std::make_unique<Pull>(3.0));
    system->force_sources.emplace_back();
    return Simulator(std::move(system));
  };
  Simulator plain = pulled(), changed = pulled();
  plain.run(20);
  EXPECT_GT(plain.energies().external, 0.1);
  changed.run(8);
  const State eighth = changed.state();
  changed.change(changed.system().assembly);
  changed.run(20);
  EXPECT_EQ(changed.state().positions, plain.state().positions);
  EXPECT_EQ(changed.energies().external, plain.energies().external);
  EXPECT_EQ(changed.work().keyframe_work, 0.0);
  EXPECT_EQ(changed.system().forces.size(), changed.system().force_sources.size());
  // One change more does not double it.
  changed.change(changed.system().assembly);
  EXPECT_EQ(changed.system().forces.size(), plain.system().forces.size());
  changed.restore(eighth, {});
  changed.run(20);
  EXPECT_EQ(changed.state().positions, plain.state().positions);
}

TEST(Change, KeepsACallersOwnForcesWhereTheSceneChanges) {
  const std::string text = R"(
[time]
step = 0.01
steps = 20
[integrator]
method = "verlet"
[[body]]
generate = { shape = "chain", vertices = 3 }
mass = 1.0
[[body.springs]]
from = "edges"
stiffness = 5.0
)";
  const auto energy_after = [&](const std::string& more) {
    auto system = compile(assemble(parse_scene(text + more, "scene.toml", ".")), 1);
    system->forces.push_back(std::make_unique<Pull>(3.0));
    system->force_sources.emplace_back();
    Simulator run(std::move(system));
    const Energies before = run.energies();
    EXPECT_GT(before.external, 0.0);
    run.run(20);
    const Energies first = run.energies();
    run.restart();
    EXPECT_EQ(run.energies().external, before.external);
    run.run(20);
    EXPECT_EQ(run.energies().external, first.external);
    return first.external;
  };
  EXPECT_EQ(energy_after("[[change]]\nstep = 10\nset = [\"body.0.springs.0.stiffness=5.0\"]\n"),
            energy_after(""));
}

TEST(Change, RefusesOtherVerticesAndPins) {
  NetworkOptions options = network_of("imex");
  options.pins = true;
  const Assembly assembly = random_network(options);
  options.side = 2;
  expect_refused(assembly, random_network(options), "the changed scene has 8 vertices, and the motion 27");
  options.side = 3;
  options.pins = false;
  expect_refused(assembly, random_network(options),
                 "the changed scene has 0 pinned vertices, and the motion 3");
  Assembly other = assembly;
  for (Index& vertex : other.pin_tracks[0].vertices) ++vertex;
  expect_refused(assembly, other, "other pins");
}

/// A change that fails for another reason leaves everything, the inputs of a caller included.
TEST(Change, LeavesEverythingIfItFails) {
  const Assembly assembly = random_network(network_of("imex"));
  Simulator run = simulator(assembly);
  StepInputs inputs{run.inputs(), run.inputs(), {}};
  for (double& charge : inputs.end.charges) charge *= 2.0;
  run.step(inputs);
  const State state = run.state();
  const double booked = run.work().keyframe_work;
  Assembly unknown = assembly;
  unknown.scene.integrator.method = "leapfrog";
  EXPECT_THROW(run.change(unknown), InputError);
  Assembly bad = assembly;
  bad.masses[0] = -1.0;
  EXPECT_THROW(run.change(bad), std::invalid_argument);
  EXPECT_THROW(run.change(assembly, [](const System&) -> Inputs { throw std::runtime_error("no inputs"); }),
               std::runtime_error);
  EXPECT_THROW(run.change(assembly, [](const System&) { return Inputs{}; }), std::invalid_argument);
  EXPECT_EQ(run.inputs().charges, inputs.end.charges);
  EXPECT_EQ(run.work().keyframe_work, booked);
  EXPECT_EQ(run.state().positions, state.positions);
  EXPECT_EQ(run.integrator().name(), "imex");
}

/// A caller drives the charges: the change of energy is that with the caller's charges before and after.
TEST(Change, BooksTheEnergyWithTheCallersInputs) {
  const Assembly assembly = random_network(network_of("verlet"));
  Simulator run = simulator(assembly);
  StepInputs inputs{run.inputs(), run.inputs(), {}};
  for (double& charge : inputs.end.charges) charge *= 2.0;
  inputs.start = inputs.end;
  run.step(inputs);
  const double before = run.energies().total(), work = run.work().keyframe_work;
  Assembly soft = assembly;
  soft.scene.coulomb->softening = 0.5;
  run.change(soft, [&](const System& system) {
    Inputs now;
    system.schedule.evaluate(system.time(1), now);
    now.charges = inputs.end.charges;
    return now;
  });
  EXPECT_EQ(run.inputs().charges, inputs.end.charges);
  EXPECT_NEAR(run.work().keyframe_work - work, run.energies().total() - before, 1e-9);
  EXPECT_GT(std::abs(run.energies().total() - before), 1e-3);
}

/// What multigrid and warm starts keep goes on under the same names; a method without them drops it.
TEST(Change, KeepsTheMemoryOfAMethodThatStays) {
  NetworkOptions options = network_of("newton");
  Simulator run = simulator(random_network(options));
  run.run(3);
  const MethodMemory memory = run.state().memory;
  ASSERT_FALSE(memory.arrays.empty());
  Assembly changed = run.system().assembly;
  for (Spring& spring : changed.springs) spring.stiffness *= 3.0;
  run.change(changed);
  ASSERT_EQ(run.state().memory.arrays.size(), memory.arrays.size());
  for (std::size_t k = 0; k < memory.arrays.size(); ++k) {
    EXPECT_EQ(run.state().memory.arrays[k].name, memory.arrays[k].name);
    EXPECT_TRUE(same_bits(run.state().memory.arrays[k].values, memory.arrays[k].values));
  }
  changed.scene.integrator.method = "verlet";
  run.change(changed);
  for (const auto& array : run.state().memory.arrays)
    EXPECT_TRUE(memory.find(array.name).empty()) << array.name;
}

TEST(Change, ForgetsReactionsUntilTheNextStep) {
  NetworkOptions options = network_of("imex");
  options.pins = options.gravity = true;
  Simulator run = simulator(random_network(options));
  run.run(3);
  ASSERT_GT(norm(run.pin_reactions()[0]), 0.0);
  run.change(run.system().assembly);
  for (const Vec3& reaction : run.pin_reactions()) EXPECT_EQ(reaction, Vec3{});
  run.step();
  EXPECT_GT(norm(run.pin_reactions()[0]), 0.0);
}

TEST(Change, CountsEvaluationsAndSystemsOn) {
  Simulator run = simulator(random_network(network_of("verlet")));
  run.run(4);
  const Count evaluations = run.field_evaluations(), number = run.system_number();
  const System* place = &run.system();
  run.change(run.system().assembly);
  EXPECT_GE(run.field_evaluations(), evaluations);
  EXPECT_GT(run.system_number(), number);
  EXPECT_EQ(&run.system(), place);
  EXPECT_FALSE(run.abandon_step()) << "no step led to the changed system";
}

/// What holds vertices on an obstacle is found anew; the block stays where it lies.
TEST(Change, LeavesABlockLyingOnAPlane) {
  Simulator run =
      contact_simulator(block_scene("[0.0, 0.0, -9.81]") + plane_obstacle("[0, 0, 1]", "friction = 0.5\n"));
  run.run(60);
  ASSERT_FALSE(run.contacts().empty());
  Assembly changed = run.system().assembly;
  changed.obstacles[0].friction = 0.2;
  changed.scene.time.step = 0.005;
  run.change(changed);
  EXPECT_TRUE(run.contacts().empty()) << "no step led here";
  const State before = run.state();
  run.run(120);
  EXPECT_FALSE(run.contacts().empty());
  EXPECT_LE(largest_difference(run.state().positions, before.positions), 1e-4);
}

}  // namespace
}  // namespace electret::test
