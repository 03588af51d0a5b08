#pragma once
/// \file
/// The files that are kept from one process to the next: compiled programs and passed self-tests.

#include <string>
#include <string_view>

#include <electret/field/gpu/devices.hpp>

namespace electret::gpu {

/// Where they are: ELECTRET_KERNEL_CACHE, else electret/kernels in XDG_CACHE_HOME or ~/.cache. Empty:
/// nowhere.
std::string kernel_cache_folder();

/// What a file is about: a device with its driver.
std::string device_key(const Facts& facts);

/// FNV-1a, as 16 digits.
std::string hash_of(std::string_view text);

/// The whole file; empty if it cannot be read.
std::string read_cache_file(const std::string& path);
/// Writes a file beside the final one and renames it, so that no reader sees half of it. Makes its folder. It
/// is never an error if it cannot.
void write_cache_file(const std::string& path, std::string_view content);

}  // namespace electret::gpu
