#pragma once
/// \file
/// By how many charges `auto` chooses a device, and a solver on it. All numbers are committed measurements:
/// neither a clock nor the number of threads plays a part.

#include <optional>
#include <span>

#include <electret/field/gpu/devices.hpp>
#include <electret/field/options.hpp>

namespace electret::gpu {

/// From `charges` on, a discrete GPU was measured to be faster than the CPU, for requested accuracies down to
/// `accuracy`.
struct AutoRow {
  double accuracy = 0.0;
  bool softened = false;  ///< Whether the row is about softened charges, or about others.
  Count charges = 0;
};

/// The rows by which `device = "auto"` takes a discrete GPU.
std::span<const AutoRow> auto_rows();

/// From this many charges on `device = "auto"` takes a discrete GPU; absent: never. It never takes one for
/// `ddef`, nor for `direct` in float64.
std::optional<Count> auto_crossover(const FieldOptions& options, std::span<const AutoRow> rows = auto_rows());

/// From this many charges on `solver = "auto"` takes `fmm` on a device of this kind. For accuracies that
/// direct sums reach in float64 alone it is 0 as far as `fmm` reaches them, then the largest number.
Count fmm_crossover(Kind kind, const FieldOptions& options);

}  // namespace electret::gpu
