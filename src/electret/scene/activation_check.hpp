#pragma once
/// \file
/// Whether a formula gives an activation at all times of a run.

#include <optional>
#include <span>

#include <electret/scene/activation_formula.hpp>

namespace electret {

/// A time at which a formula gives no activation.
struct NoActivation {
  double time = 0.0;   ///< s.
  double value = 0.0;  ///< Negative, or not finite.
};
/// The first of the run's steps, 0 … `steps`, and of the times at `fractions` of each, at which `formula`
/// gives no activation; nothing if there is none among the first ten million steps.
std::optional<NoActivation> first_without_activation(const ActivationFormula& formula, double step,
                                                     Count steps, std::span<const double> fractions = {});

}  // namespace electret
