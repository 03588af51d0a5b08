#pragma once
/// \file
/// energy.svg: the energies over time as one picture.

#include <span>
#include <string>

#include <electret/record/chart.hpp>
#include <electret/record/energy_table.hpp>

namespace electret {

/// Shows the total and the columns that are not zero throughout. A curve has at most 2000 points, which keep
/// its extremes.
[[nodiscard]] Chart energy_chart(std::span<const EnergyRow> rows, const std::string& title);
/// The same as an SVG picture. `title` may hold any text.
[[nodiscard]] std::string energy_plot(std::span<const EnergyRow> rows, const std::string& title);

}  // namespace electret
