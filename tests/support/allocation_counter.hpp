#pragma once
/// \file
/// Counts heap allocations, to test that a warm evaluation or step makes none.
///
/// \code
///   const AllocationCounter counter;
///   solver->field(q, e, phi);
///   if (AllocationCounter::works()) EXPECT_EQ(counter.count(), 0);
/// \endcode
///
/// Linking allocation_counter.cpp replaces malloc and its kin (operator new calls malloc) by functions that
/// count and hand on to the C library. Every thread's allocations count, so a test uses one thread: then no
/// threading library is entered, and what is counted is our own.

#include <cstdint>

namespace electret::test {

class AllocationCounter {
 public:
  AllocationCounter() : start_(total()) {}
  /// Allocations by any thread since construction.
  [[nodiscard]] std::int64_t count() const { return total() - start_; }
  /// False where nothing is counted: not glibc, or a sanitizer owns malloc.
  static bool works();

 private:
  static std::int64_t total();
  std::int64_t start_;
};

}  // namespace electret::test
