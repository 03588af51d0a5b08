#pragma once
/// \file
/// Fits: find the parameters of a scene that make a loss of its motion smallest (docs/gradients.md).
///
/// \code
///   electret::Assembly assembly = electret::load_scene("scene.toml");
///   auto target = electret::final_position_loss(goal);
///   electret::FitResult result = electret::fit(
///       assembly, {{.parameter = electret::find_parameter(assembly, "body.cloth.stiffness")}}, *target, {});
///   result.apply(assembly);
/// \endcode

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <electret/core/control.hpp>
#include <electret/dynamics/loss.hpp>
#include <electret/fit/fit_variables.hpp>
#include <electret/fit/optimiser.hpp>

namespace electret {

/// One run of a fit with its gradient.
struct FitEvaluation {
  /// The index of its start, from 0. The search for signs counts as one more start, after all others.
  std::size_t start = 0;
  Count steps = 0;       ///< Its horizon.
  Count evaluation = 0;  ///< Its number within this horizon, from 1.
  double loss = 0.0;     ///< Priors included; +∞ if the run diverged.
  /// max|∂ℒ/∂u| over the optimiser's variables u, without those that a limit keeps from moving downwards.
  double gradient_norm = 0;
  std::vector<double> values;
  std::vector<double> variables;  ///< u.
  std::vector<double> gradient;   ///< ∂ℒ/∂u; 0 if the run diverged.
  Count capped_steps = 0;         ///< Implicit solves of this run that missed their tolerance.
  bool is_replayed = false;       ///< Taken from FitOptions::known.
};

/// What is kept of an evaluation, so that a stopped fit can go on.
struct KnownEvaluation {
  double loss = 0.0;
  std::vector<double> variables, gradient;
};

/// A search for other signs after the starts, by iterated local search. Each trial reverses the signs of a
/// value and its neighbours and makes a short minimisation. A result with a lower loss is kept.
struct SignSearch {
  /// The largest number of trials. 0: no search. The search ends earlier if the loss falls to
  /// OptimiserOptions::loss_tolerance or to 1e-8 of the largest loss with which a trial began.
  Count trials = 0;
  Count evaluations = 25;  ///< Per trial.
  Count seed = 1;
};

struct FitOptions {
  OptimiserOptions optimiser{};
  /// The starts; each holds the values of all parameters one after the other. If empty, the fit starts once,
  /// from the scene's values.
  std::vector<std::vector<double>> starts{};
  /// Lengths of the run, in steps, ascending. Each horizon is fitted from the result of the one before. A
  /// loss of the final state takes the state at the end of the horizon. If empty, the scene's length is the
  /// only one.
  std::vector<Count> horizons{};
  SignSearch signs{};   ///< Begins from the best start's result, at the last horizon.
  double memory = 0.0;  ///< Bytes of states; 0: half of the free memory (gradient.hpp).
  int threads = 0;      ///< 0: all.
  std::function<void(const FitEvaluation&)> observe{};  ///< May be empty.
  /// Receives the steps of each run and of its way back. May be empty.
  std::function<void(const Progress&)> progress{};
  std::stop_token stop{};  ///< A requested stop ends the fit with Cancelled.
  /// The evaluations of an earlier run of this fit that was stopped, in their order. The fit uses their
  /// results instead of running them again. Only the first is run again, to check that the fit is the same.
  /// The fit ends with the same bits as one that was never stopped.
  std::vector<KnownEvaluation> known{};
};

/// The result of one start.
struct FitOutcome {
  std::vector<double> start, values;
  /// At the last horizon; +∞ if no run from here reached its end.
  double loss = std::numeric_limits<double>::infinity();
  double gradient_norm = 0.0;
  Count evaluations = 0;  ///< At all horizons together.
  FitEnd end = FitEnd::stalled;
};

struct FitResult {
  /// One outcome per start. The outcome of the search for signs comes last, if there is one.
  std::vector<FitOutcome> outcomes;
  std::size_t best = 0;  ///< The index of the outcome with the smallest loss.
  std::vector<FitParameter> parameters;

  [[nodiscard]] const std::vector<double>& values() const { return outcomes[best].values; }
  /// Writes the best values into `assembly`.
  void apply(Assembly& assembly) const;
};

/// Fits `parameters` of `assembly`. If a run diverges, the loss has no derivative, a value leaves its
/// parameter's range, or a scene with the values could not start (`findings_at_start`), the optimiser has
/// gone too far and backs off. A loss that is 0 up to rounding
/// (`Loss::rounding`) is at its minimum. Throws InputError
///   * with the findings of FitVariables::check;
///   * for starts of another size or outside the limits;
///   * for horizons that do not ascend or that the scene does not reach;
///   * for a search for signs if no value may have either sign;
///   * for `known` evaluations of another fit;
///   * if all derivatives of the loss at the first start are 0.
///
/// Throws DivergenceError if the first run from every start diverges, cannot start or has no derivative,
/// Cancelled, and std::invalid_argument for parameters of another assembly, for options of the optimiser that
/// are out of range (`check_options`), and if the loss does not fit the run.
FitResult fit(const Assembly& assembly, std::vector<FitParameter> parameters, Loss& loss,
              const FitOptions& options);

/// The loss, without priors, at each of `points` (values of all parameters); +∞ if the run diverges
/// or cannot start. Throws Cancelled, and std::invalid_argument for a point of another size, for parameters
/// of another assembly, and if the loss does not fit the run.
std::vector<double> scan_loss(const Assembly& assembly, const std::vector<FitParameter>& parameters,
                              Loss& loss, const std::vector<std::vector<double>>& points, int threads = 0,
                              const Control& control = {});

}  // namespace electret
