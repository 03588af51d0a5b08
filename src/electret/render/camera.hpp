#pragma once
/// \file
/// The viewpoint of a picture: a pinhole camera, and the one that frames given points.

#include <limits>

#include <electret/core/types.hpp>

namespace electret {

struct Camera {
  Vec3 eye{0.0, -1.0, 0.0};  ///< m.
  Vec3 target{};             ///< m; the picture's middle.
  Vec3 up{0.0, 0.0, 1.0};    ///< The direction that is upwards in the picture, as far as the view allows.
  /// The angle between the picture's lower and upper edge, degrees, in (0, 180).
  double field_of_view = 30.0;
};

/// A camera's axes, which are orthogonal unit vectors.
struct CameraAxes {
  Vec3 right, up, backward;  ///< `backward` points from the target to the eye.
};
/// The axes of `camera`. If the view is along `up`, any direction at right angles to it is taken as upwards.
[[nodiscard]] CameraAxes axes(const Camera& camera);

/// The side from which a picture is taken.
struct ViewDirection {
  double azimuth = 30.0;    ///< The viewer's angle about `up` away from the front, degrees.
  double elevation = 18.0;  ///< The angle from which the viewer looks down, degrees, in [-90, 90].
};

/// Finds the nearest camera that looks in a given direction and holds all points added.
///
/// \code
///   electret::Framing framing({0, 0, 1}, {.azimuth = 30}, 16.0 / 9.0);
///   for (const auto& positions : frames) framing.add(positions);
///   electret::Camera camera = framing.camera();
/// \endcode
class Framing {
 public:
  /// `shape` is the picture's width over its height. No point comes nearer to an edge than `margin` times the
  /// width or height. The front is the direction at right angles to `up` that is nearest to -y. If `up` is
  /// more than 60° from ±z, it is the one nearest to +z.
  Framing(const Vec3& up, const ViewDirection& direction, double shape, double margin = 0.08);

  void add(const Vec3& x, double radius = 0.0);  ///< m; a point that is not finite is left out.
  void add(VectorView points);
  /// The camera that frames the points. Without points it is 1 m from the origin.
  [[nodiscard]] Camera camera() const;
  /// The approximate width over height of what is seen; 1 without points.
  [[nodiscard]] double shape() const;

 private:
  /// The lowest and highest a ± c·slope over the points, where a is the coordinate sideways and c that
  /// towards the viewer. An eye at a = (low + high)/2 and c = (high - low)/(2·slope) just holds all points
  /// between the two lines of slope ±slope through it.
  struct Wedge {
    double slope = 1.0, low, high;
    double left = std::numeric_limits<double>::infinity(), right = -left;  ///< Of the points and their radii.
    void add(double sideways, double towards, double radius);
    [[nodiscard]] double middle() const { return 0.5 * (low + high); }
    [[nodiscard]] double distance() const { return 0.5 * (high - low) / slope; }
    /// What the lines are apart at the coordinate `towards`, as far as the points need.
    [[nodiscard]] double width(double towards) const { return high - low - 2.0 * towards * slope; }
    [[nodiscard]] double size() const { return right - left; }
  };

  Camera camera_;
  CameraAxes view_;
  Wedge across_, along_;
  double nearest_, farthest_;
};

}  // namespace electret
