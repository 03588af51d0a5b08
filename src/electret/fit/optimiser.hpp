#pragma once
/// \file
/// Minimisers of smooth functions, most of them from libraries, behind one interface.
///
/// | method | by | bounds |
/// | --- | --- | --- |
/// | `lbfgs` | liblbfgs; here (L-BFGS-B) if there are bounds, or if liblbfgs gives up | yes |
/// | `mma` | NLopt: method of moving asymptotes | yes |
/// | `adam` | here: Kingma and Ba, 2015 | yes, by projection |

#include <array>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

inline constexpr std::array<std::string_view, 3> optimisers = {"lbfgs", "mma", "adam"};

struct OptimiserOptions {
  std::string method = "lbfgs";  ///< One of `optimisers`.
  Count evaluations = 200;       ///< The most calls of the function.
  /// Ends if max|g|, over the variables that no bound holds, is at most this fraction of the first one.
  double gradient_tolerance = 1e-10;
  double gradient_floor = 0.0;  ///< Ends if this max|g| is at most this.
  /// Ends if ten improvements together have changed the best value by less than this fraction.
  double change_tolerance = 1e-12;
  double loss_tolerance = 0.0;  ///< Ends if the value is at most this; 0: whatever the value is, it goes on.
  double rate = 0.05;           ///< adam: the first step of each variable.
};

/// Throws std::invalid_argument for an unknown method, no evaluations, or a rate that is not positive.
void check_options(const OptimiserOptions& options);

/// Why a minimisation ended. `flat` is that of a fit alone: from its start on, the gradient was 0.
enum class FitEnd { gradient, change, loss, evaluations, stalled, flat };
/// "the gradient is small", ….
std::string_view to_string(FitEnd end);
/// Whether it ended because the gradient or the value is small enough. After another end the result is only
/// the best point met.
[[nodiscard]] constexpr bool has_converged(FitEnd end) {
  return end == FitEnd::gradient || end == FitEnd::loss;
}

struct VariableBounds {
  std::vector<double> lower, upper;  ///< One per variable; ∓∞ if it has none.

  /// Whether variable `k` is at a bound and a step against `slope` would leave it.
  [[nodiscard]] bool hold(std::size_t k, double variable, double slope) const {
    return (variable <= lower[k] && slope > 0.0) || (variable >= upper[k] && slope < 0.0);
  }
  /// max|g| over the variables that are not held; NaN if a component is NaN.
  [[nodiscard]] double free_norm(ScalarView variables, ScalarView gradient) const;
};

struct OptimiserResult {
  std::vector<double> variables;  ///< The best variables met.
  double value = std::numeric_limits<double>::infinity();
  double gradient_norm = 0.0;  ///< max|g| there, without components that point out of the bounds.
  Count evaluations = 0;
  FitEnd end = FitEnd::stalled;
};

/// Returns f(u) and writes its gradient to `gradient`. If f has no value at u, it returns +∞; the gradient is
/// then not read, and the optimiser backs off, as it does from a gradient that is not finite.
using ObjectiveFunction = std::function<double(ScalarView variables, ScalarSpan gradient)>;

/// Minimises f from `start`, which is moved into the bounds first. Variables should be of order 1. The points
/// tried do not depend on the unit of f: c·f, c > 0, has the same ones up to rounding. Deterministic. Passes
/// on what `f` throws. Throws std::invalid_argument for arrays of different sizes, and as `check_options`.
OptimiserResult minimise(const ObjectiveFunction& f, std::vector<double> start, const VariableBounds& bounds,
                         const OptimiserOptions& options);

}  // namespace electret
