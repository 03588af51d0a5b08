#pragma once
/// \file
/// Where a field is computed: on the CPU, or on which device.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <electret/field/gpu/devices.hpp>
#include <electret/field/options.hpp>

namespace electret::gpu {

/// Where a field is computed, and why.
struct Placement {
  std::string name = "cpu";     ///< "cpu", or what `open_device` takes.
  std::optional<Facts> device;  ///< Absent: the CPU.
  std::string solver;           ///< "direct", "fmm" or "ddef" on a device; empty on the CPU.
  std::string why;
};

/// The placement of a field of `charges` charges. `options.solver` and `options.device` are valid words.
/// Throws InputError, which says what to do, if the options ask for a device that this machine lacks, or for
/// what it cannot do (limits.hpp). `auto` never throws: it stays on the CPU then.
Placement placement(const FieldOptions& options, Count charges);

/// Whether a device's name or platform contains `part`, whatever the case of its letters.
bool is_named(const Facts& facts, std::string_view part);

/// What `open_device` takes to open `all[k]` of `devices()`: "gpu:NAME", with "#2" if it is the second that
/// this fits.
std::string choice_of(const std::vector<Listed>& all, std::size_t k);
/// Whether "gpu" stands for `all[k]` of `devices()`.
bool is_first_gpu(const std::vector<Listed>& all, std::size_t k);

/// "NVIDIA H100 PCIe (NVIDIA CUDA, driver 550.54.15)".
std::string device_text(const Facts& facts);

}  // namespace electret::gpu
