#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/render/detail/embree.inl>
#include <electret/render/detail/pixel_light.hpp>
#include <electret/render/detail/samples.hpp>
#include <electret/render/detail/traced_scene.hpp>
#include <electret/render/trace.hpp>

namespace electret {
namespace {

using namespace render;

constexpr int lanes = 8;
constexpr int largest_side = 16384;
constexpr Count chunk = 256;  // pixels
constexpr float endless = std::numeric_limits<float>::infinity();
constexpr float lamp_width = 0.10F;  // tangent of half the angle under which the lamp is seen
constexpr float sky_reach = 0.8F;    // of the picture's size: what is farther away hides no sky
constexpr float lamp_light = 0.70F, sky_light = 0.40F, floor_light = 0.05F, gleam = 0.10F;
constexpr float enough = 0.012F;      // standard error of a pixel's brightness, of 1
constexpr float farthest_eye = 1e6F;  // times the picture's size
constexpr float hidden_mark = 0.8F;   // the part of a mark's colour where it is seen through something
constexpr int band = 64;              // rows that are drawn at once: memory stays small

enum class Seen { nothing, floor, body };

/// What eight rays through a pixel saw.
struct Bundle {
  std::array<Seen, lanes> seen{};
  std::array<Spot, lanes> spots{};
  std::array<Float3, lanes> from{};
  std::array<bool, lanes> lamp{}, sky{};  ///< Whether it is hidden there.
  std::array<bool, lanes> is_mark{};      ///< Nothing hides it.
};

/// How much the light of a pixel's samples varies if nothing is hidden.
struct Spread {
  float sum = 0.0F, squares = 0.0F;

  /// Brightness as the eye perceives it, not as light adds up.
  void add(const Float3& light) {
    const float bright = std::sqrt(std::clamp(0.3F * light.x + 0.6F * light.y + 0.1F * light.z, 0.0F, 1.0F));
    sum += bright;
    squares += bright * bright;
  }
  [[nodiscard]] bool is_small(int count) const {
    const auto n = static_cast<float>(count);
    const float mean = sum / n, variance = std::max(0.0F, squares / n - mean * mean);
    return variance <= enough * enough * n;
  }
};

std::uint8_t display(float light) {
  const float p = std::clamp(light, 0.0F, 1.0F);
  const float part = p <= 0.0031308F ? 12.92F * p : 1.055F * std::pow(p, 1.0F / 2.4F) - 0.055F;
  return static_cast<std::uint8_t>(std::lround(255.0F * part));
}

class Tracer {
 public:
  Tracer(const Picture& picture, const Camera& camera, const TraceOptions& options)
      : scene_(picture),
        options_(options),
        up_(to_float(picture.up)),
        to_light_(unit(to_float(picture.to_light))),
        lamp_(tangents(to_light_)),
        backdrop_(linear(picture.backdrop)),
        eye_(scene_.to_scene(camera.eye)) {
    const CameraAxes view = axes(camera);
    const double half = std::tan(camera.field_of_view * 3.14159265358979323846 / 360.0);
    pixel_ = static_cast<float>(2.0 * half / options.height);
    right_ = to_float(view.right);
    down_ = -to_float(view.up);
    forward_ = -to_float(view.backward);
    if (!picture.marks.empty()) {
      marks_.emplace(Picture{.balls = picture.marks.balls, .rods = picture.marks.rods});
      marks_eye_ = marks_->to_scene(camera.eye);
      marks_unit_ = static_cast<float>(scene_.scale() / marks_->scale());
    }
    if (picture.ground) floor_ = dot(scene_.to_scene(*picture.ground * picture.up), up_);
  }

  /// From farther away, floats can tell neither rays nor bodies apart.
  [[nodiscard]] bool sees_well() const {
    const auto fits = [](float part) { return std::abs(part) <= farthest_eye; };
    return fits(eye_.x) && fits(eye_.y) && fits(eye_.z);
  }

  [[nodiscard]] PixelLight pixel(int x, int y) const {
    PixelLight pixel;
    Spread spread;
    const int most = std::max(lanes, options_.samples / lanes * lanes);
    do {
      add_bundle(x, y, pixel, spread);
    } while (pixel.samples < most && !spread.is_small(pixel.samples));
    return pixel;
  }

  /// The colour of a pixel among its neighbours.
  [[nodiscard]] std::array<std::uint8_t, 3> colour(const LightBuffer& buffer, int x, int y) const {
    const Float3 light = smoothed(buffer, x, y, backdrop_, eye_, pixel_);
    return {display(light.x), display(light.y), display(light.z)};
  }

 private:
  void add_bundle(int x, int y, PixelLight& pixel, Spread& spread) const {
    const auto number = static_cast<std::uint32_t>(y * options_.width + x);
    std::array<Sample, lanes> samples;
    for (std::size_t k = 0; k < lanes; ++k)
      samples[k] = sample(number, static_cast<std::uint32_t>(pixel.samples) + static_cast<std::uint32_t>(k));
    Bundle bundle;
    look(x, y, samples, bundle);
    light(samples, bundle);
    for (std::size_t k = 0; k < lanes; ++k) spread.add(add_sample(bundle, k, pixel));
    pixel.samples += lanes;
  }

  void look(int x, int y, const std::array<Sample, lanes>& samples, Bundle& bundle) const {
    alignas(32) RTCRayHit8 rays{};
    std::array<Float3, lanes> direction;
    std::array<float, lanes> met;  // How far away what is seen is.
    met.fill(endless);
    for (std::size_t k = 0; k < lanes; ++k) {
      const float a =
          (static_cast<float>(x) + samples[k][0] - 0.5F * static_cast<float>(options_.width)) * pixel_;
      const float b =
          (static_cast<float>(y) + samples[k][1] - 0.5F * static_cast<float>(options_.height)) * pixel_;
      direction[k] = unit(forward_ + a * right_ + b * down_);
      set_ray(rays.ray, k, eye_, direction[k], endless);
      rays.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
      rays.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
    }
    intersect(all.data(), scene_.embree(), rays);
    for (std::size_t k = 0; k < lanes; ++k) {
      bundle.from[k] = -direction[k];
      const float sinking = -dot(direction[k], up_);
      const float to_floor = sinking > 0.0F ? (dot(eye_, up_) - floor_) / sinking : endless;
      if (to_floor > 0.0F && to_floor < rays.ray.tfar[k]) {
        bundle.seen[k] = Seen::floor;
        met[k] = to_floor;
        bundle.spots[k] = {eye_ + to_floor * direction[k], up_, up_, backdrop_};
      } else if (rays.hit.geomID[k] != RTC_INVALID_GEOMETRY_ID) {
        bundle.seen[k] = Seen::body;
        met[k] = rays.ray.tfar[k];
        bundle.spots[k] = scene_.spot({.part = rays.hit.geomID[k],
                                       .piece = rays.hit.primID[k],
                                       .u = rays.hit.u[k],
                                       .v = rays.hit.v[k],
                                       .place = eye_ + rays.ray.tfar[k] * direction[k],
                                       .normal = {rays.hit.Ng_x[k], rays.hit.Ng_y[k], rays.hit.Ng_z[k]},
                                       .from = -direction[k]});
      }
    }
    if (marks_) look_at_marks(direction, met, bundle);
  }

  void look_at_marks(const std::array<Float3, lanes>& direction, const std::array<float, lanes>& met,
                     Bundle& bundle) const {
    alignas(32) RTCRayHit8 rays{};
    for (std::size_t k = 0; k < lanes; ++k) {
      set_ray(rays.ray, k, marks_eye_, direction[k], endless);
      rays.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
      rays.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
    }
    intersect(all.data(), marks_->embree(), rays);
    for (std::size_t k = 0; k < lanes; ++k) {
      if (rays.hit.geomID[k] == RTC_INVALID_GEOMETRY_ID) continue;
      const float distance = marks_unit_ * rays.ray.tfar[k];
      const Spot mark = marks_->spot({.part = rays.hit.geomID[k],
                                      .piece = rays.hit.primID[k],
                                      .u = rays.hit.u[k],
                                      .v = rays.hit.v[k],
                                      .place = eye_ + distance * direction[k],
                                      .normal = {rays.hit.Ng_x[k], rays.hit.Ng_y[k], rays.hit.Ng_z[k]},
                                      .from = -direction[k]});
      Spot& spot = bundle.spots[k];
      const float share = distance <= met[k] ? 1.0F : hidden_mark;
      spot = {mark.place, mark.normal, mark.flat, (1.0F - share) * spot.colour + share * mark.colour};
      bundle.seen[k] = Seen::body;
      bundle.is_mark[k] = true;
    }
  }

  static void set_ray(RTCRay8& rays, std::size_t k, const Float3& from, const Float3& direction, float far) {
    rays.org_x[k] = from.x, rays.org_y[k] = from.y, rays.org_z[k] = from.z;
    rays.dir_x[k] = direction.x, rays.dir_y[k] = direction.y, rays.dir_z[k] = direction.z;
    rays.tnear[k] = 0.0F, rays.tfar[k] = far;
    rays.time[k] = 0.0F, rays.mask[k] = ~0U, rays.id[k] = 0, rays.flags[k] = 0;
  }

  /// Which spots the lamp and the sky do not reach.
  void light(const std::array<Sample, lanes>& samples, Bundle& bundle) const {
    std::array<Float3, lanes> lamp, sky;
    for (std::size_t k = 0; k < lanes; ++k) {
      const auto [a, b] = on_disc(samples[k][2], samples[k][3]);
      lamp[k] = unit(to_light_ + (lamp_width * a) * lamp_.first + (lamp_width * b) * lamp_.second);
      if (bundle.seen[k] != Seen::nothing)
        sky[k] = about(bundle.spots[k].normal, samples[k][4], samples[k][5]);
    }
    bundle.lamp = hidden(bundle, lamp, endless);
    bundle.sky = hidden(bundle, sky, sky_reach);
  }

  [[nodiscard]] std::array<bool, lanes> hidden(const Bundle& bundle,
                                               const std::array<Float3, lanes>& direction,
                                               float reach) const {
    alignas(32) RTCRay8 rays{};
    alignas(32) std::array<int, lanes> active{};
    std::array<bool, lanes> result{};
    bool any = false;
    for (std::size_t k = 0; k < lanes; ++k) {
      if (bundle.seen[k] == Seen::nothing || bundle.is_mark[k]) continue;
      // Behind the surface's smoothed side there is no light. Behind its flat side there is only the body.
      const bool faces = dot(bundle.spots[k].normal, direction[k]) > 0.0F;
      active[k] = faces ? -1 : 0;
      result[k] = !faces;
      any = any || faces;
      set_ray(rays, k, bundle.spots[k].place, direction[k], reach);
    }
    if (!any) return result;
    occlude(active.data(), scene_.embree(), rays);
    for (std::size_t k = 0; k < lanes; ++k) result[k] = result[k] || (active[k] != 0 && rays.tfar[k] < 0.0F);
    return result;
  }

  /// Adds sample k; returns its light as if nothing were hidden.
  Float3 add_sample(const Bundle& bundle, std::size_t k, PixelLight& pixel) const {
    const float lamp = bundle.lamp[k] ? 0.0F : 1.0F, sky = bundle.sky[k] ? 0.0F : 1.0F;
    switch (bundle.seen[k]) {
      case Seen::nothing:
        return backdrop_;
      case Seen::floor:  // as the backdrop, so that it has no edge
        ++pixel.floor;
        pixel.floor_lamp += lamp;
        pixel.floor_sky += sky;
        return backdrop_;
      case Seen::body:
        break;
    }
    const Spot& spot = bundle.spots[k];
    const float height = 0.5F * (1.0F + dot(spot.normal, up_));
    const float facing = std::max(0.0F, dot(spot.normal, to_light_));
    const Float3 half = unit(to_light_ + bundle.from[k]);
    const float shine = gleam * std::pow(std::max(0.0F, dot(half, spot.normal)), 48.0F);
    const Float3 always = (floor_light * (1.0F - height)) * spot.colour;
    const Float3 of_lamp = (lamp_light * facing) * spot.colour + Float3{shine, shine, shine};
    const Float3 of_sky = (sky_light * (0.6F + 0.4F * height)) * spot.colour;
    ++pixel.body;
    pixel.body_lamp += lamp;
    pixel.body_sky += sky;
    pixel.always = pixel.always + always;
    pixel.lamp = pixel.lamp + of_lamp;
    pixel.sky = pixel.sky + of_sky;
    pixel.normal = pixel.normal + spot.normal;
    pixel.place = pixel.place + spot.place;
    return always + of_lamp + of_sky;
  }

  alignas(32) static constexpr std::array<int, lanes> all{-1, -1, -1, -1, -1, -1, -1, -1};

  TracedScene scene_;
  std::optional<TracedScene> marks_;
  TraceOptions options_;
  Float3 up_, to_light_;
  Tangents lamp_;
  Float3 backdrop_, eye_, right_, down_, forward_;
  Float3 marks_eye_;  ///< In the marks' unit.
  float pixel_ = 0.0F, floor_ = -endless;
  float marks_unit_ = 1.0F;  ///< In the scene's.
};

void check(const TraceOptions& options) {
  const auto fits = [](int side) { return side >= 1 && side <= largest_side; };
  if (!fits(options.width) || !fits(options.height) || options.samples < 1)
    throw std::invalid_argument("a picture has 1 to 16384 pixels per side and at least one sample");
}

}  // namespace

Image trace(const Picture& picture, const Camera& camera, const TraceOptions& options, Threads& threads,
            const Control& control) {
  check(options);
  const Tracer tracer(picture, camera, options);
  if (!tracer.sees_well())
    throw std::invalid_argument("a camera is at most a million times as far away as the picture is large");
  Image image{.width = options.width, .height = options.height};
  image.pixels.resize(static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height));
  std::vector<PixelLight> lights;
  for (int first = 0; first < options.height; first += band) {
    if (control.stop.stop_requested()) throw Cancelled();
    if (control.progress) control.progress({first, options.height});
    const int last = std::min(first + band, options.height);
    const int above = std::max(0, first - LightBuffer::reach),
              below = std::min(last + LightBuffer::reach, options.height);
    const auto width = static_cast<Count>(options.width);
    lights.resize(static_cast<std::size_t>((below - above) * width));
    threads.for_chunks((below - above) * width, chunk, [&](Count begin, Count end) {
      for (Count k = begin; k < end; ++k)
        lights[static_cast<std::size_t>(k)] =
            tracer.pixel(static_cast<int>(k % width), above + static_cast<int>(k / width));
    });
    const LightBuffer buffer{lights, options.width, below - above};
    threads.for_chunks((last - first) * width, chunk, [&](Count begin, Count end) {
      for (Count k = begin; k < end; ++k)
        image.pixels[static_cast<std::size_t>(first * width + k)] =
            tracer.colour(buffer, static_cast<int>(k % width), first - above + static_cast<int>(k / width));
    });
  }
  return image;
}

}  // namespace electret
