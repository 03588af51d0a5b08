#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/dynamics/divergence.hpp>
#include <electret/dynamics/energy_watch.hpp>
#include <electret/dynamics/stability.hpp>

#include "dynamics/networks.hpp"
#include "dynamics/solids.hpp"

namespace electret::test {
namespace {

using testing::HasSubstr;

/// What a watch says of a whole run with a frame every `every` steps.
struct Watched {
  EnergyWatchMemory memory;
  std::string first_warning;
  double time = 0.0;  ///< Of the first jump, s.
  double relative = 0.0;
};

Watched watch(Assembly assembly, Count steps, Count every) {
  Simulator run = simulator(std::move(assembly));
  const EnergyWatch energy_watch(run.system(), run.integrator());
  Watched result;
  EnergyWatch::start(run.energies(), run.work(), result.memory);
  while (run.state().step < steps) {
    run.run(run.state().step + every);
    const auto jump = energy_watch.observe(run.energies(), run.work(), result.memory, run.state().step);
    result.relative = energy_watch.relative_change(result.memory.balance, run.state().step);
    if (!jump || !result.first_warning.empty()) continue;
    result.time = run.inputs().time;
    result.first_warning = energy_jump_warning(run.system(), run.integrator(), run.state(), run.inputs(),
                                               run.system().time(run.state().step - every), *jump);
  }
  return result;
}

/// Two charges of one sign, 2 m apart, thrown at each other at 2 × 4 m/s: they should turn round 1 cm apart.
/// Four more far away, one of them the strongest, bear the energy of a calm neighbourhood.
Assembly encounter(double step, const std::string& method) {
  Assembly assembly = loose_vertices({{1, 0, 0}, {-1, 0, 0}, {0, 50, 0}, {0, 51, 0}}, step, method);
  assembly.charges = {4.2e-6, 4.2e-6, 1e-6, -1e-6};
  assembly.initial_velocities = {{-4, 0, 0}, {4, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  assembly.scene.coulomb = FieldOptions{};
  return assembly;
}

TEST(EnergyWatch, TellsOfAnEncounterThatTheStepDoesNotResolve) {
  const Watched seen = watch(encounter(0.01, "verlet"), 60, 1);
  EXPECT_GE(seen.memory.jumps, 1);
  EXPECT_GT(seen.memory.largest_jump, 0.1);
  EXPECT_NEAR(seen.time, 0.25, 0.06);
  EXPECT_THAT(seen.first_warning, HasSubstr("the energy has jumped from"));
  EXPECT_THAT(seen.first_warning, HasSubstr("which verlet does not explain"));
  EXPECT_THAT(seen.first_warning, HasSubstr("vertices 0 and 1"));
  EXPECT_THAT(seen.first_warning, HasSubstr("softening"));
}

TEST(EnergyWatch, BelievesTheSuggestedStepItIsGiven) {
  Simulator run = simulator(encounter(0.01, "verlet"));
  const Energies before = run.energies();
  Energies after = before;
  after.kinetic += 0.02 * before.magnitude();
  const auto jump = [&](std::optional<double> suggested) {
    EnergyWatchMemory memory;
    EnergyWatch::start(before, {}, memory);
    return EnergyWatch(run.system(), run.integrator(), suggested).observe(after, {}, memory);
  };
  EXPECT_TRUE(jump({}).has_value());
  EXPECT_TRUE(jump(suggested_step(run.system())).has_value());
  EXPECT_FALSE(jump(1e-4).has_value()) << "a step so coarse explains a tenth";
}

/// Looked at long after, the pair is apart again: what is left is its speed.
TEST(EnergyWatch, NamesTheFastestWhereThePairIsApartAgain) {
  const Watched seen = watch(encounter(0.01, "verlet"), 60, 60);
  ASSERT_EQ(seen.memory.jumps, 1);
  EXPECT_THAT(seen.first_warning, HasSubstr("have met closer than the step resolves"));
  EXPECT_THAT(seen.first_warning, HasSubstr("vertices 0 and 1"));
}

TEST(EnergyWatch, IsQuietWhereTheStepResolvesTheSameEncounter) {
  const Watched seen = watch(encounter(1e-5, "verlet"), 60000, 100);
  EXPECT_EQ(seen.memory.jumps, 0) << seen.first_warning;
  EXPECT_GT(seen.memory.usual_change, 0.0);
}

TEST(EnergyWatch, IsQuietOnGoodRuns) {
  for (const char* method : {"verlet", "kick_midpoint"})
    for (const double step : {0.015, 0.03})
      for (const Count every : {Count{1}, Count{10}})
        EXPECT_EQ(watch(charged_torus(step, method), std::lround(15.0 / step), every).memory.jumps, 0)
            << method << ", " << step << ", every " << every;
}

/// Drag, fields, key-framed charges and moved pins change the energy; the accounts explain it.
TEST(EnergyWatch, IsQuietWhereWorkIsDone) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    NetworkOptions options;
    options.seed = seed;
    options.method = seed % 2 == 0 ? "kick_midpoint" : "verlet";
    options.drag = 0.5;
    options.spring_damping = 0.2;
    options.gravity = options.pins = options.moved_pins = true;
    Assembly assembly = random_network(options);
    assembly.charge_tracks = {
        {{1, 2, 3}, {{0.0, 0.1, 0.2}, {0.0, 1e-5, -2e-5}, Interpolation::linear}, true, "q"},
        {{6}, {{0.0, 0.15}, {0.0, 1e-5}, Interpolation::step}, true, "s"}};
    FieldExpression field;
    std::vector<ExpressionError> errors;
    const char* const components[] = {"1e6*cos(20*t)", "1e6*sin(20*t)", "0"};
    for (std::size_t c = 0; c < 3; ++c) field.components[c] = Expression::parse(components[c], {}, errors);
    assembly.fields = {field};
    for (const Count every : {Count{1}, Count{5}})
      EXPECT_EQ(watch(assembly, 30, every).memory.jumps, 0) << "seed " << seed << ", every " << every;
  }
}

TEST(EnergyWatch, WatchesOnlyMethodsThatConserveEnergy) {
  EXPECT_GE(watch(encounter(0.01, "kick_midpoint"), 60, 1).memory.jumps, 1);
  EXPECT_EQ(watch(encounter(0.01, "imex"), 60, 1).memory.jumps, 0);
}

/// A body at rest whose positions are `away` m from the origin.
Assembly at_rest(const std::string& kind, const std::string& method, double away) {
  const bool has_springs = kind == "springs";
  Assembly assembly = has_springs ? random_network({.coulomb = false}) : solid({.model = kind, .cells = 2.0});
  for (auto* places : {&assembly.rest_positions, &assembly.initial_positions})
    for (Vec3& x : *places) x += Vec3{away, -0.3 * away, 0.7 * away};
  for (Spring& spring : assembly.springs)
    spring.rest_length = norm(assembly.rest_positions[static_cast<std::size_t>(spring.i)] -
                              assembly.rest_positions[static_cast<std::size_t>(spring.j)]);
  assembly.initial_positions = assembly.rest_positions;
  assembly.initial_velocities.assign(assembly.initial_velocities.size(), Vec3{});
  assembly.scene.integrator.method = method;
  assembly.scene.time.step = 5.0 * suggested_step(*compile(assembly, 1));
  return assembly;
}

TEST(EnergyWatch, IsQuietOnBodiesAtRest) {
  for (const char* kind : {"springs", "stable_neo_hookean", "neo_hookean", "corotated", "fixed_corotated"})
    for (const double away : {0.0, 1.0, 1e4})
      for (const std::string_view method : integrator_methods) {
        if (method == "linear_implicit" && std::string_view(kind) != "springs") continue;
        // explicit_euler blows rounding up, to 2 to the number of steps.
        const Count steps = method == "explicit_euler" ? 20 : 400;
        const Watched seen = watch(at_rest(kind, std::string(method), away), steps, 4);
        EXPECT_EQ(seen.memory.jumps, 0)
            << kind << ", " << method << ", " << away << ": " << seen.first_warning;
        if (method == "explicit_euler") continue;
        EXPECT_EQ(seen.relative, 0.0)
            << kind << ", " << method << ", " << away << ": " << seen.memory.balance.largest_gain << " J";
      }
}

/// A step beyond the limit of stability blows up a motion of a nanometre.
TEST(EnergyWatch, TellsOfSmallEnergiesThatBlowUp) {
  for (const char* kind : {"springs", "stable_neo_hookean", "neo_hookean", "corotated"}) {
    Assembly assembly = at_rest(kind, "verlet", 1.0);
    jitter(assembly, 1e-9);
    assembly.scene.time.step *= 0.2;  // h ω = 0.2
    EXPECT_EQ(watch(assembly, 100, 1).memory.jumps, 0) << kind;
    assembly.scene.time.step *= 13.0;  // h ω = 2.6
    const Watched seen = watch(assembly, 12, 1);
    EXPECT_GE(seen.memory.jumps, 3) << kind;
    EXPECT_GT(seen.relative, 0.1) << kind;
  }
}

/// The rule itself, on made-up energies.
TEST(EnergyWatch, AllowsWhatTheMethodTheWorkAndThePastExplain) {
  Simulator run = simulator(loose_vertices({{0, 0, 0}}, 0.01, "verlet"));  // nothing oscillates: 0.1 %
  const EnergyWatch energy_watch(run.system(), run.integrator());
  EnergyWatchMemory memory;
  Energies energies;
  WorkAccounts work;
  const auto jumps_at = [&](double kinetic) {
    energies.kinetic = kinetic;
    return energy_watch.observe(energies, work, memory).has_value();
  };
  energies.kinetic = 1000.0;
  EnergyWatch::start(energies, work, memory);
  EXPECT_FALSE(jumps_at(1000.04));  // less than 0.1 % of half of it
  EXPECT_TRUE(jumps_at(1000.64));   // more, and more than 8 × 0.04
  EXPECT_FALSE(jumps_at(1001.04));
  EXPECT_TRUE(jumps_at(1005.04));  // more than 8 × 0.4
  EXPECT_FALSE(jumps_at(1008.14));
  EXPECT_EQ(memory.jumps, 2);
  EXPECT_NEAR(memory.largest_jump, 4.0, 1e-9);
  work = {1.0, 2.0, 4.0, 8.0};             // -1 J
  EXPECT_FALSE(jumps_at(1007.14 - 39.0));  // 8 × 3.1 and 15 J of work, known to first order
  work.dissipation += 50.0;
  EXPECT_TRUE(jumps_at(968.14 - 50.0 - 8.0 * 39.0 - 51.0));
  EXPECT_EQ(memory.jumps, 3);
}

}  // namespace
}  // namespace electret::test
