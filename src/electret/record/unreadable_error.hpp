#pragma once
/// \file
/// The exception for a file that was given to be read.

#include <electret/core/errors.hpp>

namespace electret {

/// A file that was to be read is missing, damaged, or of another format version. The command line exits with
/// 2, because such a file is input that is wrong.
class UnreadableError : public IoError {
 public:
  using IoError::IoError;
};

}  // namespace electret
