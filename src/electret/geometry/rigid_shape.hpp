#pragma once
/// \file
/// Rigid shapes as signed distances. Obstacles are made of them.

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// A surface as seen from a point x.
struct SurfaceView {
  double distance = 0.0;  ///< φ(x), m; negative inside.
  Vec3 normal;       ///< n = ∇φ, a unit vector; 0 where the nearest point is not unique in all directions.
  Mat3 curvature{};  ///< K = ∇∇φ = ∇n, 1/m; symmetric, and K n = 0.
};

/// What pictures show of a shape, about its own origin. A shape has one of the first three; lines are the
/// edges of a shape through which one has to look.
struct ShapeDrawing {
  std::optional<Vec3> plane;               ///< A half space: its normal.
  std::optional<double> ball;              ///< A ball: its radius, m.
  VectorArray vertices;                    ///< A solid, m.
  std::vector<Triangle> faces;             ///< Its triangles, seen anticlockwise from outside.
  std::vector<std::array<Vec3, 2>> lines;  ///< m.
};

/// How a rigid body moves at a moment, in its own axes: its point x moves by velocity + turning × x.
struct RigidMotion {
  Vec3 velocity;  ///< Of its origin, m/s.
  Vec3 turning;   ///< rad/s.

  [[nodiscard]] Vec3 at(const Vec3& x) const { return velocity + cross(turning, x); }
};

/// A rigid body that does not move, about its own origin. `view` is the analytic signed distance to the
/// nearest feature: on a face K = 0, at a straight edge of direction t K = (I - nnᵀ - ttᵀ)/φ, at a vertex K =
/// (I - nnᵀ)/φ. Calls from several threads at once are safe.
class RigidShape {
 public:
  virtual ~RigidShape() = default;

  /// The surface as seen from `x` (m).
  [[nodiscard]] virtual SurfaceView view(const Vec3& x) const = 0;
  /// The sides of which the shape is the common part, as seen from `x`, nearest first: three of a box, one of
  /// a ball. Returns how many. A point inside, to which the shape is a room, may touch all of them.
  virtual int sides(const Vec3& x, std::span<SurfaceView, 3> out) const {
    out[0] = view(x);
    return 1;
  }
  /// The walls that a point next to the shape may touch, as seen from `x`, nearest first. The first is
  /// `view`. Returns how many.
  virtual int walls(const Vec3& x, std::span<SurfaceView, 3> out) const {
    out[0] = view(x);
    return 1;
  }
  /// Whether there may be more than one wall.
  [[nodiscard]] virtual bool has_corners() const { return false; }
  /// False only if `x` (m) is certainly outside; cheaper than a view where views are dear.
  [[nodiscard]] virtual bool may_hold(const Vec3& /*x*/) const { return true; }
  /// A lower bound of the distance, m; cheaper than a view where views are dear.
  [[nodiscard]] virtual double least_distance(const Vec3& /*x*/) const {
    return -std::numeric_limits<double>::infinity();
  }
  /// The radius (m) of shapes that have one.
  [[nodiscard]] virtual std::optional<double> radius() const { return std::nullopt; }
  /// The same shape with another radius (m, > 0). Null for shapes without one.
  [[nodiscard]] virtual std::shared_ptr<const RigidShape> of_radius(double /*radius*/) const { return {}; }
  /// How the nearest point moves as the radius grows: w, m per m. The radius r changes the view by ∂φ/∂r =
  /// -n·w and ∂n/∂r = -K w. 0 for shapes without a radius.
  [[nodiscard]] virtual Vec3 growth(const Vec3& /*x*/) const { return {}; }
  /// The shape drawn `by` (m) below its surface, so that it hides nothing that has penetrated so far.
  [[nodiscard]] virtual ShapeDrawing drawing(double by) const = 0;
  /// A bound of the speed of the surface along its normals, m/s: a ball that turns about its origin has none.
  /// Edges and corners have the normals of all points next to them. Of shapes without an end the points
  /// `within` (m) of the origin count.
  [[nodiscard]] virtual double normal_speed(const RigidMotion& motion, double within) const = 0;
  /// A distance from the origin within which the shape is; infinite for shapes without an end, m.
  [[nodiscard]] virtual double reach() const = 0;
};

/// A shape at a place.
struct RigidSurface {
  std::shared_ptr<const RigidShape> shape;
  Vec3 origin;  ///< Where the shape's origin is, m.
};

inline SurfaceView view(const RigidSurface& surface, const Vec3& x) {
  return surface.shape->view(x - surface.origin);
}

}  // namespace electret
