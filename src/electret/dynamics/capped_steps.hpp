#pragma once
/// \file
/// What users are told of steps whose implicit solve did not reach its tolerance.

#include <string>

#include <electret/core/types.hpp>
#include <electret/scene/scene.hpp>

namespace electret {

/// The notice for `capped` of `steps` steps of `scene`; empty if there are none. Where bodies touch each
/// other, a solve that ends early has found no better place, and more iterations would not help.
std::string capped_steps_notice(Count capped, Count steps, const Scene& scene);

}  // namespace electret
