#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/core/parallel.hpp>
#include <electret/dynamics/schedule.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/changes_check.hpp>
#include <electret/scene/report.hpp>
#include <electret/studio/session/key_tables.hpp>
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

/// Whether this key, or assignment, may set charges of `body`. A scene's own key may name its body.
bool is_charging(const std::string& key, const std::string& body) {
  const auto own = charged_body(key);
  return own && (*own == body || own->find_first_not_of("0123456789") != std::string::npos);
}

}  // namespace

/// The scene's own changes and those that were made here, in the order in which they are made.
std::vector<Change> Live::all_changes(const std::vector<Change>& edits) const {
  std::vector<Change> all;
  std::merge(own_changes_.begin(), own_changes_.end(), edits.begin(), edits.end(), std::back_inserter(all),
             [](const Change& a, const Change& b) { return a.step < b.step; });
  return all;
}

/// The system goes on with these changes. Those that it has made stay.
Live::Planned Live::plan(const std::vector<Change>& edits) {
  Assembly& assembly = simulator_.system().assembly;
  Scene& scene = assembly.scene;
  Planned before{scene.changes, scene.overrides, assembly.changed};
  scene.changes = all_changes(edits);
  scene.overrides = source_.overrides;
  // `auto` would choose anew in a scene that is changed.
  if (const Choice& choice = simulator_.integrator().choice(); !choice.empty())
    scene.overrides.push_back("integrator.method=" + choice.name);
  if (!scene.changes.empty() || !own_changes_.empty())
    scene.overrides.push_back(changes_override(scene.changes));
  renew_changed();
  return before;
}

/// Changed scenes have places for balls, as the present one; session.toml has what was in them.
void Live::renew_changed() {
  Assembly& assembly = simulator_.system().assembly;
  const Scene& scene = assembly.scene;
  std::vector<std::string> overrides = scene.overrides;
  if (ball_places_ > 0)
    for (std::string& each : ball_places(own_external_)) overrides.push_back(std::move(each));
  const auto changed = std::make_shared<ChangedScenes>(
      SceneOrigin{scene.text, std::nullopt, source_.file, scene.folder, std::move(overrides)}, source_.read);
  changed->meshes() = *source_.meshes;
  assembly.changed = changed;
}

void Live::take_back(Planned before) {
  Assembly& assembly = simulator_.system().assembly;
  assembly.scene.changes = std::move(before.changes);
  assembly.scene.overrides = std::move(before.overrides);
  assembly.changed = std::move(before.changed);
}

/// Forgets the edits that were made after this state: the steps that they belong to are forgotten.
void Live::forget_edits_after_now() {
  const auto first =
      std::find_if(edits_.begin(), edits_.end(), [this](const Change& each) { return each.step >= step(); });
  if (first == edits_.end()) return;
  edits_.erase(first, edits_.end());
  ++edits_revision_;
  static_cast<void>(plan(edits_));
}

/// An edit is told from the text, which has the scene's own changes as a list: it could not be told what such
/// a change did to the same body from what the edit is to do.
std::string Live::why_own_change(const std::string& what,
                                 const std::function<bool(const std::string&)>& is_one) const {
  for (const Change& own : own_changes_)
    if (own.step <= step() && (std::any_of(own.set.begin(), own.set.end(), is_one) ||
                               std::any_of(own.unset.begin(), own.unset.end(), is_one)))
      return "the scene's own [[change]] at step " + std::to_string(own.step) + " has set " + what +
             ": edit that change, or go back before it";
  return "";
}

std::string Live::why_no_charges(const std::string& body) const {
  return why_own_change("charges of this body",
                        [&](const std::string& key) { return is_charging(key, body); });
}

std::string Live::why_no_external(const std::string& number) const {
  return why_own_change("this external charge", [&](const std::string& key) {
    const auto own = external_of_key(key);
    return own && (*own == number || own->empty());
  });
}

std::vector<Change> Live::edits_until_now() const {
  std::vector<Change> edits = edits_;
  if (step() < recorded_last_)
    std::erase_if(edits, [this](const Change& each) { return each.step >= step(); });
  return edits;
}

Live::Edited Live::would_edit(const Node& wanted) const {
  Change change = difference(edited(edits_until_now()).root(), wanted);
  Edited done;
  done.waiting = take_what_waits(change);
  done.is_other = !change.set.empty() || !change.unset.empty();
  return done;
}

/// Of keys of pins, loads, muscles and obstacles.
std::string Live::why_no_other_keys(const std::string& key) const {
  const std::string table = table_of_keys(key);
  if (table.empty()) return "";
  return why_own_change("keys of [[" + table + "]]",
                        [&](const std::string& own) { return table_of_keys(own) == table; });
}

/// Throws InputError if the scene's own changes have set what is to be edited.
void Live::require_no_own_change(const Change& change) const {
  for (const std::vector<std::string>* keys : {&change.set, &change.unset})
    for (const std::string& key : *keys) {
      const auto body = charged_body(key), external = external_of_key(key);
      std::string why = body       ? why_no_charges(*body)
                        : external ? why_no_external(*external)
                                   : why_no_other_keys(key);
      if (!why.empty()) throw InputError(Finding{{}, std::move(why), ""});
    }
}

Live::Edited Live::edit(const Node& wanted) {
  std::vector<Change> edits = edits_until_now();
  const bool forgets = edits.size() < edits_.size();
  Change change = difference(edited(edits).root(), wanted);
  Edited done;
  done.waiting = take_what_waits(change);
  while (true) {
    const bool is_other = !change.set.empty() || !change.unset.empty();
    if (!is_other && !forgets) return done;
    try {
      require_no_own_change(change);
      make_edit(change, edits);
      done.is_other = true;
      return done;
    } catch (const InputError&) {
      // Where keys would make a pin jump, they wait for a replay; the rest need not.
      if (const auto keys = take_keys_of_motion(change); !keys.empty()) {
        done.waiting.insert(done.waiting.end(), keys.begin(), keys.end());
        continue;
      }
      if (done.waiting.empty()) throw;
      for (const std::vector<std::string>* each : {&change.unset, &change.set})
        for (const std::string& key : *each) done.waiting.push_back(key_of_override(key));
      return done;
    }
  }
}

/// Makes `change` at the present step, after `edits`. Throws, and changes nothing, if it cannot be made.
void Live::make_edit(Change change, std::vector<Change> edits) {
  const bool is_past = step() < recorded_last_;
  change.step = step();
  if (!change.set.empty() || !change.unset.empty()) add_change(std::move(change), edits);
  plan_ahead(std::move(edits));
  if (is_past) forget_steps_after_now();
}

/// Goes on with `edits` from here.
void Live::plan_ahead(std::vector<Change> edits) {
  std::optional<Planned> before;
  try {
    before = plan(edits);
    look_ahead();
  } catch (...) {
    if (before) take_back(std::move(*before));
    throw;
  }
  edits_ = std::move(edits);
  ++edits_revision_;
}

void Live::replay_keys(const Node& wanted, const std::vector<std::string>& tables) {
  const auto is_meant = [&](const std::string& text) {
    return std::any_of(tables.begin(), tables.end(),
                       [&](const std::string& table) { return is_of_keys(text, table); });
  };
  const auto is_other = [&](const std::string& text) { return !is_meant(text); };
  std::vector<Change> before, after;
  for (const Change& each : edits_) (each.step <= step() ? before : after).push_back(each);
  Change change = difference(edited(before).root(), wanted);
  std::erase_if(change.set, is_other);
  std::erase_if(change.unset, is_other);
  require_no_own_change(change);
  change.step = step();
  std::vector<Change> edits = before;
  if (!change.set.empty() || !change.unset.empty()) edits.push_back(std::move(change));
  for (Change& each : after) {
    std::erase_if(each.set, is_meant);
    std::erase_if(each.unset, is_meant);
    if (!each.set.empty() || !each.unset.empty()) edits.push_back(std::move(each));
  }
  std::vector<Finding> wrong;
  static_cast<void>(edited(edits, wrong));
  if (!wrong.empty()) throw InputError(std::move(wrong));
  plan_ahead(std::move(edits));
  const Pulls pulls = pulls_;
  const Balls balls = balls_;
  forget_steps_after_now();
  pulls_ = pulls;
  balls_ = balls;
}

std::vector<KeyTable> Live::running_keys() const {
  return key_tables(edited(edits_until_now()).root());
}

/// Keys alone move no table to another place.
std::map<std::pair<std::string, std::string>, Count> Live::tables_since() const {
  std::vector<Finding> findings;
  Document document(source_.text, source_.file, source_.overrides, findings);
  std::map<std::pair<std::string, std::string>, Count> since;
  const auto look = [&](Count step) {
    std::map<std::pair<std::string, std::string>, Count> now;
    for (const KeyTable& each : key_tables(document.root())) {
      const std::pair place(each.key, each.identity);
      const auto before = since.find(place);
      now.emplace(place, before != since.end() ? before->second : step);
    }
    since = std::move(now);
  };
  look(0);
  const auto is_other = [](const std::string& key) { return !is_of_keys(key); };
  for (const Change& each : edits_) {
    for (const std::string& key : each.unset) document.unset(key, Location{}, findings);
    for (const std::string& assignment : each.set) document.set(assignment, Location{}, findings);
    if (std::any_of(each.unset.begin(), each.unset.end(), is_other) ||
        std::any_of(each.set.begin(), each.set.end(), is_other))
      look(each.step);
  }
  return since;
}

void Live::end_replay() {
  if (step() < recorded_last_) return;
  pulls_.forget_after(step(), next_time());
  balls_.forget_after(step(), next_time());
  if (std::erase_if(edits_, [this](const Change& each) { return each.step > step(); }) == 0) return;
  ++edits_revision_;
  static_cast<void>(plan(edits_));
}

void Live::require_scene(const std::string& text) const {
  static_cast<void>(load_scene_text(text, source_.file, source_.folder, {}, source_.read, *source_.meshes));
}

/// The step that ends at `time` (s), up to `most`. Throws InputError.
Count Live::step_at(double time, Count most) const {
  const System& system = simulator_.system();
  Count low = 0, high = most;
  while (low < high) {
    const Count middle = low + (high - low) / 2;
    if (system.time(middle) < time - 1e-6 * system.assembly.scene.time.step)
      low = middle + 1;
    else
      high = middle;
  }
  if (std::abs(system.time(low) - time) > 1e-6 * system.assembly.scene.time.step)
    throw InputError(Finding{{}, "the times of its grabs are no steps of the scene that it began with", ""});
  return low;
}

void Live::take_up(const SessionPast& past) {
  std::vector<Finding> wrong;
  static_cast<void>(edited(past.edits, wrong));
  if (!wrong.empty()) throw InputError(std::move(wrong));
  std::vector<Pull> pulls;
  for (std::size_t k = 0; k < past.tracks.size(); ++k) {
    Pull pull;
    pull.track = past.tracks[k];
    pull.let_stand = past.tacks[k];
    pull.most_way = std::numeric_limits<double>::infinity();
    for (const double time : pull.track.targets.times) pull.steps.push_back(step_at(time, past.steps + 1));
    if (std::isfinite(pull.track.until)) {
      pull.end = step_at(pull.track.until, past.steps + 1);
    } else if (pull.let_stand == Pull::never) {  // A hand that held when the session ended.
      pull.end = past.steps + 1;
      pull.track.until = simulator_.system().time(pull.end);
    }
    pulls.push_back(std::move(pull));
  }
  std::vector<std::vector<Count>> ball_steps;
  for (const ExternalChargeTrack& track : past.balls)
    for (std::vector<Count>& steps = ball_steps.emplace_back(); const double time : track.position.times)
      steps.push_back(step_at(time, past.steps + 1));
  edits_ = past.edits;
  if (!edits_.empty()) static_cast<void>(plan(edits_));
  ++edits_revision_;
  for (Pull& pull : pulls) pulls_.take_up(std::move(pull));
  for (std::size_t k = 0; k < ball_steps.size(); ++k) balls_.take_up(past.balls[k], std::move(ball_steps[k]));
  // A page that held a ball when the session ended has let go of it.
  if (past.steps > 0) balls_.forget_after(past.steps, simulator_.system().time(past.steps + 1));
}

/// The scene's text with these edits, but without changes of its own.
Document Live::edited(const std::vector<Change>& edits) const {
  std::vector<Finding> findings;
  Document document = edited(edits, findings);
  require(findings.empty(), "the edits of a session fit its scene");
  return document;
}

/// The same; `findings` has which of the edits cannot be made.
Document Live::edited(const std::vector<Change>& edits, std::vector<Finding>& findings) const {
  Document document(source_.text, source_.file, source_.overrides, findings);
  for (const Change& each : edits) {
    for (const std::string& key : each.unset) document.unset(key, Location{}, findings);
    for (const std::string& assignment : each.set) document.set(assignment, Location{}, findings);
  }
  return document;
}

/// Makes the scene as it is from the next step on, for what is shown until then. Throws InputError with what
/// keeps it from that.
void Live::look_ahead() {
  const Assembly& now = simulator_.system().assembly;
  const auto made =
      static_cast<std::size_t>(std::find_if(now.scene.changes.begin(), now.scene.changes.end(),
                                            [this](const Change& each) { return each.step > step(); }) -
                               now.scene.changes.begin());
  const Assembly next = now.changed->with(now.scene, made);
  Report report;
  if (made > 0 && !check_kept(now, next, made - 1, report)) report.throw_if_any(source_.file);
  Inputs inputs;
  Schedule(next, scenery_.info.pins).evaluate(time(), inputs);
  ahead_ = {step(), std::move(inputs.charges), next.charges, vertices_of_tracks(next),
            std::move(inputs.external_charges)};
  scenery_.surroundings.renew_external(next, ball_places_);
  scenery_.info.external = scenery_.surroundings.external();
  scenery_.shown.renew(next, ahead_->charges);
  if (!scenery_.scalars.has("potential"))
    scenery_.scalars = Scalars(next, scenery_.shown, simulator_.system().threads->count());
  scenery_.info.bodies = scenery_.shown.bodies();
  scenery_.info.groups = scenery_.shown.groups();
  scenery_.info.scalars = scenery_.scalars.list();
}

bool Live::is_ahead() const {
  return ahead_ && ahead_->step == step() && simulator_.is_change_due();
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
