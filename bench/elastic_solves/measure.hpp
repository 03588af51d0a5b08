#pragma once
/// \file
/// What bench_elastic_solves measures: steps of imex by one elastic solver, and the loops they consist of.

#include <electret/dynamics/stage/stage_solver.hpp>
#include <electret/scene/assembly.hpp>

#include "elastic_solves/methods.hpp"

namespace electret::bench {

struct StepsMeasured {
  double vertices = 0.0, springs = 0.0;
  double first_ms = 0.0;                  ///< The first step's solve: matrices, factors and grids are made.
  double solve_ms = 0.0, field_ms = 0.0;  ///< Means of the steps after it.
  double worst_ms = 0.0;                  ///< The slowest of them.
  double worst_residual = 0.0;            ///< The largest ‖∇g‖/h² that a step ended with, N.
  double processor_ms = 0.0;              ///< Of the solves, all threads: what a busy machine can tell.
  double iterations = 0.0, linear_iterations = 0.0;
  double capped = 0.0;     ///< 1: a step ended before the tolerance.
  double multigrid = 0.0;  ///< Part of the steps that ended with multigrid.
  double peak_megabytes = 0.0;
};

/// `steps` steps of imex after a first one, by `method` to `tolerance`; ends with a step that misses it.
StepsMeasured measure_steps(Assembly assembly, const SolveMethod& method, double tolerance, int threads,
                            Count steps);

struct AdjointMeasured {
  double forward_ms = 0.0, adjoint_ms = 0.0;  ///< Of a step's solve to 1e-6; of its adjoint's to 1e-10.
  double iterations = 0.0;                    ///< Of the adjoint's.
};

/// The adjoint's system after `steps` steps, by `method`.
AdjointMeasured measure_adjoint(Assembly assembly, const SolveMethod& method, int threads, Count steps);

/// Loops that memory bandwidth limits; what each moves at least, bytes, and how long it takes.
enum class Loop { triad, product, block_product, jacobi_iteration, factor_solve };
struct LoopMeasured {
  double milliseconds = 0.0, bytes = 0.0, springs = 0.0;
};
/// `assembly` is not read by the triad, whose three arrays of float64 take 192 MB.
LoopMeasured measure_loop(Loop loop, Assembly assembly, int threads);

/// Bytes that an iteration of conjugate gradients with block-Jacobi moves at least.
double jacobi_iteration_bytes(double vertices, double springs);

}  // namespace electret::bench
