#include <algorithm>

#include <electret/core/errors.hpp>
#include <electret/dynamics/stage/contact_adjoint.hpp>
#include <electret/dynamics/stage/contact_solver.hpp>
#include <electret/dynamics/stage/newton_directions_solver.hpp>

namespace electret {
namespace {

/// Newton's method for stages in which obstacles push exactly.
class ContactNewtonSolver final : public NewtonDirectionsSolver {
 public:
  ContactNewtonSolver(System& system, double factor, const IntegratorOptions& options)
      : NewtonDirectionsSolver(system, factor, options),
        contacts_(*system.contacts),
        hessian_(system, factor),
        is_activated_(std::any_of(system.elastic.begin(), system.elastic.end(),
                                  [](const auto& energy) { return energy->reads_activations(); })),
        solver_(system, objective_, hessian_, rule_, contacts_, factor, options.max_iterations),
        adjoint_(contacts_, solver_.scales()) {}

  StepReport solve(const StageProblem& problem, VectorSpan displacement) override {
    require(problem.inputs != nullptr && problem.before != nullptr, "contacts: a stage without inputs");
    begin(problem);
    begin_step(problem);
    contacts_.begin_step(problem.before->placements, problem.inputs->placements, problem.start);
    const double cost_before = hessian_.cost();
    StepReport report = solver_.solve(problem, displacement);
    report.linear_cost = hessian_.cost() - cost_before;
    if (problem.memory != nullptr) hessian_.end_step(*problem.memory);
    for (std::size_t k = 0; k < solver_.forces().size(); ++k)
      contacts_.forces()[k] =
          solver_.states()[k] == ContactState::free ? Vec3{} : (1.0 / factor_) * solver_.forces()[k];
    return report;
  }

  void keep(StepTape& tape) const override {
    adjoint_.keep(solver_.forces(), solver_.states(), objective_.vertex_count(), tape);
  }

  HessianSolve solve_transposed(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                                const StageRecord& record) override {
    objective_.set_factor(factor_);
    const StageHessianMemory last =
        record.memory != nullptr ? StageHessian::last(*record.memory) : StageHessianMemory{};
    hessian_.begin_step({.multigrid = last.multigrid, .rates = last.rates});
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
  std::vector<MemoryArray> memory_layout() const override { return hessian_.memory_layout(!is_activated_); }

 private:
  /// As NewtonSolver's.
  void begin_step(const StageProblem& problem) {
    if (problem.memory == nullptr)
      hessian_.begin_step();
    else if (is_activated_)
      hessian_.begin_step(StageHessian::last(*problem.memory));
    else
      hessian_.begin_step(*problem.memory);
  }

  ContactSet& contacts_;
  StageHessian hessian_;
  bool is_activated_;  ///< Inputs change the energies from step to step.
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
