#include "elastic_solves/methods.hpp"

namespace electret::bench {
namespace {

std::unique_ptr<StageSolver> make_auto(System& system, double factor, const IntegratorOptions& options) {
  return make_stage_solver(system, factor, options);
}

template <PreconditionerPolicy policy>
std::unique_ptr<StageSolver> make_newton(System& system, double factor, const IntegratorOptions& options) {
  return make_newton_solver(system, factor, options, policy);
}

}  // namespace

const std::vector<SolveMethod>& solve_methods() {
  static const std::vector<SolveMethod> methods = {
      {"local_global", make_local_global_solver, 1000},
      {"lbfgs", make_lbfgs_solver, 1000},
      {"anderson", make_anderson_solver, 1000},
#ifdef ELECTRET_BENCH_CHOLMOD
      {"newton_cholmod", make_newton_cholmod_solver, 300},
#endif
      {"newton_jacobi", make_newton<PreconditionerPolicy::block_jacobi>, 300},
      {"newton_multigrid", make_newton<PreconditionerPolicy::multigrid>, 300},
      {"auto", make_auto, 300}};
  return methods;
}

}  // namespace electret::bench
