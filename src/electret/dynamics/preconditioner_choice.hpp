#pragma once
/// \file
/// Block-Jacobi or multigrid, by counted iterations and what one costs: never by a clock.

#include <algorithm>
#include <cmath>

#include <electret/dynamics/stage_hessian.hpp>
#include <electret/linear/block_system.hpp>

namespace electret {

/// Newton's systems begin with block-Jacobi, which costs nothing to make. One that it has not solved by the
/// time a multigrid cycle would have been made and have done the work goes to multigrid, and so do the next
/// ones: no system costs more than about twice the better choice. A system that multigrid leaves at once for
/// negative curvature gains nothing from it: the next one begins with block-Jacobi again.
class PreconditionerChoice {
 public:
  enum class Kind { block_jacobi, multigrid };
  using Policy = PreconditionerPolicy;

  /// Nanoseconds for each block of the matrix, one thread, x86-64 at 3 GHz, AVX2 (bench/elastic_solves.md):
  /// only their ratios count.
  static constexpr double jacobi_iteration = 1.4, multigrid_refresh = 70.0, multigrid_iteration = 11.0;
  /// Iterations that multigrid takes for a system of Newton's, and for one that is solved to a tolerance of
  /// an adjoint: a cycle gains a factor of four.
  static constexpr double usual_cycles = 3.0;
  static double cycles(const SolveOptions& options) {
    if (options.stop_at_negative_curvature) return usual_cycles;
    return std::max(usual_cycles, -std::log(options.tolerance) / std::log(4.0));
  }
  /// Where the two cost the same.
  static int most_jacobi_iterations(const SolveOptions& options) {
    return static_cast<int>((multigrid_refresh + cycles(options) * multigrid_iteration) / jacobi_iteration);
  }
  /// So many iterations of block-Jacobi cost less than the linearisation before them: fewer would save
  /// nothing, and a better direction may save a Newton step.
  static constexpr int fewest_jacobi_iterations = 3;
  /// Below so many vertices the coarsest level would be the only one.
  static constexpr Index fewest_vertices = 200;

  explicit PreconditionerChoice(Index vertices, Policy policy = Policy::counted)
      : counts_(policy == Policy::counted && vertices >= fewest_vertices), policy_(policy) {}

  [[nodiscard]] Kind now() const { return now_; }
  void set(Kind kind) { now_ = kind; }
  /// `kind`, unless the policy says which.
  void begin(Kind kind) {
    now_ = policy_ == Policy::counted        ? kind
           : policy_ == Policy::block_jacobi ? Kind::block_jacobi
                                             : Kind::multigrid;
  }
  /// The iterations that a system may take before `give_up` is asked.
  [[nodiscard]] int most_iterations(const SolveOptions& options) const {
    return now_ == Kind::block_jacobi && counts_
               ? std::min(options.max_iterations, most_jacobi_iterations(options))
               : options.max_iterations;
  }
  /// Whether a system that ended with `report`, its iterations limited as above, is to be solved by
  /// multigrid.
  bool give_up(const SolveReport& report) {
    if (now_ == Kind::multigrid || !counts_ || report.converged || report.negative_curvature ||
        report.bad_preconditioner)
      return false;
    now_ = Kind::multigrid;
    return true;
  }
  /// To be told how a system ended.
  void count(const SolveReport& report) {
    if (counts_ && now_ == Kind::multigrid && report.negative_curvature && report.iterations <= usual_cycles)
      now_ = Kind::block_jacobi;
  }

 private:
  bool counts_;
  Policy policy_;
  Kind now_ = Kind::block_jacobi;
};

}  // namespace electret
