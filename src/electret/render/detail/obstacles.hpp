#pragma once
/// \file
/// A scene's obstacles in a picture.

#include <optional>
#include <vector>

#include <electret/geometry/placement.hpp>
#include <electret/render/picture.hpp>
#include <electret/scene/assembly.hpp>

namespace electret::render {

/// Each shape is drawn as it says itself (ShapeDrawing): balls, solids, edges if bodies are inside, a level
/// plane as the ground and other planes as squares. Penalties let bodies penetrate a little. Obstacles are
/// therefore drawn `margin` below the deepest point that was added, so that they hide no body, but no size
/// shrinks by more than a tenth.
class DrawnObstacles {
 public:
  /// `time_step` is that of the run, s.
  DrawnObstacles(const std::vector<ObstacleTrack>& tracks, double time_step);

  /// Forgets all points.
  void clear();
  /// Adds a point of a body at `time` (s), m.
  void add(const Vec3& x, double time);
  /// The distance between what is drawn and the deepest point, m.
  void set_margin(double margin) { margin_ = margin; }

  /// Balls around the shapes that have an end, m.
  [[nodiscard]] std::vector<Ball> extents(double time) const;
  /// The highest level plane's height along `up`, m.
  [[nodiscard]] std::optional<double> ground(const Vec3& up, double time) const;

  /// What a picture shows: its middle (m), the size (m) of squares that stand for planes, and which way is
  /// up.
  struct Sight {
    Vec3 centre;
    double size = 0.0;
    Vec3 up;
  };
  /// Adds everything but level planes.
  void add_to(Picture& picture, const Sight& sight, double time) const;

 private:
  struct Drawn {
    ObstacleTrack track;
    double depth = 0.0;  ///< The depth of the deepest point in it, m.
  };
  /// A shape as drawn at one time, in the world. A plane goes through `origin`.
  struct Placed {
    ShapeDrawing shape;
    Vec3 origin;
  };
  [[nodiscard]] PlacedSurface surface_at(const Drawn& drawn, double time) const;
  [[nodiscard]] double lowered(const Drawn& drawn) const { return 1.1 * drawn.depth + margin_; }
  [[nodiscard]] Placed placed(const Drawn& drawn, double time) const;

  std::vector<Drawn> all_;
  double time_step_ = 0.0;  ///< s.
  double margin_ = 0.0;
};

}  // namespace electret::render
