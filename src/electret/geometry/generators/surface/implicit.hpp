#pragma once
/// \file
/// Solids said by a function: negative inside, positive outside, roughly the distance from the surface.

#include <functional>
#include <vector>

#include <electret/geometry/measure.hpp>

namespace electret::surface {

struct ImplicitSurface {
  std::function<double(const Vec3&)> distance;  ///< m; its zero set is one closed surface inside `box`.
  BoundingBox box;                              ///< Holds the surface with room to spare.
  double detail = 0.0;                          ///< m; the size of the smallest feature.

  /// A point and the surface's direction there.
  struct Placed {
    Vec3 point;
    Vec3 normal;  ///< Unit, outward.
  };
  /// One Newton step from `point` towards the surface, with the normal where it started.
  [[nodiscard]] Placed nearer(const Vec3& point) const;
  /// The point moved onto the surface, to `tolerance` (m).
  [[nodiscard]] Vec3 projected(Vec3 point, double tolerance) const;
};

/// An ellipsoid in any direction: `axes.rows[k]` is the unit vector of `radii[k]`.
struct Ellipsoid {
  Vec3 centre;
  Vec3 radii;
  Mat3 axes = Mat3::identity();

  /// This one with no radius under `least`.
  [[nodiscard]] Ellipsoid at_least(double least) const;

  /// The distance to first order: exact on the surface, with gradient of length 1 there.
  [[nodiscard]] double distance(const Vec3& point) const;
};

/// Axes turned by `pitch` (radians) about y, from z towards x, then by `roll` about x, from z towards y.
Mat3 turned(double pitch, double roll);

/// The smaller of two distances, rounded where they differ by less than `radius`.
double blended(double a, double b, double radius);

/// Ellipsoids blended one after the other, each with its own radius.
struct Part {
  Ellipsoid ellipsoid;
  double blend = 0.0;
};
double distance(const std::vector<Part>& parts, const Vec3& point);

/// `parts` with no radius under `least` and no blend under 1.2 times that: as thick as coarse triangles need.
std::vector<Part> thickened(std::vector<Part> parts, double least);

/// The side of equilateral triangles, two a vertex, that cover `area`.
double even_edge(double area, Count vertices);

/// A closed triangulation, outward, of all of the surface: tetrahedra of a grid of cells of size `cell` cut
/// at distance 0. Edges as short as they come.
Mesh marched(const ImplicitSurface& surface, double cell);

/// A closed triangulation with exactly `vertices` vertices spread evenly over the surface, which is in one
/// piece without holes. More than 25 000 vertices are refined from fewer (refined.hpp).
Mesh meshed(const ImplicitSurface& surface, Count vertices);

}  // namespace electret::surface
