#pragma once
/// \file
/// Compiled programs in files, kept from one process to the next.

#include <string>

#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// The files of one device and driver. A file that is damaged, foreign or cannot be read or written is never
/// an error: the program is compiled anew.
class BinaryCache {
 public:
  /// `folder` empty: no cache. Behind a CPU's OpenCL there is none either unless ELECTRET_KERNEL_CACHE names
  /// a folder: PoCL has its own, and reading its binaries makes it compile every kernel.
  BinaryCache(const Facts& facts, std::string folder);

  [[nodiscard]] bool is_used() const { return !folder_.empty(); }
  /// The binary of a text; empty if there is none.
  [[nodiscard]] std::string load(const std::string& text) const;
  void store(const std::string& text, const std::string& binary) const;

 private:
  [[nodiscard]] std::string path_of(const std::string& text) const;

  std::string folder_, device_;
};

}  // namespace electret::gpu
