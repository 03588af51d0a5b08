#pragma once
/// \file
/// energy.csv: the energies, one row per frame.

#include <string>
#include <vector>

#include <electret/dynamics/energies.hpp>

namespace electret {

/// `time,kinetic,elastic,coulomb,external,gravity,total`.
inline constexpr const char* energy_header = "time,kinetic,elastic,coulomb,external,gravity,total";

struct EnergyRow {
  double time = 0.0;  ///< s.
  Energies energies;  ///< J.
};

/// One row with 17 significant digits, without the end of line.
[[nodiscard]] std::string energy_row(const EnergyRow& row);
/// Reads energy.csv. Leaves out a last row that a kill has cut short. Throws IoError.
[[nodiscard]] std::vector<EnergyRow> read_energies(const std::string& path);

}  // namespace electret
