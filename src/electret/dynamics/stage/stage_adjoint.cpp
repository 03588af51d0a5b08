#include <algorithm>
#include <cmath>

#include <electret/core/vertex_loops.hpp>
#include <electret/dynamics/pins.hpp>
#include <electret/dynamics/stage/stage_adjoint.hpp>

namespace electret {
namespace {

/// With tolerances up to the default, the gradient has every digit that differences can show. The gradient of
/// a looser run is inexact by far more than a hundredth of its tolerance.
double adjoint_tolerance(double tolerance) {
  constexpr double tight = 1e-6;
  return tolerance <= tight ? std::min(1e-10, tolerance) : 0.01 * tolerance;
}

}  // namespace

StageAdjoint::StageAdjoint(System& system, StageSolver& solver, double factor,
                           const IntegratorOptions& options)
    : system_(system),
      solver_(solver),
      factor_(factor),
      tolerance_(adjoint_tolerance(options.tolerance)),
      products_(system) {}

AdjointReport StageAdjoint::solve(VectorView z, VectorView right_hand_side, const Inputs& inputs,
                                  const StageRecord& record) {
  set_elastic_inputs(system_, inputs);
  solution_.resize(z.size());
  product_.resize(z.size());
  const HessianSolve solved = solver_.solve_transposed(z, right_hand_side, tolerance_, solution_, record);
  solver_.hessian_product_unmasked(solution_, product_);
  return {solved.iterations, solved.residual, solved.which};
}

void StageAdjoint::add_pin_places(VectorSpan out) const {
  for_pins(system_, [&](const PinRow& at) { out[at.vertex] -= at.share(product_[at.vertex]); });
}

void StageAdjoint::add_elastic_parameters(VectorView z, InputGradients& by_inputs,
                                          ParameterGradients& by_parameters) {
  for_vertices(*system_.threads, solution_.size(),
               [&](std::size_t i) { product_[i] = -(factor_ * solution_[i]); });
  products_.add(z, product_, by_inputs, by_parameters);
}

AdjointReport combined(const AdjointReport& a, const AdjointReport& b) {
  std::string_view method = b.method;
  for (const std::string_view costly : {"multigrid", "direct"})
    if (a.method == costly && b.method != "direct") method = costly;
  // A residual without a value is the worst one; no comparison with it says so.
  const double residual = std::isnan(b.residual) ? b.residual : std::max(a.residual, b.residual);
  return {a.iterations + b.iterations, residual, method};
}

}  // namespace electret
