#pragma once
/// \file
/// How the command gives warnings (core/warning.hpp).

#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/warning.hpp>
#include <electret/scene/scene.hpp>

namespace electret::app {

/// Prints `warnings` on stderr or, if `stop`, throws them as errors.
void tell(const std::vector<Warning>& warnings, bool stop);

/// Says on stderr that `capped` of `steps` steps missed their tolerance; says nothing if none did.
void tell_capped_steps(Count capped, Count steps, const Scene& scene);

/// `warnings` as errors.
[[nodiscard]] InputError as_errors(const std::vector<Warning>& warnings);

}  // namespace electret::app
