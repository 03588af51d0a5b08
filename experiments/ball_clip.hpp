#pragma once
/// \file
/// A clip of two balls: where a camera's pictures have their centres.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <electret/fit/losses.hpp>
#include <electret/scene/pinhole.hpp>

#include "ball_scene.hpp"

namespace electret::experiments {

/// One picture: where the balls' centres were seen, px from its middle to the right and up.
struct ClipPicture {
  Count step = 0;
  std::array<Pixel, 2> balls{};
};
using Clip = std::vector<ClipPicture>;

/// Steps between two pictures: 60 a second, steps of 1/180 s.
inline constexpr Count steps_a_picture = 3;
/// Pictures from the first to that by which speeds are estimated.
inline constexpr std::size_t pictures_of_estimate = 5;

/// What the camera of `scene` sees of its run with `values` in every third step, without noise. Throws
/// Cancelled.
[[nodiscard]] Clip filmed(const Context& context, const BallScene& scene, const std::vector<double>& values,
                          Count steps);

/// `clip` with normal noise of `deviation` px on each coordinate: NumPy's numbers of `seed`.
[[nodiscard]] Clip with_noise(Clip clip, double deviation, std::uint32_t seed);

/// The clip as a file of the loss `pixels`.
[[nodiscard]] std::string clip_csv(const Clip& clip, double time_step);

/// The clip in a user's file of the loss `pixels` for runs of `assembly`. Throws InputError, as `read_pixels`
/// and if a picture lacks a ball, or the first or sixth picture is missing.
[[nodiscard]] Clip clip_of_file(const std::string& path, const Assembly& assembly);

/// How the balls start if their centres are in the plane z = 0 and `camera` is right: from the first picture
/// and the sixth.
[[nodiscard]] BallStarts estimated(const Clip& clip, const Pinhole& camera, double time_step);

/// The loss of all pictures but the first: the mean of |p - p*|², px².
[[nodiscard]] std::unique_ptr<Loss> clip_loss(const Clip& clip, const BallScene& scene);

/// The published loss, Σ ½|p - p*|²/(1280·720), from that mean.
[[nodiscard]] double published_loss_of(double mean, const Clip& clip);

}  // namespace electret::experiments
