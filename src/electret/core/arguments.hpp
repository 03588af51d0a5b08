#pragma once
/// \file
/// The check of a caller's arguments (docs/architecture.md, "Errors").

#include <stdexcept>

namespace electret {

/// Throws std::invalid_argument with `message` unless `condition` holds. The functions of the interface call
/// it for arguments that their headers forbid: a caller made the mistake, so that `require` (errors.hpp),
/// which reports a defect of Electret, would be wrong. It is checked in every build.
inline void require_argument(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

}  // namespace electret
