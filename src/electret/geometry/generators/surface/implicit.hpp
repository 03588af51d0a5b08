#pragma once
/// \file
/// Solids that a function describes: it is negative inside, positive outside, and roughly the distance from
/// the surface.

#include <functional>
#include <vector>

#include <electret/geometry/measure.hpp>

namespace electret::surface {

struct ImplicitSurface {
  std::function<double(const Vec3&)> distance;  ///< m; zero on one closed surface inside `box`.
  BoundingBox box;                              ///< Holds the surface, with room to spare.
  double detail = 0.0;                          ///< m; the size of the smallest feature.

  /// A point and the surface's direction there.
  struct Placed {
    Vec3 point;
    Vec3 normal;  ///< Unit, outward.
  };
  /// One Newton step from `point` towards the surface. The normal is that at `point`.
  [[nodiscard]] Placed nearer(const Vec3& point) const;
  /// The point moved onto the surface, with `tolerance` (m).
  [[nodiscard]] Vec3 projected(Vec3 point, double tolerance) const;
};

/// An ellipsoid in any direction: `axes.rows[k]` is the unit vector of `radii[k]`.
struct Ellipsoid {
  Vec3 centre;
  Vec3 radii;
  Mat3 axes = Mat3::identity();

  /// This ellipsoid, with every radius at least `least`.
  [[nodiscard]] Ellipsoid at_least(double least) const;

  /// The distance to first order. It is exact on the surface, and its gradient has length 1 there.
  [[nodiscard]] double distance(const Vec3& point) const;
};

/// Axes that are turned by `pitch` (radians) about y, from z towards x, and then by `roll` about x, from z
/// towards y.
Mat3 turned(double pitch, double roll);

/// The smaller of two distances, smoothed if they differ by less than `radius`.
double blended(double a, double b, double radius);

/// An ellipsoid and the radius by which it blends with the parts before it.
struct Part {
  Ellipsoid ellipsoid;
  double blend = 0.0;
};
double distance(const std::vector<Part>& parts, const Vec3& point);

/// `parts` with every radius at least `least` and every blend at least 1.2 times that: as thick as coarse
/// triangles need.
std::vector<Part> thickened(std::vector<Part> parts, double least);

/// The side of the equilateral triangles, two per vertex, that cover `area`.
double even_edge(double area, Count vertices);

/// A closed, outward triangulation of the whole surface: it cuts the tetrahedra of a grid with cells of size
/// `cell` at distance 0. Edges may be very short.
Mesh marched(const ImplicitSurface& surface, double cell);

/// A closed triangulation with exactly `vertices` vertices, spread evenly over the surface, which is in one
/// piece without holes. More than 25 000 vertices are refined from fewer (refined.hpp).
Mesh meshed(const ImplicitSurface& surface, Count vertices);

}  // namespace electret::surface
