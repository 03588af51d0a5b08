#include "motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/core/stopwatch.hpp>
#include <electret/dynamics/energies.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/record/observables.hpp>

namespace electret::experiments {
namespace {

Count steps_until(double time, double step) {
  return std::llround(time / step);
}

/// |value - reference| / |reference|, each beside the reference's sample of the same time.
std::vector<double> relative(const Motion& motion, const std::vector<double>& values, const Motion& reference,
                             const std::vector<double>& reference_values) {
  std::vector<double> errors;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double wanted = motion.time[k] - 1e-6;
    const auto found = std::lower_bound(reference.time.begin(), reference.time.end(), wanted);
    require(found != reference.time.end() && *found < wanted + 2e-6, "the reference has all sampled times");
    const double beside = reference_values[static_cast<std::size_t>(found - reference.time.begin())];
    errors.push_back(std::abs(values[k] - beside) / std::abs(beside));
  }
  return errors;
}

/// Follows one simulation, and looks at it when it is time.
class Watcher {
 public:
  Watcher(Simulator& simulator, const Sampling& sampling)
      : simulator_(simulator), sampling_(sampling), step_(simulator.system().time_step) {
    motion_.pictures.resize(sampling.pictures.size());
  }

  void look() {
    const State& state = simulator_.state();
    const Count every = std::max<Count>(steps_until(sampling_.interval, step_), 1);
    if (state.step % every == 0)
      add_sample(motion_, simulator_.system(), state, simulator_.inputs(),
                 simulator_.system().time(state.step));
    for (std::size_t k = 0; k < sampling_.pictures.size(); ++k)
      if (state.step == steps_until(sampling_.pictures[k], step_)) motion_.pictures[k] = state.positions;
  }

  void step() {
    const Stopwatch watch(motion_.seconds);
    motion_.elastic_iterations += simulator_.step().elastic_iterations;
    ++motion_.steps;
  }

  Motion& motion() { return motion_; }

 private:
  Simulator& simulator_;
  const Sampling& sampling_;
  double step_;
  Motion motion_;
};

}  // namespace

void add_sample(Motion& motion, System& system, const State& state, const Inputs& inputs, double time) {
  motion.time.push_back(time);
  motion.energy.push_back(energies(system, state, inputs).total());
  motion.gyration.push_back(
      Observer()
          .observe(time, system.masses(), inputs.charges, state.positions, state.velocities)
          .radius_of_gyration);
}

Motion simulate(const Context& context, const SceneSource& scene, const Sampling& sampling,
                const std::string& what, double part, double share) {
  context.progress(what, part);
  Simulator simulator(compiled(context, scene));
  Watcher watcher(simulator, sampling);
  const double step = simulator.system().time_step;
  const Count last = steps_until(sampling.end, step);
  try {
    watcher.look();
    while (simulator.state().step < last) {
      watcher.step();
      watcher.look();
      context.progress(
          what, part + share * static_cast<double>(simulator.state().step) / static_cast<double>(last));
    }
  } catch (const DivergenceError& error) {
    watcher.motion().failed_at = simulator.system().time(simulator.state().step);
    watcher.motion().failure = error.cause();
  }
  return std::move(watcher.motion());
}

std::vector<double> energy_errors(const Motion& motion, const Motion& reference) {
  return relative(motion, motion.energy, reference, reference.energy);
}

std::vector<double> gyration_errors(const Motion& motion, const Motion& reference) {
  return relative(motion, motion.gyration, reference, reference.gyration);
}

double largest_error(const Motion& motion, const std::vector<double>& errors) {
  double largest = motion.failed_at ? std::numeric_limits<double>::infinity() : 0.0;
  for (const double error : errors) largest = std::isnan(error) ? largest : std::max(largest, error);
  return largest;
}

std::optional<double> first_above(const Motion& motion, const std::vector<double>& errors, double limit) {
  for (std::size_t k = 0; k < errors.size(); ++k)
    if (!(errors[k] <= limit)) return motion.time[k];
  return motion.failed_at;
}

std::string error_text(const Motion& motion, const std::vector<double>& errors) {
  if (motion.failed_at) return fmt::format("fails at {:.2g} s", *motion.failed_at);
  return fmt::format("{:.3g}", largest_error(motion, errors));
}

}  // namespace electret::experiments
