#pragma once
/// \file
/// What a run's gradient by all parameters costs, forward and back.

#include <electret/scene/assembly.hpp>

namespace electret::bench {

struct GradientMeasured {
  double forward_ms = 0.0, backward_ms = 0.0;  ///< Means over all steps, the first included.
  double forward_processor_ms = 0.0, backward_processor_ms = 0.0;  ///< Of all threads.
  double iterations = 0.0;                                         ///< Of conjugate gradients, a step back,
  double worst_residual = 0.0;  ///< and their largest ‖Hz - b‖/‖b‖.
  double peak_megabytes = 0.0;
};

/// imex to `tolerance` over the scene's steps, and the gradient of w·x of the last state, w random; by rest
/// positions too where asked.
GradientMeasured measure_gradient(Assembly assembly, double tolerance, int threads, bool by_rest_positions);

}  // namespace electret::bench
