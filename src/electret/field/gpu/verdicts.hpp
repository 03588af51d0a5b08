#pragma once
/// \file
/// Which devices have passed the self-test, kept in files of the kernel cache.

#include <string>

#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// What a verdict is about: the device, its driver and the texts of all kernels.
std::string verdict_key(const Facts& facts);
/// Whether a file says that this was passed. A damaged or foreign file says nothing.
bool was_passed(const std::string& key);
/// Writes such a file where it can. It is never an error if it cannot.
void keep_passed(const std::string& key);

}  // namespace electret::gpu
