#include <algorithm>

#include <fmt/format.h>

#include <electret/contact/body_contacts.hpp>
#include <electret/core/text.hpp>
#include <electret/record/body_contact_warnings.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Bodies that hit each other are pressed for some tens of steps.
constexpr Count fewest_steps = 100;
constexpr std::string_view pressing = "bodies press each other to less than half of contact.thickness";

}  // namespace

std::string passage_warning(const System& system, const BodyPassage& passage, Count step) {
  const ContactSurface& surface = system.body_contacts->surface();
  const auto name = [&](Index vertex) {
    return in_quotes(system.assembly.scene.bodies[surface.body(vertex)].name);
  };
  const auto& v = passage.pair.vertices;
  // In it the bodies go half as far as the thinner one is thick.
  const double way = 0.5 * std::max(passage.extent, 4.0 * system.body_contacts->thickness());
  const double enough = system.assembly.scene.time.step * way / passage.way;
  return fmt::format(
      "{} went through {} in step {}: on straight ways vertices {} and {} meet, and go on by {} m; fast "
      "bodies take the way round others where that is downhill; use a step of about {} s",
      name(v[0]), name(v[second_side(passage.pair.kind)]), step, v[0], v[second_side(passage.pair.kind)],
      brief_text(passage.depth), brief_text(enough));
}

bool is_pressed(const BodyContactSums& sums) {
  return sums.pressed_steps >= fewest_steps && 2 * sums.pressed_steps > sums.touching_steps;
}

std::string pressing_warning(const BodyContactSums& sums) {
  return fmt::format(
      "{} (on average, after {} of {} steps with contact): unevenness of their meshes then holds them like "
      "bumps, so that they slide later and less than friction says; use a larger thickness, a smaller "
      "step, or stiffer bodies",
      pressing, sums.pressed_steps, sums.touching_steps);
}

bool tells_of_pressing(std::string_view text) {
  return text.starts_with(pressing);
}

}  // namespace electret
