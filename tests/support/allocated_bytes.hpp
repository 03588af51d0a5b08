#pragma once
/// \file
/// Measures how large the heap grows. Linking it replaces malloc, as AllocationCounter does, which says where
/// that works.

#include <cstdint>

namespace electret::test {

class AllocatedBytes {
 public:
  /// Begins anew: one object at a time measures.
  AllocatedBytes();
  /// By how many bytes the heap was larger at most, since construction, than it was then. All threads count.
  [[nodiscard]] std::int64_t most() const;

 private:
  std::int64_t start_;
};

}  // namespace electret::test
