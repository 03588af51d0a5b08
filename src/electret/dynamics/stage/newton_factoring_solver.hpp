#pragma once
/// \file
/// The base of the baselines that factor the Hessian in every iteration of Newton's method. They differ in
/// the library that factors.

#include <electret/dynamics/stage/hessian_solver.hpp>
#include <electret/dynamics/stage/newton_directions_solver.hpp>

namespace electret {

/// Adjoints are solved by a factorisation, too.
class NewtonFactoringSolver : public NewtonDirectionsSolver {
 public:
  using NewtonDirectionsSolver::NewtonDirectionsSolver;

  HessianSolve solve_transposed(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                                const StageRecord&) final {
    objective_.set_factor(factor_);
    return adjoint_.solve_directly(objective_, {x, rhs, tolerance}, z);
  }

  /// The arrays alone: how much the factors take is known only when they have been made.
  double memory_needed() const final { return arrays_needed(); }

 private:
  HessianSolver adjoint_;
};

}  // namespace electret
