#pragma once
/// \file
/// When a stage is solved: docs/physics.md, "Time integrators".

#include <electret/dynamics/stage/common_motion.hpp>
#include <electret/dynamics/stage/part_norms.hpp>
#include <electret/dynamics/stage/stage_objective.hpp>

namespace electret {

/// ‖∇g‖ ≤ max(tolerance·(‖M(x_t + c - y)‖ + a‖∇E(x_t)‖), 4·eps·(‖M(x_t - y)‖ + a‖k l‖)), with norms over the
/// free vertices of a part, for each part: the vertices that elements join. What a heavy part is solved to
/// says nothing about a light one. c is what the part's velocity, or that of its pins, carries it as a whole:
/// a part in motion is solved as exactly as one at rest. If that makes the norm larger, c is 0. Where contact
/// pushes with more than a hundred times that, a hundredth of its forces takes the place of the first sum,
/// and they are added to the second. The same bits for a body anywhere, as far as ∇E(x_t) has them. Also
/// estimates how much of g and ∇g may be nothing but rounding.
class StoppingRule {
 public:
  StoppingRule(const System& system, double tolerance);

  /// Computes the targets of the stage that `objective` has begun. Allocates nothing after the first call.
  void begin(const StageObjective& objective, const StageProblem& problem);

  /// Tells what contact does at the iterate, until the next `begin`: the norm of its forces over the vertices
  /// (kg m), and how much of ∇g may be the positions' last digits, multiplied by the contact's stiffness (kg
  /// m). Where bodies have no motion and no elasticity of their own at a step's start, contact alone gives
  /// the step a size. `push` tells before it which vertices are pushed, and by what (kg m).
  void meet(double pushes, double rounding);
  void push(std::size_t vertex, const Vec3& force);
  /// The same of all vertices that the potential of `objective` pushes.
  void push_by_potential(const StageObjective& objective);

  /// The part of ∇g, or of another residual at the vertices, that has to become smaller.
  struct Unsolved {
    double norm;  ///< Over the parts that have not reached their targets; ≤ `target()` ends the solve.
    /// Below this value it may be nothing but rounding: of the positions' last digits, multiplied by aL, and
    /// of its terms.
    double rounding;
    /// What `norm` is of the norm over all: linear systems have to be solved the more exactly.
    double share = 1.0;
  };
  /// `norm` is ‖residual‖ over all, which one part alone has.
  [[nodiscard]] Unsolved unsolved(VectorView residual, double norm) const;
  /// The smallest of the parts' targets that are not 0.
  [[nodiscard]] double target() const;
  /// Differences of g below this value may be nothing but rounding.
  [[nodiscard]] double value_rounding(double value) const;

 private:
  void measure(const StageObjective& objective);
  void find_relative(const StageProblem& problem);
  void begin_parts(const StageObjective& objective, const StageProblem& problem);
  [[nodiscard]] double target_of(std::size_t part) const;

  const System& system_;
  PartNorms parts_;
  CommonMotion motion_;
  VectorArray relative_;  ///< y - x_t - c, n×3, m.
  double tolerance_;
  double factor_ = -1.0;            ///< The a (s²) of `magnitudes_`.
  std::vector<double> magnitudes_;  ///< n, kg: Σ_j |aL_ij|, 0 at pins.
  double force_scale_ = 0.0;        ///< ‖k l‖ over free vertices, N.
  double energy_size_ = 0.0;        ///< J.
  double target_ = 0.0, gradient_rounding_ = 0.0, value_slope_ = 0.0;
  double pushes_ = 0.0, push_rounding_ = 0.0;  ///< Of contact, kg m.
  // Of each part, if there are several.
  std::vector<double> part_force_scales_, part_targets_, part_roundings_;
  std::vector<double> part_pushes_, new_pushes_;  ///< Squares, (kg m)².
  std::vector<double> relative_squares_;          ///< (kg m)².
  mutable std::vector<double> squares_;
};

}  // namespace electret
