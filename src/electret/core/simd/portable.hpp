#pragma once
/// \file
/// Vectors for any processor: GNU vector types of 16 bytes, which the compiler maps to the available
/// instructions.
///
/// Everything lies in an unnamed namespace as for the wider vectors, so that the linker shares none of it
/// between translation units that are compiled for different instruction sets.

#include <cstdint>

#include <electret/core/simd/inline.hpp>

namespace electret::simd {
namespace {

ELECTRET_INLINE float root_of(float a) {
  return __builtin_sqrtf(a);
}
ELECTRET_INLINE double root_of(double a) {
  return __builtin_sqrt(a);
}

/// Vectors of 16 bytes; T is float or double.
template <class T>
struct Portable {
  using Scalar = T;
  static constexpr int width = 16 / sizeof(T);
  typedef T Vector __attribute__((vector_size(16)));

  static ELECTRET_INLINE Vector load(const T* p) {
    Vector a;
    __builtin_memcpy(&a, p, sizeof a);
    return a;
  }
  /// Loads 16 bytes of the first row (see the wider vectors).
  static ELECTRET_INLINE Vector load_pieces(const T* const* rows, int, std::int64_t at) {
    return load(rows[0] + at);
  }
  static ELECTRET_INLINE Vector broadcast(T a) { return Vector{} + a; }
  static ELECTRET_INLINE Vector fma(Vector a, Vector b, Vector c) { return a * b + c; }
  /// Adds factor · a, lane by lane, to `width` float64 sums.
  static ELECTRET_INLINE void add_to(double* sums, Vector a, double factor) {
    for (int l = 0; l < width; ++l) sums[l] += factor * static_cast<double>(a[l]);
  }
  static ELECTRET_INLINE Vector square_root(Vector a) {
    Vector root;
    for (int l = 0; l < width; ++l) root[l] = root_of(a[l]);
    return root;
  }
  static ELECTRET_INLINE double lane_sum(Vector a) {
    if constexpr (width == 4) return static_cast<double>((a[0] + a[2]) + (a[1] + a[3]));
    return static_cast<double>(a[0] + a[1]);
  }
};

}  // namespace
}  // namespace electret::simd
