#pragma once
/// \file
/// The instructions of a parsed expression, shared by its parser and its evaluation.

#include <array>
#include <cstddef>
#include <string_view>

namespace electret::expression {

/// What an instruction of the stack program does.
enum class Operation {
  number,  // These push a number, a coordinate (slot 0, 1, 2), the time, a named constant (slot).
  position,
  time,
  constant,
  negate,  // From here on they replace the top value.
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  add,  // From here on they replace the two top values by one.
  subtract,
  multiply,
  divide,
  power,
  atan2,
  min,
  max,
};

constexpr bool takes_two(Operation operation) {
  return operation >= Operation::add;
}

/// Evaluation keeps its stack in an array of this size. The parser refuses expressions that would need more.
inline constexpr std::size_t max_stack = 64;

struct Function {
  std::string_view name;
  Operation operation;
};

inline constexpr std::array<Function, 16> functions{{
    {"sin", Operation::sin},
    {"cos", Operation::cos},
    {"tan", Operation::tan},
    {"asin", Operation::asin},
    {"acos", Operation::acos},
    {"atan", Operation::atan},
    {"atan2", Operation::atan2},
    {"sinh", Operation::sinh},
    {"cosh", Operation::cosh},
    {"tanh", Operation::tanh},
    {"exp", Operation::exp},
    {"log", Operation::log},
    {"sqrt", Operation::sqrt},
    {"abs", Operation::abs},
    {"min", Operation::min},
    {"max", Operation::max},
}};

/// Whether `name` already means something in an expression: x, y, z, t, pi or a function.
bool is_reserved(std::string_view name);

/// Whether `name` is a letter or _ followed by letters, digits and _.
bool is_identifier(std::string_view name);

}  // namespace electret::expression
