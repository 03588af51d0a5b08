#pragma once
/// \file
/// The charts and colour maps of a sweep.

#include <string>
#include <vector>

#include <electret/record/chart.hpp>
#include <electret/sweep/sweep_view.hpp>

namespace electret {

/// Adds the charts of one quantity: one of curves or bands over the first listed key, or points over each
/// sampled key, or over texts.
void add_sweep_charts(const SweepView& view, const Measured& measured, std::vector<Chart>& charts);

/// The quantity over both listed keys, as SVG.
[[nodiscard]] std::string sweep_map(const SweepView& view, const Measured& measured);

}  // namespace electret
