#pragma once
/// \file
/// The parameters of a scene as an optimiser sees them: dimensionless variables of order 1.

#include <limits>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/fit/optimiser.hpp>
#include <electret/scene/parameters.hpp>

namespace electret {

/// A parameter to fit, and its limits.
struct FitParameter {
  Parameter parameter;
  double minimum = -std::numeric_limits<double>::infinity();  ///< The lower limit of each value.
  double maximum = std::numeric_limits<double>::infinity();
  /// Weight of the mean over the parameter's values of (u - u_prior)², where u are the optimiser's variables.
  /// A prior keeps values that the motion does not determine near it. 0: no prior.
  double prior_weight = 0.0;
  std::vector<double> prior;  ///< One value per value of the parameter; if empty, those of the scene.
};

/// The values of `parameters` in `assembly`, one parameter after the other.
std::vector<double> values_of(const Assembly& assembly, const std::vector<FitParameter>& parameters);
/// Writes them into `assembly`.
void write_values(Assembly& assembly, const std::vector<FitParameter>& parameters, ScalarView values);

/// Which values of `parameter` a fit leaves as they are: the offsets of those keys that decide where a pin is
/// at time 0. A pin starts at the initial place.
std::vector<bool> held_values(const Assembly& assembly, const Parameter& parameter);

/// Converts values v to the optimiser's variables u. v = s·u, where s is the size of the parameter's values
/// in the scene (`typical_size`). On a logarithmic scale, v = exp u. Variables within their bounds give
/// values within their limits, whatever rounding does.
class FitVariables {
 public:
  /// What is wrong with `parameters` for `assembly`. Possible findings are: no parameters, numbers that are
  /// fitted twice, a minimum above its maximum, limits outside the parameter's range, a prior of the wrong
  /// size, a pin of which all keys are held. Findings without a place name the parameter.
  static std::vector<Finding> check(const Assembly& assembly, const std::vector<FitParameter>& parameters);

  FitVariables(const Assembly& assembly, std::vector<FitParameter> parameters);

  [[nodiscard]] std::size_t size() const { return scales_.size(); }
  [[nodiscard]] const std::vector<FitParameter>& parameters() const { return parameters_; }
  [[nodiscard]] const VariableBounds& bounds() const { return bounds_; }

  /// Throws std::invalid_argument unless there are `size()` of them.
  [[nodiscard]] std::vector<double> to_variables(ScalarView values) const;
  [[nodiscard]] std::vector<double> to_values(ScalarView variables) const;
  /// Throws DivergenceError for a value that is not finite, or that its parameter's range excludes: bounds
  /// cannot keep variables from a limit that no value may have.
  void require_allowed(ScalarView values) const;
  /// gradient = ∂ℒ/∂u at `values`, from ∂ℒ/∂(the assembly's numbers). Throws DivergenceError, which names the
  /// parameter, for a derivative that is not finite: a formula may have none at some values.
  void pull(const AssemblyGradient& by_numbers, ScalarView values, ScalarSpan gradient) const;
  /// Returns the sum of the priors and adds its gradient to `gradient`.
  double add_priors(ScalarView variables, ScalarSpan gradient) const;

 private:
  void hold(const std::vector<bool>& held, ScalarView now);

  std::vector<FitParameter> parameters_;
  std::vector<double> scales_;           ///< One per variable; 0: logarithmic.
  std::vector<double> priors_;           ///< u.
  std::vector<double> minima_, maxima_;  ///< The limits of each value.
  std::vector<NumberRange> ranges_;      ///< Per parameter.
  VariableBounds bounds_;
};

}  // namespace electret
