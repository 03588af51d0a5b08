#pragma once
/// \file
/// A scene's obstacles in a picture.

#include <optional>
#include <vector>

#include <electret/render/picture.hpp>
#include <electret/scene/assembly.hpp>

namespace electret::render {

/// Spheres are balls, a plane that lies level is the ground, other planes are squares. Penalties let bodies
/// in a little: what is drawn keeps below the points that are told, by `margin`, so that no body is hidden.
class DrawnObstacles {
 public:
  explicit DrawnObstacles(const std::vector<ObstacleTrack>& tracks);

  /// Forgets all points.
  void clear();
  /// A point of a body.
  void add(const Vec3& x);
  /// m, between what is drawn and the deepest point.
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
    double depth = 0.0;  ///< m, of the deepest point in it.
  };
  [[nodiscard]] double lowered(const Drawn& drawn) const { return 1.1 * drawn.depth + margin_; }

  std::vector<Drawn> all_;
  double margin_ = 0.0;
};

}  // namespace electret::render
