#pragma once
/// \file
/// Fits of one parameter of a scene, as several experiments make them: run by run, beside the loss's
/// landscape.

#include <limits>
#include <string>
#include <vector>

#include <electret/dynamics/loss.hpp>
#include <electret/fit/fit_variables.hpp>

#include "motion.hpp"

namespace electret::experiments {

/// The parameter `name` of a scene, within limits.
[[nodiscard]] FitParameter parameter_of(const Assembly& assembly, const std::string& name,
                                        double minimum = -std::numeric_limits<double>::infinity(),
                                        double maximum = std::numeric_limits<double>::infinity());

/// One fit from one start.
struct FitPath {
  double start = 0.0;          ///< The parameter's value there,
  double found = 0.0;          ///< and where the fit ended; NaN where no run ended.
  double loss = 0.0;           ///< There; +∞ likewise.
  std::vector<double> losses;  ///< Run by run; +∞ where one diverged.
  std::string end;             ///< Why it ended.
  Count diverged = 0;          ///< Runs that did, and were backed off.
};

/// How much of the whole experiment one piece of work is.
struct Share {
  std::string what;
  double part = 0.0, share = 0.0;
};

/// Fits `parameter` of `scene` from `start` until `loss` is smallest; runs of `horizons` (s, ascending)
/// first. Throws Cancelled.
[[nodiscard]] FitPath fit_from(const Context& context, const SceneSource& scene, const std::string& parameter,
                               double start, Loss& loss, const Share& share,
                               const std::vector<double>& horizons = {});

/// The loss at each of `values` of `parameter`; +∞ where the run diverges. Throws Cancelled.
[[nodiscard]] std::vector<double> landscape_of(const Context& context, const SceneSource& scene,
                                               const std::string& parameter,
                                               const std::vector<double>& values, Loss& loss,
                                               const Share& share);

/// The largest |found / truth - 1| of `paths`; +∞ where a fit found nothing. The sign of a charge does not
/// count: all charges with the other sign move alike.
[[nodiscard]] double worst_miss(const std::vector<FitPath>& paths, double truth);

/// "0.979, 0.981": each found / truth; "–" where a fit found nothing.
[[nodiscard]] std::string found_text(const std::vector<FitPath>& paths, double truth);

/// The loss run by run, a line for each start, all in one colour under one name.
void add_paths(Chart& chart, const std::string& name, int colour, bool dashed,
               const std::vector<FitPath>& paths);

}  // namespace electret::experiments
