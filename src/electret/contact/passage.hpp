#pragma once
/// \file
/// Whether a vertex goes through a rigid shape within a step.

#include <optional>

#include <electret/geometry/placement.hpp>

namespace electret {

/// A way through a shape.
struct WayThrough {
  bool is_to_other_side = false;  ///< In on one side and out on the opposite one.
  double depth = 0.0;             ///< How deep in the shape the trace was, m.
};

/// Whether and how a vertex that moves evenly from `from` to `to` (m), while the surface moves evenly from
/// `before` to `after`, goes through the shape as seen from it: deeper than four times `thickness` (m, > 0),
/// or in on one side and out on the opposite one. A way round an edge of the thick shape, of which both ends
/// are known alone, may cut the edge of the shape. `before` and `after` are of one shape. The way is traced
/// by spheres.
[[nodiscard]] std::optional<WayThrough> way_through(const PlacedSurface& before, const PlacedSurface& after,
                                                    const Vec3& from, const Vec3& to, double thickness);

/// The same of a shape without a thickness, on whose surface vertices rest and slide, for ways with both ends
/// outside: if a way cuts the shape and the normals at its ends are more than 120 degrees apart. Ways round
/// edges and ridges have less. A way that ends in the shape, or begins there, is none. Nor are ways shorter
/// than a thousandth of the shape's `size` (m): they cost nothing so, and few shapes are as thin.
[[nodiscard]] std::optional<WayThrough> way_through_thin(const PlacedSurface& before,
                                                         const PlacedSurface& after, const Vec3& from,
                                                         const Vec3& to, double size);

/// A thickness (m) with which a way of the length `way` (m) does not go through: `way` itself, or less where
/// it cuts an edge.
[[nodiscard]] double sufficient_thickness(const WayThrough& through, double way);

}  // namespace electret
