#pragma once
/// \file
/// A picture's parts as Embree holds them, and what a ray sees where it meets one.

#include <array>
#include <memory>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/render/detail/float3.hpp>
#include <electret/render/picture.hpp>

struct RTCSceneTy;

namespace electret::render {

/// What a ray meets, in the scene's unit.
struct Meeting {
  unsigned part = 0, piece = 0;  ///< Embree's geometry and primitive.
  float u = 0.0F, v = 0.0F;
  /// `normal` is the shape's own, of any length; `from` is the unit vector towards the eye.
  Float3 place, normal, from;
};

/// How a meeting is lit.
struct Spot {
  Float3 place;   ///< Where rays to the lamp start, a little off the surface.
  Float3 normal;  ///< Unit, on the viewer's side, smoothed.
  Float3 flat;    ///< Unit, the shape's own, on the viewer's side.
  Float3 colour;  ///< Linear.
};

/// An sRGB colour (0 to 1) as linear light.
Float3 linear(const Colour& colour);

class TracedScene {
 public:
  /// Throws as `trace`. Embree builds it on all cores.
  explicit TracedScene(const Picture& picture);
  ~TracedScene();
  TracedScene(const TracedScene&) = delete;
  TracedScene& operator=(const TracedScene&) = delete;

  [[nodiscard]] RTCSceneTy* embree() const;
  [[nodiscard]] Spot spot(const Meeting& meeting) const;

  /// The picture's coordinates are shifted and scaled so that its parts fill about the unit cube. Floats thus
  /// resolve them whatever their size.
  [[nodiscard]] Float3 to_scene(const Vec3& x) const { return to_float((x - centre_) * scale_); }
  [[nodiscard]] double scale() const { return scale_; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  Vec3 centre_;
  double scale_ = 1.0;
};

}  // namespace electret::render
