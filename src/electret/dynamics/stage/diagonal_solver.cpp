#include <electret/dynamics/stage/diagonal_hessian.hpp>
#include <electret/dynamics/stage/hessian_solver.hpp>
#include <electret/dynamics/stage/newton_directions_solver.hpp>

namespace electret {
namespace {

/// L-BFGS on the constant diagonal. An iteration costs one gradient and sums over vertices. An iteration of
/// Newton's method costs a linearisation and products in addition, which do not pay if few iterations
/// suffice.
class DiagonalSolver final : public NewtonDirectionsSolver {
 public:
  DiagonalSolver(System& system, double factor, const IntegratorOptions& options)
      : NewtonDirectionsSolver(system, factor, options),
        diagonal_(system, factor),
        history_(objective_.vertex_count()),
        work_(objective_.vertex_count()),
        hessian_(system, factor) {}

  StepReport solve(const StageProblem& problem, VectorSpan displacement) override {
    begin(problem);
    history_.clear();
    const auto find_direction = [&](int) {
      history_.direction(objective_.threads(), diagonal_, descent_.gradient(), work_, descent_.direction());
    };
    const double value = start(problem, displacement);
    return search_down(value, problem.inertial, displacement, find_direction, &history_);
  }

  HessianSolve solve_transposed(VectorView x, VectorView rhs, double tolerance, VectorSpan z,
                                const StageRecord&) override {
    objective_.set_factor(factor_);
    hessian_.begin_step();
    return adjoint_.solve(objective_, hessian_, {x, rhs, tolerance}, z);
  }

  double memory_needed() const override {
    constexpr double pairs = 14.0 * sizeof(Vec3);  // The pairs, the model's work array and the diagonal.
    return hessian_.memory_needed() + arrays_needed() +
           pairs * static_cast<double>(objective_.vertex_count());
  }

 private:
  DiagonalHessian diagonal_;
  PairHistory history_;
  VectorArray work_;
  StageHessian hessian_;  ///< For the solves of derivatives.
  HessianSolver adjoint_;
};

}  // namespace

std::unique_ptr<StageSolver> make_diagonal_solver(System& system, double factor,
                                                  const IntegratorOptions& options) {
  return std::make_unique<DiagonalSolver>(system, factor, options);
}

}  // namespace electret
