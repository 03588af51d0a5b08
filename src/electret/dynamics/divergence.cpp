#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <electret/dynamics/divergence.hpp>
#include <electret/dynamics/stability.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

struct Diagnosis {
  Index vertex = -1;
  std::string cause, advice;
};

/// The warning is given only from here on, a little above the limit of 1, at which no run fails yet.
constexpr double charge_step_tolerated = 1.1;
/// h ω of the step that all messages advise. It is half the limit, which leaves room for charges that come
/// 1.6 times closer.
constexpr double charge_step_advised = 0.5;

/// The free vertex to name: among those that are not finite the one that was fastest before; if all are
/// finite, the one with the largest kinetic energy now.
Index worst_vertex(const FailedStep& step) {
  std::vector<char> pinned(step.failed.positions.size(), 0);
  for (const Index pin : step.system.fixed) pinned[static_cast<std::size_t>(pin)] = 1;
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

/// A force that is itself not finite at `state`, such as an expression outside its domain. The cause is empty
/// if there is none.
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
              "the force \"" + std::string(force->name()) + "\" is not finite at (" + brief_text(x.x) + ", " +
                  brief_text(x.y) + ", " + brief_text(x.z) + "), t = " + brief_text(inputs.time) + " s",
              "check that the scene defines it there"};
    }
  }
  return {};
}

/// A solid element without a finite energy at the last good state, which no step size mends. The cause is
/// empty if there is none.
Diagnosis inverted_element(const FailedStep& step) {
  for (const auto& energy : step.system.elastic) {
    if (!energy->is_solid() || !all_finite(step.last_good.positions)) continue;
    if (!std::isinf(energy->energy(step.last_good.positions))) continue;
    return {-1,
            "the step starts with an inverted element (" + std::string(energy->name()) +
                "), whose energy is infinite",
            "start from elements that are not inverted, or use the model \"stable_neo_hookean\""};
  }
  return {};
}

Diagnosis springs_too_stiff(const FailedStep& step, double frequency) {
  const double h = step.system.time_step, limit = step.integrator.stability_limit();
  const std::string name(step.integrator.name());
  Diagnosis found;
  if (limit > 0.0) {
    found.cause = "the " + elastic_parts(step.system) +
                  " are too stiff for the step: h ω = " + brief_text(h * frequency) + ", and " + name +
                  " needs h ω < " + brief_text(limit);
    found.advice = "use a step below " + brief_text(1.0 / frequency) + " s or method \"imex\"";
  } else {
    found.cause = name + " gains energy on " + elastic_parts(step.system) +
                  " at any step (h ω = " + brief_text(h * frequency) + ")";
    found.advice =
        "use method \"imex\", or \"verlet\" with a step below " + brief_text(1.0 / frequency) + " s";
  }
  return found;
}

/// Why `pair` moves too fast for the step, and what helps.
Diagnosis charges_too_close(const System& system, const ChargePair& pair) {
  const std::string both = "vertices " + std::to_string(pair.i) + " and " + std::to_string(pair.j);
  const double softening = system.assembly.scene.coulomb->softening;
  if (!std::isfinite(pair.frequency))
    return pair.distance == 0.0
               ? Diagnosis{pair.i, "the charges of " + both + " are at one point", "use softening"}
               : Diagnosis{pair.i, "the force between the charges of " + both + " is beyond float64",
                           "use smaller charges"};
  return {-1,
          "the time step is too large for the charges of " + both +
              ": h ω = " + brief_text(system.time_step * pair.frequency) + " at " +
              brief_text(pair.distance) + " m, should be below 1",
          "use a step below " + brief_text(advised_charge_step(pair)) + " s or " +
              (softening > 0.0 ? "more softening than " + brief_text(softening) + " m" : "softening")};
}

/// The obstacle whose push on a vertex at the failed state is stiffest for the step. The cause is empty if
/// none is too stiff.
Diagnosis obstacle_too_stiff(const FailedStep& step) {
  Diagnosis found;
  const System& system = step.system;
  double shortest = system.time_step;
  for (std::size_t o = 0; o < system.assembly.obstacles.size(); ++o) {
    const ObstacleTrack& track = system.assembly.obstacles[o];
    const Penalty penalty = track.penalty();
    for (const State* state : {&step.last_good, &step.failed}) {
      const Inputs& inputs = state == &step.failed ? step.inputs.end : step.inputs.start;
      const PlacedSurface surface(penalty.surface, inputs.placements[o]);
      for (std::size_t i = 0; i < state->positions.size(); ++i) {
        if (!is_finite(state->positions[i])) continue;
        const double depth = -surface.view(state->positions[i]).distance;
        if (depth <= 0.0) continue;
        const double longest = penalty.longest_step(depth, system.masses()[i]);
        if (!(longest < shortest)) continue;
        shortest = longest;
        found = {static_cast<Index>(i),
                 "the push of " + track.name + " on a vertex " + brief_text(depth) +
                     " m inside is too stiff for the step: h ω = " +
                     brief_text(2.0 * system.time_step / longest) + ", should be below 2",
                 "use a step below " + brief_text(longest) +
                     " s or a lower stiffness, and start bodies outside of obstacles"};
      }
    }
  }
  return found;
}

/// The longest step (s) at which a grab is stable on vertices that nothing else holds: h² ω² + 2 h g < 4,
/// with ω² = k Σ w²/m and g = c Σ w²/m.
double longest_step(const PlacedGrab& grab, ScalarView masses) {
  double mobility = 0.0;
  for (std::size_t k = 0; k < grab.vertices.size(); ++k)
    mobility += grab.weights[k] * grab.weights[k] / masses[static_cast<std::size_t>(grab.vertices[k])];
  const double k = grab.stiffness, c = grab.damping;
  if (k > 0.0) return (std::sqrt(c * c + 4.0 * k / mobility) - c) / k;
  return c > 0.0 ? 2.0 / (c * mobility) : std::numeric_limits<double>::infinity();
}

/// The grab that is stiffest for the step. The cause is empty if none is too stiff.
Diagnosis grab_too_stiff(const FailedStep& step) {
  Diagnosis found;
  double shortest = step.system.time_step;
  for (const Inputs* inputs : {&step.inputs.start, &step.inputs.end})
    for (std::size_t g = 0; g < inputs->grabs.size(); ++g) {
      const double longest = longest_step(inputs->grabs[g], step.system.masses());
      if (!(longest < shortest)) continue;
      shortest = longest;
      found = {inputs->grabs[g].vertices.front(),
               "grab " + std::to_string(g) + " is too stiff for the step, which should be below " +
                   brief_text(longest) + " s where nothing else holds its vertices",
               "use such a step, or a lower stiffness and damping"};
    }
  return found;
}

/// The springs or charges that the step does not resolve. The cause is empty if there are none.
Diagnosis unresolved(const FailedStep& step) {
  const double h = step.system.time_step;
  const double limit = step.integrator.stability_limit();
  const double springs =
      std::isinf(limit) ? 0.0 : spring_frequency(step.system, step.system.assembly.initial_positions);
  const ChargePair pair =
      fastest_charge_pair(step.system, step.last_good.positions, step.inputs.start.charges);
  const bool springs_fail = springs > 0.0 && h * springs > limit;
  const bool charges_fail = h * pair.frequency > 1.0;
  if (springs_fail && !(charges_fail && pair.frequency > springs)) return springs_too_stiff(step, springs);
  if (charges_fail) return charges_too_close(step.system, pair);
  return {};
}

Diagnosis diagnosis(const FailedStep& step) {
  Diagnosis found = infinite_force(step.system, step.last_good, step.inputs.start);
  if (found.cause.empty()) found = infinite_force(step.system, step.failed, step.inputs.end);
  if (found.cause.empty()) found = inverted_element(step);
  if (found.cause.empty()) found = unresolved(step);
  if (found.cause.empty()) found = obstacle_too_stiff(step);
  if (found.cause.empty()) found = grab_too_stiff(step);
  if (!found.cause.empty()) return found;
  return {-1, "the step does not resolve the motion",
          "use a step below " + brief_text(0.5 * step.system.time_step) + " s"};
}

/// The vertices that gained the energy in an encounter. They are charged free vertices if there are charges.
Diagnosis fastest_vertices(const System& system, const State& state, ScalarView charges) {
  const bool charged = system.assembly.scene.coulomb.has_value();
  std::vector<std::pair<double, Index>> fastest;  // Kinetic energy and vertex; the first two by energy.
  for (Index i = 0; i < system.vertex_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if ((charged && charges[k] == 0.0) || std::binary_search(system.fixed.begin(), system.fixed.end(), i))
      continue;
    fastest.emplace_back(-system.masses()[k] * squared_norm(state.velocities[k]), i);
  }
  if (fastest.empty()) return {-1, "the step does not resolve the motion", "use a smaller step"};
  const auto named = std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(fastest.size()));
  std::partial_sort(fastest.begin(), fastest.begin() + named, fastest.end());
  const Index first = fastest.front().second;
  const std::string speed = brief_text(norm(state.velocities[static_cast<std::size_t>(first)])) +
                            " m/s for vertex " + std::to_string(first);
  if (!charged || named < 2)
    return {first, "the fastest motion now, " + speed + ", is not resolved", "use a smaller step"};
  const bool softened = system.assembly.scene.coulomb->softening > 0.0;
  return {first,
          "the charges of vertices " + std::to_string(first) + " and " + std::to_string(fastest[1].second) +
              ", the fastest now (" + speed + "), have met closer than the step resolves",
          std::string("use a smaller step or ") + (softened ? "more softening" : "softening")};
}

DivergenceError explained(const FailedStep& step, const std::string& what) {
  Diagnosis found;
  try {
    found = diagnosis(step);
  } catch (const DivergenceError& met) {
    // A force has no value at this place: two charges at one point, or a vertex on an external charge.
    found = {met.vertex(), met.cause(), met.advice()};
  }
  const Index vertex = found.vertex >= 0 ? found.vertex : worst_vertex(step);
  return {step.failed.step, vertex, what + ": " + found.cause, found.advice};
}

}  // namespace

DivergenceError not_finite(const FailedStep& step) {
  const bool finite = all_finite(step.failed.positions) && all_finite(step.failed.velocities);
  return explained(step, finite ? "the kinetic energy is not finite" : "the state is not finite");
}

DivergenceError solve_failed(const FailedStep& step) {
  return explained(step, "the implicit solve has met no finite energy");
}

DivergenceError beyond_energy_bound(const FailedStep& step, double total, double bound) {
  if (!std::isfinite(total)) return explained(step, "the total energy is not finite");
  if (!std::isfinite(bound)) return explained(step, "the total energy was not finite at the start");
  return explained(step, "the total energy, " + brief_text(total) + " J, is beyond its bound, " +
                             brief_text(bound) + " J");
}

std::string charge_step_warning(const System& system, VectorView positions, ScalarView charges) {
  return charge_step_warning(system, fastest_charge_pair(system, positions, charges));
}

std::string charge_step_warning(const System& system, const ChargePair& fastest) {
  if (!(system.time_step * fastest.frequency > charge_step_tolerated)) return {};
  const Diagnosis found = charges_too_close(system, fastest);
  return found.cause + "; " + found.advice;
}

double advised_charge_step(const ChargePair& pair) {
  return pair.frequency > 0.0 ? charge_step_advised / pair.frequency
                              : std::numeric_limits<double>::infinity();
}

ChargePair fastest_pair_of_run(const System& system) {
  return fastest_charge_pair(system, system.assembly.initial_positions, largest_charges(system));
}

std::string energy_jump_warning(System& system, const Integrator& integrator, const State& state,
                                const Inputs& inputs, double since, const EnergyJump& jump) {
  const StepInputs now{inputs, inputs, {}};
  Diagnosis found = unresolved({system, integrator, state, state, now});
  if (found.cause.empty()) found = fastest_vertices(system, state, inputs.charges);
  return "the energy has jumped from " + brief_text(jump.before) + " J to " + brief_text(jump.after) +
         " J between t = " + brief_text(since) + " s and " + brief_text(inputs.time) + " s, which " +
         std::string(integrator.name()) + " does not explain: " + found.cause + "; " + found.advice;
}

}  // namespace electret
