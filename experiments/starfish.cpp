/// \file
/// starfish: a network learns to move a starfish upwards ([DiffPD] §7.4).

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

/// An independent program's motion of the script's starfish under prescribed signals.
struct Known {
  std::size_t frame;
  double height, loss;  // m, of the middle vertex; summed up to there
};
constexpr std::array<Known, 5> known{{{5, -0.0053319449, 0.1601184660},
                                      {10, -0.0215696320, 0.6477366980},
                                      {20, -0.0384596643, 1.1549448731},
                                      {40, -0.0299465087, 0.8992945559},
                                      {60, -0.0302095683, 0.9071942433}}};
constexpr double height_digits = 1e-8;
constexpr std::size_t early_frame = 2;
constexpr double early_speed = -0.0130662591;  // m/s, of the middle vertex along z
/// The summed loss is the way divided by the step of 0.0333 s, and a small rest.
constexpr double loss_digits = height_digits / 0.0333;

void check_motion(const Context& context, Report& report) {
  context.progress("prescribed signals", 0.0);
  SwimmerBody body = script_starfish();
  body.scene = body.scene.with({"integrator.tolerance=1e-11"});
  const auto middle = static_cast<std::size_t>(body.judged.at(0));
  std::vector<double> heights, speeds, losses;
  follow(context, body, prescribed_actions(body, 60), [&](const State& state) {
    const Vec3 v = state.velocities[middle];
    heights.push_back(state.positions[middle].z);
    speeds.push_back(v.z);
    losses.push_back(losses.empty() ? 0.0 : losses.back() - v.z + v.x * v.x + v.y * v.y);
  });
  double off = 0.0, loss_off = 0.0;
  for (const Known& each : known) {
    off = std::max(off, std::abs(heights[each.frame] - each.height));
    loss_off = std::max(loss_off, std::abs(losses[each.frame] - each.loss));
  }
  const double speed_off = std::abs(speeds[early_frame] - early_speed);
  report.claim(
      {"(ours) under prescribed signals the script's starfish moves as an independent program's",
       off <= height_digits && loss_off <= loss_digits && speed_off <= height_digits,
       fmt::format("heights of five frames up to 60 differ by at most {:.1g} m, summed losses by {:.1g}, the "
                   "speed in frame {} by {:.1g} m/s",
                   off, loss_off, early_frame, speed_off)});
}

}  // namespace

void starfish(const Context& context, Report& report) {
  check_motion(context, report);
  const bool quick = context.quick();
  Swim swim{.name = "starfish",
            .body = own_starfish(quick ? 4 : 17),
            .description =
                "of ours, because the paper's is not released: a core of 8×8×4 cubes and four limbs, 1 m "
                "long, from 8×4 cubes down to 4×2; the limbs are muscles of 1e5 Pa, their lower half "
                "against the upper one; sensors along the limbs",
            .plan = {.networks = 4, .first_epochs = 5, .kept = 1, .epochs = 60, .rate = 2e-3},
            .published = {{0, 4.184}, {10, 9.202}, {20, 13.822}, {50, 23.556}, {100, 28.279}},
            .goal = 10.0,
            .start_factor = 3.0,
            .view = {.azimuth = 25.0, .elevation = 20.0}};
  // As coarse as the paper's runs.
  swim.body.scene = swim.body.scene.changed({"integrator.tolerance=1e-3"});
  if (quick) swim.plan = {.networks = 2, .first_epochs = 0, .kept = 1, .epochs = 1, .frames = 8};
  swim_experiment(context, report, std::move(swim), 0.02);
}

}  // namespace electret::experiments
