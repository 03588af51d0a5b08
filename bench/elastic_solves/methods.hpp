#pragma once
/// \file
/// The elastic solvers that bench_elastic_solves compares: the product's, and peers that only it has.

#include <memory>
#include <string_view>
#include <vector>

#include <electret/dynamics/stage/stage_solver.hpp>

namespace electret::bench {

struct SolveMethod {
  std::string_view name;
  std::unique_ptr<StageSolver> (*make)(System&, double factor, const IntegratorOptions&);
  int most_iterations;  ///< Of a step, more than which are a failure.
};

const std::vector<SolveMethod>& solve_methods();

/// Local/global whose fixed-point iteration is accelerated by Anderson's method with five differences, as
/// Peng et al. (ACM Trans. Graph. 37, 2018) do: a step that does not lower g is replaced by the plain one.
std::unique_ptr<StageSolver> make_anderson_solver(System& system, double factor,
                                                  const IntegratorOptions& options);

/// Newton's method with a fresh supernodal CHOLMOD factor (float64, ordered once) in every iteration: of the
/// exact Hessian, where that is not positive definite of the clamped one.
std::unique_ptr<StageSolver> make_newton_cholmod_solver(System& system, double factor,
                                                        const IntegratorOptions& options);

}  // namespace electret::bench
