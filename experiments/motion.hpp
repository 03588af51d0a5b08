#pragma once
/// \file
/// The motion of a scene, simulated in memory, and how far it is from a reference's.

#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>

#include "scene_source.hpp"

namespace electret::experiments {

/// When a motion is looked at, s; each time is that of the nearest whole step.
struct Sampling {
  double end = 0.0;
  double interval = 0.0;              ///< Of energies and shape, from 0 on.
  std::vector<double> pictures = {};  ///< Of positions.
};

/// What was seen. After a divergence the samples end, and the pictures are empty.
struct Motion {
  std::vector<double> time;      ///< s.
  std::vector<double> energy;    ///< Total, J.
  std::vector<double> gyration;  ///< Radius of gyration, m.
  std::vector<VectorArray> pictures;
  std::optional<double> failed_at;  ///< Time of the last state before it diverged, s.
  std::string failure;              ///< Why.
  Count steps = 0;                  ///< Made.
  Count elastic_iterations = 0;     ///< Of all steps.
  double seconds = 0.0;             ///< Wall time of the steps alone.
};

/// Steps from 0 to sampling.end. `part` and `share`: how much of the experiment is done before it, and how
/// much it is. Throws Cancelled.
[[nodiscard]] Motion simulate(const Context& context, const SceneSource& scene, const Sampling& sampling,
                              const std::string& what, double part, double share);

/// One sample of a state at time t.
void add_sample(Motion& motion, System& system, const State& state, const Inputs& inputs, double time);

/// |E - E_ref| / |E_ref| at each sample of `motion`. The reference has samples at all of its times.
[[nodiscard]] std::vector<double> energy_errors(const Motion& motion, const Motion& reference);
/// The same of the radius of gyration.
[[nodiscard]] std::vector<double> gyration_errors(const Motion& motion, const Motion& reference);

/// The largest; +∞ where the motion diverged.
[[nodiscard]] double largest_error(const Motion& motion, const std::vector<double>& errors);

/// The first time an error is above `limit`, else when the motion diverged, else none.
[[nodiscard]] std::optional<double> first_above(const Motion& motion, const std::vector<double>& errors,
                                                double limit);

/// "0.148", "diverges at 0.9 s".
[[nodiscard]] std::string error_text(const Motion& motion, const std::vector<double>& errors);

}  // namespace electret::experiments
