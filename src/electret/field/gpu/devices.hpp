#pragma once
/// \file
/// The devices of this machine, beside the CPU itself, that can compute a field: `FieldOptions::device`
/// chooses one.
///
/// \code
///   for (const auto& [facts, unusable] : electret::gpu::devices()) std::cout << facts.name << "\n";
///   electret::FieldOptions options;
///   options.device = "gpu";
/// \endcode

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::gpu {

/// What a device is. `processor` is a CPU behind OpenCL, which only its name can choose.
enum class Kind { discrete, integrated, processor };

/// What its driver says of a device.
struct Facts {
  std::string name, platform, vendor, driver, version;  ///< `version`: of the platform.
  Kind kind = Kind::processor;
  Count memory = 0, largest_buffer = 0, local_memory = 0;  ///< Bytes.
  Count compute_units = 0, clock = 0;                      ///< `clock` in MHz.
  bool float64 = false;
};

/// A device failed while it computed: it was lost, or has no memory left. The command line exits with 1.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The device has no room for a buffer.
class OutOfDeviceMemory : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// A device that this machine has.
struct Listed {
  Facts facts;
  std::string unusable;  ///< Why it cannot be used; empty if it can.
};

/// All devices, GPUs first, in the order in which "gpu" would choose. Empty where there are none;
/// `why_none()` then says why. Throws nothing.
std::vector<Listed> devices();
/// "no OpenCL on this machine: …", with the remedy.
std::string why_none();

/// What "gpu" or "gpu:NAME" stands for: the first GPU, or the device whose name or platform contains NAME,
/// whatever the case of its letters ("gpu:NAME#2": the second such). Throws InputError, which says what to
/// do, if there is none.
Facts device_facts(std::string_view name);

}  // namespace electret::gpu
