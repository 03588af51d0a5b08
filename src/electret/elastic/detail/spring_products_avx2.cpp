// Compiled with -mavx2: includes nothing whose inline functions another file could take over.
// A vector of three is one register; float32 takes two springs at a time, one in each half.
#include <immintrin.h>

#include <electret/elastic/detail/spring_products.hpp>

namespace electret::detail {
namespace {

/// x + y + z of (x, y, z, …), in that order, in every lane.
inline __m256d sum_of_three(__m256d a) {
  const __m128d low = _mm256_castpd256_pd128(a);
  const __m128d two = _mm_add_sd(low, _mm_unpackhi_pd(low, low));
  return _mm256_broadcastsd_pd(_mm_add_sd(two, _mm256_extractf128_pd(a, 1)));
}

void product(const LinearisedSprings& s, const double* d, std::int64_t begin, std::int64_t end, double* out) {
  const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);  // rows of d are not padded
  for (std::int64_t v = begin; v < end; ++v) {
    const __m256d here = _mm256_maskload_pd(d + 3 * v, three);
    __m256d sum = _mm256_setzero_pd();
    for (std::int64_t side = s.offsets[v]; side < s.offsets[v + 1]; ++side) {
      const SpringSide at = s.sides[side];
      const double* direction = s.directions + 4 * std::int64_t{at.spring};
      const __m256d u = _mm256_loadu_pd(direction), r = _mm256_broadcast_sd(direction + 3);
      const __m256d delta = _mm256_sub_pd(here, _mm256_maskload_pd(d + 3 * std::int64_t{at.other}, three));
      const __m256d along = sum_of_three(_mm256_mul_pd(u, delta));
      const __m256d transverse = _mm256_sub_pd(delta, _mm256_mul_pd(along, u));
      const __m256d force = _mm256_sub_pd(delta, _mm256_mul_pd(r, transverse));
      sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_broadcast_sd(s.stiffness + at.spring), force));
    }
    double* row = out + 3 * v;
    _mm256_maskstore_pd(row, three, _mm256_add_pd(_mm256_maskload_pd(row, three), sum));
  }
}

/// a δ + w (w·δ) for the side in each half; lane 3 of each has no meaning.
inline __m256 terms(__m256 factors, __m256 delta) {
  const __m256 products = _mm256_mul_ps(factors, delta);
  const __m256 pairs = _mm256_add_ps(products, _mm256_permute_ps(products, 0xB1));
  const __m256 along = _mm256_add_ps(pairs, _mm256_permute_ps(pairs, 0x4E));
  const __m256 across = _mm256_permute_ps(factors, 0xFF);
  return _mm256_add_ps(_mm256_mul_ps(across, delta), _mm256_mul_ps(factors, along));
}

inline __m128 row(const float* rows, std::int32_t vertex) {
  return _mm_load_ps(rows + 4 * std::int64_t{vertex});
}

void product32(const LinearisedSprings& s, float factor, const float* d, std::int64_t begin, std::int64_t end,
               float* out) {
  for (std::int64_t v = begin; v < end; ++v) {
    const __m256 here = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(d + 4 * v));
    __m256 sums = _mm256_setzero_ps();
    std::int64_t side = s.offsets[v];
    const std::int64_t last = s.offsets[v + 1];
    for (; side + 2 <= last; side += 2) {
      const __m256 others = _mm256_insertf128_ps(_mm256_castps128_ps256(row(d, s.sides[side].other)),
                                                 row(d, s.sides[side + 1].other), 1);
      const __m256 delta = _mm256_sub_ps(here, others);
      sums = _mm256_add_ps(sums, terms(_mm256_loadu_ps(s.factors + 4 * side), delta));
    }
    if (side < last) {
      const __m128 delta = _mm_sub_ps(_mm256_castps256_ps128(here), row(d, s.sides[side].other));
      sums = _mm256_add_ps(sums, terms(_mm256_zextps128_ps256(_mm_load_ps(s.factors + 4 * side)),
                                       _mm256_zextps128_ps256(delta)));
    }
    const __m128 sum = _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1));
    const __m128 scaled = _mm_blend_ps(_mm_mul_ps(_mm_set1_ps(factor), sum), _mm_setzero_ps(), 0x8);
    _mm_store_ps(out + 4 * v, _mm_add_ps(_mm_load_ps(out + 4 * v), scaled));
  }
}

}  // namespace

const SpringProducts avx2_spring_products{product, product32};

}  // namespace electret::detail
