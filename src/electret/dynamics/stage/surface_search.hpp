#pragma once
/// \file
/// Newton's method down the objective of bodies that touch each other, without their parts ever meeting:
/// docs/contact.md, "Bodies".

#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/dynamics/stage/stage_objective.hpp>
#include <electret/dynamics/stage/stopping_rule.hpp>
#include <electret/dynamics/stage/surface_potential.hpp>

namespace electret {

/// Every step goes down g, which is once differentiable and bounded below, and is bounded by collision
/// detection. It can therefore not end with a part of a surface inside another.
class SurfaceSearch {
 public:
  /// All must outlive this. `factor` a, s², is the stage's.
  SurfaceSearch(StageObjective& objective, StageHessian& hessian, StoppingRule& rule,
                SurfacePotential& potential, double factor, int max_iterations);

  /// Holds the vertices of `constraints`, pins of the stage that end displaced by their rows of `ways` (n×3,
  /// m), in the solves to come. Both must outlive these; `objective` holds the same vertices.
  void hold(std::span<const VertexConstraint> constraints, VectorView ways) {
    held_ = constraints, held_ways_ = ways;
  }

  /// Leaves the solution in `displacement`. `objective`, `hessian` and `rule` have begun the step, with
  /// `anchors` of the last one. Allocates nothing once the numbers of pairs stop growing.
  StepReport solve(const StageProblem& problem, std::span<const PairAnchor> anchors, VectorSpan displacement);
  /// Goes on down from `displacement` in a step that has begun, until ‖∇g‖ ≤ `target` (kg m), with at most
  /// `most` iterations. Returns their number, and adds counts to `counts`. The caller puts back its own pairs
  /// into the Hessian.
  int descend(double target, int most, VectorSpan displacement, StepCounts& counts);

 private:
  void begin(const StageProblem& problem, std::span<const PairAnchor> anchors, VectorSpan displacement);
  void start(VectorView start, VectorSpan displacement);
  bool find_pin_ways(VectorView pin_places, VectorView displacement);
  void bring_pins(const StageProblem& problem, VectorSpan displacement);
  double bring_pins_on(VectorView pin_places, VectorSpan displacement);
  void mark();
  void meet();
  void find_direction(double tolerance);
  SolveReport solve_for_direction(PairHessian contact, HessianKind elastic, double tolerance);
  void keep_candidates(VectorView way, VectorView displacement);
  bool search(VectorSpan displacement);
  [[nodiscard]] bool is_better(double value, double length, double slope) const;
  [[nodiscard]] double direction_tolerance(double before) const;

  StageObjective& objective_;
  StageHessian& hessian_;
  StoppingRule& rule_;
  SurfacePotential& potential_;
  double factor_;
  int max_iterations_;
  double energy_size_;
  StencilMatrix pairs_;
  double value_ = 0.0, norm_ = 0.0;  ///< g, and ‖∇g‖ over the unsolved parts, at the iterate,
  double unsolved_share_ = 1.0;      ///< and what that is of ‖∇g‖ over all.
  VectorArray gradient_, direction_, right_hand_side_, trial_, target_, place_;
  VectorArray pin_ways_;  ///< How far pins have still to go, n×3; 0 at other vertices.
  VectorArray pins_;      ///< Where they are, pins×3.
  bool brings_pins_ = false;
  std::span<const VertexConstraint> held_;  ///< Besides pins.
  VectorView held_ways_;
  std::vector<double> distances_;
  StepCounts counts_;
};

}  // namespace electret
