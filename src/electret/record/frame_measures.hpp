#pragma once
/// \file
/// What is measured of a frame: the columns of energy.csv and observables.csv. Measuring is apart from
/// filing, so that runs into a folder and runs of a sweep have the same numbers.

#include <string>
#include <vector>

#include <electret/dynamics/simulator.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/observables.hpp>

namespace electret {

struct FrameMeasures {
  EnergyRow energies;
  Observables observables;
};

/// Measures a simulator's present state; keeps buffers between calls.
class FrameMeter {
 public:
  /// `now` are the energies of the state, which the caller has checked (Simulator::check_energy).
  FrameMeasures measure(const Simulator& simulator, const Energies& now);

 private:
  Observer observer_;
};

/// The header of observables.csv for runs of `system`.
[[nodiscard]] std::string observables_header_of(const System& system);

/// The names of all columns of energy.csv and observables.csv for runs of `system`; the time comes once, as
/// the first.
[[nodiscard]] std::vector<std::string> measured_columns(const System& system);
/// The numbers of a frame, in the order of `measured_columns`.
[[nodiscard]] std::vector<double> measured_numbers(const FrameMeasures& measures);

}  // namespace electret
