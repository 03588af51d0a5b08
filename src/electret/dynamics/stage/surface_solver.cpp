#include <electret/contact/body_contacts.hpp>
#include <electret/core/errors.hpp>
#include <electret/dynamics/stage/newton_directions_solver.hpp>
#include <electret/dynamics/stage/pair_memory.hpp>
#include <electret/dynamics/stage/surface_adjoint.hpp>
#include <electret/dynamics/stage/surface_search.hpp>

namespace electret {
namespace {

/// Touching bodies need more iterations than others, the first time they touch above all.
constexpr int more_iterations = 4;
/// Of its constants, places, stencils and their rows in the matrix, and of the candidates around it.
/// Measured: stacks of 4 and 5 blocks, with 1700 to 9900 pairs that touch.
constexpr double bytes_per_pair = 6e3;

/// Newton's method for stages of bodies that touch each other.
class SurfaceSolver final : public NewtonDirectionsSolver {
 public:
  SurfaceSolver(System& system, double factor, const IntegratorOptions& options)
      : NewtonDirectionsSolver(system, factor, options),
        system_(system),
        hessian_(system, factor, PreconditionerPolicy::block_jacobi),
        potential_(*system.body_contacts, *system.threads),
        search_(objective_, hessian_, rule_, potential_, factor, more_iterations * options.max_iterations),
        adjoint_(system, hessian_, potential_, factor) {}

  StepReport solve(const StageProblem& problem, VectorSpan displacement) override {
    begin(problem);
    begin_hessian(hessian_, problem);
    anchors_.clear();
    if (problem.memory != nullptr) read_anchors(*problem.memory, objective_.vertex_count(), anchors_);
    const double cost_before = hessian_.cost();
    StepReport report = search_.solve(problem, anchors_, displacement);
    report.linear_cost = hessian_.cost() - cost_before;
    potential_.report(objective_.place(), objective_.moved(), system_.body_contacts->state());
    if (problem.memory == nullptr) return report;
    hessian_.end_step(*problem.memory);
    potential_.friction().keep(anchors_);
    write_anchors(anchors_, *problem.memory);
    return report;
  }

  VectorView elastic_gradient() const override { return objective_.whole_gradient(); }

  void begin_backward(const BackwardStep& at, StepCotangent& by_end) override { adjoint_.begin(at, by_end); }
  HessianSolve solve_transposed(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                                const StageRecord& record) override {
    begin_transposed(hessian_, record);
    const double cost_before = hessian_.cost();
    HessianSolve report = adjoint_.solve(x, rhs, tolerance, z);
    report.cost = hessian_.cost() - cost_before;
    return report;
  }
  void add_transposed(VectorSpan by_start, const StepGradients& out) override { adjoint_.add(by_start, out); }
  void end_backward(StepCotangent& by_start) override { adjoint_.end(by_start); }

  void hessian_product_unmasked(VectorView d, VectorSpan product) override { hessian_.product(d, product); }

  double memory_needed() const override {
    return hessian_.memory_needed() + 2.0 * arrays_needed() +
           bytes_per_pair * system_.body_contacts->expected_pairs();
  }
  std::vector<MemoryArray> memory_layout() const override {
    std::vector<MemoryArray> layout = layout_of(hessian_);
    layout.push_back(pair_memory_layout());
    return layout;
  }

 private:
  System& system_;
  StageHessian hessian_;
  SurfacePotential potential_;
  SurfaceSearch search_;
  SurfaceAdjoint adjoint_;
  std::vector<PairAnchor> anchors_;
};

}  // namespace

std::unique_ptr<StageSolver> make_surface_solver(System& system, double factor,
                                                 const IntegratorOptions& options) {
  return std::make_unique<SurfaceSolver>(system, factor, options);
}

}  // namespace electret
