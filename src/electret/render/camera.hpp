#pragma once
/// \file
/// From where a picture is seen: a pinhole camera, and the one that frames given points.

#include <electret/core/types.hpp>

namespace electret {

struct Camera {
  Vec3 eye{0.0, -1.0, 0.0};     ///< m.
  Vec3 target{};                ///< m; the picture's middle.
  Vec3 up{0.0, 0.0, 1.0};       ///< What is upwards in the picture, as far as the view allows.
  double field_of_view = 30.0;  ///< Degrees between the picture's lower and upper edge, in (0, 180).
};

/// A camera's axes, unit vectors at right angles.
struct CameraAxes {
  Vec3 right, up, backward;  ///< `backward` points from the target to the eye.
};
/// Where the view runs along `up`, any right angle to it serves.
[[nodiscard]] CameraAxes axes(const Camera& camera);

/// From which side a picture is taken.
struct ViewDirection {
  double azimuth = 30.0;    ///< Degrees about `up` that the viewer stands away from the front.
  double elevation = 18.0;  ///< Degrees that the viewer looks down from, in [-90, 90].
};

/// Finds the nearest camera of a direction that holds all points it was given.
///
/// \code
///   electret::Framing framing({0, 0, 1}, {.azimuth = 30}, 16.0 / 9.0);
///   for (const auto& positions : frames) framing.add(positions);
///   electret::Camera camera = framing.camera();
/// \endcode
class Framing {
 public:
  /// `shape`: the picture's width over its height; no point comes nearer to an edge than `margin` times the
  /// width or height. The front is -y where `up` is z, else +z, as far as it is level.
  Framing(const Vec3& up, const ViewDirection& direction, double shape, double margin = 0.08);

  void add(const Vec3& x, double radius = 0.0);  ///< m. What is not finite is left out.
  void add(VectorView points);
  /// Of no points: 1 m from the origin.
  [[nodiscard]] Camera camera() const;
  /// Width over height of what is seen, about; 1 of no points.
  [[nodiscard]] double shape() const;

 private:
  /// The lowest and highest a ± c·slope over the points, where a is sideways and c towards the viewer: an eye
  /// at (low + high)/2 and (high - low)/(2·slope) just holds them between the lines of slope ± through it.
  struct Wedge {
    double slope = 1.0, low, high;
    void add(double sideways, double towards, double radius);
    [[nodiscard]] double middle() const { return 0.5 * (low + high); }
    [[nodiscard]] double distance() const { return 0.5 * (high - low) / slope; }
  };

  Camera camera_;
  CameraAxes view_;
  Wedge across_, along_;
  double nearest_, farthest_;
};

}  // namespace electret
