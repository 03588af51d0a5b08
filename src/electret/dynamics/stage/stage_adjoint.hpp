#pragma once
/// \file
/// The transpose of an implicit stage z = argmin ½ (z-y)ᵀM(z-y) + a E(z): docs/stepping.md, "A step back".

#include <vector>

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>

namespace electret {

/// With r = ∂ℒ/∂z, solves (M + a∇²E(z)) w = r on the free vertices, with w_P = 0. Then ∂ℒ/∂y = M w, and w
/// gives the derivatives with respect to pins' places and energies' parameters. Allocates nothing after the
/// first call.
class StageAdjoint {
 public:
  /// `factor` a, s², is that of the stages for which `solver` was made. Solves to a relative residual of
  /// 1e-10; to `options.tolerance` if that is smaller; to a hundredth of it if it is above the default of
  /// 1e-6. `system` and `solver` must outlive this.
  StageAdjoint(System& system, StageSolver& solver, double factor, const IntegratorOptions& options);

  /// Solves at the stage's minimiser `z` (n×3, m) for `right_hand_side` r (n×3; rows at pins do not count).
  /// `inputs` are the stage's; `record` is what the step has left.
  AdjointReport solve(VectorView z, VectorView right_hand_side, const Inputs& inputs,
                      const StageRecord& record);
  /// w of the last `solve`, n×3.
  [[nodiscard]] VectorView solution() const { return solution_; }

  /// out_P -= a (∇²E(z) w)_P (n×3), because the pull of a pin's springs on the free vertices depends on the
  /// pin's place.
  void add_pin_places(VectorSpan out) const;
  /// Adds -a wᵀ∂∇E(z)/∂θ with respect to inputs and parameters; `z` and the inputs are those of the last
  /// `solve`. Call `add_pin_places` before it: afterwards its data is overwritten.
  void add_elastic_parameters(VectorView z, InputGradients& by_inputs, ParameterGradients& by_parameters);

 private:
  System& system_;
  StageSolver& solver_;
  double factor_, tolerance_;
  VectorArray solution_, product_;  ///< w; (M + a∇²E) w, pinned rows included.
  ElasticProducts products_;
};

/// The reports of two solves of a step as one: the sum of the iterations, the larger residual (NaN if either
/// is), the costlier method.
AdjointReport combined(const AdjointReport& a, const AdjointReport& b);

}  // namespace electret
