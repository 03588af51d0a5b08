#pragma once
/// \file
/// energy.svg: the energies over time as one picture.

#include <optional>
#include <span>
#include <string>

#include <electret/record/chart.hpp>
#include <electret/record/energy_table.hpp>

namespace electret {

/// Shows the total, dashed, and the columns that are not zero throughout. A curve has at most 2000 points,
/// which keep its extremes.
[[nodiscard]] Chart energy_chart(std::span<const EnergyRow> rows, const std::string& title);
/// Shows E - E_0 - work + dissipation, which is what the method gained or lost, on an axis of its own. A
/// drift too small for the axis of the energies is thus seen. Absent without rows, and for tables of earlier
/// versions.
[[nodiscard]] std::optional<Chart> balance_chart(std::span<const EnergyRow> rows);
/// Both charts as an SVG picture. `title` may hold any text.
[[nodiscard]] std::string energy_plot(std::span<const EnergyRow> rows, const std::string& title);

}  // namespace electret
