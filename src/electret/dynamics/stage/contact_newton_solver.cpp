#include <algorithm>
#include <optional>

#include <electret/core/errors.hpp>
#include <electret/dynamics/stage/contact_adjoint.hpp>
#include <electret/dynamics/stage/contact_solver.hpp>
#include <electret/dynamics/stage/newton_directions_solver.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Newton's method for stages in which obstacles push exactly.
class ContactNewtonSolver final : public NewtonDirectionsSolver {
 public:
  ContactNewtonSolver(System& system, double factor, const IntegratorOptions& options)
      : NewtonDirectionsSolver(system, factor, options),
        contacts_(*system.contacts),
        hessian_(system, factor),
        solver_(system, objective_, hessian_, rule_, contacts_, factor, options.max_iterations),
        adjoint_(system, solver_.scales()) {}

  StepReport solve(const StageProblem& problem, VectorSpan displacement) override {
    require(problem.inputs != nullptr && problem.before != nullptr, "contacts: a stage without inputs");
    begin(problem);
    begin_hessian(hessian_, problem);
    contacts_.begin_step(problem.before->placements, problem.inputs->placements, problem.start);
    const double cost_before = hessian_.cost();
    StepReport report = solver_.solve(problem, displacement);
    report.linear_cost = hessian_.cost() - cost_before;
    refuse_passage();
    if (problem.memory != nullptr) hessian_.end_step(*problem.memory);
    solver_.tell(factor_);
    return report;
  }

  void keep(StepTape& tape) const override {
    adjoint_.keep(solver_.forces(), solver_.modes(), objective_.vertex_count(), tape);
  }

  HessianSolve solve_transposed(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                                const StageRecord& record) override {
    begin_transposed(hessian_, record);
    hessian_.linearise(x);
    start_ = record.start != nullptr ? VectorView(record.start->positions) : VectorView{};
    const double cost_before = hessian_.cost();
    HessianSolve report = adjoint_.solve(hessian_, x, rhs, tolerance, record, z);
    report.cost = hessian_.cost() - cost_before;
    return report;
  }

  void add_transposed(VectorSpan by_start, const StepGradients& out) override {
    adjoint_.add(start_, by_start, out);
  }

  void hessian_product_unmasked(VectorView d, VectorSpan product) override { hessian_.product(d, product); }

  double memory_needed() const override { return hessian_.memory_needed() + 2.0 * arrays_needed(); }
  std::vector<MemoryArray> memory_layout() const override { return layout_of(hessian_); }

 private:
  /// Throws DivergenceError if a vertex went through an obstacle within the step.
  void refuse_passage() const {
    const std::optional<ContactPassage> found = contacts_.passage(objective_.place());
    if (!found) return;
    const std::size_t number = contacts_.obstacles()[found->obstacle].number;
    throw DivergenceError(0, found->vertex,
                          "it moves by " + brief_text(found->way) + " m in one step, through " +
                              objective_.system().assembly.obstacles[number].name + ", which is " +
                              brief_text(contacts_.thickness()) + " m thick",
                          "use a step below " +
                              brief_text(objective_.system().time_step * contacts_.thickness() / found->way) +
                              " s, or a thickness of at least " + brief_text(found->way) + " m");
  }
  ContactSet& contacts_;
  StageHessian hessian_;
  ContactSolver solver_;
  ContactAdjoint adjoint_;
  VectorView start_;  ///< Of the step of the last `solve_transposed`.
};

}  // namespace

std::unique_ptr<StageSolver> make_contact_solver(System& system, double factor,
                                                 const IntegratorOptions& options) {
  return std::make_unique<ContactNewtonSolver>(system, factor, options);
}

}  // namespace electret
