#pragma once
/// \file
/// What hands did to a scene: the `[[grab]]` tables of a session, from its start.
///
/// Keys are told by the step that they lead to: what a hand does before the step from state n is a key at
/// t_{n+1}, so that the inputs at t_n stay what the last step ended with. Times and values are those of a
/// `[[grab]]` with the interpolation `step`, and so a scene with these tables has the same inputs.

#include <cstdint>
#include <string>
#include <vector>

#include <electret/dynamics/system.hpp>
#include <electret/scene/inputs.hpp>
#include <electret/scene/tables/grabs.hpp>

namespace electret::studio {

/// One `[[grab]]`, with the steps of its keys.
struct Pull {
  std::uint32_t number = 0;  ///< From 1, in the order in which they began.
  GrabTrack track;
  std::vector<Count> steps;  ///< One per key of the track: the step that ends at its time.
  Count end = never;         ///< There is no force from the end of this step on.
  Count let_stand = never;   ///< From here on its target stays: it is a tack.
  double most_way = 0.0;     ///< In one step, m: a grip that goes farther diverges.
  double compliance = 0.0;   ///< C of its grip, m/N; 0 if it is not known.
  static constexpr Count never = -1;

  /// Whether it acts at the end of `step`.
  [[nodiscard]] bool acts_at(Count step) const {
    return !steps.empty() && step >= steps.front() && (end == never || step < end);
  }
  /// Whether it goes on to act in the step from state `step`.
  [[nodiscard]] bool acts_after(Count step) const {
    return acts_at(step) && (end == never || step + 1 < end);
  }
  /// Whether it is a tack there.
  [[nodiscard]] bool is_tack_at(Count step) const { return let_stand != never && step >= let_stand; }
};

class Pulls {
 public:
  [[nodiscard]] bool empty() const { return pulls_.empty(); }
  [[nodiscard]] const std::vector<Pull>& all() const { return pulls_; }
  /// Null if there is none, or no longer.
  [[nodiscard]] const Pull* find(std::uint32_t number) const;
  /// A number that grows with every change.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  /// A new one without keys; its number. `most_way` (m) is what its grip may move in one step, `compliance`
  /// (m/N) is C, or 0.
  std::uint32_t begin(GrabTrack track, double most_way, double compliance = 0.0);
  /// Sets its target at the end of step `step`, which is after its last key, and at `time` (s). A target that
  /// stays needs no key.
  void aim(std::uint32_t number, Count step, double time, const Vec3& target);
  /// Its force ends with step `step`, which ends at `time` (s); one that has not begun is dropped.
  void end(std::uint32_t number, Count step, double time);
  /// The same of all that go on.
  void end_all(Count step, double time);
  /// It is a tack from state `step` on.
  void let_stand(std::uint32_t number, Count step);
  /// Forgets what came after state `step`; `next_time` is that of the step after it. Hands that pull there
  /// let go in that step. Tacks that stand there stay.
  void forget_after(Count step, double next_time);
  void clear();

  /// Adds those that act at `time` (s) to `grabs`, with their values there.
  void add_to(std::vector<PlacedGrab>& grabs, double time, double time_step) const;
  /// The tracks up to state `step`, which are the scene's that repeats the session to there.
  [[nodiscard]] std::vector<GrabTrack> tracks_until(Count step) const;
  /// For each of these tracks from which state it is a tack, or Pull::never.
  [[nodiscard]] std::vector<Count> tacks_until(Count step) const;
  /// A pull of an earlier session; it gets a number.
  void take_up(Pull pull);

 private:
  Pull* at(std::uint32_t number);

  std::vector<Pull> pulls_;
  std::uint32_t last_number_ = 0;
  std::uint64_t revision_ = 0;
};

/// The tables `[[grab]]` of these tracks, for the end of a scene's text. Where `tacks` has one number per
/// track, a comment names tacks.
[[nodiscard]] std::string grab_tables(const std::vector<GrabTrack>& tracks, const Assembly& assembly,
                                      const std::vector<Count>& tacks = {});

/// `value` to 7 significant decimal digits: the number that such a decimal is read as.
[[nodiscard]] double seven_digits(double value);

/// The same to as many digits as tell 1e-7 `size` apart, if seven are too few.
[[nodiscard]] double rounded_beside(double value, double size);
/// A place (m): far from the origin, seven digits would be coarse beside a body of this size (m).
[[nodiscard]] Vec3 rounded_place(const Vec3& place, double size);

}  // namespace electret::studio
