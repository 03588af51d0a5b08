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
  /// The best point so far; empty if no point had a value.
  [[nodiscard]] const std::vector<double>& best() const { return best_.variables; }
  /// The result; throws what f threw.
  OptimiserResult finish();

 private:
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

/// The length of a first step in variables of order 1. A length of 1 is far enough to leave the valley, or to
/// end exactly at 0, where all losses that do not depend on a charge's sign are flat.
inline constexpr double reach = 0.25;  // a power of two: starts keep their bits

/// Relative to a value: differences that the tolerance of a run's steps may cause. Its gradient is then the
/// better guide.
inline constexpr double accuracy = 1e-9;

/// Without bounds.
void run_lbfgs(OptimiserMonitor& monitor, std::vector<double> start);
/// `start` is within the bounds.
void run_lbfgsb(OptimiserMonitor& monitor, std::vector<double> start, const VariableBounds& bounds);
void run_mma(OptimiserMonitor& monitor, std::vector<double> start, const VariableBounds& bounds);
void run_adam(OptimiserMonitor& monitor, std::vector<double> start, const VariableBounds& bounds,
              double rate);

}  // namespace electret::detail
