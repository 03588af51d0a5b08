#include "ball_clip.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/fit/marker_file.hpp>

#include "numpy_random.hpp"

namespace electret::experiments {
namespace {

constexpr double picture_pixels = 1280.0 * 720.0;

}  // namespace

Clip filmed(const Context& context, const BallScene& scene, const std::vector<double>& values, Count steps) {
  const Assembly assembly = scene.with(values, steps, scene.assembly().scene.integrator.tolerance);
  const PinholeView view(assembly.cameras[0].view);
  Simulator simulator(compile(assembly, context.threads().count()));
  Clip clip;
  for (Count step = 0; step <= steps; ++step) {
    context.check_stop();
    if (step > 0) simulator.step();
    if (step % steps_a_picture != 0) continue;
    ClipPicture& picture = clip.emplace_back();
    picture.step = step;
    for (std::size_t b = 0; b < 2; ++b)
      picture.balls[b] = view.seen(scene.centre(simulator.state().positions, b));
  }
  return clip;
}

Clip with_noise(Clip clip, double deviation, std::uint32_t seed) {
  NumpyRandom random(seed);
  for (ClipPicture& picture : clip)
    for (Pixel& ball : picture.balls) {
      ball.u += deviation * random.normal();
      ball.v += deviation * random.normal();
    }
  return clip;
}

std::string clip_csv(const Clip& clip, double time_step) {
  std::string csv = "time,marker,u,v,weight\n";
  for (const ClipPicture& picture : clip)
    for (std::size_t b = 0; b < 2; ++b)
      fmt::format_to(std::back_inserter(csv), "{},{}.ball,{},{},1\n",
                     static_cast<double>(picture.step) * time_step, b == 0 ? "left" : "right",
                     picture.balls[b].u, picture.balls[b].v);
  return csv;
}

Clip clip_of_file(const std::string& path, const Assembly& assembly) {
  const PixelTargets read = read_pixels(path, assembly);
  std::map<Count, std::array<std::optional<Pixel>, 2>> pictures;
  for (const PixelTarget& target : read.targets) {
    if (!target.is_measured[0] || !target.is_measured[1]) continue;
    const Index vertex = read.markers[target.marker].vertices.front();
    const std::size_t ball = vertex < assembly.body_offsets[1] ? 0 : 1;
    pictures[target.step][ball] = Pixel{target.coordinates[0], target.coordinates[1], 1.0};
  }
  Clip clip;
  for (const auto& [step, balls] : pictures)
    if (balls[0] && balls[1]) clip.push_back({step, {*balls[0], *balls[1]}});
  const auto has = [&](std::size_t picture) {
    return std::any_of(clip.begin(), clip.end(), [&](const ClipPicture& each) {
      return each.step == static_cast<Count>(picture) * steps_a_picture;
    });
  };
  if (!has(0) || !has(pictures_of_estimate))
    throw InputError(Finding{{path, 0, 0},
                             "does not show both balls at 0 s and after 5/60 s",
                             "expected rows of left.ball and right.ball at both times, from which the "
                             "experiment estimates how the balls start"});
  return clip;
}

BallStarts estimated(const Clip& clip, const Pinhole& camera, double time_step) {
  const PinholeView view(camera);
  const auto on_plane = [&](const Pixel& pixel) {
    const Vec3 from = view.centre(), ray = view.ray(pixel.u, pixel.v);
    return from - (from.z / ray.z) * ray;
  };
  const auto last = std::find_if(clip.begin(), clip.end(), [](const ClipPicture& picture) {
    return picture.step == static_cast<Count>(pictures_of_estimate) * steps_a_picture;
  });
  BallStarts starts;
  for (std::size_t b = 0; b < 2; ++b) {
    const Vec3 first = on_plane(clip.front().balls[b]), way = on_plane(last->balls[b]) - first;
    starts[b] = {first, norm(way) / (static_cast<double>(last->step) * time_step), std::atan2(way.y, way.x)};
  }
  return starts;
}

std::unique_ptr<Loss> clip_loss(const Clip& clip, const BallScene& scene) {
  std::vector<BodyMarker> markers;
  for (std::size_t b = 0; b < 2; ++b) {
    std::vector<Index> vertices = scene.vertices(b);
    const double share = 1.0 / static_cast<double>(vertices.size());
    std::vector<double> weights(vertices.size(), share);
    markers.push_back({std::move(vertices), std::move(weights)});
  }
  std::vector<PixelTarget> targets;
  for (const ClipPicture& picture : clip)
    for (std::size_t b = 0; b < 2 && picture.step > 0; ++b)
      targets.push_back({picture.step, b, 0, {picture.balls[b].u, picture.balls[b].v}, {true, true}, 1.0});
  return pixels_loss(std::move(markers), std::move(targets));
}

double published_loss_of(double mean, const Clip& clip) {
  const double rows = 2.0 * static_cast<double>(clip.size() - 1);
  return 0.5 * rows * mean / picture_pixels;
}

}  // namespace electret::experiments
