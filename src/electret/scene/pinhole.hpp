#pragma once
/// \file
/// A pinhole camera: where a picture has a point, with all derivatives.

#include <electret/core/types.hpp>

namespace electret {

/// A camera, and how it differs from where it was thought to be. A point x (m) is at
///
///   X = Rz Ry Rx A x + translate - A position
///
/// as the camera sees it: X_x to the right, X_y up, X_z back. The picture has it at zoom f (X_x, X_y)/(-X_z),
/// px, from the picture's middle to the right and up.
struct Pinhole {
  Mat3 axes = Mat3::identity();  ///< A: its rows are the camera's axes to the right, up and back.
  Vec3 position;                 ///< m: where the camera is if it was turned and moved by nothing.
  double focal_length = 1.0;     ///< f, px.
  Vec3 rotate;     ///< Degrees: turns of what the camera sees about its own x, then y, then z axis.
  Vec3 translate;  ///< m, in the camera's axes.
  double zoom = 1.0;
};

/// A: the axes of a camera that looks along `towards`, upright as `up` says. The two are not parallel, and
/// neither is 0.
Mat3 camera_axes(const Vec3& towards, const Vec3& up);

/// A place in a picture.
struct Pixel {
  double u = 0.0, v = 0.0;  ///< px, from the middle to the right and up.
  double depth = 0.0;  ///< -X_z, m: only what has a positive one is seen. u and v are of no use otherwise.
};

/// Derivatives of a number by a camera.
struct PinholeGradient {
  Vec3 rotate;     ///< 1/degree.
  Vec3 translate;  ///< 1/m.
  double zoom = 0.0;
};

/// A pinhole camera as it looks.
class PinholeView {
 public:
  explicit PinholeView(const Pinhole& camera);

  [[nodiscard]] Pixel seen(const Vec3& x) const;
  /// From the derivatives of a number by u and v of the point at x, which has a positive depth: returns those
  /// by x, and adds those by the camera.
  Vec3 pulled(const Vec3& x, double by_u, double by_v, PinholeGradient& by_camera) const;
  /// Where the camera's pinhole is, m.
  [[nodiscard]] Vec3 centre() const;
  /// The direction of the ray through a pixel, away from the camera; of any length.
  [[nodiscard]] Vec3 ray(double u, double v) const;

 private:
  /// Rz Ry Rx A x.
  [[nodiscard]] Vec3 turned(const Vec3& x) const { return rotation_ * (camera_.axes * x); }
  /// A vector of the camera's axes, in the world.
  [[nodiscard]] Vec3 in_world(const Vec3& own) const;

  Pinhole camera_;
  Mat3 rotation_;                  ///< Rz Ry Rx.
  Vec3 shift_;                     ///< translate - A position.
  double scale_;                   ///< zoom f.
  Vec3 turn_x_, turn_y_, turn_z_;  ///< The axes of the three turns, as turned by the later ones; radians
                                   ///< per degree.
};

}  // namespace electret
