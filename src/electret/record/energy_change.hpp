#pragma once
/// \file
/// The largest change of a run's energy in words, the same for the command's messages and the run's page.

#include <string>

#include <electret/record/summary.hpp>

namespace electret {

/// Such as "0.18 % of the largest energies, lost to the damping of imex; not counting 3.2 J of work by fields
/// and loads": the largest |E - E_0 - work + dissipation|, whether it was gained or lost, and the work and
/// the dissipation of the whole run that it leaves out.
[[nodiscard]] std::string energy_change_text(const RunResult& run);

}  // namespace electret
