#pragma once
/// \file
/// What all optimisers share: it keeps the best value so far, decides when to end, and keeps exceptions out
/// of C libraries.

#include <exception>

#include <electret/fit/optimiser.hpp>

namespace electret::detail {

/// Calls the function for an optimiser. After an end or an exception, every further call returns +∞ at once,
/// so that a library that cannot be stopped soon gives up.
class OptimiserMonitor {
 public:
  OptimiserMonitor(const ObjectiveFunction& f, const VariableBounds& bounds, const OptimiserOptions& options);

  /// Returns f or +∞; never throws. Variables are moved into the bounds first.
  double evaluate(const double* variables, double* gradient);
  [[nodiscard]] bool has_ended() const { return ended_; }
  /// Whether the best value is so far from a minimum that another try may improve it. It is not if the
  /// gradient has come down to rounding.
  [[nodiscard]] bool is_far() const { return best_.gradient_norm > 1e-6 * first_norm_; }
  /// The result; throws what f threw.
  OptimiserResult finish();

 private:
  [[nodiscard]] double inner_norm() const;
  void note(double value);
  void end(FitEnd why);

  const ObjectiveFunction& f_;
  const VariableBounds& bounds_;
  const OptimiserOptions& options_;
  std::vector<double> variables_, gradient_;
  OptimiserResult best_;
  std::exception_ptr error_;
  bool ended_ = false;
  double first_norm_ = -1.0, old_value_ = 0.0;
  Count better_ = 0;  ///< Better values since `old_value_`.
};

void run_lbfgs(OptimiserMonitor& monitor, std::vector<double> start);
/// `method` "lbfgs" or "mma".
void run_nlopt(OptimiserMonitor& monitor, std::vector<double> start, const VariableBounds& bounds,
               std::string_view method);
void run_adam(OptimiserMonitor& monitor, std::vector<double> start, const VariableBounds& bounds,
              double rate);

}  // namespace electret::detail
