#pragma once
/// \file
/// What this machine has for a run.

#include <optional>
#include <string>

namespace electret::app {

/// Bytes of memory that this process may still take: what is free, or less by a limit of the process or of
/// its control group. None where the system does not say.
[[nodiscard]] std::optional<double> memory_available();

/// Bytes of states that a gradient may hold: `gigabytes`, or where that is 0 half of what is available.
[[nodiscard]] double memory_of_states(double gigabytes);

/// Bytes that may still be written to `directory`, there or not: what is free on its file system and what an
/// earlier run in it takes. None where the system does not say.
[[nodiscard]] std::optional<double> disk_available(const std::string& directory);

}  // namespace electret::app
