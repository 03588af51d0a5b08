#pragma once
/// \file
/// The base of Newton's methods that factor the Hessian in every iteration: baselines, which differ in the
/// library that factors.

#include <electret/dynamics/hessian_solver.hpp>
#include <electret/dynamics/newton_directions_solver.hpp>

namespace electret {

/// Adjoints are solved by a factor, too.
class NewtonFactoringSolver : public NewtonDirectionsSolver {
 public:
  using NewtonDirectionsSolver::NewtonDirectionsSolver;

  HessianSolve solve_hessian(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                             const MethodMemory&) final {
    objective_.set_factor(factor_);
    return adjoint_.solve_directly(objective_, {x, rhs, tolerance}, z);
  }

  /// Of the arrays alone: what the factors take is known only when they have been made.
  double memory_needed() const final { return arrays_needed(); }

 private:
  HessianSolver adjoint_;
};

}  // namespace electret
