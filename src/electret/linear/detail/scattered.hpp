#pragma once
/// \file
/// A fixed vector that looks random, from which power iterations start.

#include <cstdint>

namespace electret::detail {

/// A number in [-1, 1): splitmix64 of `k`.
inline float scattered(std::uint64_t k) {
  k = (k + 1) * 0x9e3779b97f4a7c15U;
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9U;
  k = (k ^ (k >> 27)) * 0x94d049bb133111ebU;
  return static_cast<float>(static_cast<std::int64_t>(k ^ (k >> 31)) >> 40) * 0x1p-23F;
}

}  // namespace electret::detail
