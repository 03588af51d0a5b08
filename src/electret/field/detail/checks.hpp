#pragma once
/// \file
/// Checks of arguments that all solvers share.

#include <electret/core/types.hpp>
#include <electret/field/options.hpp>

namespace electret {

/// Throws InputError unless the accuracy is in (0, 1], the constant is finite and the softening is ≥ 0.
void check_field_options(const FieldOptions& options);

/// These throw std::invalid_argument if the arrays' sizes do not fit n sources and t targets.
void check_field_sizes(std::size_t sources, std::size_t targets, ScalarView charges, VectorSpan field,
                       ScalarSpan potential);
void check_product_sizes(std::size_t sources, ScalarView charges, VectorView z, std::size_t out);
void check_adjoint_sizes(std::size_t sources, std::size_t targets, ScalarView charges, VectorView w,
                         VectorSpan target_gradient, VectorSpan source_gradient, ScalarSpan charge_gradient);

/// These throw std::invalid_argument if a number is not finite. The message names `what` and the first such
/// row.
void check_finite(const char* what, VectorView rows);
void check_finite(const char* what, ScalarView rows);

/// Throws std::invalid_argument unless the targets are the sources.
void check_own_targets(bool targets_are_sources);

}  // namespace electret
