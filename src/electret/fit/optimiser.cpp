#include <algorithm>
#include <cmath>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/fit/optimiser.hpp>
#include <electret/fit/optimiser_monitor.hpp>

namespace electret {

std::string_view to_string(FitEnd end) {
  switch (end) {
    case FitEnd::gradient:
      return "the gradient is small";
    case FitEnd::change:
      return "the loss no longer changes";
    case FitEnd::loss:
      return "the loss is small enough";
    case FitEnd::evaluations:
      return "the number of evaluations is used up";
    case FitEnd::flat:
      return "the loss does not depend on the fitted values there";
    case FitEnd::stalled:
      break;
  }
  return "no better value was found along the last direction";
}

double VariableBounds::free_norm(ScalarView variables, ScalarView gradient) const {
  double norm = 0.0;
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    if (std::isnan(gradient[k])) return gradient[k];  // std::max would pass over it.
    if (!hold(k, variables[k], gradient[k])) norm = std::max(norm, std::abs(gradient[k]));
  }
  return norm;
}

namespace detail {

OptimiserMonitor::OptimiserMonitor(const ObjectiveFunction& f, const VariableBounds& bounds,
                                   const OptimiserOptions& options)
    : f_(f), bounds_(bounds), options_(options), variables_(bounds.lower.size()), gradient_(variables_) {}

double OptimiserMonitor::evaluate(const double* variables, double* gradient) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::fill(gradient, gradient + variables_.size(), 0.0);
  if (ended_) return infinity;
  for (std::size_t k = 0; k < variables_.size(); ++k)
    variables_[k] = std::clamp(variables[k], bounds_.lower[k], bounds_.upper[k]);
  double value = infinity;
  try {
    value = f_(variables_, gradient_);
  } catch (...) {
    error_ = std::current_exception();
    ended_ = true;
    return infinity;
  }
  ++best_.evaluations;
  const auto is_number = [](double each) { return std::isfinite(each); };
  if (std::isfinite(value) && std::all_of(gradient_.begin(), gradient_.end(), is_number)) {
    std::copy(gradient_.begin(), gradient_.end(), gradient);
    note(value);
  } else {
    value = infinity;
  }
  if (!ended_ && best_.evaluations >= options_.evaluations) end(FitEnd::evaluations);
  return value;
}

void OptimiserMonitor::note(double value) {
  const double norm = bounds_.free_norm(variables_, gradient_);
  const bool is_first = first_norm_ < 0.0;
  if (is_first) first_norm_ = norm, old_value_ = value;
  const bool is_small = norm <= std::max(options_.gradient_floor, options_.gradient_tolerance * first_norm_);
  const bool is_as_low = value <= best_.value + accuracy * std::abs(best_.value);
  if (!(value < best_.value) && !(is_small && is_as_low)) return;
  best_.value = value;
  best_.variables = variables_;
  best_.gradient_norm = norm;
  if (options_.loss_tolerance > 0.0 && value <= options_.loss_tolerance) return end(FitEnd::loss);
  if (is_small) return end(FitEnd::gradient);
  if (is_first || ++better_ < 10) return;
  if (old_value_ - value <= options_.change_tolerance * std::abs(old_value_)) return end(FitEnd::change);
  better_ = 0;
  old_value_ = value;
}

void OptimiserMonitor::end(FitEnd why) {
  ended_ = true;
  best_.end = why;
}

OptimiserResult OptimiserMonitor::finish() {
  if (error_) std::rethrow_exception(error_);
  return std::move(best_);
}

void run_adam(OptimiserMonitor& monitor, std::vector<double> u, const VariableBounds& bounds, double rate) {
  constexpr double fade_mean = 0.9, fade_square = 0.999, small = 1e-12;
  std::vector<double> g(u.size()), mean(u.size()), square(u.size()), before = u;
  double mean_left = 1.0, square_left = 1.0, best = std::numeric_limits<double>::infinity();
  int worse = 0;
  while (!monitor.has_ended() && rate > 1e-14) {
    const double value = monitor.evaluate(u.data(), g.data());
    if (!std::isfinite(value)) {  // Go back to where there was a value, and on with shorter steps.
      u = before;
      rate *= 0.5;
      std::fill(mean.begin(), mean.end(), 0.0);
      mean_left = 1.0;
      continue;
    }
    // Twenty values in a row are no better, which means that the steps are longer than the valley is wide.
    worse = value < best ? 0 : worse + 1;
    best = std::min(best, value);
    if (worse == 20) rate *= 0.5, worse = 0;
    before = u;
    mean_left *= fade_mean;
    square_left *= fade_square;
    for (std::size_t k = 0; k < u.size(); ++k) {
      mean[k] = fade_mean * mean[k] + (1.0 - fade_mean) * g[k];
      square[k] = fade_square * square[k] + (1.0 - fade_square) * g[k] * g[k];
      const double size = std::sqrt(square[k] / (1.0 - square_left));
      if (size > 0.0) u[k] -= rate * (mean[k] / (1.0 - mean_left)) / (size + small * size);
      u[k] = std::clamp(u[k], bounds.lower[k], bounds.upper[k]);
    }
  }
}

}  // namespace detail

void check_options(const OptimiserOptions& options) {
  require_argument(std::find(optimisers.begin(), optimisers.end(), options.method) != optimisers.end(),
                   "there is no such optimiser; there are lbfgs, mma and adam");
  require_argument(options.evaluations >= 1, "an optimiser needs at least one evaluation");
  require_argument(options.rate > 0.0, "the rate of adam must be positive");
}

OptimiserResult minimise(const ObjectiveFunction& f, std::vector<double> start, const VariableBounds& bounds,
                         const OptimiserOptions& options) {
  require_argument(
      bounds.lower.size() == start.size() && bounds.upper.size() == start.size() && !start.empty(),
      "an optimiser was given arrays of different sizes");
  check_options(options);
  for (std::size_t k = 0; k < start.size(); ++k)
    start[k] = std::clamp(start[k], bounds.lower[k], bounds.upper[k]);
  const auto is_finite = [](double bound) { return std::isfinite(bound); };
  const bool is_bounded = std::any_of(bounds.lower.begin(), bounds.lower.end(), is_finite) ||
                          std::any_of(bounds.upper.begin(), bounds.upper.end(), is_finite);
  detail::OptimiserMonitor monitor(f, bounds, options);
  if (options.method == "adam")
    detail::run_adam(monitor, std::move(start), bounds, options.rate);
  else if (options.method == "mma")
    detail::run_mma(monitor, std::move(start), bounds);
  else if (is_bounded)
    detail::run_lbfgsb(monitor, std::move(start), bounds);
  else
    detail::run_lbfgs(monitor, std::move(start));
  // liblbfgs compares values alone, which rounding hides near a minimum: the other method goes on from there.
  if (options.method == "lbfgs" && !is_bounded && !monitor.has_ended() && !monitor.best().empty())
    detail::run_lbfgsb(monitor, monitor.best(), bounds);
  return monitor.finish();
}

}  // namespace electret
