#pragma once
/// \file
/// The transpose of an implicit stage z = argmin ½ (z-y)ᵀM(z-y) + a E(z): docs/stepping.md, "A step back".

#include <vector>

#include <electret/dynamics/backward.hpp>
#include <electret/dynamics/elastic_inputs.hpp>
#include <electret/dynamics/elastic_solver.hpp>

namespace electret {

/// With r = ∂ℒ/∂z: (M + a∇²E(z)) w = r on the free vertices, w_P = 0; then ∂ℒ/∂y = M w. Adds what w says of
/// pins' places and of the energies' parameters. Allocates nothing after the first call.
class StageAdjoint {
 public:
  /// `factor` a, s², that of the stages `solver` was made for. Solves to 1e-10, to `options.tolerance` where
  /// that is smaller, to a hundredth of it where it is above the default of 1e-6. `system` and `solver` must
  /// outlive this.
  StageAdjoint(System& system, ElasticSolver& solver, double factor, const IntegratorOptions& options);

  /// Solves at the stage's minimiser `z` (n×3, m) for `right_hand_side` r (n×3; rows at pins do not count).
  /// `inputs`: the stage's. `memory`: the method's at the end of the step.
  AdjointReport solve(VectorView z, VectorView right_hand_side, const Inputs& inputs,
                      const MethodMemory& memory);
  /// w of the last `solve`, n×3.
  [[nodiscard]] VectorView solution() const { return solution_; }

  /// out_P -= a (∇²E(z) w)_P (n×3): what the springs at a pin pull on the free vertices depends on the pin's
  /// place.
  void add_pin_places(VectorSpan out) const;
  /// -a wᵀ∂∇E(z)/∂θ by inputs and parameters; `z` and the inputs are those of the last `solve`. Ends
  /// `add_pin_places`, which comes before.
  void add_elastic_parameters(VectorView z, InputGradients& by_inputs, ParameterGradients& by_parameters);

 private:
  System& system_;
  ElasticSolver& solver_;
  double factor_, tolerance_;
  VectorArray solution_, product_;  ///< w; (M + a∇²E) w, pinned rows too.
  ElasticProducts products_;
};

/// The reports of a step's solves as one: iterations together, the larger residual, the
/// costlier method.
AdjointReport combined(const AdjointReport& a, const AdjointReport& b);

}  // namespace electret
