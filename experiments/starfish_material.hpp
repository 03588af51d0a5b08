#pragma once
/// \file
/// What is sought of a soft starfish: Young's modulus and Poisson's ratio of its foam, within the published
/// limits.

#include <vector>

#include <electret/fit/fit_variables.hpp>

namespace electret::experiments {

inline constexpr double lowest_modulus = 1e4, highest_modulus = 5e6;  // Pa
inline constexpr double lowest_ratio = 0.2, highest_ratio = 0.45;

/// Both, of the body "starfish" of `assembly`.
[[nodiscard]] std::vector<FitParameter> starfish_parameters(const Assembly& assembly);

inline constexpr unsigned material_draw_seed = 42;
/// Four pairs whose logarithms are drawn uniformly within the limits, by NumPy's numbers.
[[nodiscard]] std::vector<std::vector<double>> starfish_draws();

}  // namespace electret::experiments
