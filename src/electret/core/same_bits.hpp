#pragma once
/// \file
/// Whether two arrays hold the same bits: what reuse of an earlier result demands.

#include <cstring>

namespace electret {

/// Bitwise equality: -0 differs from 0, and a NaN equals itself.
template <class A, class B>
bool same_bits(const A& a, const B& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}
inline bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace electret
