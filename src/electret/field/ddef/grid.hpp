#pragma once
/// \file
/// The grid points of `ddef`: the box of charges and targets, Halton's sequence in it, and its corners.

#include <electret/core/types.hpp>

namespace electret::ddef {

/// An axis-aligned box in the solver's scaled coordinates. The unit cube is mapped to it: low + ξ·size.
struct Box {
  Vec3 low;
  Vec3 size{1, 1, 1};

  [[nodiscard]] Vec3 point(const Vec3& unit) const {
    return {low.x + unit.x * size.x, low.y + unit.y * size.y, low.z + unit.z * size.z};
  }
  [[nodiscard]] Vec3 unit(const Vec3& point) const {
    return {(point.x - low.x) / size.x, (point.y - low.y) / size.y, (point.z - low.z) / size.z};
  }
};

/// The bounding box of the points, whose coordinates are multiplied by `scale`. It is grown on all sides by
/// 1e-3 of its longest side (by 1 m if that is 0), and at least by a few units in the last place, so that no
/// point lies on its surface.
Box bounding_box(VectorView sources, VectorView targets, double scale);

/// The sides of a box relative to the longest, rounded to powers of 2^-1/4. The tessellation depends only on
/// these and on the number of grid points. Neighbouring steps differ by 19 %, so rounding a box to them
/// changes the shape of a tetrahedron by at most 9 % compared with the Delaunay tessellation of the box
/// itself.
struct Aspect {
  int steps[3] = {0, 0, 0};  ///< 2^(-steps/4); 0 for the longest.
  [[nodiscard]] Vec3 sides() const;
  friend bool operator==(const Aspect&, const Aspect&) = default;
};
Aspect aspect_of(const Box& box);

/// Point `index` ≥ 1 of Halton's sequence with bases 2, 3 and 5, in the unit cube.
Vec3 halton_point(Count index);

/// Halton points 1 … m and the cube's 8 corners, in the unit cube.
VectorArray unit_grid(Count grid_points);

}  // namespace electret::ddef
