// Schedule::add_gradient as the transpose of evaluating the schedule, through the parameters of a scene.

#include <gtest/gtest.h>

#include <electret/geometry/shapes/shapes.hpp>
#include <electret/scene/parameters.hpp>

#include "dynamics/networks.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

/// Grabs that move in all interpolations, one of which begins and ends between the times of the tests.
void add_grabs(Assembly& a) {
  for (const Interpolation how : {Interpolation::linear, Interpolation::step, Interpolation::cubic}) {
    const double first = how == Interpolation::linear ? 0.25 : 0.0;
    a.grabs.push_back({{1, 9},
                       {0.5, 0.5},
                       3.0,
                       0.5,
                       {{first, 0.3, 0.5, 0.9}, {{0, 0, 5}, {1, 0, 5}, {1, 2, 4}, {0, 1, 1}}, how}});
    if (how == Interpolation::linear) a.grabs.back().until = 0.75;
    a.scene.grabs.push_back({.body = "net", .vertices = {1, 9}});
  }
}

/// Key-frames of everything, in all interpolations, overlapping.
Assembly scheduled() {
  NetworkOptions options;
  options.pins = options.moved_pins = true;
  options.step = 0.1;
  Assembly a = random_network(options);
  a.scene.bodies.resize(1);
  a.scene.bodies[0].name = "net";
  const std::vector<double> times{0.0, 0.2, 0.5, 0.9};
  a.charge_tracks = {
      {{0, 1, 2, 9}, {times, {1e-6, 3e-6, -2e-6, 1e-6}, Interpolation::linear}, true, "body.net.charge[a]"},
      {{1, 11}, KeyFrames<double>::constant(7e-6), false, "body.net.charge[b]"},
      {{2, 3}, {times, {-1e-6, -2e-6, -4e-6, 0.0}, Interpolation::step}, true, "body.net.charge[c]"},
      {{3, 6, 8}, {times, {5e-6, -2e-6, 4e-6, 1e-6}, Interpolation::cubic}, true, "body.net.charge[d]"},
      // Of a group charge that was written with keys but is held, the value at time 0 counts.
      {{12}, {times, {5e-6, 1e-6, 2e-6, 3e-6}, Interpolation::linear}, false, "body.net.charge[e]"}};
  a.external_charges = {{{{0, 0, 0}},
                         {times, {4.0, 8.0, 1.0, 2.0}, Interpolation::linear},
                         KeyFrames<Vec3>::constant({1, 2, 3}),
                         0.25},
                        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                         KeyFrames<double>::constant(3.0),
                         {times, {{0, 0, 5}, {1, 0, 5}, {1, 2, 4}, {0, 1, 1}}, Interpolation::cubic},
                         0.0},
                        {{{0, 0, 0}},
                         {times, {4.0, 8.0, 1.0, 2.0}, Interpolation::step},
                         {times, {{0, 0, 5}, {1, 0, 5}, {1, 2, 4}, {0, 1, 1}}, Interpolation::step},
                         0.0}};
  a.pin_tracks[1].offsets = {times, {{}, {0.1, 0.0, 0.2}, {0.3, 0.1, 0.0}, {1, 1, 1}}, Interpolation::cubic};
  a.pin_tracks[0].name = "body.net.pin[held]";
  a.pin_tracks[1].name = "body.net.pin[moved]";
  a.load_tracks = {
      {{1, 2}, {{0, 0, 1}}, {}, "body.net.load.0"},
      {{2, 3, 10},
       {{1, 0, 0}, {0, 2, 0}, {1, 1, 3}},
       {times, {1.0, 3.0, -1.0, 2.0}, Interpolation::linear},
       "body.net.load.1"},
      {{2, 7}, {{0, 4, 1}}, {times, {0.5, 1.0, 2.0, -3.0}, Interpolation::cubic}, "body.net.load.2"},
      {{5, 6},
       {{2, 1, 0}, {1, 0, 2}},
       {times, {1.0, -1.0, 2.0, 4.0}, Interpolation::step},
       "body.net.load.3"}};
  for (const Interpolation how : {Interpolation::linear, Interpolation::step, Interpolation::cubic}) {
    ObstacleTrack track{.surface = {make_plane({0, 0, 1}), {}}, .stiffness = 1.0};
    track.name = "obstacle." + std::to_string(a.obstacles.size());
    track.offsets = {times, {{0, 0, -5}, {1, 0, -5}, {1, 2, -4}, {0, 1, -9}}, how};
    track.rotations = {times, {{0, 0, 5}, {10, 0, 5}, {1, 20, 4}, {0, 10, 10}}, how};
    a.obstacles.push_back(std::move(track));
    a.scene.obstacles.push_back({.name = std::to_string(a.scene.obstacles.size()), .shape = "plane"});
  }
  add_grabs(a);
  return a;
}

Inputs inputs_at(const Assembly& assembly, double time) {
  const auto system = compile(assembly, 1);
  Inputs inputs;
  system->schedule.evaluate(time, inputs);
  return inputs;
}

InputGradients random_gradients(const Inputs& inputs) {
  InputGradients g = InputGradients::zero(inputs);
  g.charges = random_numbers(g.charges.size(), 21, -1.0, 1.0);
  const VectorArray places = random_vectors(g.external_charges.size(), 22);
  const auto charges = random_numbers(g.external_charges.size(), 23, -1.0, 1.0);
  for (std::size_t k = 0; k < places.size(); ++k) g.external_charges[k] = {places[k], charges[k]};
  g.pin_positions = random_vectors(g.pin_positions.size(), 24);
  g.loads = random_vectors(g.loads.size(), 25);
  const VectorArray of_placements = random_vectors(4 * g.placements.size(), 26);
  for (std::size_t o = 0; o < g.placements.size(); ++o)
    g.placements[o] = {of_placements[4 * o], of_placements[4 * o + 1], of_placements[4 * o + 2],
                       of_placements[4 * o + 3]};
  const VectorArray of_targets = random_vectors(g.grabs.size(), 27);
  const auto of_sizes = random_numbers(2 * g.grabs.size(), 28, -1.0, 1.0);
  for (std::size_t k = 0; k < g.grabs.size(); ++k)
    g.grabs[k] = {of_targets[k], of_sizes[2 * k], of_sizes[2 * k + 1]};
  return g;
}

/// Σ gradient · inputs.
double product(const InputGradients& g, const Inputs& inputs) {
  double sum = dot(g.pin_positions, inputs.pin_positions) + dot(g.loads, inputs.loads);
  for (std::size_t i = 0; i < g.charges.size(); ++i) sum += g.charges[i] * inputs.charges[i];
  for (std::size_t k = 0; k < g.external_charges.size(); ++k)
    sum += g.external_charges[k].charge * inputs.external_charges[k].charge +
           electret::dot(g.external_charges[k].position, inputs.external_charges[k].position);
  for (std::size_t o = 0; o < g.placements.size(); ++o)
    for (const auto member :
         {&Placement::offset, &Placement::rotation, &Placement::velocity, &Placement::turning})
      sum += electret::dot(g.placements[o].*member, inputs.placements[o].*member);
  for (std::size_t k = 0; k < g.grabs.size(); ++k)
    sum += electret::dot(g.grabs[k].target, inputs.grabs[k].target) +
           g.grabs[k].stiffness * inputs.grabs[k].stiffness + g.grabs[k].damping * inputs.grabs[k].damping;
  return sum;
}

TEST(ScheduleGradient, IsTheTransposeForEveryParameter) {
  const Assembly assembly = scheduled();
  const auto system = compile(assembly, 1);
  // On a key, between keys, on the steps' own edge, before and after all keys.
  for (const double time : {0.0, 0.2, 0.31, 0.5 - 0.4e-10, 0.77, 2.0}) {
    const InputGradients by_inputs = random_gradients(inputs_at(assembly, time));
    AssemblyGradient gradient = AssemblyGradient::zero(assembly);
    system->schedule.add_gradient(time, by_inputs, gradient);
    int reached = 0;
    for (const Parameter& p : parameters(assembly)) {
      const std::vector<double> values = p.read(assembly), slope = p.pull(gradient);
      for (std::size_t k = 0; k < values.size(); ++k) {
        const auto moved = [&](double step) {
          std::vector<double> changed = values;
          changed[k] += step;
          Assembly other = assembly;
          p.write(other, changed);
          return product(by_inputs, inputs_at(other, time));
        };
        // Inputs are linear in each number alone: the difference is exact but for rounding.
        const double expected = (moved(0.5) - moved(-0.5)) / 1.0;
        EXPECT_NEAR(slope[k], expected, 1e-12) << p.name << " " << k << " at " << time;
        reached += std::abs(expected) > 1e-6 ? 1 : 0;
      }
    }
    EXPECT_GT(reached, 40) << time;
  }
}

TEST(ScheduleGradient, AddsToWhatIsThere) {
  const Assembly assembly = scheduled();
  const auto system = compile(assembly, 1);
  const InputGradients by_inputs = random_gradients(inputs_at(assembly, 0.31));
  AssemblyGradient once = AssemblyGradient::zero(assembly), twice = once;
  system->schedule.add_gradient(0.31, by_inputs, once);
  for (int k = 0; k < 2; ++k) system->schedule.add_gradient(0.31, by_inputs, twice);
  for (const Parameter& p : parameters(assembly)) {
    const auto a = p.pull(once), b = p.pull(twice);
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(b[k], 2.0 * a[k], 1e-14) << p.name;
  }
}

/// A step may have grabs of a caller after the scene's.
TEST(ScheduleGradient, LeavesACallersGrabsOut) {
  const Assembly assembly = scheduled();
  const auto system = compile(assembly, 1);
  InputGradients by_inputs = random_gradients(inputs_at(assembly, 0.31));
  AssemblyGradient without = AssemblyGradient::zero(assembly), with = without;
  system->schedule.add_gradient(0.31, by_inputs, without);
  by_inputs.grabs.push_back({{1, 2, 3}, 4.0, 5.0});
  system->schedule.add_gradient(0.31, by_inputs, with);
  for (const Parameter& p : parameters(assembly)) EXPECT_EQ(p.pull(with), p.pull(without)) << p.name;
}

TEST(ScheduleGradient, TakesLoadsGivenToASystemWithoutAny) {
  Assembly assembly = scheduled();
  assembly.load_tracks.clear();
  const auto system = compile(assembly, 1);
  const Inputs inputs = inputs_at(assembly, 0.31);
  EXPECT_TRUE(inputs.loads.empty());
  AssemblyGradient gradient = AssemblyGradient::zero(assembly);
  system->schedule.add_gradient(0.31, random_gradients(inputs), gradient);
  EXPECT_THROW(static_cast<void>(gradient.vectors(number::load_forces)), std::invalid_argument);
}

}  // namespace
}  // namespace electret::test
