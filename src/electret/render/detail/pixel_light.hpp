#pragma once
/// \file
/// The light of pixels, apart by where it comes from, and how grain is taken out of it.
///
/// Few rays to the lamp and the sky tell with grain how much of either reaches a pixel. Neighbours on the
/// same surface tell nearly the same: their means are smooth, while colours and edges stay sharp.

#include <span>

#include <electret/render/detail/float3.hpp>

namespace electret::render {

/// Sums over a pixel's samples; `floor` and `body` count those that met either.
struct PixelLight {
  int samples = 0, floor = 0, body = 0;
  float floor_lamp = 0.0F, floor_sky = 0.0F;  ///< How many of `floor` the lamp, the sky reach.
  float body_lamp = 0.0F, body_sky = 0.0F;    ///< How many of `body`.
  Float3 always, lamp, sky;  ///< Of bodies: light of everywhere; of lamp and sky, if unhidden.
  Float3 normal, place;      ///< Of bodies, summed.
};

/// Pixels of a part of a picture, row by row.
struct LightBuffer {
  std::span<const PixelLight> pixels;
  int width = 0, height = 0;

  /// Pixels farther than this away have no influence.
  static constexpr int reach = 5;
};

/// The colour (linear) of the pixel at (x, y) of the buffer. `pixel` is the side of a pixel at distance 1 of
/// the eye, which is at `eye`.
Float3 smoothed(const LightBuffer& buffer, int x, int y, const Float3& backdrop, const Float3& eye,
                float pixel);

}  // namespace electret::render
