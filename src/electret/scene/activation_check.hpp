#pragma once
/// \file
/// Whether a formula gives an activation at all times of a run.

#include <optional>
#include <span>

#include <electret/scene/activation_formula.hpp>
#include <electret/scene/scene.hpp>

namespace electret {

/// A time at which a formula gives no activation.
struct NoActivation {
  double time = 0.0;   ///< s.
  double value = 0.0;  ///< Negative, or not finite.
};
/// The first of the steps that `scene` is for, and of the times at `fractions` of each, at which `formula`
/// gives no activation; nothing if there is none among the first ten million steps. Those are all steps of
/// the run, or, if the scene changes, those from the last change that is made in it to the next one.
std::optional<NoActivation> first_without_activation(const ActivationFormula& formula, const Scene& scene,
                                                     std::span<const double> fractions = {});

}  // namespace electret
