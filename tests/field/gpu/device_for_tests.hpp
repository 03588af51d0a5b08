#pragma once
/// \file
/// The device that tests run on: PoCL's, or the one that ELECTRET_TEST_DEVICE names. PoCL is called by its
/// platform, "Portable Computing Language": its device is "pthread-..." in version 3 and "cpu-..." in
/// version 6.

#include <cstdlib>
#include <memory>
#include <string>

#include <electret/field/gpu/device.hpp>

namespace electret::test {

inline std::string test_device_name() {
  const char* asked = std::getenv("ELECTRET_TEST_DEVICE");
  return asked && *asked ? asked : "gpu:Portable";
}

/// Whether there is such a device. Tests of devices are skipped, visibly, where there is none.
bool has_test_device();

/// A new queue on it.
inline std::unique_ptr<gpu::Device> test_device() {
  return gpu::open_device(test_device_name());
}

}  // namespace electret::test

/// The first line of a test that needs a device.
#define ELECTRET_NEEDS_DEVICE() \
  if (!has_test_device()) GTEST_SKIP() << "no OpenCL device: " << gpu::why_none()
