#pragma once
/// \file
/// The vectors of AVX-512 (F, DQ, VL): 16 float32 or 8 float64 lanes, with the operators of GNU vector types.
///
/// Include this only in translation units that are compiled for this instruction set. Everything lies in an
/// unnamed namespace, so that the linker shares none of it with code that must run on every processor.

#include <cstdint>

#include <immintrin.h>

#include <electret/core/simd/inline.hpp>

namespace electret::simd {
namespace {

/// 16 float32.
struct Avx512Float32 {
  using Scalar = float;
  using Vector = __m512;
  static constexpr int width = 16;

  static ELECTRET_INLINE Vector load(const float* p) { return _mm512_loadu_ps(p); }
  /// Loads 16 bytes from each of several rows, `step` rows apart, and puts them side by side.
  static ELECTRET_INLINE Vector load_pieces(const float* const* rows, int step, std::int64_t at) {
    Vector a = _mm512_castps128_ps512(_mm_loadu_ps(rows[0] + at));
    a = _mm512_mask_broadcast_f32x4(a, 0x00F0, _mm_loadu_ps(rows[step] + at));
    a = _mm512_mask_broadcast_f32x4(a, 0x0F00, _mm_loadu_ps(rows[2 * step] + at));
    return _mm512_mask_broadcast_f32x4(a, 0xF000, _mm_loadu_ps(rows[3 * step] + at));
  }
  static ELECTRET_INLINE Vector broadcast(float a) { return _mm512_set1_ps(a); }
  static ELECTRET_INLINE Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
  /// Adds factor · a, lane by lane, to `width` float64 sums.
  static ELECTRET_INLINE void add_to(double* sums, Vector a, double factor) {
    const __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(a));
    const __m512d high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1));
    const __m512d unit = _mm512_set1_pd(factor);
    _mm512_storeu_pd(sums, _mm512_fmadd_pd(low, unit, _mm512_loadu_pd(sums)));
    _mm512_storeu_pd(sums + 8, _mm512_fmadd_pd(high, unit, _mm512_loadu_pd(sums + 8)));
  }
  // The plain intrinsic makes GCC warn.
  static ELECTRET_INLINE Vector square_root(Vector a) {
    return _mm512_maskz_sqrt_ps(static_cast<__mmask16>(-1), a);
  }
  static ELECTRET_INLINE double lane_sum(Vector a) { return _mm512_reduce_add_ps(a); }
};

/// 8 float64.
struct Avx512Float64 {
  using Scalar = double;
  using Vector = __m512d;
  static constexpr int width = 8;

  static ELECTRET_INLINE Vector load(const double* p) { return _mm512_loadu_pd(p); }
  /// Loads 16 bytes from each of several rows, `step` rows apart, and puts them side by side.
  static ELECTRET_INLINE Vector load_pieces(const double* const* rows, int step, std::int64_t at) {
    Vector a = _mm512_castpd128_pd512(_mm_loadu_pd(rows[0] + at));
    a = _mm512_mask_broadcast_f64x2(a, 0x0C, _mm_loadu_pd(rows[step] + at));
    a = _mm512_mask_broadcast_f64x2(a, 0x30, _mm_loadu_pd(rows[2 * step] + at));
    return _mm512_mask_broadcast_f64x2(a, 0xC0, _mm_loadu_pd(rows[3 * step] + at));
  }
  static ELECTRET_INLINE Vector broadcast(double a) { return _mm512_set1_pd(a); }
  static ELECTRET_INLINE Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
  /// Adds factor · a, lane by lane, to `width` float64 sums.
  static ELECTRET_INLINE void add_to(double* sums, Vector a, double factor) {
    _mm512_storeu_pd(sums, fma(a, broadcast(factor), _mm512_loadu_pd(sums)));
  }
  static ELECTRET_INLINE Vector square_root(Vector a) {
    return _mm512_maskz_sqrt_pd(static_cast<__mmask8>(-1), a);
  }
  static ELECTRET_INLINE double lane_sum(Vector a) { return _mm512_reduce_add_pd(a); }
};

}  // namespace
}  // namespace electret::simd
