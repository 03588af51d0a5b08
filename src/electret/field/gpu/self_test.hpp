#pragma once
/// \file
/// The test that a device must pass before it is used: drivers have given wrong results.

#include <string>
#include <string_view>
#include <vector>

#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// One comparison with float64 sums on the CPU.
struct SelfTestRow {
  std::string what;  ///< "direct sums at 1e-3: field".
  double error = 0.0, allowed = 0.0;

  [[nodiscard]] bool passed() const { return error <= allowed; }
};

/// Computes fields and derivative products of 2000 charges on a device by every solver, and compares them.
/// `name` is "gpu" or "gpu:NAME". Throws as open_device, and DeviceError.
std::vector<SelfTestRow> self_test(std::string_view name);

/// Pairs a second that direct sums in plain float32 reach on a device, over about a second.
double pair_rate(std::string_view name);

/// Throws InputError with the device, its driver, the error found and the one allowed unless the device
/// passes the self-test. It is run once for each device, driver and text of kernels; a file of the kernel
/// cache keeps that it was passed.
void require_self_test(std::string_view name);

}  // namespace electret::gpu
