/// \file
/// snake: a network learns to move the released script's water snake ([DiffPD] §7.4).

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "experiment.hpp"
#include "swimming.hpp"

namespace electret::experiments {
namespace {

/// An independent program's motion under prescribed signals: what is compared with it, and to which digits.
constexpr Vec3 known_velocity_20{-0.00025243673, 0.0070914093, 0.0},
    known_velocity_60{0.0078213487, 0.00029343276, 0.0};
constexpr double known_loss_20 = -0.0059945527, known_loss_60 = 0.1571416609;
/// A summed loss has the errors of up to 60 velocities.
constexpr double velocity_digits = 1e-8, loss_digits = 60.0 * velocity_digits;

Vec3 mean_velocity(const State& state, const std::vector<Index>& vertices) {
  Vec3 sum;
  for (const Index v : vertices) sum += state.velocities[static_cast<std::size_t>(v)];
  return (1.0 / static_cast<double>(vertices.size())) * sum;
}

/// Signals that nobody has to learn show whether water, muscles and delay lines are the published ones.
void check_motion(const Context& context, Report& report) {
  context.progress("prescribed signals", 0.0);
  SwimmerBody body = script_snake();
  body.scene = body.scene.with({"integrator.tolerance=1e-11"});
  std::array<Vec3, 61> velocities;
  std::array<double, 61> losses{};
  follow(context, body, prescribed_actions(body, 60), [&](const State& state) {
    const auto frame = static_cast<std::size_t>(state.step);
    const Vec3 v = velocities[frame] = mean_velocity(state, body.judged);
    if (frame > 0) losses[frame] = losses[frame - 1] + v.x + 10.0 * (v.y * v.y + v.z * v.z);
  });
  const double off =
      std::max(norm(velocities[20] - known_velocity_20), norm(velocities[60] - known_velocity_60));
  const double loss_off =
      std::max(std::abs(losses[20] - known_loss_20), std::abs(losses[60] - known_loss_60));
  report.claim({"(ours) under prescribed signals the script's snake moves as an independent program's",
                off <= velocity_digits && loss_off <= loss_digits,
                fmt::format("velocities of frames 20 and 60 differ by {:.1g} m/s, summed losses by {:.1g}",
                            off, loss_off)});
}

}  // namespace

void snake(const Context& context, Report& report) {
  check_motion(context, report);
  Swim swim{.name = "snake",
            .body = script_snake(),
            .description =
                "the released script's, 20×2×2 cubes of 0.1 m, all muscles of 1e5 Pa: the row y = 0 "
                "against the row y = 1; 21 sensors along the middle",
            .plan = {},
            .published = {{0, 5.617}, {1, 12.82}, {100, 31.394}},
            .goal = 12.0,
            .view = {.azimuth = 10.0, .elevation = 55.0}};
  if (context.quick()) swim.plan = {.networks = 2, .first_epochs = 1, .kept = 1, .epochs = 2, .frames = 20};
  swim_experiment(context, report, std::move(swim), 0.02);
}

}  // namespace electret::experiments
