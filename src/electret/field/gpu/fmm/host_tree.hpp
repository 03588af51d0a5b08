#pragma once
/// \file
/// Trees and lists that the host makes, for the device's sums.

#include <electret/field/gpu/fmm/interactions.hpp>

namespace electret::gpu {

/// Makes trees as the CPU's method does, and the lists by a plain traversal. The lists are the oracle of
/// those that a device makes. `device` and `threads` must outlive the object.
std::unique_ptr<Interactions> make_host_interactions(Device& device, const TreeSettings& settings,
                                                     Threads& threads);

/// (value - centre)·2^fixed_bits as an integer modulo 2⁶⁴. The difference is taken after rounding, so that
/// differences of results are exact to the unit wherever the origin is. `scale` is a power of two.
[[nodiscard]] std::int64_t fixed_point(double value, double centre, double scale);

}  // namespace electret::gpu
