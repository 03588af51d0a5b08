#pragma once
/// \file
/// What Electret chose by itself, and why.

#include <string>

namespace electret {

/// A choice among several methods. Empty if nothing was chosen, because the user named the method or needs
/// none.
struct Choice {
  std::string name;  ///< What was chosen, such as "verlet".
  std::string why;

  [[nodiscard]] bool empty() const { return name.empty(); }
  bool operator==(const Choice&) const = default;
};

/// "NAME: why"; "" for an empty choice.
[[nodiscard]] inline std::string to_string(const Choice& choice) {
  return choice.empty() ? std::string() : choice.name + ": " + choice.why;
}

}  // namespace electret
