#pragma once
/// \file
/// The same motion by LAMMPS, where its program `lmp` is installed.

#include <string>

#include "motion.hpp"

namespace electret::experiments {

/// Whether there is a program `lmp` on PATH.
[[nodiscard]] bool lammps_is_installed();

/// What stands where a figure of LAMMPS's is missing: how to get it.
[[nodiscard]] std::string no_lammps();

/// LAMMPS's `fix nve` (velocity Verlet) from the scene's start, with the scene's springs as harmonic bonds
/// and its Coulomb forces without a cut-off inside 30 m. Energies and shapes are ours, of its positions and
/// velocities. Where it stops with an error, the motion failed there. The scene is one of charges and springs
/// alone, with one mass for all vertices. Throws Cancelled; IoError where no file can be written.
[[nodiscard]] Motion simulate_with_lammps(const Context& context, const SceneSource& scene,
                                          const Sampling& sampling, const std::string& what, double part);

}  // namespace electret::experiments
