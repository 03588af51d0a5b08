#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <electret/core/same_bits.hpp>
#include <electret/scene/body_contact.hpp>
#include <electret/scene/changes_check.hpp>
#include <electret/scene/held_directions.hpp>
#include <electret/scene/run_duration.hpp>
#include <electret/scene/same_finding.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

std::string key_of_change(std::size_t k) {
  return "change." + std::to_string(k);
}

std::string change_named(const Scene& scene, std::size_t k) {
  return "the change at step " + std::to_string(scene.changes[k].step);
}

}  // namespace

/// A finding in another file, such as a mesh, stays there. One elsewhere in the scene comes to the change.
Finding ChangeReport::located(std::size_t k, const Finding& finding) const {
  const std::string& file = finding.where.file;
  const std::string message = change_named(scene_, k) + ": " + finding.message;
  const Change& change = scene_.changes[k];
  const auto is_at = [&](const char* list, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (is_same_place(place_of(scene_.source, key_of_change(k) + "." + list + "." + std::to_string(i)),
                        finding.where))
        return true;
    return false;
  };
  if (is_at("set", change.set.size()) || is_at("unset", change.unset.size()))
    return {finding.where, message, finding.allowed};
  if (file != file_ && finding.where.line > 0) return {finding.where, message, finding.allowed};
  const std::string where = to_string(finding.where);
  return {place_of(scene_.source, key_of_change(k)), message + (where.empty() ? "" : " (" + where + ")"),
          finding.allowed};
}

bool ChangeReport::add_new(std::size_t k, const Report& found) {
  bool is_none = true;
  for (const Finding& finding : found.findings()) {
    if (has_same(known_, finding)) continue;
    known_.push_back(finding);
    const Finding at = located(k, finding);
    report_.add_at(at.where, key_of_change(k), at.message, at.allowed);
    is_none = false;
  }
  return is_none;
}

RunLength::RunLength(Scene& scene, const Document& written, Report& report)
    : scene_(scene), report_(report), time_(scene.time) {
  const Node::Member* time = written.root().member("time");
  const Node::Member* duration = time != nullptr ? time->node.member("duration") : nullptr;
  if (duration != nullptr) duration_ = duration->node.number;
}

bool RunLength::reaches(std::size_t k) {
  const Count step = scene_.changes[k].step;
  if (step < time_.steps) return true;
  const std::string key = key_of_change(k) + ".step";
  report_.add(scene_.source, key,
              change_named(scene_, k) + " is never made: the run has " +
                  counted(static_cast<std::size_t>(time_.steps), "step", "steps"),
              time_.steps > 0 ? "allowed: a step from 0 to " + std::to_string(time_.steps - 1)
                              : "allowed: no change in a run without steps");
  return false;
}

void RunLength::change(std::size_t k, double time_step) {
  if (same_bits(time_step, time_.step)) return;
  const Count step = scene_.changes[k].step;
  time_.change_step(step, time_step);
  last_ = k;
  if (!duration_) return;
  constexpr double most = 9e15;
  const double rest = std::min((*duration_ - time_.at(step)) / time_step, most);
  // A rest that ends within a step is a finding at the end, unless a later change mends it.
  time_.steps = step + static_cast<Count>(std::ceil(rest - 1e-6));
}

void RunLength::end() {
  scene_.time.steps = time_.steps;
  scene_.time.legs = time_.legs;
  if (!duration_) return;
  if (!last_) {  // The step was set to what it is.
    check_duration(scene_.source, *duration_, time_.step, report_);
    return;
  }
  const Count from = scene_.changes[*last_].step;
  const double rest = *duration_ - time_.at(from), steps = rest / time_.step;
  if (std::abs(steps - std::round(steps)) <= 1e-6) return;
  report_.add(scene_.source, key_of_change(*last_),
              change_named(scene_, *last_) + " leaves " + number_text(rest) +
                  " s of the \"duration\", which are " + number_text(steps) +
                  " steps of \"step\" = " + number_text(time_.step),
              "allowed: a whole number of steps, or \"steps\" in place of \"duration\"");
}

namespace {

/// What a change keeps, by name.
class KeptByChange {
 public:
  KeptByChange(const Assembly& before, const Assembly& after, std::size_t k, Report& report)
      : before_(before), after_(after), k_(k), report_(report) {}

  bool check() {
    if (before_.body_offsets != after_.body_offsets)
      return fault("needs " + counted(after_.masses.size(), "vertex", "vertices") + " in " +
                   counted(after_.body_offsets.size() - 1, "body", "bodies") + " in place of " +
                   std::to_string(before_.masses.size()) + " in " +
                   std::to_string(before_.body_offsets.size() - 1));
    return check_pins() && check_start() && check_columns();
  }

 private:
  bool fault(const std::string& what) {
    report_.add(after_.scene.source, key_of_change(k_), change_named(after_.scene, k_) + " " + what,
                "allowed: changes that keep the vertices, the pins and what is there at the start; such a "
                "scene has to start anew");
    return false;
  }

  bool check_pins() {
    const auto is_same = [](const auto& a, const auto& b) {
      return a.first == b.first && same_bits(a.second.rows, b.second.rows);
    };
    const auto held = held_directions(before_), now = held_directions(after_);
    if (!std::equal(held.begin(), held.end(), now.begin(), now.end(), is_same))
      return fault("needs other pins");
    const Count step = after_.scene.changes[k_].step;
    const auto from = offsets(before_, step), to = offsets(after_, step);
    for (const auto& [vertex, offset] : from) {
      const Vec3& other = to.at(vertex);
      const double jump = norm(other - offset);
      if (jump <= 1e-9 * std::max(norm(offset), norm(other))) continue;
      return fault("lets the pin of vertex " + std::to_string(vertex) + " jump by " + brief_text(jump) +
                   " m");
    }
    return true;
  }

  /// How far pins have been moved at a step, m.
  static std::map<Index, Vec3> offsets(const Assembly& a, Count step) {
    std::map<Index, Vec3> all;
    for (const PinTrack& track : a.pin_tracks) {
      Vec3 offset;
      if (!track.offsets.empty()) offset = evaluate(track.offsets, a.scene.time.at(step), a.scene.time.step);
      if (!track.hold.is_whole()) offset = track.hold.projector() * offset;
      for (const Index vertex : track.vertices) all[vertex] += offset;
    }
    return all;
  }

  bool check_start() {
    if (!same_bits(before_.rest_positions, after_.rest_positions) ||
        !same_bits(before_.initial_positions, after_.initial_positions))
      return fault("moves bodies at the start, where they no longer are");
    if (!same_bits(before_.initial_velocities, after_.initial_velocities))
      return fault("gives bodies other velocities at the start, which they no longer have");
    return true;
  }

  /// The columns of a run's tables and what its trajectory holds are those of its start.
  bool check_columns() {
    if (exact_obstacles(before_) != exact_obstacles(after_))
      return fault("needs other obstacles with the law \"exact\", whose forces a run records");
    if (do_bodies_touch(before_) != do_bodies_touch(after_))
      return fault("turns contact of bodies on or off, whose forces a run records");
    return true;
  }

  /// All obstacles if there are any that push exactly: the run's files count through them.
  static std::vector<std::string> exact_obstacles(const Assembly& a) {
    std::vector<std::string> names;
    bool is_any = false;
    for (const ObstacleTrack& track : a.obstacles) {
      names.push_back(track.name + (track.is_exact ? " exact" : ""));
      is_any |= track.is_exact;
    }
    return is_any ? names : std::vector<std::string>();
  }

  static bool do_bodies_touch(const Assembly& a) {
    return touches_bodies(a.scene) && body_pairs(a).is_any_allowed();
  }

  const Assembly& before_;
  const Assembly& after_;
  std::size_t k_;
  Report& report_;
};

}  // namespace

bool check_kept(const Assembly& before, const Assembly& after, std::size_t k, Report& report) {
  return KeptByChange(before, after, k, report).check();
}

bool are_charges_changed(const Assembly& before, const Assembly& after) {
  const auto is_same = [](const ChargeTrack& a, const ChargeTrack& b) {
    return a.vertices == b.vertices && a.charge.times == b.charge.times &&
           a.charge.values == b.charge.values && a.charge.interpolation == b.charge.interpolation &&
           a.key_framed == b.key_framed;
  };
  const auto is_framed = [](const ChargeTrack& track) { return track.key_framed; };
  return !same_bits(before.charges, after.charges) ||
         !std::equal(before.charge_tracks.begin(), before.charge_tracks.end(), after.charge_tracks.begin(),
                     after.charge_tracks.end(), is_same) ||
         std::any_of(after.charge_tracks.begin(), after.charge_tracks.end(), is_framed);
}

}  // namespace electret
