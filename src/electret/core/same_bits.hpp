#pragma once
/// \file
/// Whether two arrays hold the same bits, which decides whether an earlier result can be reused.

#include <cstring>

namespace electret {

/// Bitwise equality: -0 differs from 0, and a NaN equals a NaN of the same bits.
template <class A, class B>
bool same_bits(const A& a, const B& b) {
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): it is about the bits.
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}
inline bool same_bits(double a, double b) {
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace electret
