#pragma once
/// \file
/// Bodies that touch each other and themselves: what is constant during a run.

#include <memory>
#include <optional>
#include <vector>

#include <electret/contact/body_passage.hpp>
#include <electret/contact/pair_potential.hpp>
#include <electret/contact/surface_pairs.hpp>

namespace electret {

/// In thicknesses: from how far two edges repel each other of which one lies within a flat face.
inline constexpr double flat_edge_reach = 0.25;

/// The frictions between bodies.
struct BodyFrictions {
  std::vector<double> values;      ///< μ of each kind.
  std::vector<std::size_t> kinds;  ///< bodies × bodies, symmetric: which kind two bodies have.
  bool keeps_idle = false;         ///< Derivatives by a μ of 0 are wanted.
};

/// What a pair does at the end of a step: its first part, the vertex or the first edge, is pushed by normal ·
/// direction + friction, the second by the opposite. A pair that has come apart in the step still rubs in it.
struct PairForce {
  SurfacePair pair;
  double gap = 0.0;         ///< d, m.
  double normal = 0.0;      ///< κ m p, N: by which the parts push each other.
  double tangential = 0.0;  ///< |φ|, N: the friction between them.
  bool slips = false;
  Vec3 direction;  ///< n, from the second part to the first; 0 where nothing is pushed.
  Vec3 friction;   ///< -Qφ, N.
};

/// What all pairs do at the end of a step.
struct BodyContactState {
  std::vector<PairForce> forces;  ///< Ascending by pair.
  double energy = 0.0;            ///< E_c, J.
  double stored = 0.0;            ///< In the slips of pairs that stick, J: ½ k|s|², at most ½ ℓ²/k.
  double work = 0.0;              ///< Σ φ·Qᵀ Σ w (x - x_t), J: what friction has taken in the step.
  double smallest_gap = 0.0;      ///< Of the pairs, m; the thickness without any.
  double mean_gap = 0.0;          ///< Σ λd/Σ λ over the pairs that push, m; the thickness without any.
  std::optional<BodyPassage> passage;  ///< Of one body through another in the step.
};

/// Surfaces, the pairs of them that may touch, and the constants of each pair.
class BodyContacts {
 public:
  /// Surfaces repel each other below the distance `thickness` (m). `threads` must outlive this.
  BodyContacts(ContactSurface surface, BodyPairs bodies, double thickness, BodyFrictions frictions,
               Threads& threads);

  [[nodiscard]] const ContactSurface& surface() const { return surface_; }
  [[nodiscard]] const BodyPairs& bodies() const { return pairs_.bodies(); }
  [[nodiscard]] double thickness() const { return pairs_.thickness(); }
  [[nodiscard]] const BodyFrictions& frictions() const { return frictions_; }
  /// The candidates of the last motion.
  [[nodiscard]] SurfacePairs& pairs() { return pairs_; }

  /// About how many pairs touch when bodies lie on each other, for estimates of memory and disk: three per
  /// vertex that may touch. Measured: 1.6 to 8, the most where meshes lie exactly on each other.
  [[nodiscard]] double expected_pairs() const;

  /// c of every vertex, N/m: what moving it alone by a metre costs in a step. Most pairs are twice as stiff
  /// as their two sides one behind the other.
  void set_scales(std::vector<double> scales) { scales_ = std::move(scales); }
  [[nodiscard]] ScalarView scales() const { return scales_; }

  /// Of the end of the last step; no pair at all before one. The step's solver writes it.
  [[nodiscard]] const BodyContactState& state() const { return state_; }
  [[nodiscard]] BodyContactState& state() { return state_; }
  /// No step led to the state.
  void forget() {
    state_.forces.clear();
    state_.energy = state_.stored = state_.work = 0.0;
    state_.smallest_gap = state_.mean_gap = thickness();
    state_.passage.reset();
  }

  /// The distance below which the pair's parts repel each other, m. A vertex over a flat face rests on the
  /// face alone: the edges within it would stand out as bumps, and serve only to keep bodies from passing
  /// through each other between the vertices.
  [[nodiscard]] double reach(const SurfacePair& pair) const;
  /// κ = 2 c_A c_B/(c_A + c_B), c of a side being the mean over its free vertices. A side without free
  /// vertices is rigid: κ is twice the other's. Pairs of a shorter reach have thickness/reach as much, or
  /// they would give way where they are pressed hard.
  [[nodiscard]] PairConstants constants(const SurfacePair& pair) const;
  /// out_i += `by_stiffness` ∂κ/∂c_i.
  void add_scale_gradient(const SurfacePair& pair, double by_stiffness, ScalarSpan out) const;
  /// The same for a sum of stiffnesses: of `parts`, of that of `pair` if there are none.
  void add_scale_gradient(const SurfacePair& pair, std::span<const StiffnessPart> parts, double by_sum,
                          ScalarSpan out) const;

 private:
  /// The mean of a side's scales, over so many free vertices.
  struct Side {
    double scale = 0.0;
    int free = 0;
  };
  [[nodiscard]] Side side(const SurfacePair& pair, bool second) const;
  /// By how much the pair is stiffer than its two sides one behind the other.
  [[nodiscard]] double stiffening(const SurfacePair& pair) const;

  ContactSurface surface_;
  SurfacePairs pairs_;
  BodyFrictions frictions_;
  std::vector<double> scales_;
  BodyContactState state_;
};

/// Which of a pair's four vertices begins its second side.
inline std::size_t second_side(PairKind kind) {
  return kind == PairKind::vertex_triangle ? 1 : 2;
}

}  // namespace electret
