#pragma once
/// \file
/// energy.svg: the energies over time, one picture to look at.

#include <span>
#include <string>

#include <electret/record/energy_table.hpp>

namespace electret {

/// An SVG picture (960×540) of the columns that are not zero throughout, and the total; at most 2000 points a
/// curve, extremes kept. `title` may hold any text.
[[nodiscard]] std::string energy_plot(std::span<const EnergyRow> rows, const std::string& title);

}  // namespace electret
