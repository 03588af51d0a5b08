#pragma once
/// \file
/// The number of charges from which the fast multipole method is faster than the direct sum.

#include <electret/field/options.hpp>

namespace electret {

/// `auto` takes `fmm` from this many charges on. The number depends on the accuracy in `options` and on
/// whether there is any softening. If the accuracy is absent, direct would sum in float64, and fmm aims at
/// 1e-3. The numbers were measured on surfaces and volumes by `bench_fmm_speed`, and are rounded.
Count fmm_crossover(const FieldOptions& options);

/// The accuracy that `auto`, `ddef` and `fmm` aim at if no accuracy is requested.
inline constexpr double default_field_accuracy = 1e-3;

}  // namespace electret
