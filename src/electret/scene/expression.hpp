#pragma once
/// \file
/// Arithmetic expressions in x, y, z (or other variables), t and named constants. Expressions may contain + -
/// * / ^, unary minus, parentheses, pi, and the functions sin cos tan asin acos atan atan2 sinh cosh tanh exp
/// log sqrt abs min max. They are evaluated with exact derivatives (dual numbers).

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// A parse error at a character of the expression (from 0).
struct ExpressionError {
  std::size_t position = 0;
  std::string message;  ///< What is wrong.
  std::string allowed;  ///< What is allowed.
};

/// A parsed expression: a small stack program. It is cheap enough to copy; evaluation allocates nothing.
class Expression {
 public:
  /// Parses `text`. Its names are `variables`, t, pi, the functions and `constant_names`. A bad text throws
  /// nothing: its errors are added to `errors`, and the result is an empty expression.
  static Expression parse(std::string_view text, const std::vector<std::string>& constant_names,
                          std::vector<ExpressionError>& errors,
                          std::span<const std::string_view> variables = place_names);
  /// The variables of a place. There may be others, three at most, which are components of `value`'s x.
  static constexpr std::array<std::string_view, 3> place_names{"x", "y", "z"};

  /// The value at (x, t) with `constants` in the order of the names.
  [[nodiscard]] double value(const Vec3& x, double t, ScalarView constants) const;

  /// The value. Overwrites `d_position` with ∂value/∂x, and `d_constants` (which may be empty) with
  /// ∂value/∂constants.
  double value_and_gradient(const Vec3& x, double t, ScalarView constants, Vec3& d_position,
                            ScalarSpan d_constants) const;

  /// Adds `factor` · ∂value/∂constants to `out`, one number per constant.
  void add_constant_gradient(const Vec3& x, double t, ScalarView constants, double factor,
                             ScalarSpan out) const;

  [[nodiscard]] bool empty() const { return program_.empty(); }

  struct Instruction {
    int operation = 0;
    double number = 0.0;
    int slot = 0;
  };

 private:
  std::vector<Instruction> program_;
};

/// An electric field that a program gives. One thread at a time calls it, once for each evaluation of the
/// force. No file can hold it, so a scene that has one cannot be saved.
struct FieldFunction {
  /// e(x_i, t), N/C; n×3 both.
  std::function<void(VectorView positions, double time, VectorSpan field)> value;
  /// (∂e_i/∂x_i)ᵀ z_i, n×3. If it is empty, gradients are refused.
  std::function<void(VectorView positions, double time, VectorView z, VectorSpan product)> transposed_product;
};

/// A parsed `[[electric_field]]`.
struct FieldExpression {
  std::array<Expression, 3> components;           ///< N/C.
  std::vector<std::string> constant_names;        ///< Sorted.
  std::vector<double> constants;                  ///< Their values.
  std::shared_ptr<const FieldFunction> function;  ///< If set, it replaces the expressions.
};

}  // namespace electret
