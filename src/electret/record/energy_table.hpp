#pragma once
/// \file
/// energy.csv: the energies, a row a frame.

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
/// Reads energy.csv; a last row cut short by a kill is left out. Throws IoError.
[[nodiscard]] std::vector<EnergyRow> read_energies(const std::string& path);

}  // namespace electret
