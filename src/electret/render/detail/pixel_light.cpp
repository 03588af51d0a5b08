#include <algorithm>
#include <cmath>

#include <electret/render/detail/pixel_light.hpp>

namespace electret::render {
namespace {

constexpr int lamp_reach = 3;  // shadows' edges are to stay
constexpr int body_sky_reach = 4;
constexpr float floor_dark = 0.42F, floor_lamp = 0.34F, floor_sky = 0.24F;  // together 1

/// The mean fraction of a light that reaches the samples.
struct Share {
  float reached = 0.0F, count = 0.0F;

  void add(float some, float all, float weight) {
    reached += weight * some;
    count += weight * all;
  }
  [[nodiscard]] float value() const { return count > 0.0F ? reached / count : 1.0F; }
};

/// Falls from 1 in the middle to 0 just beyond `reach`.
float tent(int dx, int dy, int reach) {
  const auto side = static_cast<float>(reach + 1);
  return (1.0F - static_cast<float>(std::abs(dx)) / side) * (1.0F - static_cast<float>(std::abs(dy)) / side);
}

/// Calls use(pixel, dx, dy) for the pixels at most `reach` away.
template <class Use>
void around(const LightBuffer& buffer, int x, int y, int reach, Use&& use) {
  for (int row = std::max(0, y - reach); row <= std::min(buffer.height - 1, y + reach); ++row)
    for (int column = std::max(0, x - reach); column <= std::min(buffer.width - 1, x + reach); ++column)
      use(buffer.pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(buffer.width) +
                        static_cast<std::size_t>(column)],
          column - x, row - y);
}

float floor_light(const LightBuffer& buffer, int x, int y) {
  Share lamp, sky;
  around(buffer, x, y, LightBuffer::reach, [&](const PixelLight& pixel, int dx, int dy) {
    if (pixel.floor == 0) return;
    const auto all = static_cast<float>(pixel.floor);
    sky.add(pixel.floor_sky, all, tent(dx, dy, LightBuffer::reach));
    if (std::max(std::abs(dx), std::abs(dy)) <= lamp_reach)
      lamp.add(pixel.floor_lamp, all, tent(dx, dy, lamp_reach));
  });
  return floor_dark + floor_lamp * lamp.value() + floor_sky * sky.value();
}

/// The sum over the pixel's samples that met bodies.
Float3 body_light(const LightBuffer& buffer, int x, int y, const PixelLight& here, const Float3& eye,
                  float pixel_side) {
  const float all_here = 1.0F / static_cast<float>(here.body);
  const Float3 normal = unit(here.normal), place = all_here * here.place;
  const Float3 view = place - eye;
  // What is off the plane of this spot by more than a few pixels belongs to another surface.
  const float thick = 6.0F * pixel_side * std::sqrt(dot(view, view));
  Share lamp, sky;
  around(buffer, x, y, body_sky_reach, [&](const PixelLight& pixel, int dx, int dy) {
    if (pixel.body == 0) return;
    const auto all = static_cast<float>(pixel.body);
    const float alike = std::max(0.0F, dot(normal, unit(pixel.normal)));
    const float off = std::abs(dot(normal, (1.0F / all) * pixel.place - place)) / thick;
    const float same = std::pow(alike, 16.0F) * std::max(0.0F, 1.0F - off);
    if (same <= 0.0F) return;
    sky.add(pixel.body_sky, all, same * tent(dx, dy, body_sky_reach));
    if (std::max(std::abs(dx), std::abs(dy)) <= lamp_reach)
      lamp.add(pixel.body_lamp, all, same * tent(dx, dy, lamp_reach));
  });
  return here.always + lamp.value() * here.lamp + sky.value() * here.sky;
}

}  // namespace

Float3 smoothed(const LightBuffer& buffer, int x, int y, const Float3& backdrop, const Float3& eye,
                float pixel) {
  const PixelLight& here =
      buffer.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(buffer.width) +
                    static_cast<std::size_t>(x)];
  auto clear = static_cast<float>(here.samples - here.floor - here.body);
  if (here.floor > 0) clear += static_cast<float>(here.floor) * floor_light(buffer, x, y);
  Float3 sum = clear * backdrop;
  if (here.body > 0) sum = sum + body_light(buffer, x, y, here, eye, pixel);
  return (1.0F / static_cast<float>(here.samples)) * sum;
}

}  // namespace electret::render
