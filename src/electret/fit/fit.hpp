#pragma once
/// \file
/// Fits: parameters of a scene for which a loss of its motion is smallest (docs/gradients.md).
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

/// One run with its gradient, of a fit.
struct FitEvaluation {
  std::size_t start = 0;     ///< Number of the start it belongs to, or of starts: the search for signs;
  Count steps = 0;           ///< its horizon,
  Count evaluation = 0;      ///< and its number of this horizon, from 1.
  double loss = 0.0;         ///< Priors included; +∞ where the run diverged.
  double gradient_norm = 0;  ///< max|∂ℒ/∂u|, u the optimiser's variables.
  std::vector<double> values;
  std::vector<double> variables;  ///< u,
  std::vector<double> gradient;   ///< and ∂ℒ/∂u; 0 where the run diverged.
  Count capped_steps = 0;         ///< Of this run: implicit solves that missed their tolerance.
  bool is_replayed = false;       ///< Taken from FitOptions::known.
};

/// What is kept of an evaluation so that a fit can go on where it was stopped.
struct KnownEvaluation {
  double loss = 0.0;
  std::vector<double> variables, gradient;
};

/// A search for other signs after the starts, by iterated local search: the signs of a value and of its
/// neighbours are reversed and a short minimisation follows; a lower loss is kept.
struct SignSearch {
  Count trials = 0;        ///< At most; fewer where hardly any loss is left. 0: no search.
  Count evaluations = 25;  ///< Of each trial.
  Count seed = 1;
};

struct FitOptions {
  OptimiserOptions optimiser;
  /// Where to start, each with all parameters' values one after the other; empty: once, from the scene's.
  std::vector<std::vector<double>> starts;
  /// Lengths of the run, in steps, ascending: each is fitted from the result of the one before. A loss of the
  /// final state means that of the horizon. Empty: the scene's length alone.
  std::vector<Count> horizons;
  SignSearch signs;     ///< From the best start's result, at the last horizon.
  double memory = 0.0;  ///< Bytes of states; 0: half of what is free (gradient.hpp).
  int threads = 0;      ///< 0: all.
  std::function<void(const FitEvaluation&)> observe;  ///< May be empty.
  std::stop_token stop;                               ///< Ends with Cancelled.
  /// The evaluations of the same fit, stopped before its end, in their order: they are not run again, and the
  /// fit goes on to the same bits.
  std::vector<KnownEvaluation> known;
};

/// What became of one start.
struct FitOutcome {
  std::vector<double> start, values;
  double loss =
      std::numeric_limits<double>::infinity();  ///< At the last horizon; +∞: no run from here ended.
  double gradient_norm = 0.0;
  Count evaluations = 0;  ///< Of all horizons.
  FitEnd end = FitEnd::stalled;
};

struct FitResult {
  std::vector<FitOutcome> outcomes;  ///< One per start, then that of the search for signs, if there is one.
  std::size_t best = 0;              ///< The one of the smallest loss.
  std::vector<FitParameter> parameters;

  [[nodiscard]] const std::vector<double>& values() const { return outcomes[best].values; }
  /// Writes the best values into `assembly`.
  void apply(Assembly& assembly) const;
};

/// Fits `parameters` of `assembly`. A run that diverges is a step too far: backed off, not fatal. Throws
/// InputError with the findings of FitVariables::check, for starts of another size or outside the limits,
/// horizons that do not ascend or that the scene does not reach, a search for signs where no value may have
/// either, `known` of another fit, and where the loss's
/// derivatives at the first start are all 0; DivergenceError where the run from every start diverges at once;
/// Cancelled.
FitResult fit(const Assembly& assembly, std::vector<FitParameter> parameters, Loss& loss,
              const FitOptions& options);

/// The loss, priors excluded, at each of `points` (values of all parameters); +∞ where the run diverges.
std::vector<double> scan_loss(const Assembly& assembly, const std::vector<FitParameter>& parameters,
                              Loss& loss, const std::vector<std::vector<double>>& points, int threads = 0,
                              const Control& control = {});

}  // namespace electret
