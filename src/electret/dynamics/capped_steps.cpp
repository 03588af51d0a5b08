#include <algorithm>

#include <fmt/format.h>

#include <electret/core/text.hpp>
#include <electret/dynamics/capped_steps.hpp>
#include <electret/scene/body_contact.hpp>
#include <electret/scene/obstacle.hpp>

namespace electret {
namespace {

constexpr const char* no_room = "; where obstacles or pins leave a body no room, no step can meet it";

}  // namespace

std::string capped_steps_notice(Count capped, Count steps, const Scene& scene) {
  if (capped == 0) return {};
  if (touches_bodies(scene))
    return fmt::format(
        "{} of {} ended before integrator.tolerance was met; bodies touch each other: use a smaller step or "
        "less friction, or raise integrator.tolerance{}",
        capped, counted(steps, "step", "steps"), no_room);
  const bool has_exact =
      std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                  [&](const Obstacle& obstacle) { return law_of(scene, obstacle) != "penalty"; });
  return fmt::format(
      "{} of {} ended before integrator.tolerance was met, within integrator.max_iterations = {}; use a "
      "smaller step, or raise either of them{}",
      capped, counted(steps, "step", "steps"), scene.integrator.max_iterations, has_exact ? no_room : "");
}

}  // namespace electret
