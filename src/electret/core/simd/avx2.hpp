#pragma once
/// \file
/// The vectors of AVX2: 8 float32 or 4 float64 lanes, with the operators of GNU vector types. The functions
/// that need FMA exist only where the translation unit is compiled for FMA as well.
///
/// Include this only in translation units that are compiled for this instruction set. Everything lies in an
/// unnamed namespace, so that the linker shares none of it with code that must run on every processor.

#include <cstdint>

#include <immintrin.h>

#include <electret/core/simd/inline.hpp>

namespace electret::simd {
namespace {

/// 8 float32.
struct Avx2Float32 {
  using Scalar = float;
  using Vector = __m256;
  static constexpr int width = 8;

  static ELECTRET_INLINE Vector load(const float* p) { return _mm256_loadu_ps(p); }
  /// Loads 16 bytes from each of several rows, `step` rows apart, and puts them side by side.
  static ELECTRET_INLINE Vector load_pieces(const float* const* rows, int step, std::int64_t at) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[0] + at)),
                                _mm_loadu_ps(rows[step] + at), 1);
  }
  static ELECTRET_INLINE Vector broadcast(float a) { return _mm256_set1_ps(a); }
#ifdef __FMA__
  static ELECTRET_INLINE Vector fma(Vector a, Vector b, Vector c) {
    return _mm256_fmadd_ps(a, b, c);
  }
  /// Adds factor · a, lane by lane, to `width` float64 sums.
  static ELECTRET_INLINE void add_to(double* sums, Vector a, double factor) {
    const __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(a));
    const __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1));
    const __m256d unit = _mm256_set1_pd(factor);
    _mm256_storeu_pd(sums, _mm256_fmadd_pd(low, unit, _mm256_loadu_pd(sums)));
    _mm256_storeu_pd(sums + 4, _mm256_fmadd_pd(high, unit, _mm256_loadu_pd(sums + 4)));
  }
#endif
  static ELECTRET_INLINE Vector square_root(Vector a) {
    return _mm256_sqrt_ps(a);
  }
  static ELECTRET_INLINE double lane_sum(Vector a) {
    const __m128 four = _mm256_castps256_ps128(a) + _mm256_extractf128_ps(a, 1);
    const __m128 two = four + _mm_movehl_ps(four, four);
    return static_cast<double>(two[0] + two[1]);
  }
};

/// 4 float64.
struct Avx2Float64 {
  using Scalar = double;
  using Vector = __m256d;
  static constexpr int width = 4;

  static ELECTRET_INLINE Vector load(const double* p) { return _mm256_loadu_pd(p); }
  /// Loads 16 bytes from each of several rows, `step` rows apart, and puts them side by side.
  static ELECTRET_INLINE Vector load_pieces(const double* const* rows, int step, std::int64_t at) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(rows[0] + at)),
                                _mm_loadu_pd(rows[step] + at), 1);
  }
  static ELECTRET_INLINE Vector broadcast(double a) { return _mm256_set1_pd(a); }
#ifdef __FMA__
  static ELECTRET_INLINE Vector fma(Vector a, Vector b, Vector c) {
    return _mm256_fmadd_pd(a, b, c);
  }
  /// Adds factor · a, lane by lane, to `width` float64 sums.
  static ELECTRET_INLINE void add_to(double* sums, Vector a, double factor) {
    _mm256_storeu_pd(sums, fma(a, broadcast(factor), _mm256_loadu_pd(sums)));
  }
#endif
  static ELECTRET_INLINE Vector square_root(Vector a) {
    return _mm256_sqrt_pd(a);
  }
  static ELECTRET_INLINE double lane_sum(Vector a) {
    const __m128d two = _mm256_castpd256_pd128(a) + _mm256_extractf128_pd(a, 1);
    return two[0] + two[1];
  }
};

}  // namespace
}  // namespace electret::simd
