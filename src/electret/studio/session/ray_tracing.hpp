#pragma once
/// \file
/// A ray-traced picture of a moment, as `electret render` makes them.

#include <functional>
#include <string>

#include <electret/core/control.hpp>
#include <electret/render/picture_moment.hpp>
#include <electret/studio/session/commands.hpp>

namespace electret::studio {

/// The PNG picture that `wish` asks for. Throws InputError if the bodies or the camera are out of range, and
/// as `trace`.
[[nodiscard]] std::string ray_traced(PictureMoment moment, const RayTrace& wish, int threads,
                                     const Control& control);

}  // namespace electret::studio
