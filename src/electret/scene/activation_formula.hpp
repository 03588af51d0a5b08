#pragma once
/// \file
/// Activations of a muscle as a formula over time.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <electret/scene/expression.hpp>

namespace electret {

/// A formula of the time t (s), the time step h (s) and named constants. If its expression is empty, there is
/// none.
struct ActivationFormula {
  std::string text;
  Expression expression;
  std::vector<std::string> constant_names;  ///< Sorted.
  std::vector<double> constants;            ///< Their values.

  /// Parses `text`, whose errors are added to `errors`. The expression is empty then.
  static ActivationFormula parse(const std::string& text, const std::map<std::string, double>& constants,
                                 std::vector<ExpressionError>& errors);

  [[nodiscard]] bool empty() const { return expression.empty(); }
  /// The activation at `time` (s) with steps of `step` (s).
  [[nodiscard]] double value(double time, double step) const;
  /// Adds `by_value` · ∂value/∂constants to `out`, one number per constant.
  void add_gradient(double time, double step, double by_value, ScalarSpan out) const;
};

/// Whether a constant of such a formula may be called `name`. Parameters carry its name, and stand beside the
/// muscle's others.
bool is_activation_constant(std::string_view name);
std::string allowed_activation_constants();

}  // namespace electret
