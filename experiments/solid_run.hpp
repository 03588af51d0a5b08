#pragma once
/// \file
/// A run of a solid body with its gradient, timed: what it took forward and back, and how exact it was.

#include <string>

#include <electret/adjoint/gradient.hpp>

#include "motion.hpp"

namespace electret::experiments {

/// How a run is solved. `solver`: one of `elastic_solvers`, or `newton_baseline`.
struct SolidMethod {
  std::string solver = "auto";
  double tolerance = 1e-4;
  int threads = 1;
};

struct SolidRun {
  double forward = 0.0, backward = 0.0;  ///< s, of all steps; the first makes what the others use.
  double forward_processor = 0.0, backward_processor = 0.0;  ///< The same in processor time of all threads.
  double loss = 0.0;
  AssemblyGradient gradient;
  GradientReport report;
  double gradient_norm = 0.0;         ///< Largest ‖∇g‖/h² that a step ended with, N.
  double newton = 0.0, linear = 0.0;  ///< Iterations a frame: of the solver, and of conjugate gradients.
  Count capped = 0;                   ///< Steps that missed their tolerance.
  double peak_megabytes = 0.0;  ///< Of the process's memory while it ran; 0 where the system does not say.
  VectorArray last_positions;   ///< n×3, m.
};

/// Begins the count of the process's peak of memory anew, where the system can.
void forget_peak();
/// The peak since then, MB; 0 where the system does not say.
[[nodiscard]] double peak_megabytes();

/// Processor time of the process so far, of all threads, s.
[[nodiscard]] double processor_time();

/// `assembly`'s run by `method`, and the gradient of `loss` by everything but rest positions; the least times
/// of `repeats`. Throws Cancelled.
[[nodiscard]] SolidRun timed_run(const Context& context, Assembly assembly, const SolidMethod& method,
                                 Loss& loss, int repeats);

/// The run alone, without a gradient.
[[nodiscard]] SolidRun timed_forward_run(const Context& context, Assembly assembly, const SolidMethod& method,
                                         int repeats);

/// The positions after each of `frames` (ascending).
[[nodiscard]] std::vector<VectorArray> positions_at(const Context& context, const SceneSource& scene,
                                                    const std::vector<Count>& frames);
[[nodiscard]] std::vector<VectorArray> positions_at(const Context& context, const Assembly& assembly,
                                                    const std::vector<Count>& frames);

}  // namespace electret::experiments
