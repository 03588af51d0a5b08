#include <fmt/format.h>

#include <electret/core/text.hpp>
#include <electret/record/obstacle_watch.hpp>
#include <electret/scene/body_of.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Whether steps go on although a vertex went through an obstacle.
bool may_pass_unseen(const System& system) {
  return system.contacts && (!(system.contacts->thickness() > 0.0) || obstacles_stick(system.assembly.scene));
}

}  // namespace

void ObstacleWatch::begin(const System& system, const State& state) {
  if (!may_pass_unseen(system)) return forget();
  start_ = state.positions;
  step_ = state.step;
}

std::optional<UnseenPassage> ObstacleWatch::observe(const System& system, const State& state) {
  std::optional<UnseenPassage> found;
  if (may_pass_unseen(system) && start_.size() == state.positions.size() && state.step == step_ + 1)
    found = unseen_passage(*system.contacts, start_, state.positions);
  begin(system, state);
  return found;
}

std::string passage_warning(const System& system, const UnseenPassage& passage, Count step) {
  const Assembly& assembly = system.assembly;
  const ContactPassage& deepest = passage.deepest;
  const std::size_t body = body_of(assembly.body_offsets, deepest.vertex);
  const std::size_t obstacle = system.contacts->obstacles()[deepest.obstacle].number;
  const std::string others =
      passage.vertices > 1 ? fmt::format(" and {} more", passage.vertices - 1) : std::string();
  // In it the vertex comes no farther than half of the obstacle, which pushes it back from there.
  const double enough = assembly.scene.time.step * deepest.through.depth / deepest.way;
  return fmt::format(
      "vertex {} of {}{} went through obstacle {} unseen in step {}: it moved by {} m, farther than the "
      "obstacle is thick there, and a step sees obstacles from its end alone; use a step of about {} s",
      deepest.vertex, in_quotes(assembly.scene.bodies[body].name), others,
      in_quotes(assembly.scene.obstacles[obstacle].name), step, brief_text(deepest.way), brief_text(enough));
}

}  // namespace electret
