#pragma once
/// \file
/// What part of a step, and of a step back, the water of a scene takes.

#include <string>
#include <vector>

namespace electret::bench {

/// Prints a Markdown table of processor time per step, forward and back, by one thread, beside that of one
/// evaluation of the water's force and of its products, in the state after all steps of the run. Each is the
/// least of `repeats`, because other programs may use the machine. `scene`: a scene's file with
/// `[[hydrodynamics]]`; `overrides`: "key=value" over it.
void print_water_share(const std::string& scene, const std::vector<std::string>& overrides, int repeats);

}  // namespace electret::bench
