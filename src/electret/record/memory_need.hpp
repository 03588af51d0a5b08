#pragma once
/// \file
/// How much memory a run takes.

#include <electret/dynamics/integrator.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// About the most bytes that a run of the system by `integrator` takes. From a few thousand vertices on it is
/// right to a fifth; for a solid on a lattice it is at most 15 % more than what is taken. The field solver's
/// memory is not counted (fmm: some 300 bytes per charge).
[[nodiscard]] double memory_need(const System& system, const Integrator& integrator);

/// The same for a gradient (`loss_and_gradient`), with the three states that it holds at least.
/// `rest_positions` is as GradientOptions::rest_positions.
[[nodiscard]] double gradient_memory_need(const System& system, const Integrator& integrator,
                                          bool rest_positions);

/// The part of both that does not depend on the scene: the program with its libraries, bytes.
inline constexpr double program_memory = 28e6;

}  // namespace electret
