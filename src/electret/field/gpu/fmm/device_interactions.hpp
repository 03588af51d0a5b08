#pragma once
/// \file
/// Trees and lists that the device makes.

#include <electret/field/gpu/fmm/interactions.hpp>

namespace electret::gpu {

/// Makes the cells that fmm::Tree makes, and the lists by the same rule in float32. Positions are uploaded;
/// of what is found, the host reads the numbers of cells and pairs alone. `device` must outlive the object.
std::unique_ptr<Interactions> make_device_interactions(Device& device, const TreeSettings& settings);

}  // namespace electret::gpu
