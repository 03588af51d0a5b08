#pragma once
/// \file
/// Chooses between block-Jacobi and multigrid by the number of iterations and the known cost of each, never
/// by a clock.

#include <algorithm>
#include <cmath>

#include <electret/dynamics/stage/preconditioning.hpp>
#include <electret/dynamics/stage/solve_costs.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/linear/block_system.hpp>

namespace electret {

/// A system begins with the preconditioner that is expected to cost less. What is expected follows from the
/// iterations that each took per factor e of the residual when it was counted last, from the tolerance of the
/// system, and from the costs of an iteration and of making multigrid. Block-Jacobi is tried first, because
/// it costs nothing to make; large solids begin with multigrid. If block-Jacobi has not solved a system in
/// the time that multigrid is expected to take, multigrid solves it. No system thus costs more than about
/// twice the better choice.
///
/// Multigrid that is kept for later places changes the balance: its cost is not known before it is old.
/// There block-Jacobi is given the time to make multigrid twice. It also gives way if multigrid would have
/// saved, over several systems, what it costs to make: with three iterations a system or, once multigrid has
/// been tried, with what it took on average. Multigrid goes on until it has lost as much against
/// block-Jacobi. It is kept until the additional iterations, beyond those it took when it was new, would have
/// paid for a new one. Its fine level is kept until they would have paid for a new fine level.
///
/// If multigrid ends a system at once because it meets negative curvature, multigrid has gained nothing, so
/// that the next system begins with block-Jacobi again.
class PreconditionerChoice {
 public:
  using Kind = PreconditionerKind;
  using Policy = PreconditionerPolicy;

  /// What making multigrid for a system costs besides its iterations.
  enum class Making {
    kept,  ///< It is kept for later systems.
    anew,  ///< It has to be made for this system alone.
    made,  ///< Nothing: it is made already.
  };

  /// Iterations that multigrid takes for a system of Newton's method, and per factor e of the tolerance for
  /// an adjoint's system: a cycle gains a factor of four.
  static constexpr double usual_cycles = 3.0, usual_rate = 0.72;
  /// A counted rate of multigrid beyond this is one of a system that says little about others.
  static constexpr double largest_rate = 2.0 * usual_rate;
  /// This many iterations of block-Jacobi cost less than the linearisation before them. Fewer would save
  /// nothing, and a better direction may save a Newton step.
  static constexpr int fewest_jacobi_iterations = 3;
  /// With fewer vertices the coarsest level would be the only one.
  static constexpr Index fewest_vertices = 200;

  explicit PreconditionerChoice(Index vertices, Policy policy = Policy::counted, const SolveCosts& costs = {})
      : counts_(policy == Policy::counted && vertices >= fewest_vertices), policy_(policy), costs_(costs) {}
  /// Whether a system of so many vertices may ever be solved by multigrid.
  static bool may_be_multigrid(Index vertices, Policy policy) {
    return policy == Policy::multigrid || (policy == Policy::counted && vertices >= fewest_vertices);
  }

  [[nodiscard]] Kind now() const { return now_; }
  [[nodiscard]] const SolveCosts& costs() const { return costs_; }
  void set(Kind kind) { now_ = kind; }
  [[nodiscard]] MultigridAge age() const { return age_; }
  [[nodiscard]] SolveRates rates() const { return rates_; }
  [[nodiscard]] KeptMultigrid kept() const { return kept_; }
  /// The cost of a refresh, and of a refresh of the fine level alone, in iterations.
  [[nodiscard]] double worth() const { return costs_.multigrid_refresh / costs_.multigrid_iteration; }
  [[nodiscard]] double fine_worth() const { return costs_.fine_refresh / costs_.multigrid_iteration; }
  /// Multigrid is made anew.
  void make_new() { age_ = {}; }
  void make_fine_new() { age_.fine_spent = 0.0; }
  [[nodiscard]] bool is_fine_old() const { return age_.fine_spent >= fine_worth(); }
  [[nodiscard]] bool is_old() const { return age_.spent >= worth(); }
  [[nodiscard]] PreconditionerAge of_age() const {
    return is_old()        ? PreconditionerAge::old
           : is_fine_old() ? PreconditionerAge::fine_old
                           : PreconditionerAge::young;
  }

  /// Begins a step with `kind`, unless the policy prescribes one, and with what is known from earlier ones.
  void begin(Kind kind, MultigridAge age = {}, SolveRates rates = {}, KeptMultigrid kept = {}) {
    age_ = age;
    rates_ = rates;
    kept_ = kept;
    now_ = policy_ == Policy::counted        ? kind
           : policy_ == Policy::block_jacobi ? Kind::block_jacobi
                                             : Kind::multigrid;
  }
  /// Call before each system.
  void begin_system(const SolveOptions& options, Making making) {
    making_ = making;
    if (!counts_ || rates_.jacobi == 0.0) return;
    if (making == Making::kept) return choose_kept();
    now_ = expected_jacobi(options) <= expected_multigrid(options) ? Kind::block_jacobi : Kind::multigrid;
  }
  /// The iterations of block-Jacobi that cost as much as multigrid is expected to. Where multigrid is kept,
  /// as much as multigrid made twice: one long system says little about those to come.
  [[nodiscard]] int most_jacobi_iterations(const SolveOptions& options) const {
    return std::max(fewest_jacobi_iterations,
                    static_cast<int>(expected_multigrid(options) / costs_.jacobi_iteration));
  }
  /// The most iterations that a system may take before `give_up` is called or, if multigrid was not
  /// `made_here`, before it is made anew.
  [[nodiscard]] int most_iterations(const SolveOptions& options, bool made_here = true) const {
    if (now_ == Kind::block_jacobi)
      return counts_ ? std::min(options.max_iterations, most_jacobi_iterations(options))
                     : options.max_iterations;
    if (made_here) return options.max_iterations;
    const double when_new = (age_.rate > 0.0 ? age_.rate : usual_rate) * asked(options);
    return std::min(options.max_iterations, 1 + static_cast<int>(when_new + worth() - age_.spent));
  }
  /// Whether a solve has ended at its limit of iterations.
  static bool is_unfinished(const SolveReport& report) {
    return !report.converged && !report.negative_curvature && !report.bad_preconditioner;
  }
  /// Whether a system that ended with `report` within the limit of `most_iterations` is to be solved by
  /// multigrid instead.
  bool give_up(const SolveReport& report) {
    if (now_ == Kind::multigrid || !counts_ || !is_unfinished(report)) return false;
    count_rate(report);
    now_ = Kind::multigrid;
    return true;
  }
  /// Call with the report of every system, and with what it has cost, preconditioners included. `given_up`:
  /// block-Jacobi had been given up for it.
  void count(const SolveReport& report, double cost = 0.0, bool given_up = false) {
    count_rate(report);
    if (making_ == Making::kept) balance(report, cost, given_up);
    if (now_ == Kind::block_jacobi) return;
    grow_old(report);
    if (!counts_ || given_up || !report.negative_curvature || report.iterations > usual_cycles) return;
    now_ = Kind::block_jacobi;
    rates_.jacobi = 0.0;  // To be tried again.
  }

 private:
  /// Multigrid that would have saved what it costs to make is made. One that has lost as much is left.
  void choose_kept() {
    const double making = costs_.multigrid_refresh;
    if (now_ == Kind::block_jacobi && kept_.saved >= making) {
      now_ = Kind::multigrid;
    } else if (now_ == Kind::multigrid && kept_.saved < -making) {
      now_ = Kind::block_jacobi;
      kept_.saved = 0.0;
    }
  }
  /// The balance of multigrid that is kept, after a system that has cost `cost`. What was saved long ago
  /// does not count, so that a change is noticed.
  void balance(const SolveReport& report, double cost, bool given_up) {
    constexpr double share_of_last = 0.1;  // In the mean cost.
    if (!counts_ || report.negative_curvature || report.bad_preconditioner || report.iterations == 0) return;
    const double gain = gained(report), making = costs_.multigrid_refresh;
    if (now_ == Kind::block_jacobi) {
      const double by_multigrid =
          kept_.rate > 0.0 ? kept_.rate * gain : usual_cycles * costs_.multigrid_iteration;
      kept_.saved = std::max(0.0, kept_.saved + cost - by_multigrid);
    } else if (given_up) {
      kept_.saved = making;
    } else {
      kept_.rate += (kept_.rate > 0.0 ? share_of_last : 1.0) * (cost / gain - kept_.rate);
      const double by_jacobi = rates_.jacobi * gain * costs_.jacobi_iteration;
      if (by_jacobi > 0.0) kept_.saved = std::min(making, kept_.saved + by_jacobi - cost);
    }
  }
  /// Factors e of the residual.
  static double asked(const SolveOptions& options) { return -std::log(std::max(options.tolerance, 1e-16)); }
  static double gained(const SolveReport& report) {
    return -std::log(std::clamp(report.residual, 1e-12, 0.9));
  }
  [[nodiscard]] double expected_jacobi(const SolveOptions& options) const {
    const double iterations = std::max<double>(fewest_jacobi_iterations, rates_.jacobi * asked(options));
    return iterations * costs_.jacobi_iteration;
  }
  /// A Newton system that stops at negative curvature may end early, whatever its tolerance.
  [[nodiscard]] double usual(const SolveOptions& options) const {
    if (making_ == Making::kept && options.stop_at_negative_curvature) return usual_cycles;
    return std::max(usual_cycles, usual_rate * asked(options));
  }
  [[nodiscard]] double expected_multigrid(const SolveOptions& options) const {
    const double making = making_ == Making::kept ? 2.0 : making_ == Making::anew ? 1.0 : 0.0;
    const bool is_known = making_ != Making::kept && rates_.multigrid > 0.0;
    const double cycles =
        is_known ? std::max(1.0, std::min(rates_.multigrid, largest_rate) * asked(options)) : usual(options);
    return making * costs_.multigrid_refresh + cycles * costs_.multigrid_iteration;
  }

  /// If the curvature is negative, counts say nothing.
  void count_rate(const SolveReport& report) {
    if (report.negative_curvature || report.bad_preconditioner || report.iterations == 0) return;
    const bool is_multigrid = now_ == Kind::multigrid;
    if (is_multigrid && age_.rate > 0.0) return;  // It is not new.
    (is_multigrid ? rates_.multigrid : rates_.jacobi) = report.iterations / gained(report);
  }
  /// If the curvature is negative, multigrid lasts for two systems, its fine level for one.
  void grow_old(const SolveReport& report) {
    if (report.negative_curvature) {
      spend(0.5 * worth());
    } else if (age_.rate == 0.0) {
      age_.rate = report.iterations / gained(report);
    } else {
      spend(report.iterations - age_.rate * gained(report));
    }
  }
  void spend(double iterations) {
    age_.spent = std::max(0.0, age_.spent + iterations);
    age_.fine_spent = std::max(0.0, age_.fine_spent + iterations);
  }

  bool counts_;
  Policy policy_;
  SolveCosts costs_;
  Kind now_ = Kind::block_jacobi;
  Making making_ = Making::kept;
  MultigridAge age_;
  SolveRates rates_;
  KeptMultigrid kept_;
};

}  // namespace electret
