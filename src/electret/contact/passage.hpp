#pragma once
/// \file
/// Whether a vertex goes through a rigid shape within a step.

#include <electret/geometry/placement.hpp>

namespace electret {

/// Whether a vertex that moves evenly from `from` to `to` (m), while the surface moves evenly from `before`
/// to `after`, goes through the shape as seen from it: deeper than four times `thickness` (m, > 0), or in on
/// one side and out on the opposite one. A way round an edge of the thick shape, of which both ends are known
/// alone, may cut the edge of the shape. `before` and `after` are of one shape. The way is traced by spheres.
[[nodiscard]] bool goes_through(const PlacedSurface& before, const PlacedSurface& after, const Vec3& from,
                                const Vec3& to, double thickness);

}  // namespace electret
