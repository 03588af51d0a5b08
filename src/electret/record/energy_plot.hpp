#pragma once
/// \file
/// energy.svg: the energies over time, one picture to look at.

#include <span>
#include <string>

#include <electret/record/chart.hpp>
#include <electret/record/energy_table.hpp>

namespace electret {

/// The columns that are not zero throughout, and the total; at most 2000 points per curve, extremes kept.
[[nodiscard]] Chart energy_chart(std::span<const EnergyRow> rows, const std::string& title);
/// The same as an SVG picture. `title` may hold any text.
[[nodiscard]] std::string energy_plot(std::span<const EnergyRow> rows, const std::string& title);

}  // namespace electret
