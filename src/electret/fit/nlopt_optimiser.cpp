/// \file
/// `lbfgs` with bounds and `mma`: NLopt.

#include <algorithm>
#include <cmath>
#include <memory>

#include <nlopt.h>

#include <electret/core/errors.hpp>
#include <electret/fit/optimiser_monitor.hpp>

namespace electret::detail {
namespace {

/// NLopt's L-BFGS extrapolates with the values that it gets. Where there is no value, it is given a slope of
/// values so large that it comes back.
struct Problem {
  OptimiserMonitor& monitor;
  nlopt_opt optimiser;
  double largest = 0.0;
};

double evaluate(unsigned n, const double* u, double* gradient, void* instance) {
  auto& problem = *static_cast<Problem*>(instance);
  std::vector<double> unused(gradient == nullptr ? n : 0);
  const double value = problem.monitor.evaluate(u, gradient == nullptr ? unused.data() : gradient);
  if (problem.monitor.has_ended()) nlopt_force_stop(problem.optimiser);
  if (value > 1e300) return 10.0 * problem.largest + 1.0;
  problem.largest = std::max(problem.largest, std::abs(value));
  return value;
}

}  // namespace

void run_nlopt(OptimiserMonitor& monitor, std::vector<double> start, const VariableBounds& bounds,
               std::string_view method) {
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(
      nlopt_create(method == "mma" ? NLOPT_LD_MMA : NLOPT_LD_LBFGS, static_cast<unsigned>(start.size())),
      &nlopt_destroy);
  require(optimiser != nullptr, "NLopt could not be started");
  Problem problem{monitor, optimiser.get()};
  const bool is_set = nlopt_set_min_objective(optimiser.get(), evaluate, &problem) > 0 &&
                      nlopt_set_lower_bounds(optimiser.get(), bounds.lower.data()) > 0 &&
                      nlopt_set_upper_bounds(optimiser.get(), bounds.upper.data()) > 0;
  require(is_set, "NLopt refused the problem");
  double value = 0.0;
  nlopt_optimize(optimiser.get(), start.data(), &value);
}

}  // namespace electret::detail
