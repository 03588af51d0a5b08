#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/dynamics/stage/diagonal_hessian.hpp>
#include <electret/dynamics/stage/stage_solver.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/report.hpp>

namespace electret {
namespace {

/// Up to this stiffness the full plain step of the diagonal goes downhill (DiagonalHessian), and L-BFGS on it
/// takes less time than Newton's method (bench/elastic_solves.md).
constexpr double most_stiffness = 1.0;

/// The constant matrix M + aL is the same for x, y and z, so that its factor holds all three or none.
void refuse_rollers(const System& system, const IntegratorOptions& options) {
  if (system.rollers.empty() ||
      (options.elastic_solver != "lbfgs" && options.elastic_solver != "local_global"))
    return;
  throw InputError(Finding{place_of(system.assembly.scene.source, "integrator.elastic_solver"),
                           "elastic_solver \"" + options.elastic_solver +
                               "\" does not solve with pins that hold one or two directions",
                           "allowed with a pin's normal or axis: auto, newton_cg"});
}

std::unique_ptr<StageSolver> make_chosen_solver(System& system, double factor,
                                                const IntegratorOptions& options) {
  const bool is_soft = DiagonalHessian(system, factor).stiffness() <= most_stiffness;
  auto solver =
      is_soft ? make_diagonal_solver(system, factor, options) : make_newton_solver(system, factor, options);
  solver->set_choice(
      is_soft ? Choice{"L-BFGS on the constant diagonal", "no vertex has springs that outweigh its mass"}
              : Choice{"Newton-CG",
                       "by the number of its iterations, block-Jacobi or multigrid is the preconditioner"});
  return solver;
}

}  // namespace

std::unique_ptr<StageSolver> make_stage_solver(System& system, double factor,
                                               const IntegratorOptions& options) {
  if (system.contacts)
    return obstacles_stick(system.assembly.scene) ? make_sticking_solver(system, factor, options)
                                                  : make_contact_solver(system, factor, options);
  if (system.body_contacts) return make_surface_solver(system, factor, options);
  refuse_rollers(system, options);
  if (options.elastic_solver == "lbfgs") return make_lbfgs_solver(system, factor, options);
  if (options.elastic_solver == "local_global") return make_local_global_solver(system, factor, options);
  if (options.elastic_solver == "auto") return make_chosen_solver(system, factor, options);
  if (options.elastic_solver == "newton_cg") return make_newton_solver(system, factor, options);
  if (options.elastic_solver == diagonal_solver) return make_diagonal_solver(system, factor, options);
  if (options.elastic_solver == newton_baseline) return make_newton_cholesky_solver(system, factor, options);
  throw InputError(
      Finding{place_of(system.assembly.scene.source, "integrator.elastic_solver"),
              "elastic_solver \"" + options.elastic_solver + "\" is not available in this version",
              "allowed: " + joined(elastic_solvers)});
}

}  // namespace electret
