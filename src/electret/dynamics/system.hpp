#pragma once
/// \file
/// System: what solvers see, constant during a run. State: everything that changes.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/dynamics/options.hpp>
#include <electret/dynamics/schedule.hpp>
#include <electret/elastic/elastic_energy.hpp>
#include <electret/field/options.hpp>
#include <electret/force/explicit_force.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/assembly_gradient.hpp>

namespace electret {

/// Wall time spent in the parts of steps, and of energies asked for between them, so far, s; for reports
/// only.
struct StepTimings {
  double field = 0.0;    ///< Coulomb forces and potentials.
  double elastic = 0.0;  ///< Implicit solves; the springs' forces of explicit methods; the springs' energies.
};

/// Where the numbers of a parameter came from: `source`'s in the assembly, from number `first` on.
struct ParameterSource {
  NumberSource source;
  std::size_t first = 0;
};

/// Flat arrays and the lists of energies and forces. Made by `compile`; shared by simulators, recorder and
/// adjoint. The energies and forces own work buffers and belong to one team of threads: one simulator at a
/// time.
struct System {
  Assembly assembly;        ///< Positions, masses, springs, tracks, the scene itself.
  std::vector<Index> pins;  ///< Pinned vertices, ascending.
  Schedule schedule;        ///< Key-frames → Inputs.
  std::vector<std::unique_ptr<ElasticEnergy>> elastic;
  std::vector<std::unique_ptr<ExplicitForce>> forces;
  /// For each energy, for each of its parameters; for each force, for each parameter that is its own.
  std::vector<std::vector<ParameterSource>> elastic_sources, force_sources;
  std::shared_ptr<Threads> threads;
  double time_step = 0.0;    ///< h, s.
  std::string field_choice;  ///< Chosen field solver and why; empty without Coulomb.
  /// Chosen integrator and why, "NAME: why": empty unless the scene says "auto" and an integrator was made. A
  /// resumed run writes the one it started with.
  std::string integrator_choice;
  /// Chosen elastic solver and why: empty unless the scene says "auto" and an integrator made one.
  std::string elastic_choice;
  StepTimings timings;  ///< Added to by the integrators and `energies`.

  [[nodiscard]] Index vertex_count() const { return static_cast<Index>(assembly.masses.size()); }
  [[nodiscard]] ScalarView masses() const { return assembly.masses; }
  /// t_n = n·h.
  [[nodiscard]] double time(Count step) const { return static_cast<double>(step) * time_step; }
};

/// A method's own memory between steps (multirate's history, a lagged preconditioner): named arrays, so that
/// a checkpoint can store and restore them without knowing the method. Empty for imex and the explicit
/// methods.
struct MethodMemory {
  struct Array {
    std::string name;
    std::vector<double> values;
  };
  std::vector<Array> arrays;

  /// The values of that name; `count` zeros where there were none of that number.
  std::vector<double>& values(std::string_view name, std::size_t count);
  /// The values of that name; none where there are none.
  [[nodiscard]] std::span<const double> find(std::string_view name) const;
};

/// Everything that changes; a checkpoint is exactly this and the recorder's running sums.
struct State {
  Count step = 0;
  VectorArray positions;   ///< n×3, m.
  VectorArray velocities;  ///< n×3, m/s.
  MethodMemory memory;
};

/// What becomes of a force whose coefficient is 0: gravity, drag, spring damping. Left out it costs nothing.
/// Kept it has derivatives by its coefficient; trajectories are the same.
enum class IdleForces { left_out, kept };

/// Builds the energies, forces, pins and schedule of `assembly` for `threads` threads (0: all). Throws
/// InputError for what this version lacks, DivergenceError where an element is inverted at rest.
std::unique_ptr<System> compile(Assembly assembly, int threads = 0, IdleForces idle = IdleForces::left_out);

/// The state at step 0: initial positions; initial velocities, at pins 0 (unmoved) or (p(h) - p(0))/h.
State initial_state(const System& system);

}  // namespace electret
