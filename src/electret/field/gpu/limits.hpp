#pragma once
/// \file
/// What a field on a device can and cannot do: its finest accuracy, and the memory that it takes.

#include <string_view>

#include <electret/field/gpu/devices.hpp>
#include <electret/field/options.hpp>

namespace electret::gpu {

/// The finest accuracy that a solver promises in a device's float32.
double best_accuracy(std::string_view solver);

/// Whether `solver` sums in float64 on a device: `direct` does if that is asked for, and for accuracies that
/// float32 does not reach. Other solvers never do.
bool needs_float64(std::string_view solver, const FieldOptions& options);

/// Bytes on a device.
struct MemoryNeed {
  Count total = 0, largest_buffer = 0;
};

/// What `solver` ("direct", "fmm" or "ddef") takes for `charges` charges that are the targets, with its
/// derivative products.
MemoryNeed memory_need(std::string_view solver, const FieldOptions& options, Count charges);

/// What a device offers: four fifths of its memory, because others use it too, and no buffer above 2 GiB.
MemoryNeed memory_offered(const Facts& facts);

/// Throws InputError, which says what to do, if `solver` on the device computes less exactly than
/// `options.accuracy` asks, or takes more memory than the device offers.
void check_limits(std::string_view solver, const FieldOptions& options, Count charges, const Facts& facts);

}  // namespace electret::gpu
