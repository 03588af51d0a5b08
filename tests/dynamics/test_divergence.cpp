#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/divergence.hpp>
#include <electret/geometry/shapes/shapes.hpp>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

/// Runs to the divergence, which must come within `steps`; the state left is finite and the last good one.
DivergenceError divergence_of(Simulator& run, Count steps) {
  Count good = 0;
  try {
    while (good < steps) {
      run.step();
      good = run.state().step;
      run.check_energy(run.energies());
    }
  } catch (const DivergenceError& error) {
    if (run.state().step == error.step()) run.abandon_step();  // its energy was refused, not its motion
    EXPECT_EQ(run.state().step + 1, error.step());
    for (std::size_t i = 0; i < run.state().positions.size(); ++i)
      EXPECT_TRUE(is_finite(run.state().positions[i]) && is_finite(run.state().velocities[i]));
    return error;
  }
  ADD_FAILURE() << "no divergence within " << steps << " steps";
  return {0, -1, "", ""};
}

TEST(Divergence, OfExplicitEulerOnTheTorusSaysWhyAndWhatToDo) {
  Simulator run = simulator(charged_torus(0.15, "explicit_euler"));
  const DivergenceError error = divergence_of(run, 100);
  EXPECT_GE(error.vertex(), 0);
  EXPECT_LT(error.vertex(), 145);
  EXPECT_THAT(error.cause(), HasSubstr("explicit_euler gains energy on springs"));
  EXPECT_THAT(error.advice(), HasSubstr("imex"));
  EXPECT_THAT(error.what(), HasSubstr("diverged at step " + std::to_string(error.step())));
}

TEST(Divergence, OfVerletBeyondItsLimitNamesTheSprings) {
  Simulator run = simulator(charged_torus(0.3, "verlet", 0.0));
  // At rest nothing moves; a push starts it.
  State pushed = run.state();
  pushed.velocities[7] = {0.1, 0.0, 0.0};
  run.restore(std::move(pushed), {});
  const DivergenceError error = divergence_of(run, 500);
  EXPECT_THAT(error.cause(), HasSubstr("springs are too stiff"));
  EXPECT_THAT(error.cause(), HasSubstr("needs h ω < 2"));
}

TEST(Divergence, NamesAnObstacleWhosePushTheStepDoesNotResolve) {
  Assembly assembly = charged_torus(0.01, "imex", 0.0);
  assembly.obstacles.push_back({.surface = {make_plane({0.0, 0.0, 1.0}), {0.0, 0.0, -0.35}},
                                .stiffness = 1e12,
                                .name = "obstacle.floor"});
  Simulator run = simulator(assembly);
  const DivergenceError error = divergence_of(run, 500);
  EXPECT_GE(error.vertex(), 0);
  EXPECT_THAT(error.cause(), HasSubstr("the push of obstacle.floor on a vertex"));
  EXPECT_THAT(error.advice(), HasSubstr("a lower stiffness"));
}

TEST(Divergence, NamesTwoChargesAtOnePoint) {
  // Neutral springs bring vertex 1 exactly onto vertex 0: one explicit Euler step of v = -1/h·d.
  for (const char* method : {"imex", "verlet", "symplectic_euler", "explicit_euler"}) {
    Assembly assembly = loose_vertices({{0, 0, 0}, {0, 0, 1}, {5, 5, 5}}, 0.5, method);
    assembly.charges = {1e-12, 1e-12, 0.0};
    assembly.scene.coulomb = FieldOptions{};
    assembly.scene.coulomb->constant = 1e-30;  // moves nothing
    assembly.initial_velocities[1] = {0, 0, -2.0};
    Simulator run = simulator(std::move(assembly));
    const DivergenceError error = divergence_of(run, 3);
    EXPECT_THAT(error.cause(), HasSubstr("0")) << method;
    EXPECT_THAT(error.cause(), HasSubstr("1")) << method;
    EXPECT_THAT(error.vertex(), AnyOf(0, 1)) << method;
    EXPECT_GE(error.step(), 1) << method;
  }
}

TEST(Divergence, NamesAVertexOnAnExternalCharge) {
  Assembly assembly = loose_vertices({{9, 9, 9}, {0, 0, 1}}, 0.5, "verlet");
  assembly.charges = {0.0, 1e-30};
  assembly.initial_velocities[1] = {0, 0, -2.0};
  assembly.external_charges = {
      {{{0, 0, 0}}, KeyFrames<double>::constant(1e-30), KeyFrames<Vec3>::constant({}), 0.0}};
  Simulator run = simulator(std::move(assembly));
  const DivergenceError error = divergence_of(run, 3);
  EXPECT_EQ(error.vertex(), 1);
  EXPECT_EQ(error.step(), 1);
}

TEST(Divergence, NamesAForceThatIsNotFinite) {
  FieldExpression field;
  std::vector<ExpressionError> errors;
  for (auto& component : field.components) component = Expression::parse("log(1-t)", {}, errors);
  for (const char* method : {"imex", "verlet", "symplectic_euler", "explicit_euler"}) {
    Assembly assembly = loose_vertices({{0, 0, 0}, {1, 0, 0}}, 0.3, method);
    assembly.charges = {1.0, 1.0};
    assembly.fields = {field};
    Simulator run = simulator(std::move(assembly));
    const DivergenceError error = divergence_of(run, 10);
    EXPECT_EQ(error.vertex(), 0) << method;
    EXPECT_THAT(error.cause(), HasSubstr("is not finite at")) << method;
  }
}

TEST(Divergence, NamesChargesTheStepCannotResolve) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {1e-4, 0, 0}, {3, 0, 0}}, 0.1, "imex");
  assembly.charges = {1e-5, 1e-5, 1e-5};
  assembly.scene.coulomb = FieldOptions{};
  // |E_0| counts in the bound; opposite charges beside the pair keep it small.
  Simulator run = simulator(assembly);
  const auto notice = run.charge_step_notice();
  ASSERT_TRUE(notice.has_value());
  EXPECT_THAT(*notice, HasSubstr("the time step is too large for the charges of vertices 0 and 1: h ω = "));
  EXPECT_THAT(*notice, HasSubstr(" at 0.0001 m, should be below 1; use a step below "));
  EXPECT_THAT(*notice, HasSubstr(" s or softening"));
  EXPECT_FALSE(run.charge_step_notice().has_value()) << "one notice a run";
}

/// Two equal charges whose h ω is `h_omega`.
std::string charge_warning(double h_omega, double softening = 0.0, double charge = 1e-5) {
  const double omega =
      std::sqrt(4.0 * coulomb_constant * charge * charge / std::pow(std::hypot(0.5, softening), 3.0));
  Assembly assembly = loose_vertices({{0, 0, 0}, {0.5, 0, 0}}, h_omega / omega, "imex");
  assembly.charges = {charge, charge};
  assembly.scene.coulomb = FieldOptions{};
  assembly.scene.coulomb->softening = softening;
  const auto system = compile(assembly, 1);
  return charge_step_warning(*system, assembly.initial_positions, assembly.charges);
}

TEST(ChargeStepWarning, KeepsQuietJustAboveTheLimit) {
  EXPECT_EQ(charge_warning(1.0), "");
  EXPECT_EQ(charge_warning(1.09), "");
  EXPECT_THAT(charge_warning(1.11), HasSubstr("h ω = 1.11 at 0.5 m"));
}

/// The seconds after "use a step below ".
double advised_step(const std::string& text) {
  const std::string before = "use a step below ";
  const auto at = text.find(before);
  return at == std::string::npos ? 0.0 : std::stod(text.substr(at + before.size()));
}

/// A message on a closer pair must not ask for a larger step than one on a pair further apart.
TEST(ChargeStepWarning, AdvisesTheSameStepAsAnEnergyJump) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {0.5, 0, 0}}, 0.1, "verlet");
  assembly.charges = {1e-5, 1e-5};
  assembly.scene.coulomb = FieldOptions{};
  for (const double closer : {1.0, 0.9, 0.5}) {
    assembly.initial_positions[1].x = 0.5 * closer;
    const double omega =
        std::sqrt(4.0 * coulomb_constant * 1e-10 / std::pow(assembly.initial_positions[1].x, 3.0));
    const auto system = compile(assembly, 1);
    const auto integrator = make_integrator(*system, assembly.scene.integrator);
    system->time_step = 1.2 / omega;
    Inputs inputs;
    system->schedule.evaluate(0.0, inputs);
    const std::string jump =
        energy_jump_warning(*system, *integrator, initial_state(*system), inputs, 0.0, {1.0, 2.0, 1.0, 0.1});
    const std::string notice = charge_step_warning(*system, assembly.initial_positions, assembly.charges);
    EXPECT_NEAR(advised_step(jump) * omega, 0.5, 5e-3) << jump;
    EXPECT_EQ(advised_step(notice), advised_step(jump)) << notice;
  }
}

TEST(ChargeStepWarning, AsksForMoreSofteningWhereThereIsSome) {
  EXPECT_THAT(charge_warning(2.0, 0.01), HasSubstr(" s or more softening than 0.01 m"));
}

TEST(ChargeStepWarning, AdvisesNoStepWhereNoneWouldDo) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {0.5, 0, 0}, {0.5, 0, 0}}, 0.1, "imex");
  assembly.scene.coulomb = FieldOptions{};
  const auto system = compile(assembly, 1);
  const std::string huge =
      charge_step_warning(*system, assembly.initial_positions, std::vector<double>{1e308, 1e308, 0.0});
  EXPECT_THAT(huge, HasSubstr("beyond float64; use smaller charges"));
  const std::string one =
      charge_step_warning(*system, assembly.initial_positions, std::vector<double>{0.0, 1e-6, 1e-6});
  EXPECT_THAT(one, HasSubstr("vertices 1 and 2 are at one point; use softening"));
}

/// Both are beyond the limit: the faster is to blame.
TEST(Divergence, BlamesTheFasterOfSpringsAndCharges) {
  for (const bool springs_faster : {false, true}) {
    Assembly assembly = loose_vertices({{0, 0, 0}, {0.5, 0, 0}}, 0.1, "verlet");
    assembly.charges = {1e-3, 1e-3};  // h ω = 0.1 · 536
    assembly.scene.coulomb = FieldOptions{};
    assembly.springs = {{0, 1, springs_faster ? 1e7 : 1e4, 0.5}};  // h ω = 0.1 · √(2k)
    const auto system = compile(assembly, 1);
    const auto integrator = make_integrator(*system, assembly.scene.integrator);
    State state = initial_state(*system);
    StepInputs inputs;
    system->schedule.evaluate(0.0, inputs.start);
    inputs.end = inputs.start;
    const DivergenceError error = beyond_energy_bound({*system, *integrator, state, state, inputs}, 2e9, 1e9);
    EXPECT_THAT(error.cause(),
                HasSubstr(springs_faster ? "springs are too stiff" : "charges of vertices 0 and 1"));
    EXPECT_THAT(error.cause(), HasSubstr("the total energy, 2e+09 J, is beyond its bound, 1e+09 J"));
    EXPECT_THAT(error.advice(), HasSubstr(springs_faster ? "method \"imex\"" : "softening"));
  }
}

/// Forces and pins do work within their first step, and a fall begins with no energy where z = 0.
TEST(Divergence, IsNoLargeBodyThatSetsOutFromRest) {
  for (const char* method : {"imex", "verlet", "symplectic_euler", "kick_midpoint", "explicit_euler"}) {
    Assembly falling = loose_vertices({{0, 0, 0}, {1, 0, 0}}, 0.1, method);
    falling.masses = {1e12, 1e12};
    falling.scene.gravity = Vec3{0, 0, -9.81};
    Simulator rock = simulator(std::move(falling));
    rock.run(50);
    rock.check_energy(rock.energies());
    EXPECT_NEAR(rock.state().positions[0].z, -0.5 * 9.81 * 25.0, 0.1 * 5.0 * 9.81) << method;
    // Its first step moves nothing, so that no force does work in it.
    if (std::string_view(method) == "explicit_euler") continue;

    Assembly pushed = loose_vertices({{0, 0, 0}, {1, 0, 0}}, 1.0, method);
    pushed.masses = {1e9, 1e9};
    pushed.load_tracks.push_back({{0, 1}, {{1e9, 0, 0}}, {}, "load"});
    Simulator ship = simulator(std::move(pushed));
    ship.run(5);
    ship.check_energy(ship.energies());
    EXPECT_GT(ship.state().positions[0].x, 5.0) << method;

    Assembly pulled = loose_vertices({{0, 0, 0}, {1, 0, 0}}, 0.1, method);
    pulled.masses = {1e9, 1e9};
    pulled.springs = {{0, 1, 1e9, 1.0}};
    add_pins(pulled, {0}, {{0.5, 1.0}, {{}, {-10, 0, 0}}, Interpolation::linear});
    Simulator chain = simulator(std::move(pulled));
    chain.run(10);
    chain.check_energy(chain.energies());
    EXPECT_EQ(chain.state().positions[0].x, -10.0) << method;
  }
}

/// A pin that is moved fast did not diverge.
TEST(Divergence, NamesNoPin) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, 0.1, "explicit_euler");
  add_pins(assembly, {1}, {{0.0, 1.0}, {{}, {1e9, 0, 0}}, Interpolation::linear});
  assembly.initial_velocities = {{1, 0, 0}, {}, {2, 0, 0}};
  const auto system = compile(assembly, 1);
  const auto integrator = make_integrator(*system, assembly.scene.integrator);
  State state = initial_state(*system);
  ASSERT_GT(norm(state.velocities[1]), 1e8);
  StepInputs inputs;
  system->schedule.evaluate(0.0, inputs.start);
  inputs.end = inputs.start;
  EXPECT_EQ(beyond_energy_bound({*system, *integrator, state, state, inputs}, 2e9, 1e9).vertex(), 2);
}

/// A force of 1e308 × 10 N is infinite: the velocities are, and so is the kinetic energy, but no bound is
/// named.
TEST(Divergence, OfAnInfiniteVelocityIsNotCalledABound) {
  FieldExpression field;
  std::vector<ExpressionError> errors;
  for (auto& component : field.components) component = Expression::parse("1e308", {}, errors);
  for (const char* method : {"imex", "verlet", "symplectic_euler"}) {
    Assembly assembly = loose_vertices({{0, 0, 0}, {1, 0, 0}}, 0.3, method);
    assembly.charges = {10.0, 0.0};
    assembly.fields = {field};
    Simulator run = simulator(std::move(assembly));
    const DivergenceError error = divergence_of(run, 2);
    EXPECT_THAT(error.cause(), HasSubstr("the state is not finite")) << method;
    EXPECT_THAT(error.cause(), Not(HasSubstr("bound"))) << method;
  }
}

TEST(Divergence, OfAnEnergyThatIsNoNumberNamesNoBound) {
  Simulator run = simulator(loose_vertices({{0, 0, 0}}, 0.01, "verlet"));
  Energies energies;
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    energies.coulomb = value;
    try {
      run.check_energy(energies);
      ADD_FAILURE();
    } catch (const DivergenceError& error) {
      EXPECT_THAT(error.cause(), HasSubstr("the total energy is not finite"));
    }
  }
}

/// Kinetic energy alone past the bound stops the run without anybody asking for energies.
TEST(Divergence, OfTheEnergyStopsTheStep) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {0, 1e-7, 0}}, 0.01, "explicit_euler");
  assembly.springs = {{0, 1, 1e6, 1e-7}};
  assembly.initial_velocities = {{0.0, 1.0, 0.0}, {}};
  Simulator run = simulator(std::move(assembly));
  double kinetic = 0.0;
  try {
    for (int k = 0; k < 1000; ++k) {
      run.step();
      kinetic = run.energies().kinetic;
    }
    FAIL();
  } catch (const DivergenceError& error) {
    EXPECT_THAT(error.cause(), HasSubstr("total energy"));
    EXPECT_TRUE(std::isfinite(kinetic));
    EXPECT_LE(kinetic, 1e6 * (1.0 + 1.0 + 1.0));
  }
}

TEST(Divergence, BoundCountsTheWorkDone) {
  Simulator run = simulator(loose_vertices({{0, 0, 0}}, 0.01, "verlet"));
  Energies energies;
  energies.coulomb = -0.9e6;
  EXPECT_NO_THROW(run.check_energy(energies));
  energies.coulomb = -1.1e6;
  EXPECT_THROW(run.check_energy(energies), DivergenceError);
  for (const auto account :
       {&WorkAccounts::field_work, &WorkAccounts::keyframe_work, &WorkAccounts::pin_work}) {
    WorkAccounts work;
    work.*account = -1.0;
    run.restore(run.state(), work);
    EXPECT_NO_THROW(run.check_energy(energies));
  }
  energies.coulomb = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(run.check_energy(energies), DivergenceError);
}

/// A refused energy changes nothing; the caller may take the step back, work included.
TEST(Divergence, OfTheEnergyLeavesItToTheCallerToTakeTheStepBack) {
  NetworkOptions options;
  options.drag = 0.5;
  Simulator run = simulator(random_network(options));
  run.run(4);
  const State state = run.state();
  const double dissipation = run.work().dissipation;
  run.run(5);
  Energies energies;
  energies.elastic = 1e30;
  const VectorArray refused = run.state().positions;
  EXPECT_THROW(run.check_energy(energies), DivergenceError);
  EXPECT_EQ(run.state().step, 5);
  EXPECT_EQ(run.state().positions, refused);
  EXPECT_TRUE(run.abandon_step());
  EXPECT_EQ(run.state().step, 4);
  EXPECT_EQ(run.state().positions, state.positions);
  EXPECT_EQ(run.state().velocities, state.velocities);
  EXPECT_EQ(run.work().dissipation, dissipation);
  EXPECT_EQ(run.inputs().time, run.system().time(4));
  EXPECT_FALSE(run.abandon_step()) << "one step is kept, not two";
  EXPECT_EQ(run.state().step, 4);
}

/// Charges that end a step at one point have no energy: asking for it throws, and changes nothing.
TEST(Divergence, EnergiesLeaveTheState) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {0, 0, 1}}, 0.5, "symplectic_euler");
  assembly.charges = {1e-160, 1e-160};  // their force underflows
  assembly.scene.coulomb = FieldOptions{};
  assembly.scene.coulomb->constant = 1e-30;
  assembly.initial_velocities[1] = {0, 0, -2.0};
  Simulator run = simulator(std::move(assembly));
  run.step();
  const State state = run.state();
  for (int asked = 0; asked < 2; ++asked) EXPECT_THROW(static_cast<void>(run.energies()), DivergenceError);
  EXPECT_EQ(run.state().step, 1);
  EXPECT_EQ(run.state().positions, state.positions);
}

/// The state before a restored one is unknown, even where its number would fit.
TEST(Divergence, NoStepIsTakenBackFromARestoredState) {
  Simulator run = simulator(random_network({})), other = simulator(random_network({}));
  EXPECT_FALSE(run.abandon_step());
  run.run(3);
  other.run(4);
  run.restore(other.state(), other.work());
  EXPECT_FALSE(run.abandon_step());
  EXPECT_EQ(run.state().step, 4);
  EXPECT_EQ(run.state().positions, other.state().positions);
}

/// After a divergence the simulator stands at the last good state and can be told otherwise.
TEST(Divergence, LeavesTheSimulatorUsable) {
  Assembly assembly = random_network({});
  Simulator run = simulator(assembly), other = simulator(assembly);
  run.run(3);
  other.run(3);
  StepInputs bad{run.inputs(), run.inputs(), {}};
  bad.start.charges[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(run.step(bad), DivergenceError);
  EXPECT_EQ(run.state().step, 3);
  run.run(6);
  other.run(6);
  EXPECT_EQ(run.state().positions, other.state().positions);
}

}  // namespace
}  // namespace electret::test
