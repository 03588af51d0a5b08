#include <algorithm>
#include <string>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/same_bits.hpp>
#include <electret/dynamics/simulator_impl.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/held_directions.hpp>
#include <electret/scene/report.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// after - before, column by column, so that columns that stay add no rounding of large numbers.
double gained(const Energies& before, const Energies& after) {
  return (after.kinetic - before.kinetic) + (after.elastic - before.elastic) +
         (after.coulomb - before.coulomb) + (after.external - before.external) +
         (after.gravity - before.gravity);
}

/// Lets time go on from state `step`. An assembly that agrees with the motion so far keeps its own legs,
/// which are those of the whole run.
void continue_time(const TimeOptions& before, Count step, TimeOptions& after) {
  const TimeLeg next = after.leg_at(step);
  if (same_bits(next.time_step, after.step) && same_bits(after.at(step), before.at(step))) return;
  TimeOptions time = before;
  time.change_step(step, after.step);
  after.legs = std::move(time.legs);
}

std::string pins_in_words(std::size_t count) {
  return counted(count, "pinned vertex", "pinned vertices");
}

}  // namespace

void Simulator::Impl::check_kept(const Assembly& assembly) const {
  const Assembly& before = system().assembly;
  const auto refuse = [&](std::string what) {
    throw InputError(Finding{place_of(assembly.scene.source, "body"), std::move(what),
                             "a change keeps the vertices and the pins; another scene has to start anew"});
  };
  if (assembly.masses.size() != before.masses.size())
    refuse("the changed scene has " + counted(assembly.masses.size(), "vertex", "vertices") +
           ", and the motion " + std::to_string(before.masses.size()));
  const auto held = held_directions(before), now_held = held_directions(assembly);
  if (held.size() != now_held.size())
    refuse("the changed scene has " + pins_in_words(now_held.size()) + ", and the motion " +
           std::to_string(held.size()));
  const auto is_same = [](const auto& a, const auto& b) {
    return a.first == b.first && same_bits(a.second.rows, b.second.rows);
  };
  if (!std::equal(held.begin(), held.end(), now_held.begin(), is_same))
    refuse("the changed scene has other pins than the motion");
}

void Simulator::Impl::enter_changed(const InputsOf& inputs) {
  const auto n = static_cast<std::size_t>(system().vertex_count());
  drop_others(state.memory, parts.layout());
  drop_unfitting(state.memory, parts.layout(), n);
  forget_reactions();
  if (system().contacts) contacts.reserve(system().contacts->vertices().size());
  evaluate_schedule();
  if (inputs) {
    Inputs wanted = inputs(system());
    check_sizes(wanted);
    given = std::move(wanted);
    now = &given;
  }
  if (is_incomplete(state.memory, parts.layout()))
    parts.integrator().start(state, parts.scheduled().inputs());
}

Simulator::Impl::BeforeChange Simulator::Impl::changed(Assembly assembly, const InputsOf& inputs) {
  check_kept(assembly);
  continue_time(scene().time, state.step, assembly.scene.time);
  const Energies first = energies();
  BeforeChange before{{}, state.step, state.memory, work, reactions, contacts, {}};
  if (now == &given) before.given = given;
  try {
    before.parts = parts.replace(recompile(std::move(assembly), system(), state.positions));
  } catch (const DivergenceError& error) {
    // A system does not know the step that it is made for.
    throw DivergenceError(state.step, error.vertex(), error.cause(), error.advice());
  }
  try {
    enter_changed(inputs);
    work.keyframe_work += gained(first, energies());
  } catch (...) {
    put_back(std::move(before));
    throw;
  }
  return before;
}

void Simulator::Impl::put_back(BeforeChange before) {
  parts.put_back(std::move(before.parts));
  state.memory = std::move(before.memory);
  work = before.work;
  reactions = std::move(before.reactions);
  contacts = std::move(before.contacts);
  evaluate_schedule();
  if (!before.given) return;
  given = std::move(*before.given);
  now = &given;
}

void Simulator::Impl::change(Assembly assembly, const InputsOf& inputs) {
  static_cast<void>(changed(std::move(assembly), inputs));
  before_changes.reset();
  has_previous = false;
}

void Simulator::Impl::make_changes(const InputsOf& inputs) {
  std::size_t made = scene().changes_made;
  while (made < scene().changes.size() && scene().changes[made].step <= state.step) ++made;
  if (made == scene().changes_made) return;
  before_changes = changed(changed_assembly(system().assembly, made), inputs);
  has_previous = false;
}

std::optional<SteppingParts::Replaced> Simulator::Impl::bring_to(std::size_t made) {
  if (scene().changes_made == made) return std::nullopt;
  // Where vertices are that come from elsewhere is not known here; at the start they are sound.
  Assembly assembly = changed_assembly(system().assembly, made);
  const VectorArray start = assembly.initial_positions;
  return parts.replace(recompile(std::move(assembly), system(), start));
}

void Simulator::Impl::restart() {
  static_cast<void>(bring_to(0));
  if (scene().changes.empty()) system().assembly.scene.time.legs.clear();
  state = initial_state(system());
  forget_reactions();
  work = {};
  has_previous = false;
  before_changes.reset();
  start();
}

void Simulator::Impl::restore(State given_state, const WorkAccounts& given_work) {
  const auto n = static_cast<std::size_t>(system().vertex_count());
  require_argument(
      given_state.positions.size() == n && given_state.velocities.size() == n && given_state.step >= 0,
      "the restored state does not have as many vertices as the system, or a negative step");
  auto replaced = bring_to(changes_before(scene(), given_state.step));
  if (const std::string wrong = wrong_memory(given_state.memory, parts.layout(), n); !wrong.empty()) {
    if (replaced) {
      parts.put_back(std::move(*replaced));
      if (now != &given) evaluate_schedule();
    }
    throw std::invalid_argument("the restored state's memory is not this method's: " + wrong);
  }
  TimeOptions& time = system().assembly.scene.time;
  // A change that is due will bring its own step.
  if (!electret::is_change_due(scene(), given_state.step) &&
      !same_bits(time.leg_at(given_state.step).time_step, time.step))
    time.change_step(given_state.step, time.step);
  drop_others(given_state.memory, parts.layout());
  state = std::move(given_state);
  forget_reactions();
  work = given_work;
  has_previous = false;
  before_changes.reset();
  evaluate_schedule();
  if (is_incomplete(state.memory, parts.layout()))
    parts.integrator().start(state, parts.scheduled().inputs());
}

void Simulator::change(Assembly assembly, const InputsOf& inputs) {
  impl_->change(std::move(assembly), inputs);
}

bool Simulator::is_change_due() const {
  return electret::is_change_due(impl_->scene(), impl_->state.step);
}

Count Simulator::system_number() const {
  return impl_->parts.replacements();
}

void Simulator::make_changes(const InputsOf& inputs) {
  impl_->make_changes(inputs);
}

}  // namespace electret
