#include <algorithm>

#include <electret/dynamics/stage_adjoint.hpp>

namespace electret {

StageAdjoint::StageAdjoint(System& system, ElasticSolver& solver, double factor,
                           const IntegratorOptions& options)
    : system_(system), solver_(solver), factor_(factor), tolerance_(std::min(1e-10, options.tolerance)) {}

AdjointReport StageAdjoint::solve(VectorView z, VectorView right_hand_side, const MethodMemory& memory) {
  solution_.resize(z.size());
  product_.resize(z.size());
  const HessianSolve solved = solver_.solve_hessian(z, right_hand_side, tolerance_, solution_, memory);
  solver_.hessian_product_unmasked(solution_, product_);
  return {solved.iterations, solved.residual, solved.which};
}

void StageAdjoint::add_pin_places(VectorSpan out) const {
  for (const Index pin : system_.pins)
    out[static_cast<std::size_t>(pin)] -= product_[static_cast<std::size_t>(pin)];
}

void StageAdjoint::add_elastic_parameters(VectorView z, ParameterGradients& out) {
  for (std::size_t i = 0; i < solution_.size(); ++i) product_[i] = -(factor_ * solution_[i]);
  for (std::size_t k = 0; k < system_.elastic.size(); ++k) {
    spans_.assign(out.elastic[k].begin(), out.elastic[k].end());
    system_.elastic[k]->add_gradient_parameter_products(z, product_, spans_);
  }
}

AdjointReport combined(const AdjointReport& a, const AdjointReport& b) {
  std::string_view method = b.method;
  for (const std::string_view costly : {"multigrid", "direct"})
    if (a.method == costly && b.method != "direct") method = costly;
  return {a.iterations + b.iterations, std::max(a.residual, b.residual), method};
}

}  // namespace electret
