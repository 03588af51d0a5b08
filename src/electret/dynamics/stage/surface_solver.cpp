#include <electret/contact/body_contacts.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/stage/newton_directions_solver.hpp>
#include <electret/dynamics/stage/surface_search.hpp>
#include <electret/dynamics/stage/surface_stage.hpp>

namespace electret {
namespace {

/// Newton's method for stages of bodies that touch each other.
class SurfaceSolver final : public NewtonDirectionsSolver {
 public:
  SurfaceSolver(System& system, double factor, const IntegratorOptions& options)
      : NewtonDirectionsSolver(system, factor, options),
        hessian_(system, factor, SurfaceStage::preconditioner(system)),
        surfaces_(system, hessian_, factor),
        search_(objective_, hessian_, rule_, surfaces_.potential(), factor,
                SurfaceStage::iterations(system, options)) {}

  StepReport solve(const StageProblem& problem, VectorSpan displacement) override {
    begin(problem);
    begin_hessian(hessian_, problem);
    const double cost_before = hessian_.cost();
    StepReport report = search_.solve(problem, surfaces_.read(problem), displacement);
    report.linear_cost = hessian_.cost() - cost_before;
    if (problem.memory != nullptr) hessian_.end_step(*problem.memory);
    surfaces_.end_step(objective_, problem);
    return report;
  }

  VectorView elastic_gradient() const override { return objective_.whole_gradient(); }

  void begin_backward(const BackwardStep& at, StepCotangent& by_end) override {
    surfaces_.adjoint().begin(at, by_end);
  }
  HessianSolve solve_transposed(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                                const StageRecord& record) override {
    begin_transposed(hessian_, record);
    const double cost_before = hessian_.cost();
    HessianSolve report = surfaces_.adjoint().solve(x, rhs, tolerance, z);
    report.cost = hessian_.cost() - cost_before;
    return report;
  }
  void add_transposed(VectorSpan by_start, const StepGradients& out) override {
    surfaces_.adjoint().add(by_start, out);
  }
  void end_backward(StepCotangent& by_start) override { surfaces_.adjoint().end(by_start); }

  void hessian_product_unmasked(VectorView d, VectorSpan product) override { hessian_.product(d, product); }

  double memory_needed() const override {
    return hessian_.memory_needed() + 2.0 * arrays_needed() + surfaces_.potential().memory_needed();
  }
  std::vector<MemoryArray> memory_layout() const override {
    std::vector<MemoryArray> layout = layout_of(hessian_);
    layout.push_back(pair_memory_layout());
    return layout;
  }

 private:
  StageHessian hessian_;
  SurfaceStage surfaces_;
  SurfaceSearch search_;
};

}  // namespace

std::unique_ptr<StageSolver> make_surface_solver(System& system, double factor,
                                                 const IntegratorOptions& options) {
  return std::make_unique<SurfaceSolver>(system, factor, options);
}

}  // namespace electret
