#include "water_share.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>

#include <time.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/fit/losses.hpp>
#include <electret/scene/read.hpp>

namespace electret::bench {
namespace {

double processor_seconds() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

/// Milliseconds of processor time of one of `count` calls, the least of `repeats` times all of them.
double least_ms(int repeats, int count, const std::function<void()>& call) {
  double least = 1e300;
  for (int k = 0; k < repeats; ++k) {
    const double start = processor_seconds();
    for (int c = 0; c < count; ++c) call();
    least = std::min(least, 1e3 * (processor_seconds() - start) / count);
  }
  return least;
}

ExplicitForce& water_of(const System& system) {
  for (const auto& force : system.forces)
    if (force->name() == "hydrodynamics") return *force;
  throw std::invalid_argument("the scene has no [[hydrodynamics]]");
}

}  // namespace

void print_water_share(const std::string& scene, const std::vector<std::string>& overrides, int repeats) {
  const Assembly assembly = load_scene(scene, overrides);
  Simulator simulator(compile(assembly, 1));
  const auto loss = final_position_loss(assembly.rest_positions);
  const auto steps = static_cast<double>(assembly.scene.time.steps);
  const double forward = least_ms(repeats, 1, [&] { loss_of_run(simulator, *loss); }) / steps;
  GradientOptions options;
  options.memory = 1e18;  // All states: nothing is run twice.
  const double both = least_ms(repeats, 1, [&] { loss_and_gradient(simulator, *loss, options); }) / steps;

  loss_of_run(simulator, *loss);
  ExplicitForce& water = water_of(simulator.system());
  const State& state = simulator.state();
  const ForcePoint at{state.positions, state.velocities, assembly.masses, simulator.inputs()};
  VectorArray f(state.positions.size()), by_x(f.size()), by_v(f.size());
  std::vector<std::vector<double>> numbers;
  for (const ForceParameter& parameter : water.parameters()) numbers.emplace_back(parameter.size);
  const std::vector<ScalarSpan> spans(numbers.begin(), numbers.end());
  const double force = least_ms(10 * repeats, 20, [&] { water.add_force(at, f); });
  const double products = least_ms(10 * repeats, 20, [&] {
    water.add_products(at, state.velocities, {by_x, by_v, {}, spans});
  });
  std::printf(
      "| method | vertices | steps | ms a step | water's force once, ms | of the step | ms a step back | "
      "water's "
      "products once, ms | of the step back |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
      "| %s | %zu | %.0f | %.3f | %.4f | %.2f %% | %.3f | %.4f | %.2f %% |\n",
      assembly.scene.integrator.method.c_str(), f.size(), steps, forward, force, 100.0 * force / forward,
      both - forward, products, 100.0 * products / (both - forward));
}

}  // namespace electret::bench
