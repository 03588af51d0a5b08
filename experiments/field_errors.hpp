#pragma once
/// \file
/// How far a field is from the sum over all pairs.

#include <optional>
#include <vector>

#include <electret/core/parallel.hpp>
#include <electret/field/options.hpp>

#include "clouds.hpp"

namespace electret::experiments {

/// |E_i - E_ref,i| / |E_ref,i| of each target (t); targets where the reference is 0 are left out.
[[nodiscard]] std::vector<double> relative_errors(VectorView field, VectorView reference);

struct Spread {
  double mean = 0.0, deviation = 0.0, worst = 0.0;
};
[[nodiscard]] Spread spread_of(const std::vector<double>& values);

/// sqrt(Σ|E - E_ref|² / Σ|E_ref|²).
[[nodiscard]] double relative_l2(VectorView field, VectorView reference);

/// The field (N/C) of a cloud at its own charges, or at `targets`.
[[nodiscard]] VectorArray field_of(const Cloud& cloud, const std::optional<VectorArray>& targets,
                                   const FieldOptions& options, Threads& threads);

/// The same by direct summation in float64.
[[nodiscard]] VectorArray reference_of(const Cloud& cloud, const std::optional<VectorArray>& targets,
                                       Threads& threads);

/// Settings of `ddef` with m grid points.
[[nodiscard]] FieldOptions ddef_options(Count m);

}  // namespace electret::experiments
