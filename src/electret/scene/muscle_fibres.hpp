#pragma once
/// \file
/// The fibres of a muscle's elements at rest.

#include <optional>
#include <string>
#include <vector>

#include <electret/scene/body_parts.hpp>

namespace electret {

/// The unit vectors of the fibres of `elements`, in their order; nothing if there are findings. `key` is the
/// muscle's ("body.0.muscle.1").
std::optional<std::vector<Vec3>> muscle_fibres(BodyContext& context, const Muscle& muscle,
                                               const ElementSet& elements, const std::string& key);

}  // namespace electret
