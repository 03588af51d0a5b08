#pragma once
/// \file
/// What this machine has for a run.

#include <optional>
#include <string>

namespace electret::app {

/// Bytes that may still be written to `directory`, there or not: what is free on its file system and what an
/// earlier run in it takes. None where the system does not say.
[[nodiscard]] std::optional<double> disk_available(const std::string& directory);

}  // namespace electret::app
