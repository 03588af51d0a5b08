#pragma once
/// \file
/// The error of a RunLock.

#include <electret/core/errors.hpp>

namespace electret {

/// Thrown if another process writes to the directory.
class DirectoryInUseError : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace electret
