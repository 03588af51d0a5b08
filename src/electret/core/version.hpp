#pragma once
/// \file
/// The version of the library, which `electret --version` prints and the written files record.

namespace electret {

/// "MAJOR.MINOR.PATCH".
extern const char* const version;

}  // namespace electret
