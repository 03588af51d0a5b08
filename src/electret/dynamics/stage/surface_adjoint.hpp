#pragma once
/// \file
/// The transpose of a stage of bodies that touch each other.

#include <electret/contact/friction_derivative.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>
#include <electret/dynamics/stage/surface_potential.hpp>

namespace electret {

/// With a = ∂ℒ/∂x_{t+1} and ā = ∂ℒ/∂a' of the anchors that the step has left, H z = a + b/h + Σ w Q φ'ᵀ ā/k.
/// z gives the derivatives by the places at the step's start, the anchors there, frictions and stiffnesses.
class SurfaceAdjoint {
 public:
  /// All must outlive this. `factor` a, s², is the stage's.
  SurfaceAdjoint(System& system, StageHessian& hessian, SurfacePotential& potential, double factor)
      : system_(system), hessian_(hessian), potential_(potential), factor_(factor) {}

  /// Adds Σ w Q φ'ᵀ ā/k to the derivatives by the places at the end of the step.
  void begin(const BackwardStep& at, StepCotangent& by_end);
  /// z is 0 at pins. `x` are the places at the end.
  HessianSolve solve(VectorView x, VectorView rhs, double tolerance, VectorSpan z);
  /// The same in two parts, for a stage whose equation is not ∇g = 0 alone: linearises H at `x`, and takes
  /// what z the stage's transpose has, by which ∇g counts.
  void linearise(VectorView x);
  void take(VectorView z) { solution_.assign(z.begin(), z.end()); }
  void add(VectorSpan by_start, const StepGradients& out);
  /// Writes the derivatives by the anchors at the start of the step.
  void end(StepCotangent& by_start) const;

 private:
  void add_frictions(VectorSpan by_start, ParameterGradients& out);
  /// Of the spread of `own`, and of the other pairs that have it, by all pushes of the vertex.
  void add_spread(const FrictionPair& own, double by_spread, VectorSpan by_start, ParameterGradients& out);
  /// Of the slip that `own` has taken over, and of the frames between which it was turned.
  void add_transport(const FrictionPair& own, const InFrame& by_anchor, VectorSpan by_start,
                     ParameterGradients& out);
  void add_share(const FrictionPair& own, const SurfacePair& from, double by_logarithm,
                 ParameterGradients& out);
  void add_repulsion_stiffnesses(ParameterGradients& out);

  System& system_;
  StageHessian& hessian_;
  SurfacePotential& potential_;
  double factor_;
  StencilMatrix pairs_, clamped_pairs_;  ///< Of H; the second for its preconditioner alone.
  bool is_clamped_made_ = false;
  VectorView start_, end_;
  VectorArray moved_, solution_;
  std::vector<PairAnchor> anchors_;
  std::vector<InFrame> by_kept_;     ///< ā, one per pair with friction.
  std::vector<InFrame> by_anchors_;  ///< One per anchor at the start.
};

}  // namespace electret
