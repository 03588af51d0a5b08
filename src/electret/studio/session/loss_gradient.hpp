#pragma once
/// \file
/// The gradient of a loss of the scene as it stands, from its start to the play head, on a system of its own.

#include <string>
#include <vector>

#include <electret/core/control.hpp>
#include <electret/studio/session/events.hpp>
#include <electret/studio/session/scene_source.hpp>

namespace electret::studio {

struct GradientOrder {
  SceneSource source{};  ///< Its `[[change]]` tables do not count.
  std::string loss{};    ///< As `electret gradient` takes it: energy, centre_of_mass or final_position.
  double time = 0.0;     ///< Of the play head, s.
  int threads = 0;
};

struct SceneGradient {
  double loss = 0.0;
  Count steps = 0;
  /// n: ∂ℒ/∂q. A vertex that has the charge of a group has the mean of its group: what a charge that is added
  /// to all of its vertices at all times changes, per vertex.
  std::vector<double> by_charge{};
  VectorArray by_place{};  ///< n×3: ∂ℒ/∂(initial positions).
  std::vector<GradientRow> table{};
  std::string notice{};  ///< How exact it is, if that is to be said.
};

/// Throws InputError for findings of the scene and of the loss, DivergenceError, and Cancelled.
[[nodiscard]] SceneGradient gradient_of(const GradientOrder& order, const Control& control);

}  // namespace electret::studio
