#pragma once
/// \file
/// Numbers that a scene gives one by one.

#include <string>
#include <vector>

namespace electret {

/// One number (or three) per vertex or spring, inline or in a CSV file. The file's path is relative to the
/// scene's folder.
template <class T>
struct PerItem {
  std::vector<T> values{};
  std::string file{};  ///< Used when not empty.
  [[nodiscard]] bool given() const { return !values.empty() || !file.empty(); }
};

}  // namespace electret
