#pragma once
/// \file
/// Repulsion and friction of bodies' surfaces as the potential of a stage.

#include <string>

#include <electret/contact/body_contacts.hpp>
#include <electret/contact/contact_springs.hpp>
#include <electret/contact/pair_friction.hpp>
#include <electret/dynamics/stage/stage_potential.hpp>

namespace electret {

/// Touching bodies need more iterations than others, the first time they touch above all.
inline constexpr int iterations_of_touching_bodies = 4;

/// All candidate pairs count, whatever their distance, so that the value does not jump where candidates are
/// found again. Allocates nothing once the numbers of candidates and of touching pairs stop growing.
class SurfacePotential final : public StagePotential {
 public:
  /// Both must outlive this.
  SurfacePotential(BodyContacts& contacts, Threads& threads);

  /// Begins a step from `start` (n×3, m) with what is candidate on the way to `end`. Pairs that touch at the
  /// start have friction. `anchors` are those of the last step; they must outlive the call only.
  void begin_step(VectorView start, VectorView end, std::span<const PairAnchor> anchors);
  /// Whether the candidates are complete at `place`, and on straight ways between such places.
  [[nodiscard]] bool covers(VectorView place) const { return contacts_.pairs().covers(place); }
  /// Finds the candidates of a motion. Evaluate again afterwards.
  void find(VectorView from, VectorView to);
  /// Makes sure that the candidates are complete at both places and between. True if they were found anew:
  /// evaluate again.
  bool cover(VectorView from, VectorView to);
  /// Which part of `way` (n×3, m) can be gone from `place` without parts of bodies meeting, at most 1. The
  /// candidates are complete on that way.
  [[nodiscard]] double free_part(VectorView place, VectorView way) const;
  [[nodiscard]] std::span<const SurfacePair> candidates() const { return contacts_.pairs().pairs(); }

  /// Adds the pushes of obstacles from the next evaluation on; null: none. They must outlive the evaluations.
  void add(ContactSprings* obstacles) { obstacles_ = obstacles; }
  double evaluate(VectorView place, VectorView moved) override;
  void add_gradient(double factor, VectorSpan out) const override;
  /// out ← factor times the second derivative at the last evaluated place. That of friction is never
  /// clamped, because it is positive semi-definite.
  void assemble(PairHessian kind, double factor, std::size_t vertices, StencilMatrix& out);

  /// Throws DivergenceError for the closest pair, because `what` presses surfaces into each other; for
  /// `vertex` if no pair is near.
  [[noreturn]] void refuse(const std::string& what, const std::string& instead, Index vertex) const;

  /// About its bytes and those of its matrix, if bodies lie on each other.
  [[nodiscard]] double memory_needed() const;

  /// How much of the gradient at the last evaluated place, which is `place` (n×3, m), may be the rounding of
  /// positions, N.
  [[nodiscard]] double rounding(VectorView place) const;
  /// Writes what the pairs do at the last evaluated place, which is `place`, to which the vertices came by
  /// `moved` (n×3, m).
  void report(VectorView place, VectorView moved, BodyContactState& out) const;
  [[nodiscard]] const PairPotential& repulsion() const { return repulsion_; }
  [[nodiscard]] const PairFriction& friction() const { return friction_; }
  /// Whether any two bodies, or a body and itself, rub each other.
  [[nodiscard]] bool has_friction() const;

 private:
  BodyContacts& contacts_;
  Threads& threads_;
  PairPotential repulsion_;
  PairFriction friction_;
  ContactSprings* obstacles_ = nullptr;
  std::vector<StencilVertices> vertices_;
  std::vector<StencilBlocks> blocks_;
};

}  // namespace electret
