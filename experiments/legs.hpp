#pragma once
/// \file
/// Bodies on four legs, whose front and back contract in turn: quadruped and cow ([DiffPD] §7.3).

#include <array>
#include <string>
#include <vector>

#include "walking.hpp"

namespace electret::experiments {

/// Cubes of the four muscles, by their numbers: front and back of the front legs, of the rear legs.
using LegMuscles = std::array<std::vector<std::size_t>, 4>;

/// A_f, A_b and w of a gait, with which the front legs' activations are a (1 ± A_f sin wt) of frame t, those
/// of the rear legs likewise with A_b.
[[nodiscard]] std::vector<GaitNumber> leg_numbers(const std::string& body, const Gait& lowest,
                                                  const Gait& highest);

/// The scene with the muscles' cubes.
[[nodiscard]] SceneSource with_leg_muscles(const SceneSource& scene, const LegMuscles& muscles);
/// The scene with a gait's constants.
[[nodiscard]] SceneSource with_leg_gait(const SceneSource& scene, const Gait& gait);

}  // namespace electret::experiments
