#pragma once
/// \file
/// How much memory is available.

#include <optional>

namespace electret {

/// The number of bytes that this process may still allocate: the machine's free memory, or less if a limit of
/// the process or of its control group is lower. Nothing if the system does not say.
[[nodiscard]] std::optional<double> memory_available();

}  // namespace electret
