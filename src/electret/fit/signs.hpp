#pragma once
/// \file
/// Values that may have either sign, such as charges. A loss has one valley per choice of their signs, and a
/// fit ends in the valley in which it starts.

#include <cstdint>
#include <random>
#include <vector>

#include <electret/core/control.hpp>
#include <electret/dynamics/loss.hpp>
#include <electret/fit/fit_variables.hpp>

namespace electret {

/// Whether the values of `parameter` may have either sign: they are scalars on a linear scale whose allowed
/// range reaches below 0 and above it.
bool may_have_either_sign(const FitParameter& parameter);

/// Which values of a fit may have either sign, and which of them are neighbours. If a fit ends with wrong
/// signs, usually whole neighbourhoods have all their signs reversed, because the forces within such a
/// neighbourhood are right.
class SignFlips {
 public:
  SignFlips(const Assembly& assembly, const std::vector<FitParameter>& parameters);

  /// The indices of these values among all values, ascending.
  [[nodiscard]] const std::vector<std::size_t>& values() const { return values_; }
  /// The `count` entries of values() that are nearest to values()[first], beginning with that one. All belong
  /// to the same parameter. They are ordered by the distance of their vertices at the start, and at equal
  /// distances by index. If the parameter's values do not belong to vertices, the result is only
  /// values()[first]. Throws std::invalid_argument if there is no such entry.
  [[nodiscard]] std::vector<std::size_t> around(std::size_t first, std::size_t count) const;
  /// Reverses the signs of a randomly drawn entry and of its neighbours. The number of reversed signs is
  /// drawn, too, between 1 and half of all. The logarithm of this number is uniform, so that small numbers
  /// come as often as large ones. Throws std::invalid_argument if no value may have either sign, or if
  /// `all_values` is too short for the indices in `values()`.
  void flip(std::mt19937_64& engine, std::vector<double>& all_values) const;

 private:
  std::vector<std::size_t> values_;
  std::vector<std::size_t> parameter_;  ///< Per entry; equal for entries that can be neighbours.
  VectorArray places_;                  ///< m.
};

/// The signs that a loss does not determine.
struct SignAmbiguity {
  double loss = 0.0;               ///< At the values, priors excluded.
  std::size_t possible = 0;        ///< Values that may have either sign.
  std::vector<std::size_t> tried;  ///< The indices of the values whose sign was reversed, each alone.
  std::vector<double> losses;      ///< The loss with that sign reversed; +∞ if the run diverged.
  double together = 0.0;           ///< The loss with all possible signs reversed; +∞ if the run diverged.

  /// Whether a reversal that leads to the loss `reversed` leaves the sign open, because it raises the loss by
  /// at most |loss|. A positive loss then at most doubles.
  [[nodiscard]] bool is_ambiguous(double reversed) const;
  /// The entries of `tried` whose sign is left open, the smallest loss first.
  [[nodiscard]] std::vector<std::size_t> ambiguous() const;
};

/// Tests signs by forward runs: one at `values`, one with all signs reversed, and at most `most` with the
/// sign of a single value reversed. These begin with the values nearest to 0, relative to their parameter's
/// size. Makes no run if no value may have either sign or `most` is 0. The loss of a run that diverges is +∞.
/// Throws Cancelled, and std::invalid_argument for another number of values or a negative `most`.
SignAmbiguity sign_ambiguity(const Assembly& assembly, const std::vector<FitParameter>& parameters,
                             Loss& loss, const std::vector<double>& values, Count most, int threads,
                             const Control& control = {});

}  // namespace electret
