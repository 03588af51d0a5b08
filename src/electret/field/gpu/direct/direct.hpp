#pragma once
/// \file
/// Direct sums on a device.

#include <memory>

#include <electret/core/parallel.hpp>
#include <electret/field/gpu/device.hpp>
#include <electret/field/solver.hpp>

namespace electret::gpu {

/// The finest accuracy of direct sums in a device's float32.
inline constexpr double best_direct_accuracy = 2e-6;

/// A direct solver on a device, which it takes. It sums in float32, from 2e-4 on with plain differences of
/// coordinates, else with compensated ones. Pairs that are too close for those are summed by the host in
/// float64. Finer accuracies, or none, are summed in float64. Throws InputError if the device lacks that.
std::unique_ptr<FieldSolver> make_direct_field_solver(const FieldOptions& options, Threads& threads,
                                                      std::unique_ptr<Device> device);

}  // namespace electret::gpu
