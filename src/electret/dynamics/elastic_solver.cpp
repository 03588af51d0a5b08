#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/dynamics/elastic_solver.hpp>
#include <electret/scene/report.hpp>

namespace electret {

std::unique_ptr<ElasticSolver> make_elastic_solver(System& system, double factor,
                                                   const IntegratorOptions& options) {
  if (options.elastic_solver == "lbfgs") return make_lbfgs_solver(system, factor, options);
  if (options.elastic_solver == "local_global") return make_local_global_solver(system, factor, options);
  if (options.elastic_solver == "auto" || options.elastic_solver == "newton_cg")
    return make_newton_solver(system, factor, options);
  if (options.elastic_solver == newton_baseline) return make_newton_cholesky_solver(system, factor, options);
  throw InputError(
      Finding{place_of(system.assembly.scene.source, "integrator.elastic_solver"),
              "elastic_solver \"" + options.elastic_solver + "\" is not available in this version",
              "allowed: " + joined(elastic_solvers)});
}

}  // namespace electret
