#pragma once
/// \file
/// What memory there is.

#include <optional>

namespace electret {

/// Bytes of memory that this process may still take: what is free, or less by a limit of the process or of
/// its control group. None where the system does not say.
[[nodiscard]] std::optional<double> memory_available();

}  // namespace electret
