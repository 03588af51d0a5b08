#pragma once
/// \file
/// How much memory a run takes.

#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// About the most bytes that a run of the system by `integrator` takes. From a few thousand vertices on it is
/// right to a fifth. The field solver's memory is not counted (fmm: some 300 bytes per charge).
[[nodiscard]] double memory_need(const System& system, const Integrator& integrator);

}  // namespace electret
