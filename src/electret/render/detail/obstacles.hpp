#pragma once
/// \file
/// A scene's obstacles in a picture.

#include <optional>
#include <vector>

#include <electret/render/picture.hpp>
#include <electret/scene/assembly.hpp>

namespace electret::render {

/// Spheres are drawn as balls, a level plane as the ground, other planes as squares. Penalties let bodies
/// penetrate a little. Obstacles are therefore drawn `margin` below the deepest point that was added, so that
/// they hide no body; a sphere shrinks by at most a tenth of its radius.
class DrawnObstacles {
 public:
  explicit DrawnObstacles(const std::vector<ObstacleTrack>& tracks);

  /// Forgets all points.
  void clear();
  /// Adds a point of a body, m.
  void add(const Vec3& x);
  /// The distance between what is drawn and the deepest point, m.
  void set_margin(double margin) { margin_ = margin; }

  /// The spheres, m.
  [[nodiscard]] std::vector<Ball> balls() const;
  /// The highest level plane's height along `up`, m.
  [[nodiscard]] std::optional<double> ground(const Vec3& up) const;
  /// Planes that are not level, as squares of side `size` about the foot of `centre`.
  void add_slopes(const Vec3& centre, double size, const Vec3& up, Picture& picture) const;

 private:
  struct Drawn {
    RigidSurface surface;
    double depth = 0.0;  ///< The depth of the deepest point in it, m.
  };
  [[nodiscard]] double lowered(const Drawn& drawn) const { return 1.1 * drawn.depth + margin_; }

  std::vector<Drawn> all_;
  double margin_ = 0.0;
};

}  // namespace electret::render
