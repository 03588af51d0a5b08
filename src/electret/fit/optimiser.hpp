#pragma once
/// \file
/// Minimisers of smooth functions, by well-kept libraries behind one interface.
///
/// | method | by | bounds |
/// | --- | --- | --- |
/// | `lbfgs` | liblbfgs; NLopt where there are bounds | yes |
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
  std::string method = "lbfgs";      ///< One of `optimisers`.
  Count evaluations = 200;           ///< Most calls of the function.
  double gradient_tolerance = 1e-8;  ///< Ends where max|g| is this part of the first one,
  double gradient_floor = 0.0;       ///< or not above this,
  double change_tolerance = 1e-12;   ///< where ten better values changed the best by less, relatively,
  double loss_tolerance = 0.0;       ///< or where the value is not above this.
  double rate = 0.05;                ///< adam: first step of each variable.
};

/// Why a minimisation ended.
enum class FitEnd { gradient, change, loss, evaluations, stalled };
/// "the gradient is small", ….
std::string_view to_string(FitEnd end);

struct VariableBounds {
  std::vector<double> lower, upper;  ///< One per variable, ∓∞ without.
};

struct OptimiserResult {
  std::vector<double> variables;  ///< The best met.
  double value = std::numeric_limits<double>::infinity();
  double gradient_norm = 0.0;  ///< max|g| there, without components that point out of the bounds.
  Count evaluations = 0;
  FitEnd end = FitEnd::stalled;
};

/// f(u), and its gradient into `gradient`; +∞ (the gradient is not read then) where f has no value: the step
/// is backed off.
using ObjectiveFunction = std::function<double(ScalarView variables, ScalarSpan gradient)>;

/// Minimises from `start`, moved into the bounds. Variables should be of order 1. Whatever `f` throws is
/// passed on. Deterministic. Throws InternalError for an unknown method or arrays of different sizes.
OptimiserResult minimise(const ObjectiveFunction& f, std::vector<double> start, const VariableBounds& bounds,
                         const OptimiserOptions& options);

}  // namespace electret
