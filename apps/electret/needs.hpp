#pragma once
/// \file
/// What this machine has available for a run.

#include <optional>
#include <string>

namespace electret::app {

/// The bytes that can be written to `directory`, whether it exists or not: the free space of its file system
/// and the space of an earlier run in it. None if the system does not say.
[[nodiscard]] std::optional<double> disk_available(const std::string& directory);

}  // namespace electret::app
