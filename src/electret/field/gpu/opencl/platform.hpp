#pragma once
/// \file
/// The devices that OpenCL finds, and the choice of one by name.

#include <vector>

#include <electret/field/gpu/device.hpp>
#include <electret/field/gpu/opencl/library.hpp>

namespace electret::gpu {

/// A device as OpenCL knows it.
struct Found {
  cl_device_id id = nullptr;
  Facts facts;
  std::string unusable;  ///< Why kernels cannot run there; empty if they can.
};

/// All devices of all platforms, GPUs first, in the order of "gpu": discrete ones, then by compute units ×
/// clock, memory and name. Found once a process.
const std::vector<Found>& found_devices();

/// Whether this process was forked after OpenCL had been used. Its drivers' threads stayed behind: every call
/// would wait for ever.
bool was_forked();
/// What to do then.
extern const char* const fork_remedy;

/// The device that "gpu" or "gpu:NAME" names. Throws InputError.
const Found& found_device(std::string_view name);

}  // namespace electret::gpu
