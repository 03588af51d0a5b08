#include "legs.hpp"

#include <fmt/format.h>

namespace electret::experiments {

std::vector<GaitNumber> leg_numbers(const std::string& body, const Gait& lowest, const Gait& highest) {
  const auto constant = [&](int muscle, const char* name) {
    return fmt::format("body.{}.muscle.{}.{}", body, muscle, name);
  };
  return {{"A_f", {constant(0, "A"), constant(1, "A")}, 0, lowest[0], highest[0]},
          {"A_b", {constant(2, "A"), constant(3, "A")}, 0, lowest[1], highest[1]},
          {"w",
           {constant(0, "w"), constant(1, "w"), constant(2, "w"), constant(3, "w")},
           0,
           lowest[2],
           highest[2]}};
}

SceneSource with_leg_muscles(const SceneSource& scene, const LegMuscles& muscles) {
  std::vector<std::string> changes;
  for (std::size_t m = 0; m < muscles.size(); ++m)
    changes.push_back(fmt::format("body.0.element_group.{}.indices=[{}]", m, fmt::join(muscles[m], ", ")));
  return scene.changed(changes);
}

SceneSource with_leg_gait(const SceneSource& scene, const Gait& gait) {
  std::vector<std::string> changes;
  for (std::size_t m = 0; m < 4; ++m) {
    changes.push_back(fmt::format("body.0.muscle.{}.constants.A={}", m, gait[m / 2]));
    changes.push_back(fmt::format("body.0.muscle.{}.constants.w={}", m, gait[2]));
  }
  return scene.changed(changes);
}

}  // namespace electret::experiments
