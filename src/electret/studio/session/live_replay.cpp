/// Steps that are taken again: those out of date, and those of an earlier session.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/studio/session/key_tables.hpp>
#include <electret/studio/session/live.hpp>
#include <electret/studio/session/scene_edits.hpp>

namespace electret::studio {

void Live::replay_keys(const Node& wanted, const std::vector<std::string>& tables) {
  const auto is_meant = [&](const std::string& text) {
    return std::any_of(tables.begin(), tables.end(),
                       [&](const std::string& table) { return is_of_keys(text, table); });
  };
  const auto is_other = [&](const std::string& text) { return !is_meant(text); };
  std::vector<Change> before, after;
  for (const Change& each : edits_) (each.step <= step() ? before : after).push_back(each);
  Change change = difference(edited(before).root(), without_auto(wanted));
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

/// The step that ends at `time` (s), up to `most`. Throws InputError.
Count Live::step_at(double time, Count most) const {
  const System& system = simulator_.system();
  const auto near = [&](Count step) {
    return 1e-6 * system.assembly.scene.time.leg_at(std::max<Count>(step - 1, 0)).time_step;
  };
  Count low = 0, high = most;
  while (low < high) {
    const Count middle = low + (high - low) / 2;
    if (system.time(middle) < time - near(middle))
      low = middle + 1;
    else
      high = middle;
  }
  if (std::abs(system.time(low) - time) > near(low))
    throw InputError(Finding{{}, "the times of its grabs are no steps of the scene that it began with", ""});
  return low;
}

void Live::take_up(const SessionPast& past) {
  std::vector<Finding> wrong;
  static_cast<void>(edited(past.edits, wrong));
  if (!wrong.empty()) throw InputError(std::move(wrong));
  // The edits say when steps end.
  std::optional<Planned> before;
  if (!past.edits.empty()) before = plan(past.edits);
  try {
    take_up_hands(past);
  } catch (...) {
    if (before) take_back(std::move(*before));
    throw;
  }
  edits_ = past.edits;
  ++edits_revision_;
}

void Live::take_up_hands(const SessionPast& past) {
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
  taken_up_ = past.steps;
  for (Pull& pull : pulls) pulls_.take_up(std::move(pull));
  for (std::size_t k = 0; k < ball_steps.size(); ++k) balls_.take_up(past.balls[k], std::move(ball_steps[k]));
  // A page that held a ball when the session ended has let go of it.
  if (past.steps > 0) balls_.forget_after(past.steps, simulator_.system().time(past.steps + 1));
}

}  // namespace electret::studio
