#pragma once
/// \file
/// System: what solvers see, constant during a run. State: everything that changes during it.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <electret/contact/contact_set.hpp>
#include <electret/core/choice.hpp>
#include <electret/core/types.hpp>
#include <electret/dynamics/named_arrays.hpp>
#include <electret/dynamics/options.hpp>
#include <electret/dynamics/schedule.hpp>
#include <electret/elastic/elastic_energy.hpp>
#include <electret/field/options.hpp>
#include <electret/force/explicit_force.hpp>
#include <electret/linear/vertex_constraint.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

class BodyContacts;

/// Wall time (s) spent so far in parts of the steps and of the energies evaluated between them. For reports
/// only.
struct StepTimings {
  double field = 0.0;  ///< In Coulomb forces and potentials.
  /// In implicit solves, in the springs' forces of explicit methods, and in the springs' energies.
  double elastic = 0.0;
};

/// Where a parameter's numbers came from: consecutive numbers of `source` in the assembly, from the index
/// `first`.
struct ParameterSource {
  NumberId source;
  std::size_t first = 0;
};

/// A vertex that pins hold in one or two directions.
struct Roller {
  std::size_t pin = 0;          ///< Its row among the pins.
  Mat3 held;                    ///< P, the projector on the directions that are held.
  VertexConstraint constraint;  ///< V = W: an orthonormal basis of the directions that are free.
};

/// What `compile` does with a force whose coefficient is 0 (gravity, drag, spring damping, friction). If it
/// is left out, it costs nothing, but gradients report the derivative with respect to its coefficient as 0.
/// If it is kept, they contain the true derivative; the command's gradients, fits and Python do this.
/// Trajectories are the same.
enum class IdleForces { left_out, kept };

/// Flat arrays and the lists of energies and forces. Made by `compile`; shared by simulators, recorder and
/// adjoint. Only one simulator at a time may use a System, because its energies and forces own work buffers
/// and belong to one team of threads.
struct System {
  Assembly assembly;            ///< Positions, masses, springs, tracks, the scene itself.
  std::vector<Index> pins;      ///< Vertices that pins hold, wholly or in some directions, ascending.
  std::vector<Index> fixed;     ///< Those that are held in all directions.
  std::vector<Roller> rollers;  ///< The others.
  Schedule schedule;            ///< Evaluates key-frames into Inputs.
  std::vector<std::unique_ptr<ElasticEnergy>> elastic;
  /// Those of the scene, and after them a caller's own. The latter are shared with the systems of later
  /// changes.
  std::vector<std::shared_ptr<ExplicitForce>> forces;
  std::size_t scene_forces = 0;  ///< How many of the forces are the scene's.
  /// `elastic_sources[e][p]` is the source of parameter p of `elastic[e]`. `force_sources[f][p]` is that of
  /// parameter p of `forces[f]`. p counts only the parameters that the force holds itself, not inputs such as
  /// charges.
  std::vector<std::vector<ParameterSource>> elastic_sources, force_sources;
  /// Vertices and the obstacles that push them exactly; null without such obstacles.
  std::unique_ptr<ContactSet> contacts;
  /// `contact_sources[o]` are those of the parameters of the contacts' obstacle o: origin, the radius if it
  /// has one, and the friction of each kind of vertices.
  std::vector<std::vector<ParameterSource>> contact_sources;
  std::shared_ptr<Threads> threads;
  /// Bodies that touch each other or themselves; null if none may. `threads` outlives it.
  std::shared_ptr<BodyContacts> body_contacts;
  /// Of each of its kinds of friction.
  std::vector<ParameterSource> body_friction_sources;
  IdleForces idle = IdleForces::left_out;
  double time_step = 0.0;  ///< h, s.
  Choice field_choice;     ///< The field solver and why; empty without Coulomb forces.
  Choice field_device;     ///< Where it runs and why; empty without Coulomb forces.
  StepTimings timings;     ///< The integrators and `energies` add to it.

  [[nodiscard]] Index vertex_count() const { return static_cast<Index>(assembly.masses.size()); }
  [[nodiscard]] ScalarView masses() const { return assembly.masses; }
  /// t_n, s: n·h, or, after changes of h, TimeOptions::at. `fraction` of the step from there on is added.
  [[nodiscard]] double time(Count step, double fraction = 0.0) const {
    return assembly.scene.time.at(step, fraction);
  }
};

/// What a method keeps from step to step, such as a lagged preconditioner or earlier positions. The method
/// declares its arrays (Integrator::memory_layout). Empty for the explicit methods.
struct MethodMemory : NamedArrays {};

/// Everything that changes during a run. A checkpoint is exactly this and the recorder's running sums.
struct State {
  Count step = 0;
  VectorArray positions;   ///< n×3, m.
  VectorArray velocities;  ///< n×3, m/s.
  MethodMemory memory;
};

/// Builds the energies, forces, pins and schedule of `assembly` for `threads` threads (0: all). Throws
/// InputError for what this version lacks, DivergenceError if an element is inverted at rest, and
/// std::invalid_argument for arrays that do not fit, and numbers that are not allowed
/// (scene/check_assembly.hpp).
std::unique_ptr<System> compile(Assembly assembly, int threads = 0, IdleForces idle = IdleForces::left_out);

/// Builds the same of an assembly that takes the place of that of `before` in the midst of a motion, when
/// vertices are at `positions`: for the same threads, with the same idle forces kept. Where vertices are is
/// looked at in place of where they started. Forces that a caller added to `before` are added here, too.
/// Throws the same.
std::unique_ptr<System> recompile(Assembly assembly, const System& before, VectorView positions);

/// The state at step 0: initial positions and initial velocities. The velocity of a pin is 0 if it does not
/// move, else (p(h) - p(0))/h.
State initial_state(const System& system);

}  // namespace electret
