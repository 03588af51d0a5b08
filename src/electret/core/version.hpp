#pragma once
/// \file
/// The version of the library, as in `electret --version` and in the files it writes.

namespace electret {

/// "MAJOR.MINOR.PATCH".
extern const char* const version;

}  // namespace electret
