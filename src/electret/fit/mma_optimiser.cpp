/// \file
/// `mma`: NLopt's method of moving asymptotes.

#include <algorithm>
#include <cmath>
#include <memory>

#include <nlopt.h>

#include <electret/core/errors.hpp>
#include <electret/fit/optimiser_monitor.hpp>

namespace electret::detail {
namespace {

/// The distance of NLopt's first asymptotes from variable `k`.
double asymptote(const VariableBounds& bounds, std::size_t k) {
  const double width = bounds.upper[k] - bounds.lower[k];
  return std::isfinite(width) ? 0.5 * width : 1.0;
}

/// The length of NLopt's first step for a function with the slopes factor · gradient. NLopt minimises
/// Σ (σ² g d + (|g| σ + ½) d²) / (σ² - d²) over d, with its first ρ = 1.
double first_length(double factor, const std::vector<double>& gradient, const VariableBounds& bounds) {
  double square = 0.0;
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    const double sigma = asymptote(bounds, k), slope = factor * std::abs(gradient[k]);
    if (sigma == 0.0 || slope == 0.0) continue;
    const double way = slope * sigma * sigma / (slope * sigma + 0.5), part = way / sigma;
    const double step = way / (1.0 + std::sqrt(std::max(0.0, 1.0 - part * part)));
    square += step * step;
  }
  return std::sqrt(square);
}

/// NLopt's ρ, its weight of a term that damps steps, has the unit of the function. This factor of the
/// function makes the first step at most `reach` long, whatever that unit is.
double factor_of(const std::vector<double>& gradient, const VariableBounds& bounds) {
  double largest = 0.0;
  for (const double slope : gradient) largest = std::max(largest, std::abs(slope));
  if (!(largest > 0.0)) return 1.0;
  double factor = 1.0 / largest;
  while (first_length(factor, gradient, bounds) > reach) factor *= 0.5;
  return factor;
}

struct Problem {
  OptimiserMonitor& monitor;
  const VariableBounds& bounds;
  nlopt_opt optimiser;
  double factor = 0.0;
};

double evaluate(unsigned n, const double* u, double* gradient, void* instance) {
  auto& problem = *static_cast<Problem*>(instance);
  std::vector<double> slopes(n);
  if (gradient != nullptr) std::fill(gradient, gradient + n, 0.0);
  const double value = problem.monitor.evaluate(u, slopes.data());
  if (problem.monitor.has_ended()) nlopt_force_stop(problem.optimiser);
  // NLopt takes a shorter step from a value that is not finite.
  if (!std::isfinite(value)) return HUGE_VAL;
  if (problem.factor == 0.0) problem.factor = factor_of(slopes, problem.bounds);
  if (gradient != nullptr)
    std::transform(slopes.begin(), slopes.end(), gradient,
                   [&](double slope) { return problem.factor * slope; });
  return problem.factor * value;
}

}  // namespace

void run_mma(OptimiserMonitor& monitor, std::vector<double> start, const VariableBounds& bounds) {
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(
      nlopt_create(NLOPT_LD_MMA, static_cast<unsigned>(start.size())), &nlopt_destroy);
  require(optimiser != nullptr, "NLopt could not be started");
  Problem problem{monitor, bounds, optimiser.get()};
  const bool is_set = nlopt_set_min_objective(optimiser.get(), evaluate, &problem) > 0 &&
                      nlopt_set_lower_bounds(optimiser.get(), bounds.lower.data()) > 0 &&
                      nlopt_set_upper_bounds(optimiser.get(), bounds.upper.data()) > 0 &&
                      nlopt_set_xtol_rel(optimiser.get(), 1e-15) > 0;  // No step is left.
  require(is_set, "NLopt refused the problem");
  double value = 0.0;
  nlopt_optimize(optimiser.get(), start.data(), &value);
}

}  // namespace electret::detail
