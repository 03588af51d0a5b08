#pragma once
/// \file
/// Values of either sign, such as charges: a loss has a valley for each choice of their signs, and a fit ends
/// in the one that it starts in.

#include <cstdint>
#include <random>
#include <vector>

#include <electret/core/control.hpp>
#include <electret/dynamics/loss.hpp>
#include <electret/fit/fit_variables.hpp>

namespace electret {

/// Whether each value of `parameter` may: single numbers, moved linearly between limits on both sides of 0.
bool may_have_either_sign(const FitParameter& parameter);

/// Which values of a fit may have either sign, and which of them lie together. Where a fit found the wrong
/// signs they are those of whole neighbourhoods: within one of them all forces are right.
class SignFlips {
 public:
  SignFlips(const Assembly& assembly, const std::vector<FitParameter>& parameters);

  /// Their numbers among all values, ascending.
  [[nodiscard]] const std::vector<std::size_t>& values() const { return values_; }
  /// The `count` entries of values() nearest to values()[first], that one first: of its own parameter, by the
  /// distance of their vertices at the start, at equal distances the earlier one. It alone where the
  /// parameter's values are not vertices' own.
  [[nodiscard]] std::vector<std::size_t> around(std::size_t first, std::size_t count) const;
  /// Reverses the signs around an entry drawn from `engine`: of 1 to half of all, drawn too, small numbers
  /// as often as large ones (the logarithm is uniform).
  void flip(std::mt19937_64& engine, std::vector<double>& all_values) const;

 private:
  std::vector<std::size_t> values_;
  std::vector<std::size_t> parameter_;  ///< Of each entry; equal where entries can lie together.
  VectorArray places_;                  ///< m.
};

/// What a loss tells of signs.
struct SignsTold {
  double loss = 0.0;               ///< At the values, priors excluded.
  std::size_t possible = 0;        ///< Values that may have either sign.
  std::vector<std::size_t> tried;  ///< Numbers of values whose sign was reversed, each alone,
  std::vector<double> losses;      ///< and the loss then; +∞ where the run diverged.
  double together = 0.0;           ///< The loss with the signs of all possible ones reversed; +∞ likewise.

  /// Whether a reversal to loss `reversed` tells nothing: it adds less than the loss itself, or nothing.
  [[nodiscard]] bool is_untold(double reversed) const;
  /// Entries of `tried` of which that is so, the smallest loss first.
  [[nodiscard]] std::vector<std::size_t> untold() const;
};

/// Runs forward only: one, one with all signs reversed, and `most` at most with that of one value, the values
/// nearest to 0 (relative to their parameter's size) first. None where no value may have either sign, or
/// `most` is 0. Throws Cancelled; DivergenceError where the run at `values` does.
SignsTold signs_told(const Assembly& assembly, const std::vector<FitParameter>& parameters, Loss& loss,
                     const std::vector<double>& values, Count most, int threads, const Control& control = {});

}  // namespace electret
