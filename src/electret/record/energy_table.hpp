#pragma once
/// \file
/// energy.csv: the energies, one row per frame.

#include <string>
#include <vector>

#include <electret/dynamics/energies.hpp>

namespace electret {

inline constexpr const char* energy_header =
    "time,kinetic,elastic,coulomb,external,gravity,total,work,dissipation";
/// The header of tables that earlier versions wrote.
inline constexpr const char* energy_header_without_work =
    "time,kinetic,elastic,coulomb,external,gravity,total";

struct EnergyRow {
  double time = 0.0;  ///< s.
  Energies energies;  ///< J.
  /// WorkAccounts::work() and ::dissipation of all steps so far, J; NaN in tables of earlier versions.
  double work = 0.0, dissipation = 0.0;

  /// E - work + dissipation, J, which stays constant if the method and the accounts are exact.
  [[nodiscard]] double balance() const { return energies.total() - work + dissipation; }
};

/// The numbers of a row, in the order of the header.
[[nodiscard]] std::vector<double> energy_numbers(const EnergyRow& row);
/// One row with 17 significant digits, without the end of line.
[[nodiscard]] std::string energy_row(const EnergyRow& row);
/// Reads energy.csv. Leaves out a last row that a kill has cut short. Throws IoError.
[[nodiscard]] std::vector<EnergyRow> read_energies(const std::string& path);

}  // namespace electret
