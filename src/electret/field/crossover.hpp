#pragma once
/// \file
/// From how many charges on the fast multipole method is faster than the direct sum.

#include <electret/field/options.hpp>

namespace electret {

/// Charges from which on `fmm` is taken for the options' accuracy (absent: the direct sum would be float64,
/// the fast multipole method aims at 1e-3) and softening, any or none. Measured on surfaces and volumes by
/// `bench_fmm_speed`, rounded.
Count fmm_crossover(const FieldOptions& options);

/// What `auto`, `ddef` and `fmm` aim at where no accuracy is asked.
inline constexpr double default_field_accuracy = 1e-3;

}  // namespace electret
