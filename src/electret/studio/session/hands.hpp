#pragma once
/// \file
/// The hands of pages: what they hold, and where they pull it to.
///
/// A hand pulls to its pointer, no farther than 0.3 body diagonals from the grip. A pull that is explicit is
/// soft beside a stiff body; so its target goes on beyond the pointer, by 0.05 of what is missing a step, up
/// to 0.6 diagonals, while the grip hardly moves. All of it becomes keys of a pull (pulls.hpp). The
/// compliance, on which the strength depends, is measured in the first three steps, an axis a step: each is
/// taken with a force on the grip first, and then without. Where anything may touch the bodies, it is tried
/// without that. Pulls at one place, or on a body that moves as one, share what is safe. A change of the
/// scene interrupts hands for a step and makes them measure anew. So it does with what stands as a tack: a
/// hand of no page takes hold of it, and leaves it again when it has measured.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <electret/studio/session/grip.hpp>
#include <electret/studio/session/pulls.hpp>

namespace electret::studio {

/// Hands that hold something at once, of all pages.
inline constexpr std::size_t most_hands = 4;
inline constexpr std::size_t most_tacks = 64;

struct Held {
  int page = 0, hand = 0;
  Grip grip;
  Vec3 pointer{};             ///< Where it pulls to, m.
  Vec3 from_pointer{};        ///< What is added to the places that the page tells.
  Vec3 beyond{};              ///< How far the target goes on beyond the pointer.
  double share = 1.0;         ///< As in strength_of.
  double time_step = 0.0;     ///< Of the system that it pulls in, s.
  std::uint32_t pull = 0;     ///< Its number; 0 before the first step.
  bool is_stretched = false;  ///< The pointer is farther away than the hand reaches.
  int tried_axes = 0;
  double compliance = 0.0;   ///< The largest so far, m/N.
  bool is_measured = false;  ///< All three are known, and the pull has the strength that follows.
  bool stands = false;       ///< It is a tack that is measured anew: its target stays.
  /// How far 1 N on this grip moves what other pulls hold, by their numbers, m.
  std::map<std::uint32_t, double> moves{};
};

class Hands {
 public:
  [[nodiscard]] const std::vector<Held>& all() const { return held_; }
  [[nodiscard]] const Held* find(int page, int hand) const;
  [[nodiscard]] const Held* of_pull(std::uint32_t number) const;

  /// Takes hold with the grip at `grip_place`. `at` is the place of the pointer that is to mean that place;
  /// without it places mean themselves. Returns why it cannot, or "".
  std::string press(int page, int hand, Grip grip, const Vec3& grip_place, const std::optional<Vec3>& at,
                    double share, double time_step);
  /// Whether there is such a hand.
  bool move(int page, int hand, const Vec3& to);
  /// Lets go of it in the step after `step`, which ends at `next_time`; with `stays` it is left as a tack.
  bool let_go(int page, int hand, bool stays, Pulls& pulls, Count step, double next_time);
  /// Of all, or of those of one page; whether there were any.
  bool let_go_all(std::optional<int> page, Pulls& pulls, Count step, double next_time);

  /// Takes hold of the tacks that pull in the step from the simulator's state, before a change ends them.
  void hold_tacks(const Simulator& simulator, double size, const Pulls& pulls);
  /// Lets a tack of this pull be, which is removed.
  void forget_tack(std::uint32_t pull);

  /// Writes the keys of the step that starts from the simulator's state. If it `ends` before a change of the
  /// scene that may make bodies softer or lighter, all pulls end: their strength was for what was there
  /// before. `size` is that of the bodies, m.
  void aim(const Simulator& simulator, double size, bool ends, Pulls& pulls);
  /// The scene was changed: all are measured anew.
  void learn_anew(const System& changed);
  /// A hand whose compliance is not known yet; null if there is none.
  [[nodiscard]] Held* untried();

 private:
  Held* at(int page, int hand);
  void aim(Held& held, const Simulator& simulator, double size, Pulls& pulls);
  /// The pull of a hand that begins, or goes on with another strength.
  static void begin(Held& held, const Simulator& simulator, double size, double beside, Pulls& pulls);
  /// How much what else pulls at `step` is at this place: the sum of (C_ij² / (C_i C_j)), 1 for a pull at the
  /// same place or on a body that moves as one. C_ij is that of `moves`; before it is known, C_ij / √(C_i
  /// C_j) is the overlap of the grips.
  [[nodiscard]] static double beside(const Held& held, const System& system, const Pulls& pulls, Count step);
  std::vector<Held> held_;
};

/// Adds to the step's inputs a force on the grip along the axis that is tried next.
void add_trial(const Held& held, StepInputs& inputs);
/// Notes how the grip answered to it, and what other pulls hold. `loaded` and `free` are states after the
/// step with and without it.
void learn(Held& held, const State& loaded, const State& free, const Pulls& pulls);

}  // namespace electret::studio
