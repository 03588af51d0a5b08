#include <utility>

#include <electret/studio/session/untouched.hpp>

namespace electret::studio {
namespace {

std::unique_ptr<System> without_contact(const Simulator& scene) {
  const System& system = scene.system();
  Assembly alone = system.assembly;
  alone.obstacles.clear();
  alone.contact_pairs.clear();
  alone.contact_groups.clear();
  alone.scene.obstacles.clear();
  alone.scene.contact.reset();
  // It is that of this state: no change is to be made in it.
  alone.scene.changes.clear();
  alone.scene.changes_made = 0;
  alone.changed.reset();
  if (const Choice& choice = scene.integrator().choice(); !choice.empty())
    alone.scene.integrator.method = choice.name;
  return recompile(std::move(alone), system, scene.state().positions);
}

}  // namespace

bool may_touch(const System& system) {
  return !system.assembly.obstacles.empty() || system.body_contacts != nullptr;
}

Untouched::Untouched(const Simulator& scene)
    : number_(scene.system_number()), simulator_(without_contact(scene)) {}

const State& Untouched::stepped(const Simulator& scene, StepInputs inputs) {
  inputs.start.placements.clear();
  inputs.end.placements.clear();
  for (Inputs& stage : inputs.stages) stage.placements.clear();
  const State& from = scene.state();
  simulator_.restore({from.step, from.positions, from.velocities, {}}, {}, inputs.start);
  simulator_.step(inputs);
  return simulator_.state();
}

}  // namespace electret::studio
