#pragma once
/// \file
/// The base of the elastic solvers that search along directions from Newton's method or from a cheaper model
/// of the Hessian.

#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/dynamics/stage/descent.hpp>
#include <electret/dynamics/stage/free_parts.hpp>
#include <electret/dynamics/stage/stage_loop.hpp>
#include <electret/dynamics/stage/stage_objective.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>
#include <electret/dynamics/stage/stopping_rule.hpp>

namespace electret {

/// Holds the stage, its stopping rule and the line search. The derived solver finds the directions.
class NewtonDirectionsSolver : public StageSolver {
 public:
  NewtonDirectionsSolver(System& system, double factor, const IntegratorOptions& options)
      : objective_(system),
        rule_(system, options.tolerance),
        descent_(objective_.vertex_count()),
        factor_(factor),
        max_iterations_(options.max_iterations),
        parts_(system),
        is_activated_(std::any_of(system.elastic.begin(), system.elastic.end(),
                                  [](const auto& energy) { return energy->reads_activations(); })) {
    objective_.set_factor(factor);
  }

  VectorView elastic_gradient() const override { return objective_.elastic_gradient(); }

  void hessian_product_unmasked(VectorView d, VectorSpan product) override {
    objective_.hessian_product_unmasked(d, product);
  }

 protected:
  /// Begins the stage; nothing is evaluated.
  void begin(const StageProblem& problem) {
    require(problem.factor == factor_,
            "the stage does not have the factor for which the elastic solver was made");
    objective_.begin(problem);
    rule_.begin(objective_, problem);
  }

  /// Begins a step of conjugate gradients on the exact Hessian, which go on with what `problem.memory` keeps
  /// of their preconditioner. If inputs activate elements, the energies are not those from which multigrid
  /// was made.
  void begin_hessian(StageHessian& hessian, const StageProblem& problem) const {
    if (problem.memory == nullptr)
      hessian.begin_step();
    else if (is_activated_)
      hessian.begin_step(StageHessian::last(*problem.memory));
    else
      hessian.begin_step(*problem.memory);
  }
  /// The same for the transpose of the step that has left `record`.
  void begin_transposed(StageHessian& hessian, const StageRecord& record) {
    objective_.set_factor(factor_);
    const StageHessianMemory last =
        record.memory != nullptr ? StageHessian::last(*record.memory) : StageHessianMemory{};
    hessian.begin_step({.multigrid = last.multigrid, .rates = last.rates});
  }
  /// What it may keep.
  [[nodiscard]] std::vector<MemoryArray> layout_of(const StageHessian& hessian) const {
    return hessian.memory_layout(!is_activated_);
  }

  /// Goes down from δ, where `objective_` is evaluated and g is `value`. In each iteration,
  /// find_direction(done) writes `descent_.direction()` from the ∇g that `descent_` has marked; `done` is the
  /// number of iterations before it. `history` holds the pairs from which directions are made, if they are;
  /// if a search along one fails, the pairs are dropped and the iteration is tried once more. If that fails,
  /// too, the definite direction is tried. Parts with a vertex among `touched` do not keep their momentum.
  template <class FindDirection>
  StepReport search_down(double value, VectorView inertial, VectorSpan displacement,
                         FindDirection&& find_direction, PairHistory* history = nullptr,
                         std::span<const VertexConstraint> touched = {}) {
    descent_.begin(value);
    const auto search = [&] {
      parts_.conserve_momentum(displacement, inertial, descent_.direction(), touched);
      return descent_.search(objective_, rule_, displacement, history);
    };
    return iterate_stage(objective_, rule_, max_iterations_, [&](int done) {
      descent_.mark(objective_, rule_);
      find_direction(done);
      if (search()) return true;
      if (history != nullptr && !history->empty()) {
        history->clear();
        find_direction(done);
        if (search()) return true;
      }
      descent_.restore(objective_, displacement);
      if (!find_definite_direction()) return false;
      if (search()) return true;
      descent_.restore(objective_, displacement);
      return false;
    });
  }

  /// Writes Newton's direction of the clamped Hessian into `descent_.direction()`, at the place and from the
  /// ∇g that `descent_` has marked. Where an energy has a kink, the exact Hessian next to it is that of one
  /// side alone, and a search along its direction may find no better place. False if `find_direction` has no
  /// exact Hessian.
  virtual bool find_definite_direction() { return false; }

  /// Evaluates g at the start of the solve. If `problem.unforced` is given, δ becomes it or 0, whichever has
  /// the lower g. d itself is far from the minimiser, because in d the explicit force of each vertex moves
  /// that vertex alone, whereas stiff springs share it among many. Returns g there.
  double start(const StageProblem& problem, VectorSpan displacement) {
    if (problem.unforced.empty()) return objective_.evaluate_start(displacement);
    const double at_rest = objective_.value_at_start();
    std::copy(problem.unforced.begin(), problem.unforced.end(), displacement.begin());
    const double value = objective_.evaluate_start(displacement);
    // If g is finite nowhere, d shows what is wrong.
    if (!objective_.is_finite())
      std::copy(problem.inertial.begin(), problem.inertial.end(), displacement.begin());
    if (!(value > at_rest)) return value;
    std::fill(displacement.begin(), displacement.end(), Vec3{});
    return objective_.evaluate(displacement);
  }

  /// How exactly a definite direction is solved for.
  static constexpr double definite_tolerance = 0.1;
  /// How exactly Newton's direction is solved for: more and more as ‖∇g‖ falls from `before` (Eisenstat and
  /// Walker 1996), but no more exactly than the target needs.
  [[nodiscard]] double direction_tolerance(double before) const {
    const double norm = descent_.gradient_norm(), ratio = norm / before;
    // Not std::clamp, because near the target the lower bound exceeds 0.1.
    return descent_.unsolved_share() *
           std::min(std::max(0.9 * ratio * ratio, 0.3 * rule_.target() / norm), 0.1);
  }

  /// Bytes of the stage's arrays and the descent's.
  [[nodiscard]] double arrays_needed() const {
    return 12.0 * sizeof(Vec3) * static_cast<double>(objective_.vertex_count());
  }

  StageObjective objective_;
  StoppingRule rule_;
  Descent descent_;
  double factor_;
  int max_iterations_;

 private:
  FreeParts parts_;
  bool is_activated_;  ///< Inputs change the energies from step to step.
};

}  // namespace electret
