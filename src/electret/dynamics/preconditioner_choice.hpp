#pragma once
/// \file
/// Chooses between block-Jacobi and multigrid by the number of iterations and the known cost of each, never
/// by a clock.

#include <algorithm>
#include <cmath>

#include <electret/dynamics/stage_hessian.hpp>
#include <electret/linear/block_system.hpp>

namespace electret {

/// Newton's systems begin with block-Jacobi, which costs nothing to make; those of large solids begin with
/// multigrid. If block-Jacobi has not solved a system in the time that making and using multigrid would take,
/// that system and the next ones are solved by multigrid. No system thus costs more than about twice the
/// better choice. If multigrid ends a system at once because it meets negative curvature, multigrid has
/// gained nothing, so that the next system begins with block-Jacobi again.
///
/// Multigrid is kept for later places until the additional iterations, beyond those it took when it was new,
/// would have paid for a new one. Its fine level is kept until they would have paid for a new fine level.
class PreconditionerChoice {
 public:
  enum class Kind { block_jacobi, multigrid };
  using Policy = PreconditionerPolicy;

  /// Nanoseconds per block of the matrix, with one thread, x86-64 at 3 GHz, AVX2 (bench/elastic_solves.md).
  /// Only their ratios count.
  static constexpr double jacobi_iteration = 1.4, multigrid_iteration = 9.0;
  static constexpr double multigrid_refresh = 38.0, fine_refresh = 11.0;
  /// The cost of a refresh, and of a refresh of the fine level alone, in iterations.
  static constexpr double worth = multigrid_refresh / multigrid_iteration,
                          fine_worth = fine_refresh / multigrid_iteration;
  /// Iterations that multigrid takes for a system of Newton's method, and per factor e of the tolerance for
  /// an adjoint's system: a cycle gains a factor of four.
  static constexpr double usual_cycles = 3.0, usual_rate = 0.72;
  static double cycles(const SolveOptions& options) {
    if (options.stop_at_negative_curvature) return usual_cycles;
    return std::max(usual_cycles, -usual_rate * std::log(options.tolerance));
  }
  /// The iterations of block-Jacobi that cost as much as multigrid made twice. Twice, because one long system
  /// says little about those to come.
  static int most_jacobi_iterations(const SolveOptions& options) {
    return static_cast<int>((2.0 * multigrid_refresh + cycles(options) * multigrid_iteration) /
                            jacobi_iteration);
  }
  /// This many iterations of block-Jacobi cost less than the linearisation before them. Fewer would save
  /// nothing, and a better direction may save a Newton step.
  static constexpr int fewest_jacobi_iterations = 3;
  /// With fewer vertices the coarsest level would be the only one.
  static constexpr Index fewest_vertices = 200;

  explicit PreconditionerChoice(Index vertices, Policy policy = Policy::counted)
      : counts_(policy == Policy::counted && vertices >= fewest_vertices), policy_(policy) {}

  [[nodiscard]] Kind now() const { return now_; }
  /// Whether a system may ever be solved by multigrid.
  [[nodiscard]] bool may_be_multigrid() const { return counts_ || policy_ == Policy::multigrid; }
  void set(Kind kind) { now_ = kind; }
  [[nodiscard]] MultigridWear wear() const { return wear_; }
  /// Multigrid is made anew.
  void make_new() { wear_ = {}; }
  void make_fine_new() { wear_.fine_spent = 0.0; }
  [[nodiscard]] bool is_fine_worn() const { return wear_.fine_spent >= fine_worth; }
  [[nodiscard]] bool is_worn() const { return wear_.spent >= worth; }
  /// Begins with `kind`, unless the policy prescribes one, and with multigrid's wear.
  void begin(Kind kind, MultigridWear wear = {}) {
    wear_ = wear;
    now_ = policy_ == Policy::counted        ? kind
           : policy_ == Policy::block_jacobi ? Kind::block_jacobi
                                             : Kind::multigrid;
  }
  /// The most iterations that a system may take before `give_up` is called or, if multigrid was not
  /// `made_here`, before it is made anew.
  [[nodiscard]] int most_iterations(const SolveOptions& options, bool made_here = true) const {
    if (now_ == Kind::block_jacobi)
      return counts_ ? std::min(options.max_iterations, most_jacobi_iterations(options))
                     : options.max_iterations;
    if (made_here) return options.max_iterations;
    const double when_new = -rate() * std::log(options.tolerance);
    return std::min(options.max_iterations, 1 + static_cast<int>(when_new + worth - wear_.spent));
  }
  /// Whether a solve has ended at its limit of iterations.
  static bool is_unfinished(const SolveReport& report) {
    return !report.converged && !report.negative_curvature && !report.bad_preconditioner;
  }
  /// Whether a system that ended with `report` within the limit of `most_iterations` is to be solved by
  /// multigrid instead.
  bool give_up(const SolveReport& report) {
    if (now_ == Kind::multigrid || !counts_ || !is_unfinished(report)) return false;
    now_ = Kind::multigrid;
    return true;
  }
  /// Call with the report of every system. `given_up`: block-Jacobi had been given up for it.
  void count(const SolveReport& report, bool given_up = false) {
    if (now_ == Kind::block_jacobi) return;
    wear_out(report);
    if (counts_ && !given_up && report.negative_curvature && report.iterations <= usual_cycles)
      now_ = Kind::block_jacobi;
  }

 private:
  [[nodiscard]] double rate() const { return wear_.rate > 0.0 ? wear_.rate : usual_rate; }
  /// If the curvature is negative, counts say nothing: multigrid then lasts for two systems, its fine level
  /// for one.
  void wear_out(const SolveReport& report) {
    const double gained = -std::log(std::clamp(report.residual, 1e-12, 0.9));
    if (report.negative_curvature) {
      spend(0.5 * worth);
    } else if (wear_.rate == 0.0) {
      wear_.rate = report.iterations / gained;
    } else {
      spend(report.iterations - wear_.rate * gained);
    }
  }
  void spend(double iterations) {
    wear_.spent = std::max(0.0, wear_.spent + iterations);
    wear_.fine_spent = std::max(0.0, wear_.fine_spent + iterations);
  }

  bool counts_;
  Policy policy_;
  Kind now_ = Kind::block_jacobi;
  MultigridWear wear_;
};

}  // namespace electret
