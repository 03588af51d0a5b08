#pragma once
/// \file
/// The range of activations, and whether a formula stays within it at all times of a run.

#include <functional>
#include <optional>

#include <electret/scene/activation_formula.hpp>
#include <electret/scene/scene.hpp>

namespace electret {

/// The least activation. No stretch is below 0, so that a muscle of a negative activation is never at rest:
/// it pulls at a fibre of length 0, too. Published gaits use values down to -0.34 [DiffPD].
inline constexpr double least_activation = -1.0;

/// The activation at a time (s), for a step of so many seconds.
using ActivationAt = std::function<double(double time, double time_step)>;

/// A time at which there is no activation.
struct NoActivation {
  double time = 0.0;   ///< s.
  double value = 0.0;  ///< Below the least one, or not finite.
};
/// The first of the steps that `scene` is for, and of the times within each at which its method reads
/// activations, at which `activation` is not finite or below `least`; nothing if there is none among
/// the first ten million steps. Those are all steps of the run, or, if the scene changes, those from the last
/// change that is made in it to the next one.
std::optional<NoActivation> first_without_activation(const ActivationAt& activation, const Scene& scene,
                                                     double least);
/// The same of a formula.
std::optional<NoActivation> first_without_activation(const ActivationFormula& formula, const Scene& scene,
                                                     double least = least_activation);

}  // namespace electret
