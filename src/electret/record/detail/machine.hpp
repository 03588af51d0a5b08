#pragma once
/// \file
/// On what machine and when a run was made, for its summary. Nothing else depends on it.

#include <string>

namespace electret {

/// The present time in UTC: "2026-03-31T08:15:00Z".
[[nodiscard]] std::string date_text();
/// The processor's name as the system gives it, else its architecture, such as "aarch64".
[[nodiscard]] std::string processor_name();

}  // namespace electret
