#pragma once
/// \file
/// The light of pixels, kept apart by where it comes from, and how grain is removed from it.
///
/// With few rays to the lamp and the sky, the estimate of how much of either reaches a pixel is grainy.
/// Neighbouring pixels on the same surface have nearly the same light, so that means over them are smooth,
/// while colours and edges stay sharp.

#include <span>

#include <electret/render/detail/float3.hpp>

namespace electret::render {

/// Sums over a pixel's samples. `floor` and `body` count the samples that met the floor and a body.
struct PixelLight {
  int samples = 0, floor = 0, body = 0;
  float floor_lamp = 0.0F, floor_sky = 0.0F;  ///< How many of `floor` the lamp and the sky reach.
  float body_lamp = 0.0F, body_sky = 0.0F;    ///< How many of `body` they reach.
  Float3 always, lamp, sky;  ///< On bodies: light from everywhere; light of lamp and sky if unhidden.
  Float3 normal, place;      ///< On bodies, summed.
};

/// The pixels of a part of a picture, row by row.
struct LightBuffer {
  std::span<const PixelLight> pixels;
  int width = 0, height = 0;

  /// Pixels farther than this away have no influence.
  static constexpr int reach = 5;
};

/// The linear colour of the pixel at (x, y) of the buffer. `pixel` is the side of a pixel at distance 1 from
/// the eye, which is at `eye`.
Float3 smoothed(const LightBuffer& buffer, int x, int y, const Float3& backdrop, const Float3& eye,
                float pixel);

}  // namespace electret::render
