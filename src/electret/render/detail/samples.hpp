#pragma once
/// \file
/// Where in a pixel, on the lamp and in the sky a sample looks. The points fill the unit square evenly. A
/// pixel has the same ones whatever thread draws it.

#include <array>
#include <cmath>
#include <cstdint>

#include <electret/render/detail/float3.hpp>

namespace electret::render {

/// Numbers in [0, 1): two for the pixel, two for the lamp, two for the sky.
using Sample = std::array<float, 6>;

/// A well-mixed 32-bit number of `a`.
constexpr std::uint32_t mixed(std::uint32_t a) {
  a ^= a >> 16U;
  a *= 0x7feb352dU;
  a ^= a >> 15U;
  a *= 0x846ca68bU;
  a ^= a >> 16U;
  return a;
}

/// Sample k of a pixel, from the additive recurrence of the generalised golden ratio in six dimensions,
/// shifted by the pixel's own random vector.
inline Sample sample(std::uint32_t pixel, std::uint32_t k) {
  // φ⁻¹, φ⁻², … for φ⁷ = φ + 1, as fractions of 2³².
  constexpr std::array<std::uint32_t, 6> steps{3859688306U, 3468523226U, 3117001274U,
                                               2801104767U, 2517223199U, 2262111973U};
  Sample result{};
  for (std::uint32_t d = 0; d < 6; ++d) {
    const std::uint32_t at = mixed(pixel * 6U + d) + (k + 1U) * steps[d];
    result[d] = static_cast<float>(at >> 8U) * 0x1p-24F;
  }
  return result;
}

/// A point of the unit disc, uniformly distributed for uniform u and v.
inline std::array<float, 2> on_disc(float u, float v) {
  const float r = std::sqrt(u), angle = 6.2831853F * v;
  return {r * std::cos(angle), r * std::sin(angle)};
}

/// A direction about `normal`, with a density proportional to the cosine of its angle to it.
inline Float3 about(const Float3& normal, float u, float v) {
  const auto [x, y] = on_disc(u, v);
  const Tangents t = tangents(normal);
  return x * t.first + y * t.second + std::sqrt(std::max(0.0F, 1.0F - u)) * normal;
}

}  // namespace electret::render
