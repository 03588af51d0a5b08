#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <electret/core/errors.hpp>
#include <electret/scene/expression.hpp>
#include <electret/scene/expression_program.hpp>

namespace electret {
namespace {

using expression::Operation;

/// Derivatives are carried in this many lanes, one per variable. The first pass has x, y, z and the first
/// constant, each further pass four more constants.
constexpr std::size_t lanes = 4;

/// A dual number: a value and its derivatives with respect to `lanes` variables.
struct Dual {
  double value = 0.0;
  std::array<double, lanes> d{};
};

constexpr double largest = std::numeric_limits<double>::max();

/// What has overflowed counts as the largest number, so that 0 times it is 0: a sigmoid far from its middle
/// has the derivative 0. At a pole a derivative stays infinite, because 0·∞ may be any number: the derivative
/// of (√x)² at 0 is 1, that of (√x)³ is 0. It is then NaN, and whoever needs it says so.
double bounded(double value) {
  return value > largest ? largest : value < -largest ? -largest : value;
}

/// factor·derivative. A variable that does not move contributes nothing, even if the factor is infinite (√ at
/// 0).
double chained(double factor, double derivative) {
  if (derivative == 0.0) return 0.0;
  const double product = factor * derivative;
  return std::isfinite(factor) && std::isfinite(derivative) ? bounded(product) : product;
}

double added(double a, double b) {
  return std::isfinite(a) && std::isfinite(b) ? bounded(a + b) : a + b;
}

double sign(double a) {
  return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : 0.0;
}

/// Whether min or max is its second argument. A NaN is taken in either place, so that none is hidden.
bool takes_second(Operation operation, double a, double b) {
  return std::isnan(b) || (operation == Operation::min ? b < a : a < b);
}

double apply(Operation operation, double a, double b) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::power:
      return std::pow(a, b);
    case Operation::negate:
      return -a;
    case Operation::sin:
      return std::sin(a);
    case Operation::cos:
      return std::cos(a);
    case Operation::tan:
      return std::tan(a);
    case Operation::asin:
      return std::asin(a);
    case Operation::acos:
      return std::acos(a);
    case Operation::atan:
      return std::atan(a);
    case Operation::atan2:
      return std::atan2(a, b);
    case Operation::sinh:
      return std::sinh(a);
    case Operation::cosh:
      return std::cosh(a);
    case Operation::tanh:
      return std::tanh(a);
    case Operation::exp:
      return std::exp(a);
    case Operation::log:
      return std::log(a);
    case Operation::sqrt:
      return std::sqrt(a);
    case Operation::abs:
      return std::abs(a);
    case Operation::min:
    case Operation::max:
      return takes_second(operation, a, b) ? b : a;
    default:
      throw InternalError("an expression's program holds an unknown operation");
  }
}

/// ∂value/∂a of a function of one variable, `value` = f(a).
double slope(Operation operation, double a, double value) {
  switch (operation) {
    case Operation::negate:
      return -1.0;
    case Operation::sin:
      return std::cos(a);
    case Operation::cos:
      return -std::sin(a);
    case Operation::tan:
      return 1.0 + value * value;
    case Operation::asin:
      return 1.0 / std::sqrt((1.0 - a) * (1.0 + a));
    case Operation::acos:
      return -1.0 / std::sqrt((1.0 - a) * (1.0 + a));
    case Operation::atan:
      return 1.0 / (1.0 + a * a);
    case Operation::sinh:
      return bounded(std::cosh(a));
    case Operation::cosh:
      return bounded(std::sinh(a));
    case Operation::tanh:
      return 1.0 / (std::cosh(a) * std::cosh(a));
    case Operation::exp:
      return bounded(value);
    case Operation::log:
      return 1.0 / a;
    case Operation::sqrt:
      return 0.5 / value;
    case Operation::abs:
      return sign(a);
    default:
      throw InternalError("an expression's program holds an unknown function");
  }
}

/// {∂value/∂a, ∂value/∂b} of value = a^b.
std::array<double, 2> power_slopes(double a, double b, double value) {
  const double by_base = b == 0.0 ? 0.0 : b * std::pow(a, b - 1.0);
  if (a == 0.0) return {by_base, value == 0.0 ? 0.0 : std::log(a) * value};  // 0^b is 0 for all b > 0.
  return {bounded(by_base), bounded(std::log(a) * value)};
}

/// {∂value/∂a, ∂value/∂b} of an operation on two values, `value` = f(a, b).
std::array<double, 2> slopes(Operation operation, double a, double b, double value) {
  switch (operation) {
    case Operation::add:
      return {1.0, 1.0};
    case Operation::subtract:
      return {1.0, -1.0};
    case Operation::multiply:
      return {bounded(b), bounded(a)};
    case Operation::divide:
      if (b == 0.0) return {1.0 / b, -value / b};
      return {bounded(1.0 / b), bounded(-value / b)};
    case Operation::power:
      return power_slopes(a, b, value);
    case Operation::atan2:
      return {b / (a * a + b * b), -a / (a * a + b * b)};
    case Operation::min:
    case Operation::max:
      return takes_second(operation, a, b) ? std::array{0.0, 1.0} : std::array{1.0, 0.0};
    default:
      throw InternalError("an expression's program holds an unknown operation");
  }
}

/// The value, and its derivatives by the variables from number `first` on. They are numbered x, y, z, then
/// the constants.
Dual evaluate(const std::vector<Expression::Instruction>& program, const Vec3& x, double t,
              ScalarView constants, std::size_t first) {
  const auto variable = [&](double v, std::size_t number) {
    Dual dual{v, {}};
    if (number >= first && number < first + lanes) dual.d[number - first] = 1.0;
    return dual;
  };
  std::array<Dual, expression::max_stack> stack{};
  std::size_t top = 0;
  for (const Expression::Instruction& instruction : program) {
    const auto operation = static_cast<Operation>(instruction.operation);
    const auto slot = static_cast<std::size_t>(instruction.slot);
    if (operation == Operation::number) {
      stack[top++] = Dual{instruction.number, {}};
    } else if (operation == Operation::position) {
      stack[top++] = variable(x[instruction.slot], slot);
    } else if (operation == Operation::time) {
      stack[top++] = Dual{t, {}};
    } else if (operation == Operation::constant) {
      stack[top++] = variable(constants[slot], 3 + slot);
    } else if (expression::takes_two(operation)) {
      const Dual b = stack[--top];
      Dual& a = stack[top - 1];
      const double value = apply(operation, a.value, b.value);
      const auto [by_a, by_b] = slopes(operation, a.value, b.value, value);
      for (std::size_t k = 0; k < lanes; ++k) a.d[k] = added(chained(by_a, a.d[k]), chained(by_b, b.d[k]));
      a.value = value;
    } else {
      Dual& a = stack[top - 1];
      const double value = apply(operation, a.value, 0.0);
      const double by_a = slope(operation, a.value, value);
      for (std::size_t k = 0; k < lanes; ++k) a.d[k] = chained(by_a, a.d[k]);
      a.value = value;
    }
  }
  return stack[0];
}

}  // namespace

double Expression::value(const Vec3& x, double t, ScalarView constants) const {
  require(!program_.empty(), "an empty expression was evaluated");
  std::array<double, expression::max_stack + 1> stack{};  // One spare, so that stack[top] always exists.
  std::size_t top = 0;                                    // Number of values on the stack.
  for (const Instruction& instruction : program_) {
    const auto operation = static_cast<Operation>(instruction.operation);
    switch (operation) {
      case Operation::number:
        stack[top++] = instruction.number;
        break;
      case Operation::position:
        stack[top++] = x[instruction.slot];
        break;
      case Operation::time:
        stack[top++] = t;
        break;
      case Operation::constant:
        stack[top++] = constants[static_cast<std::size_t>(instruction.slot)];
        break;
      default:
        if (expression::takes_two(operation)) --top;
        stack[top - 1] = apply(operation, stack[top - 1], stack[top]);
    }
  }
  return stack[0];
}

double Expression::value_and_gradient(const Vec3& x, double t, ScalarView constants, Vec3& d_position,
                                      ScalarSpan d_constants) const {
  require(!program_.empty(), "an empty expression was evaluated");
  double result = 0.0;
  for (std::size_t first = 0; first < 3 + std::max<std::size_t>(d_constants.size(), 1); first += lanes) {
    const Dual dual = evaluate(program_, x, t, constants, first);
    result = dual.value;
    for (std::size_t k = 0; k < lanes; ++k) {
      if (first + k < 3)
        d_position[static_cast<int>(first + k)] = dual.d[k];
      else if (first + k - 3 < d_constants.size())
        d_constants[first + k - 3] = dual.d[k];
    }
  }
  return result;
}

void Expression::add_constant_gradient(const Vec3& x, double t, ScalarView constants, double factor,
                                       ScalarSpan out) const {
  require(!program_.empty(), "an empty expression was evaluated");
  for (std::size_t first = 3; first < 3 + out.size(); first += lanes) {
    const Dual dual = evaluate(program_, x, t, constants, first);
    for (std::size_t k = 0; k < lanes && first + k - 3 < out.size(); ++k)
      out[first + k - 3] += factor * dual.d[k];
  }
}

}  // namespace electret
