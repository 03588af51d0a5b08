#include <algorithm>
#include <array>

#include <electret/scene/activation_formula.hpp>
#include <electret/scene/messages.hpp>

namespace electret {
namespace {

/// The step stands in place of the place's first component.
constexpr std::array<std::string_view, 1> formula_variables{"h"};
constexpr std::array<std::string_view, 6> taken_names{"h",      "activation", "activations",
                                                      "values", "stiffness",  "expression"};

}  // namespace

ActivationFormula ActivationFormula::parse(const std::string& text,
                                           const std::map<std::string, double>& constants,
                                           std::vector<ExpressionError>& errors) {
  ActivationFormula formula{text, {}, {}, {}};
  for (const auto& [name, value] : constants) {
    formula.constant_names.push_back(name);
    formula.constants.push_back(value);
  }
  formula.expression = Expression::parse(text, formula.constant_names, errors, formula_variables);
  return formula;
}

double ActivationFormula::value(double time, double step) const {
  return expression.value({step, 0.0, 0.0}, time, constants);
}

void ActivationFormula::add_gradient(double time, double step, double by_value, ScalarSpan out) const {
  expression.add_constant_gradient({step, 0.0, 0.0}, time, constants, by_value, out);
}

bool is_activation_constant(std::string_view name) {
  return is_constant_name(std::string(name)) &&
         std::find(taken_names.begin(), taken_names.end(), name) == taken_names.end();
}

std::string allowed_activation_constants() {
  return "allowed: letters, digits and _, but not h, t, x, y, z, pi, charges, activation, activations, "
         "values, "
         "stiffness, expression or a function's name";
}

}  // namespace electret
