#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <electret/dynamics/divergence.hpp>
#include <electret/dynamics/stability.hpp>

namespace electret {
namespace {

struct Diagnosis {
  Index vertex = -1;
  std::string cause, advice;
};

/// Three significant digits.
std::string brief(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// The free vertex to name: of those not finite the one that was fastest before, else the one with the
/// largest kinetic energy now.
Index worst_vertex(const FailedStep& step) {
  std::vector<char> pinned(step.failed.positions.size(), 0);
  for (const Index pin : step.system.pins) pinned[static_cast<std::size_t>(pin)] = 1;
  Index worst = -1;
  bool worst_finite = true;
  double worst_size = -1.0;
  for (std::size_t i = 0; i < pinned.size(); ++i) {
    if (pinned[i] != 0) continue;
    const bool finite = is_finite(step.failed.positions[i]) && is_finite(step.failed.velocities[i]);
    if (finite && !worst_finite) continue;
    const double size = finite ? step.system.masses()[i] * squared_norm(step.failed.velocities[i])
                               : squared_norm(step.last_good.velocities[i]);
    if (finite == worst_finite && !(size > worst_size)) continue;
    worst = static_cast<Index>(i);
    worst_finite = finite;
    worst_size = size;
  }
  return worst;
}

bool all_finite(VectorView a) {
  return std::all_of(a.begin(), a.end(), [](const Vec3& entry) { return is_finite(entry); });
}

/// A force that is itself not finite at `state`, e.g. an expression outside its domain; empty cause: none.
Diagnosis infinite_force(System& system, const State& state, const Inputs& inputs) {
  if (!all_finite(state.positions)) return {};
  VectorArray f(state.positions.size());
  for (auto& force : system.forces) {
    if (force->dependence() == Dependence::velocity && !all_finite(state.velocities)) continue;
    std::fill(f.begin(), f.end(), Vec3{});
    force->add_force({state.positions, state.velocities, system.masses(), inputs}, f);
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (is_finite(f[i])) continue;
      const Vec3& x = state.positions[i];
      return {static_cast<Index>(i),
              "the force \"" + std::string(force->name()) + "\" is not finite at (" + brief(x.x) + ", " +
                  brief(x.y) + ", " + brief(x.z) + "), t = " + brief(inputs.time) + " s",
              "check what the scene says of it there"};
    }
  }
  return {};
}

Diagnosis springs_too_stiff(const FailedStep& step, double frequency) {
  const double h = step.system.time_step, limit = step.integrator.stability_limit();
  const std::string name(step.integrator.name());
  Diagnosis found;
  if (limit > 0.0) {
    found.cause = "the springs are too stiff for the step: h ω = " + brief(h * frequency) + ", and " + name +
                  " needs h ω < " + brief(limit);
    found.advice = "use a step below " + brief(1.0 / frequency) + " s or method \"imex\"";
  } else {
    found.cause = name + " gains energy on springs at any step (h ω = " + brief(h * frequency) + ")";
    found.advice = "use method \"imex\", or \"verlet\" with a step below " + brief(1.0 / frequency) + " s";
  }
  return found;
}

Diagnosis charges_too_close(const FailedStep& step, const ChargePair& pair) {
  return {-1,
          "the charge step is too large near vertices " + std::to_string(pair.i) + " and " +
              std::to_string(pair.j) + ": h ω = " + brief(step.system.time_step * pair.frequency) + " at " +
              brief(pair.distance) + " m, where 1 is the limit",
          "use softening or a step below " + brief(0.5 / pair.frequency) + " s"};
}

Diagnosis diagnosis(const FailedStep& step) {
  Diagnosis found = infinite_force(step.system, step.last_good, step.inputs.start);
  if (found.cause.empty()) found = infinite_force(step.system, step.failed, step.inputs.end);
  if (!found.cause.empty()) return found;
  const double h = step.system.time_step;
  const double limit = step.integrator.stability_limit();
  const double springs =
      std::isinf(limit) ? 0.0 : spring_frequency(step.system, step.system.assembly.initial_positions);
  const ChargePair pair =
      fastest_charge_pair(step.system, step.last_good.positions, step.inputs.start.charges);
  const bool springs_fail = springs > 0.0 && h * springs > limit;
  const bool charges_fail = h * pair.frequency > 1.0;
  if (springs_fail && !(charges_fail && pair.frequency > springs)) return springs_too_stiff(step, springs);
  if (charges_fail) return charges_too_close(step, pair);
  return {-1, "the step does not resolve the motion", "use a step below " + brief(0.5 * h) + " s"};
}

DivergenceError explained(const FailedStep& step, const std::string& what) {
  Diagnosis found;
  try {
    found = diagnosis(step);
  } catch (const DivergenceError& met) {
    // A force refused the place itself: two charges at one point, a vertex on an external charge.
    found = {met.vertex(), met.cause(), met.advice()};
  }
  const Index vertex = found.vertex >= 0 ? found.vertex : worst_vertex(step);
  return {step.failed.step, vertex, what + ": " + found.cause, found.advice};
}

}  // namespace

DivergenceError not_finite(const FailedStep& step) {
  return explained(step, "the state is not finite");
}

DivergenceError beyond_energy_bound(const FailedStep& step, double total, double bound) {
  return explained(step,
                   "the total energy, " + brief(total) + " J, is beyond its bound, " + brief(bound) + " J");
}

std::string charge_step_warning(const System& system, VectorView positions, ScalarView charges) {
  const ChargePair pair = fastest_charge_pair(system, positions, charges);
  if (!(system.time_step * pair.frequency > 1.0)) return {};
  return "the charge step is too large near vertices " + std::to_string(pair.i) + " and " +
         std::to_string(pair.j) + " (h ω = " + brief(system.time_step * pair.frequency) + " at " +
         brief(pair.distance) + " m); use softening or a step below " + brief(1.0 / pair.frequency) + " s";
}

}  // namespace electret
