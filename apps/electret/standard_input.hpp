#pragma once
/// \file
/// What users pipe into a command.

#include <string>

namespace electret::app {

/// Whether `path`, as typed, means standard input.
[[nodiscard]] inline bool is_standard_input(const std::string& path) {
  return path == "-";
}

/// The whole text on standard input. Throws InputError if it cannot be read.
[[nodiscard]] std::string text_of_standard_input();

}  // namespace electret::app
