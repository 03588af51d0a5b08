#pragma once
/// \file
/// 3-vectors padded to four lanes, so that one vector fills one SIMD register.
///
/// Lane 3 is 0 in every array that a public call takes or returns.

#include <span>

#include <electret/core/types.hpp>

namespace electret {

/// x, y, z, 0 in float32.
struct alignas(16) Padded32 {
  float lane[4] = {};
};

/// x, y, z, 0 in float64.
struct alignas(32) Padded64 {
  double lane[4] = {};
};

using PaddedView32 = std::span<const Padded32>;  ///< n, read only.
using PaddedSpan32 = std::span<Padded32>;        ///< n, writable.

/// `v` rounded to float32.
inline Padded32 padded32(const Vec3& v) {
  return {{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0.0F}};
}
inline Padded64 padded64(const Vec3& v) {
  return {{v.x, v.y, v.z, 0.0}};
}
inline Vec3 unpadded(const Padded32& v) {
  return {v.lane[0], v.lane[1], v.lane[2]};
}
inline Vec3 unpadded(const Padded64& v) {
  return {v.lane[0], v.lane[1], v.lane[2]};
}

}  // namespace electret
