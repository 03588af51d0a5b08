#include <algorithm>
#include <optional>

#include <electret/core/errors.hpp>
#include <electret/dynamics/stage/contact_adjoint.hpp>
#include <electret/dynamics/stage/contact_solver.hpp>
#include <electret/dynamics/stage/newton_directions_solver.hpp>
#include <electret/dynamics/stage/surface_stage.hpp>
#include <electret/scene/rounded_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Newton's method for stages in which obstacles push exactly and bodies may touch each other.
class ContactNewtonSolver final : public NewtonDirectionsSolver {
 public:
  ContactNewtonSolver(System& system, double factor, const IntegratorOptions& options)
      : NewtonDirectionsSolver(system, factor, options),
        contacts_(*system.contacts),
        hessian_(system, factor, SurfaceStage::preconditioner(system)),
        surfaces_(SurfaceStage::of(system, hessian_, factor)),
        solver_(system, objective_, hessian_, rule_, contacts_, factor,
                SurfaceStage::iterations(system, options), surfaces_ ? &surfaces_->potential() : nullptr),
        adjoint_(system, solver_.scales()) {}

  StepReport solve(const StageProblem& problem, VectorSpan displacement) override {
    require(problem.inputs != nullptr && problem.before != nullptr, "contacts: a stage without inputs");
    begin(problem);
    begin_hessian(hessian_, problem);
    contacts_.begin_step(problem.before->placements, problem.inputs->placements, problem.start);
    const double cost_before = hessian_.cost();
    StepReport report = solver_.solve(problem, displacement,
                                      surfaces_ ? surfaces_->read(problem) : std::span<const PairAnchor>{});
    report.linear_cost = hessian_.cost() - cost_before;
    refuse_passage(problem.start);
    if (problem.memory != nullptr) hessian_.end_step(*problem.memory);
    solver_.tell(factor_);
    if (surfaces_) surfaces_->end_step(objective_, problem);
    return report;
  }

  void keep(StepTape& tape) const override {
    adjoint_.keep(solver_.forces(), solver_.modes(), objective_.vertex_count(), tape);
  }

  VectorView elastic_gradient() const override { return objective_.whole_gradient(); }

  void begin_backward(const BackwardStep& at, StepCotangent& by_end) override {
    if (surfaces_) surfaces_->adjoint().begin(at, by_end);
  }
  HessianSolve solve_transposed(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                                const StageRecord& record) override {
    begin_transposed(hessian_, record);
    if (surfaces_)
      surfaces_->adjoint().linearise(x);
    else
      hessian_.linearise(x);
    start_ = record.start != nullptr ? VectorView(record.start->positions) : VectorView{};
    const double cost_before = hessian_.cost();
    HessianSolve report = adjoint_.solve(hessian_, x, rhs, tolerance, record, z);
    report.cost = hessian_.cost() - cost_before;
    if (surfaces_) surfaces_->adjoint().take(z);
    return report;
  }

  void add_transposed(VectorSpan by_start, const StepGradients& out) override {
    adjoint_.add(start_, by_start, out);
    if (surfaces_) surfaces_->adjoint().add(by_start, out);
  }
  void end_backward(StepCotangent& by_start) override {
    if (surfaces_) surfaces_->adjoint().end(by_start);
  }

  void hessian_product_unmasked(VectorView d, VectorSpan product) override { hessian_.product(d, product); }

  double memory_needed() const override {
    return hessian_.memory_needed() + 2.0 * arrays_needed() +
           (surfaces_ ? 2.0 * arrays_needed() + surfaces_->potential().memory_needed() : 0.0);
  }
  std::vector<MemoryArray> memory_layout() const override {
    std::vector<MemoryArray> layout = layout_of(hessian_);
    if (surfaces_) layout.push_back(pair_memory_layout());
    return layout;
  }

 private:
  /// Throws DivergenceError if a vertex went through an obstacle within the step.
  void refuse_passage(VectorView start) const {
    const std::optional<ContactPassage> found = contacts_.passage(objective_.place());
    if (!found) return;
    const std::size_t number = contacts_.obstacles()[found->obstacle].number;
    const std::string name = objective_.system().assembly.obstacles[number].name;
    const double thickness = contacts_.thickness();
    // Steps that converge leave no vertex there.
    const double depth =
        -contacts_.at_start(found->obstacle).view(start[static_cast<std::size_t>(found->vertex)]).distance;
    if (depth > thickness)
      throw DivergenceError(
          0, found->vertex,
          "it begins the step " + brief_text(depth) + " m inside " + name + ", which is " +
              brief_text(thickness) + " m thick, as after a change that moves the obstacle",
          "let key-frames move the obstacle, or change it by less than its thickness at a time");
    const double enough = sufficient_thickness(found->through, found->way);
    const std::string how =
        found->through.is_to_other_side
            ? ", through " + name
            : ", and so cuts an edge of " + name + " " + brief_text(found->through.depth) + " m deep";
    throw DivergenceError(
        0, found->vertex,
        "it moves by " + brief_text(found->way) + " m in one step" + how + ", which is " +
            brief_text(thickness) + " m thick",
        "use a step below " + brief_text_below(objective_.system().time_step * thickness / enough) +
            " s, or a thickness of at least " + brief_text_above(enough) + " m" +
            (found->through.is_to_other_side ? "" : ", or none, with which nothing looks at ways"));
  }
  ContactSet& contacts_;
  StageHessian hessian_;
  std::unique_ptr<SurfaceStage> surfaces_;  ///< Of bodies that touch each other; null: none do.
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
