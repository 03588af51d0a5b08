#pragma once
/// \file
/// Parameters of a scene as an optimiser sees them: variables of order 1 without a unit.

#include <limits>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/fit/optimiser.hpp>
#include <electret/scene/parameters.hpp>

namespace electret {

/// What is fitted, and within which limits.
struct FitParameter {
  Parameter parameter;
  double minimum = -std::numeric_limits<double>::infinity();  ///< Of each value.
  double maximum = std::numeric_limits<double>::infinity();
  /// Weight of the mean over its values of (u - u_prior)², u the optimiser's variables: holds values that the
  /// motion does not tell. 0: none.
  double prior_weight = 0.0;
  std::vector<double> prior;  ///< As many values as the parameter has; empty: those of the scene.
};

/// The values of `parameters` in `assembly`, one parameter after the other.
std::vector<double> values_of(const Assembly& assembly, const std::vector<FitParameter>& parameters);
/// Sets them.
void write_values(Assembly& assembly, const std::vector<FitParameter>& parameters, ScalarView values);

/// Values v as variables u: v = s·u, s the size of the parameter's values in the scene; on a logarithmic
/// scale v = exp u.
class FitVariables {
 public:
  /// What is wrong with `parameters` for `assembly`: none, numbers fitted twice, limits crossed or outside
  /// what the parameter may be, a prior of another size. Findings without a place are named by the parameter.
  static std::vector<Finding> check(const Assembly& assembly, const std::vector<FitParameter>& parameters);

  FitVariables(const Assembly& assembly, std::vector<FitParameter> parameters);

  [[nodiscard]] std::size_t size() const { return scales_.size(); }
  [[nodiscard]] const std::vector<FitParameter>& parameters() const { return parameters_; }
  [[nodiscard]] const VariableBounds& bounds() const { return bounds_; }

  [[nodiscard]] std::vector<double> to_variables(ScalarView values) const;
  [[nodiscard]] std::vector<double> to_values(ScalarView variables) const;
  /// gradient = ∂ℒ/∂u at `values`, from ∂ℒ/∂(the assembly's numbers).
  void pull(const AssemblyGradient& by_numbers, ScalarView values, ScalarSpan gradient) const;
  /// The priors' sum, and its gradient added.
  double add_priors(ScalarView variables, ScalarSpan gradient) const;

 private:
  void hold_start_of_pins(const Assembly& assembly, const Parameter& parameter);

  std::vector<FitParameter> parameters_;
  std::vector<double> scales_;  ///< One per variable; 0: logarithmic.
  std::vector<double> priors_;  ///< u.
  VariableBounds bounds_;
};

}  // namespace electret
