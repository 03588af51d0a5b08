#pragma once
/// \file
/// What users are told of steps whose implicit solve did not reach its tolerance.

#include <string>

#include <electret/core/types.hpp>

namespace electret {

/// The notice for `capped` of `steps` steps; empty if there are none. Where bodies touch each other, a solve
/// that ends early has found no better place, and more iterations would not help.
std::string capped_steps_notice(Count capped, Count steps, int max_iterations, bool bodies_touch = false);

}  // namespace electret
