#pragma once
/// \file
/// From how many charges on the fast multipole method is faster than the direct sum.

#include <optional>

#include <electret/core/types.hpp>

namespace electret {

/// Charges from which on `fmm` is taken where `accuracy` is asked (absent: the direct sum would be float64,
/// the fast multipole method aims at 1e-3). Measured on surfaces and volumes by `bench_field_crossover`,
/// rounded.
Count fmm_crossover(std::optional<double> accuracy);

/// What `auto`, `ddef` and `fmm` aim at where no accuracy is asked.
inline constexpr double default_field_accuracy = 1e-3;

}  // namespace electret
