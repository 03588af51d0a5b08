/// Edits of the text that act while the scene runs.

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/parallel.hpp>
#include <electret/dynamics/schedule.hpp>
#include <electret/field/gpu/devices.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/changes_check.hpp>
#include <electret/scene/report.hpp>
#include <electret/studio/session/edit_effect.hpp>
#include <electret/studio/session/live.hpp>
#include <electret/studio/session/scene_edits.hpp>

namespace electret::studio {
namespace {

std::set<Index> vertices_of_tracks(const Assembly& assembly) {
  std::set<Index> vertices;
  for (const ChargeTrack& track : assembly.charge_tracks)
    vertices.insert(track.vertices.begin(), track.vertices.end());
  return vertices;
}

bool is_any(const Change& change) {
  return !change.set.empty() || !change.unset.empty();
}

/// Without what is too long to be read.
std::string brief_assignment(const std::string& text) {
  constexpr std::size_t longest = 80;
  const std::string key = key_of_override(text);
  return text.size() <= longest ? text : key + "=" + (key.size() + 5 < longest ? "…" : "");
}

void wait_for_reset(const std::vector<std::string>& texts, std::vector<std::string>& waiting) {
  for (const std::string& text : texts) waiting.push_back(key_of_override(text));
}

}  // namespace

std::vector<Change> Live::edits_until_now() const {
  std::vector<Change> edits = edits_;
  if (step() < recorded_last_)
    std::erase_if(edits, [this](const Change& each) { return each.step >= step(); });
  return edits;
}

/// What an edit begins with, before it is known what can be had; `edits` stay.
Live::Proposed Live::proposed(const Node& wanted, std::vector<Change> edits) const {
  Proposed proposed;
  proposed.edits = std::move(edits);
  proposed.forgets = proposed.edits.size() < edits_.size();
  proposed.change = difference(edited(proposed.edits).root(), without_auto(wanted));
  proposed.waiting = take_what_waits(proposed.change);
  const auto was_refused = [&](const std::string& text) {
    if (!refused_.contains(text)) return false;
    proposed.waiting.push_back(key_of_override(text));
    return true;
  };
  std::erase_if(proposed.change.set, was_refused);
  std::erase_if(proposed.change.unset, was_refused);
  return proposed;
}

Live::Edited Live::would_edit(const Node& wanted) const {
  Proposed all = proposed(wanted, edits_until_now());
  return {is_any(all.change), std::move(all.waiting)};
}

bool Live::lacks_edits(const Node& wanted) const {
  return is_any(proposed(wanted, edits_).change);
}

/// Leaves out of what was proposed and cannot be had what may be in the way; whether anything is left to be
/// tried.
bool Live::draw_back(Proposed& proposed, Wait wait) {
  // Where keys would make a pin jump, they wait for a replay; the rest need not.
  if (const auto keys = take_keys_of_motion(proposed.change); !keys.empty()) {
    proposed.waiting.insert(proposed.waiting.end(), keys.begin(), keys.end());
    return true;
  }
  Change rest = proposed.change;
  if (auto live = take_what_is_live(rest); !live.empty() && wait == Wait::live) {
    refused_.insert(live.begin(), live.end());
    wait_for_reset(live, proposed.waiting);
    proposed.change = std::move(rest);
    return true;
  }
  return false;
}

Live::Edited Live::edit(const Node& wanted, Wait wait) {
  Proposed all = proposed(wanted, edits_until_now());
  while (is_any(all.change) || all.forgets) {
    try {
      require_no_own_change(all.change);
      make_edit(all.change, all.edits);
      return {true, std::move(all.waiting)};
    } catch (const InputError&) {
      const bool may_wait = why_no_change(all.change).empty();
      if (may_wait && draw_back(all, wait)) continue;
      if (all.waiting.empty() || wait == Wait::nothing) throw;
      wait_for_reset(all.change.unset, all.waiting);
      wait_for_reset(all.change.set, all.waiting);
      break;
    }
  }
  return {false, std::move(all.waiting)};
}

/// Whether anything pulls at the present state. It was measured in what is there now.
bool Live::is_pulled() const {
  return std::any_of(pulls_.all().begin(), pulls_.all().end(),
                     [this](const Pull& pull) { return pull.acts_at(step()); });
}

/// Makes `change` before the next step, after `edits`; a step later where hands have to let go first. Throws,
/// and changes nothing, if it cannot be made.
void Live::make_edit(Change change, std::vector<Change> edits) {
  const bool is_past = step() < recorded_last_, is_live = !is_of_inputs(change);
  change.step = !keeps_grips(change) && is_pulled() ? step() + 1 : step();
  if (!edits.empty()) change.step = std::max(change.step, edits.back().step);
  if (is_any(change)) add_change(std::move(change), edits);
  plan_ahead(std::move(edits), is_live);
  if (is_past) forget_steps_after_now();
}

/// Goes on with `edits` from here. With `compiles` it is tried whether the scene can be compiled with them.
void Live::plan_ahead(std::vector<Change> edits, bool compiles) {
  std::optional<Planned> before;
  try {
    const Count ahead = edits.empty() ? step() : std::max(step(), edits.back().step);
    before = plan(edits);
    look_ahead(ahead, compiles);
  } catch (...) {
    if (before) take_back(std::move(*before));
    throw;
  }
  edits_ = std::move(edits);
  ++edits_revision_;
}

void Live::require_scene(const std::string& text, const FileReader& read) const {
  static_cast<void>(load_scene_text(text, source_.file, source_.folder, {}, read, *source_.meshes));
}

/// Throws InputError if this version cannot simulate the scene from the present positions on.
void Live::require_compilable(Assembly next) const {
  next.scene.changes.clear();
  next.scene.changes_made = 0;
  next.changed.reset();
  try {
    const auto system = recompile(std::move(next), simulator_.system(), simulator_.state().positions);
    static_cast<void>(make_integrator(*system, system->assembly.scene.integrator));
  } catch (const DivergenceError& error) {
    throw InputError(Finding{{}, error.cause(), error.advice()});
  } catch (const gpu::DeviceError& error) {
    throw InputError(Finding{{}, error.what(), "--set coulomb.device=cpu does without it"});
  }
}

/// Makes the scene as it is after the changes at `at` and before, the next steps, for what is shown until
/// then. Throws InputError with what keeps it from that.
void Live::look_ahead(Count at, bool compiles) {
  const Assembly& now = simulator_.system().assembly;
  const auto made =
      static_cast<std::size_t>(std::find_if(now.scene.changes.begin(), now.scene.changes.end(),
                                            [at](const Change& each) { return each.step > at; }) -
                               now.scene.changes.begin());
  const auto begin = std::chrono::steady_clock::now();
  const Assembly next = now.changed->with(now.scene, made);
  Report report;
  if (made > 0 && !check_kept(now, next, made - 1, report)) report.throw_if_any(source_.file);
  if (compiles) require_compilable(next);
  Inputs inputs;
  Schedule(next, scenery_.info.pins).evaluate(time(), inputs);
  ahead_ = {at, std::move(inputs.charges), next.charges, vertices_of_tracks(next),
            std::move(inputs.external_charges)};
  scenery_.surroundings.renew_external(next, ball_places_);
  scenery_.shown.renew_groups(next);
  scenery_.shown.count_totals(ahead_->charges, next.masses);
  if (compiles) {
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    scenery_.info.rebuild_ms = took.count();
    shows_ahead_ = true;
    show(next);
  } else if (!scenery_.scalars.has("potential")) {
    scenery_.scalars = Scalars(next, scenery_.shown, simulator_.system().threads->count());
  }
  scenery_.info.external = scenery_.surroundings.external();
  scenery_.info.bodies = scenery_.shown.bodies();
  scenery_.info.groups = scenery_.shown.groups();
  scenery_.info.scalars = scenery_.scalars.list();
}

/// Shows what a scene is compiled with.
void Live::show(const Assembly& scene) {
  scenery_.surroundings.renew_obstacles(scene);
  scenery_.shown.renew_springs(scene);
  Scalars scalars(scene, scenery_.shown, simulator_.system().threads->count());
  if (scalars.has(maker_.selected())) scenery_.scalars = std::move(scalars);
  describe(scene.scene, scenery_);
  if (scenery_.info.method == "auto") scenery_.info.method = simulator_.integrator().name();
  const TimeOptions& time = simulator_.system().assembly.scene.time;
  scenery_.info.last_step = last_step_of(time);
  scenery_.info.legs.clear();
  for (const TimeLeg& leg : time.legs) scenery_.info.legs.push_back({leg.step, leg.time, leg.time_step});
}

bool Live::show_present() {
  if (shows_ahead_ ? is_ahead() : shown_system_ == simulator_.system_number()) return false;
  shows_ahead_ = false;
  shown_system_ = simulator_.system_number();
  const Assembly& now = simulator_.system().assembly;
  scenery_.shown.count_totals(simulator_.inputs().charges, now.masses);
  show(now);
  return true;
}

void Live::show_changes() {
  look_ahead(step(), false);
}

ChangesInfo Live::changes(std::size_t most) const {
  ChangesInfo info;
  info.all = static_cast<Count>(edits_.size());
  for (std::size_t k = edits_.size() - std::min(most, edits_.size()); k < edits_.size(); ++k) {
    const Change& edit = edits_[k];
    ChangeInfo& one = info.changes.emplace_back();
    one.step = edit.step;
    one.time = simulator_.system().time(edit.step);
    for (const std::string& key : edit.unset) one.set.push_back("--unset " + key);
    for (const std::string& each : edit.set) one.set.push_back(brief_assignment(each));
    if (const auto found = gains_.find(edit.step); found != gains_.end() && edit.step < recorded_last_)
      one.energy = found->second;
  }
  return info;
}

/// Whether what comes with the next changes is shown already.
bool Live::is_ahead() const {
  if (!ahead_) return false;
  if (ahead_->step == step()) return simulator_.is_change_due();
  return ahead_->step == step() + 1 && step() == recorded_last_ && !edits_.empty() &&
         edits_.back().step == ahead_->step;
}

std::vector<double> Live::own_charges() const {
  return is_ahead() ? ahead_->own : simulator_.system().assembly.charges;
}

std::set<Index> Live::charged_by_groups() const {
  return is_ahead() ? ahead_->of_groups : vertices_of_tracks(simulator_.system().assembly);
}

const std::vector<PlacedCharge>& Live::external_now() const {
  return is_ahead() ? ahead_->external : simulator_.inputs().external_charges;
}

ScalarView Live::charges_now() const {
  return is_ahead() ? ScalarView(ahead_->charges) : simulator_.inputs().charges;
}

}  // namespace electret::studio
