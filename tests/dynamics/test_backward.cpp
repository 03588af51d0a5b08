/// Backward steps against central differences of whole runs: every method × force × spring parameter × input.
///
/// The loss ℒ = Σ_n (c_n·x_n + d_n·v_n) with random c_n, d_n sees every state, and a few steps follow each
/// other, so that what one backward step hands to the one before is tested along.

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include <electret/core/same_bits.hpp>
#include <electret/dynamics/compile_gradient.hpp>
#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/stage/stage_adjoint.hpp>
#include <electret/geometry/shapes/shapes.hpp>
#include <electret/scene/numbers.hpp>

#include "dynamics/networks.hpp"
#include "support/allocation_counter.hpp"
#include "support/random.hpp"

namespace electret::test {
namespace {

constexpr Count steps = 4;

/// Everything that acts: compressed and stretched springs, charges of both signs, fixed and key-framed
/// external charges, a field with constants, gravity, loads, grabs, drag, spring damping, obstacles with
/// friction, held and moved pins, rollers.
Assembly everything(const std::string& method) {
  NetworkOptions options;
  options.method = method;
  options.step = 0.02;
  options.tolerance = 1e-13;
  options.gravity = options.pins = options.moved_pins = options.rollers = true;
  options.drag = 0.3;
  options.spring_damping = 0.2;
  Assembly assembly = random_network(options);
  assembly.external_charges.push_back(
      {{{0, 0, 0}, {0.1, 0.2, 0}}, {{0.0}, {3e-5}}, {{0.0}, {{-1.5, 1.0, 0.5}}}, 0.0});
  assembly.external_charges.push_back(
      {{{0, 0, 0}}, {{0.0, 0.1}, {3e-5, -2e-5}}, {{0.0, 0.1}, {{1.0, 4.0, 0.5}, {1.2, 4.1, 0.3}}}, 0.4});
  assembly.charge_tracks.push_back(
      {{1, 3}, {{0.0, 0.2}, {1e-5, -1e-5}, Interpolation::linear}, true, "body.net.charge[a]"});
  std::vector<ExpressionError> errors;
  FieldExpression field;
  field.constant_names = {"a", "charges"};  // A constant may be called what it likes.
  field.constants = {0.7, 1.3};
  for (std::size_t axis = 0; axis < 3; ++axis)
    field.components[axis] =
        Expression::parse(std::array{"-1e4*a*y*cos(3*t)", "1e4*a*x", "2e4*charges*sin(x + z)"}[axis],
                          field.constant_names, errors);
  assembly.fields.push_back(std::move(field));
  // Its water flows fast, so that differences pass no edge of a face.
  assembly.waters.push_back(
      {0.05, {4.0, -2.0, 3.0}, {0.05, 0.05, 1.85, 2.05}, {-0.8, -0.5, 0.1, 2.5}, {}, {}});
  assembly.waters.back().faces = {{{0, 1, 3, -1}, true}, {{4, 5, 7, 6}, true}};
  // In the one everything slides, in the other everything creeps: differences pass no kink.
  assembly.obstacles.push_back(
      {{make_plane({0.0, 0.6, 0.8}), {0.0, 0.0, 0.2}}, 30.0, 3.0, 0.2, 300.0, false, false, ""});
  assembly.obstacles.push_back({{make_sphere(1.1), {0.3, 0.2, 0.1}}, 40.0, 2.5, 5.0, 0.4, false, false, ""});
  assembly.obstacles.back().radius = 1.1;
  for (ObstacleTrack& obstacle : assembly.obstacles) {
    obstacle.offsets = {{-0.05, 0.03, 0.2}, {{0.1, 0.0, 0.05}, {0.0, 0.05, 0.1}, {0.2, 0.1, -0.1}}};
    obstacle.rotations = {{0.0, 0.2}, {{5.0, -20.0, 30.0}, {20.0, 10.0, 60.0}}};
  }
  assembly.load_tracks.push_back({{6, 9}, {{0.5, 0.1, -0.2}, {0.3, 0.0, 0.4}}, {}, "body.net.load.0"});
  // The one holds a pinned and a rolling vertex, too; the other begins and ends within the run.
  assembly.grabs.push_back(
      {{0, 5, 8, 20},
       {0.2, 0.2, 0.3, 0.3},
       25.0,
       2.0,
       {{0.0, 0.05, 0.1}, {{0.5, 0.2, 0.1}, {0.6, 0.4, 0.1}, {1, 1, 1}}, Interpolation::cubic}});
  assembly.grabs.push_back({{8, 13}, {0.4, 0.6}, 40.0, 1.0, {{0.02}, {{0.0, 1.5, 1.0}}}, 0.06});
  return assembly;
}

struct Weights {
  std::vector<VectorArray> positions, velocities;
};

Weights weights(std::size_t n) {
  Weights result;
  for (Count k = 0; k <= steps; ++k) {
    result.positions.push_back(random_vectors(n, 100 + static_cast<unsigned>(k)));
    result.velocities.push_back(random_vectors(n, 200 + static_cast<unsigned>(k)));
    for (Vec3& d : result.velocities.back()) d *= 0.1;
  }
  return result;
}

double weighted(VectorView a, VectorView b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

/// A run with everything a reverse sweep needs.
struct Recorded {
  std::unique_ptr<System> system;
  std::unique_ptr<Integrator> integrator;
  std::vector<State> states;
  std::vector<StepInputs> inputs;
  std::vector<StepTape> tapes;
  double loss = 0.0;

  explicit Recorded(const Assembly& assembly, int threads = 1, IdleForces idle = IdleForces::left_out)
      : system(compile(assembly, threads, idle)) {
    integrator = make_integrator(*system, assembly.scene.integrator);
    states.push_back(initial_state(*system));
    const Weights w = weights(assembly.masses.size());
    VectorArray reactions(system->pins.size());
    for (Count k = 0; k < steps; ++k) {
      StepInputs step;
      system->schedule.evaluate(system->time(k), step.start);
      system->schedule.evaluate(system->time(k + 1), step.end);
      const auto fractions = integrator->stage_fractions();
      step.stages.resize(fractions.size());
      for (std::size_t s = 0; s < fractions.size(); ++s)
        system->schedule.evaluate((static_cast<double>(k) + fractions[s]) * system->time_step,
                                  step.stages[s]);
      State next = states.back();
      if (k == 0) {
        integrator->start(next, step);
        states.back() = next;
      }
      tapes.emplace_back();
      integrator->step(next, step, reactions, &tapes.back());
      next.step = k + 1;
      states.push_back(std::move(next));
      inputs.push_back(std::move(step));
    }
    for (std::size_t k = 0; k < states.size(); ++k)
      loss += weighted(w.positions[k], states[k].positions) + weighted(w.velocities[k], states[k].velocities);
  }

  void add_weights(const Weights& w, std::size_t k, StepCotangent& c) const {
    for (std::size_t i = 0; i < c.positions.size(); ++i) {
      c.positions[i] += w.positions[k][i];
      c.velocities[i] += w.velocities[k][i];
    }
  }

  /// ∂ℒ/∂x_0, ∂ℒ/∂v_0 in the cotangent; the rest in the gradients.
  AssemblyGradient sweep(ParameterGradients& parameters) {
    const Weights w = weights(states[0].positions.size());
    AssemblyGradient result = AssemblyGradient::zero(system->assembly);
    parameters = ParameterGradients::zero(*system);
    StepCotangent c = StepCotangent::zero(states.back());
    StepInputGradients by_inputs;
    for (std::size_t k = static_cast<std::size_t>(steps); k-- > 0;) {
      add_weights(w, k + 1, c);
      by_inputs = {InputGradients::zero(inputs[k].start), InputGradients::zero(inputs[k].end), {}};
      for (const Inputs& stage : inputs[k].stages) by_inputs.stages.push_back(InputGradients::zero(stage));
      const AdjointReport report = integrator->step_backward({states[k], states[k + 1], inputs[k], tapes[k]},
                                                             c, {by_inputs, parameters});
      EXPECT_LE(report.residual, 1e-12);
      if (k == 0) integrator->finish_backward(states[0], inputs[0].start, c, by_inputs.start, parameters);
      system->schedule.add_gradient(inputs[k].start.time, by_inputs.start, result);
      system->schedule.add_gradient(inputs[k].end.time, by_inputs.end, result);
      for (std::size_t s = 0; s < by_inputs.stages.size(); ++s)
        system->schedule.add_gradient(inputs[k].stages[s].time, by_inputs.stages[s], result);
    }
    add_weights(w, 0, c);
    add_initial_state_gradient(*system, c, result);
    add_parameter_gradients(*system, parameters, result);
    return result;
  }
};

/// A number of an assembly under test: where it is, and how far differences go.
struct Kind {
  std::string name;
  NumberId source;
  double step;
};

std::vector<Kind> kinds() {
  return {{"initial_positions", {number::initial_positions}, 1e-4},
          {"initial_velocities", {number::initial_velocities}, 1e-3},
          {"masses", {number::masses}, 1e-4},
          {"charges", {number::charges}, 1e-9},
          {"stiffness", {number::spring_stiffness}, 1e-3},
          {"rest_length", {number::rest_lengths}, 1e-4},
          {"charge_keys", {number::group_charges, 0}, 1e-9},
          {"pin_offsets", {number::pin_offsets, 1}, 1e-4},
          {"roller_offsets", {number::pin_offsets, 2}, 1e-4},
          {"rail_offsets", {number::pin_offsets, 4}, 1e-4},
          {"external_charge", {number::external_charge, 0}, 1e-9},
          {"external_position", {number::external_position, 0}, 1e-4},
          {"ball_charge_keys", {number::external_charge, 1}, 1e-9},
          {"ball_position_keys", {number::external_position, 1}, 1e-4},
          {"field_constants", {number::field_constants, 0}, 1e-3},
          {"water_density", {number::water_density, 0}, 1e-3},
          {"water_velocity", {number::water_velocity, 0}, 1e-3},
          {"water_drag", {number::water_drag, 0}, 1e-3},
          {"water_thrust", {number::water_thrust, 0}, 1e-3},
          {"loads", {number::load_forces, 0}, 1e-3},
          {"grab_stiffness", {number::grab_stiffness, 0}, 1e-3},
          {"grab_damping", {number::grab_damping, 0}, 1e-3},
          {"grab_targets", {number::grab_targets, 0}, 1e-4},
          {"short_grab_stiffness", {number::grab_stiffness, 1}, 1e-3},
          {"short_grab_damping", {number::grab_damping, 1}, 1e-3},
          {"short_grab_target", {number::grab_targets, 1}, 1e-4},
          {"obstacle_origin", {number::obstacle_origin, 0}, 1e-4},
          {"ball_centre", {number::obstacle_origin, 1}, 1e-4},
          {"ball_radius", {number::obstacle_radius, 1}, 1e-4},
          {"obstacle_offsets", {number::obstacle_offsets, 0}, 1e-4},
          {"ball_offsets", {number::obstacle_offsets, 1}, 1e-4},
          {"obstacle_rotations", {number::obstacle_rotations, 0}, 1e-2},
          {"ball_rotations", {number::obstacle_rotations, 1}, 1e-2},
          {"obstacle_stiffness", {number::obstacle_stiffness, 0}, 1e-2},
          {"ball_stiffness", {number::obstacle_stiffness, 1}, 1e-2},
          {"friction", {number::obstacle_friction, 0}, 1e-3},
          {"friction_stiffness", {number::obstacle_friction_stiffness, 1}, 1e-3},
          {"gravity", {number::gravity}, 1e-3},
          {"drag", {number::drag}, 1e-2},
          {"spring_damping", {number::spring_damping}, 1e-4}};
}

class Backward : public testing::TestWithParam<std::string_view> {};

/// Five-point differences along `direction` of the numbers `source`.
double difference(const Assembly& assembly, const Kind& kind, const std::vector<double>& direction) {
  // The clamped Hessian of linear_implicit has kinks where a spring passes its rest length.
  const bool may_kink =
      assembly.scene.integrator.method == "linear_implicit" &&
      (kind.name == "initial_positions" || kind.name == "rest_length" || kind.name == "rail_offsets");
  const double step = kind.step * (may_kink ? 0.01 : 1.0);
  const auto loss = [&](double s) {
    Assembly changed = assembly;
    const auto values = numbers(changed, kind.source);
    for (std::size_t k = 0; k < values.count; ++k) values[k] += s * step * direction[k];
    return Recorded(changed).loss;
  };
  return (8.0 * (loss(1) - loss(-1)) - (loss(2) - loss(-2))) / (12.0 * step);
}

TEST_P(Backward, AgreesWithDifferencesForEveryKindOfNumber) {
  const Assembly assembly = everything(std::string(GetParam()));
  ParameterGradients parameters;
  const AssemblyGradient gradient = Recorded(assembly).sweep(parameters);
  for (const Kind& kind : kinds()) {
    const auto values = numbers(gradient, kind.source);
    ASSERT_GT(values.count, 0U) << kind.name;
    double square = 0.0;
    for (std::size_t k = 0; k < values.count; ++k) square += values[k] * values[k];
    const double size = std::sqrt(square);
    ASSERT_GT(size, 0.0) << kind.name;
    // Along the gradient itself, and along random directions, which average a fault of one number away.
    for (unsigned trial = 0; trial < 3; ++trial) {
      std::vector<double> direction(values.count);
      const VectorArray random = random_vectors(values.count, 300 + trial);
      double expected = 0.0;
      for (std::size_t k = 0; k < values.count; ++k) {
        direction[k] = trial == 0 ? values[k] / size : random[k].x;
        expected += direction[k] * values[k];
      }
      const double found = difference(assembly, kind, direction);
      EXPECT_NEAR(expected, found, 1e-6 * size) << kind.name << ", direction " << trial;
    }
  }
}

/// A coefficient of 0 makes no force, but has a derivative.
TEST_P(Backward, HasDerivativesByCoefficientsThatAreZero) {
  Assembly assembly = everything(std::string(GetParam()));
  assembly.scene.gravity.reset();
  assembly.scene.damping = {};
  for (ObstacleTrack& obstacle : assembly.obstacles) obstacle.friction = 0.0;
  const Recorded without(assembly);
  Recorded run(assembly, 1, IdleForces::kept);
  EXPECT_EQ(run.system->forces.size(), without.system->forces.size() + 5);
  for (std::size_t k = 0; k < run.states.size(); ++k) {
    EXPECT_EQ(run.states[k].positions, without.states[k].positions);
    EXPECT_EQ(run.states[k].velocities, without.states[k].velocities);
  }
  ParameterGradients parameters;
  const AssemblyGradient gradient = run.sweep(parameters);
  const auto check = [&](const char* name, const NumberKind& kind, std::size_t at, double step) {
    std::vector<double> direction(3);
    direction[at] = 1.0;
    const double found = difference(assembly, {name, {kind}, step}, direction);
    EXPECT_GT(std::abs(found), 0.0) << name;
    EXPECT_NEAR(gradient.scalars(kind)[at], found, 1e-6 * std::abs(found)) << name;
  };
  for (std::size_t axis = 0; axis < 3; ++axis) check("gravity", number::gravity, axis, 1e-3);
  check("drag", number::drag, 0, 1e-4);
  check("spring_damping", number::spring_damping, 0, 1e-4);
}

TEST_P(Backward, GivesTheSameBitsForAnyNumberOfThreads) {
  const Assembly assembly = everything(std::string(GetParam()));
  ParameterGradients one, many;
  const AssemblyGradient expected = Recorded(assembly, 1).sweep(one);
  const AssemblyGradient found = Recorded(assembly, 3).sweep(many);
  for (const NumberKind* kind : {&number::initial_positions, &number::charges})
    EXPECT_TRUE(same_bits(expected.scalars(*kind), found.scalars(*kind)));
  EXPECT_EQ(one.masses, many.masses);
  EXPECT_EQ(one.elastic, many.elastic);
  EXPECT_EQ(one.forces, many.forces);
}

TEST_P(Backward, AllocatesNothingAfterTheFirstStep) {
  if (!AllocationCounter::works()) GTEST_SKIP();
  Recorded run(everything(std::string(GetParam())));
  ParameterGradients parameters = ParameterGradients::zero(*run.system);
  StepCotangent c = StepCotangent::zero(run.states.back());
  run.add_weights(weights(c.positions.size()), 1, c);
  StepInputGradients by_inputs{
      InputGradients::zero(run.inputs[0].start), InputGradients::zero(run.inputs[0].end), {}};
  for (const Inputs& stage : run.inputs[0].stages) by_inputs.stages.push_back(InputGradients::zero(stage));
  const auto back = [&](std::size_t k) {
    run.integrator->step_backward({run.states[k], run.states[k + 1], run.inputs[k], run.tapes[k]}, c,
                                  {by_inputs, parameters});
  };
  back(3);
  const AllocationCounter counter;
  back(2);
  EXPECT_EQ(counter.count(), 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, Backward, testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

TEST(Backward, AResidualWithoutAValueIsTheWorstOfAStep) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [a, b] : {std::pair(none, 1e-12), std::pair(1e-12, none), std::pair(none, none)})
    EXPECT_TRUE(std::isnan(combined(AdjointReport{3, a, "multigrid"}, AdjointReport{4, b, ""}).residual))
        << a << " " << b;
  const AdjointReport both = combined(AdjointReport{3, 1e-9, "multigrid"}, AdjointReport{4, 1e-12, ""});
  EXPECT_EQ(both.iterations, 7);
  EXPECT_EQ(both.residual, 1e-9);
  EXPECT_EQ(both.method, "multigrid");
}

}  // namespace
}  // namespace electret::test
