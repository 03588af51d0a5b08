#pragma once
/// \file
/// How much memory a run takes.

#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// About the bytes that a run of the system by `integrator` takes at most: to a fifth, from a few thousand
/// vertices on. The field solver's are not counted (fmm: some 300 bytes per charge).
[[nodiscard]] double memory_need(const System& system, const Integrator& integrator);

}  // namespace electret
