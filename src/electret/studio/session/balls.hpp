#pragma once
/// \file
/// Charges that pages hold in their hands: Gaussian balls, and the `[[external_charge]]` tables of a session.
///
/// A system that is simulated in the studio has `most_balls` external charges of 0 C after the scene's own,
/// which change no bit. Balls that are held take their places, in the order in which they were taken. In
/// session.toml each ball is an external charge of its own, with a key of the interpolation `step` per step
/// in which it moved: it is 0 before and after, and so the sums over external charges are the same. As in
/// pulls.hpp, what a page does before the step from state n is a key at t_{n+1}.

#include <cstdint>
#include <string>
#include <vector>

#include <electret/scene/assembly.hpp>
#include <electret/scene/inputs.hpp>

namespace electret::studio {

/// Balls that are held at once, by all pages.
inline constexpr std::size_t most_balls = 4;

/// One `[[external_charge]]`, with the steps of its keys.
struct Ball {
  std::uint32_t number = 0;  ///< From 1, in the order in which they were taken.
  double charge = 0.0;       ///< Q, C.
  /// Its first key is 0 C at the start; from its end on it is 0 C again.
  ExternalChargeTrack track;
  std::vector<Count> steps;  ///< One per key: the step that ends at its time.
  Count end = never;         ///< It is 0 from the end of this step on.
  static constexpr Count never = -1;

  /// Whether it acts at the end of `step`.
  [[nodiscard]] bool acts_at(Count step) const {
    return steps.size() > 1 && step >= steps[1] && (end == never || step < end);
  }
  /// Whether it goes on to act in the step from state `step`.
  [[nodiscard]] bool acts_after(Count step) const {
    return acts_at(step) && (end == never || step + 1 < end);
  }
};

class Balls {
 public:
  [[nodiscard]] bool empty() const { return balls_.empty(); }
  [[nodiscard]] const std::vector<Ball>& all() const { return balls_; }
  /// A number that grows with every change.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

  /// A new one of `charge` (C) and `width` (σ, m) without keys; its number.
  std::uint32_t begin(double charge, double width);
  /// Its place at the end of `step`, which is after its last key, and at `time` (s). What stays needs no key.
  void aim(std::uint32_t number, Count step, double time, const Vec3& place);
  /// It is 0 from the end of `step` on, which ends at `time` (s); one that has not begun is dropped.
  void end(std::uint32_t number, Count step, double time);
  /// Forgets what came after state `step`; `next_time` is that of the step after it. Those that are held
  /// there are let go of in that step.
  void forget_after(Count step, double next_time);
  void clear();

  /// Writes those that act at the time of `inputs` to its external charges from index `first` on.
  void write_to(Inputs& inputs, std::size_t first, double time_step) const;
  /// The tracks up to state `step`, which are the scene's that repeats the session to there.
  [[nodiscard]] std::vector<ExternalChargeTrack> tracks_until(Count step) const;
  /// A ball of an earlier session, whose keys end these steps; it gets a number.
  void take_up(ExternalChargeTrack track, std::vector<Count> steps);

 private:
  Ball* at(std::uint32_t number);

  std::vector<Ball> balls_;
  std::uint32_t last_number_ = 0;
  std::uint64_t revision_ = 0;
};

/// The tables `[[external_charge]]` of these tracks, for the end of a scene's text.
[[nodiscard]] std::string ball_tables(const std::vector<ExternalChargeTrack>& tracks);

/// The number of places for balls in the studio's system of a scene: `most_balls`, or 0 where changes of the
/// scene's own add or remove external charges, so that places could not be told from them.
[[nodiscard]] std::size_t ball_place_count(const Scene& scene);
/// Adds so many external charges of 0 C to an assembly.
void add_ball_places(Assembly& assembly);
/// The override that adds them to a scene which has `own` external charges.
[[nodiscard]] std::vector<std::string> ball_places(std::size_t own);

/// A ball in the hand of a page.
struct HeldBall {
  int page = 0, hand = 0;
  double charge = 0.0, width = 0.0;  ///< C, m.
  Vec3 place;                        ///< m.
  std::uint32_t number = 0;          ///< Of its Ball; 0 before the first step.
};

}  // namespace electret::studio
