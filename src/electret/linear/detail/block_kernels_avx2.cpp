// Compiled with -mavx2 -mfma: includes nothing whose inline functions another file could take over.
#include <immintrin.h>

#include <electret/linear/detail/block_kernels.hpp>

namespace electret::detail {
namespace {

/// The sum over one row's blocks. `eight` holds Σ a_k x_column(k) for a block's first eight entries, `ninth`
/// that for its last.
struct Sum {
  __m256 eight = _mm256_setzero_ps();
  __m128 ninth = _mm_setzero_ps();

  void add(const float* block, const float* x) {
    const __m256i column = _mm256_setr_epi32(0, 0, 0, 1, 1, 1, 2, 2);
    const __m256 d =
        _mm256_permutevar8x32_ps(_mm256_broadcast_ps(reinterpret_cast<const __m128*>(x)), column);
    eight = _mm256_fmadd_ps(_mm256_loadu_ps(block), d, eight);
    ninth = _mm_fmadd_ss(_mm_load_ss(block + 8), _mm_load_ss(x + 2), ninth);
  }

  /// The three rows' sums; lane 3 is 0.
  [[nodiscard]] __m128 rows() const {
    const __m256 first = _mm256_blend_ps(eight, _mm256_setzero_ps(), 0xf8);
    const __m256 second = _mm256_permutevar8x32_ps(_mm256_blend_ps(eight, _mm256_setzero_ps(), 0xc7),
                                                   _mm256_setr_epi32(3, 4, 5, 6, 6, 6, 6, 6));
    const __m128 third = _mm_movelh_ps(
        _mm_castpd_ps(_mm_permute_pd(_mm_castps_pd(_mm256_extractf128_ps(eight, 1)), 1)), ninth);
    return _mm_add_ps(_mm_add_ps(_mm256_castps256_ps128(first), _mm256_castps256_ps128(second)), third);
  }
};

/// Four sums, added in a fixed order at the end. The chain of additions of a single sum would limit the
/// speed.
inline __m128 row_product(const BlockRows& a, std::int64_t row, const float* x) {
  Sum sums[4];
  std::int64_t k = a.offsets[row];
  const std::int64_t end = a.offsets[row + 1];
  const auto place = [&](std::int64_t at) { return x + 4 * std::int64_t{a.columns[at]}; };
  for (; k + 4 <= end; k += 4)
    for (int s = 0; s < 4; ++s) sums[s].add(a.values + 9 * (k + s), place(k + s));
  for (int s = 0; k < end; ++k, ++s) sums[s].add(a.values + 9 * k, place(k));
  Sum total;
  total.eight =
      _mm256_add_ps(_mm256_add_ps(sums[0].eight, sums[1].eight), _mm256_add_ps(sums[2].eight, sums[3].eight));
  total.ninth =
      _mm_add_ss(_mm_add_ss(sums[0].ninth, sums[1].ninth), _mm_add_ss(sums[2].ninth, sums[3].ninth));
  return total.rows();
}

void multiply(const BlockRows& a, std::int64_t begin, std::int64_t end, const float* x, float* y) {
  for (std::int64_t row = begin; row < end; ++row) _mm_store_ps(y + 4 * row, row_product(a, row, x));
}

void residual(const BlockRows& a, std::int64_t begin, std::int64_t end, const float* b, const float* x,
              float* y) {
  for (std::int64_t row = begin; row < end; ++row)
    _mm_store_ps(y + 4 * row, _mm_sub_ps(_mm_load_ps(b + 4 * row), row_product(a, row, x)));
}

/// gain·(block v); lane 3 is 0.
inline __m128 scaled_product(const float* block, __m128 gain, __m128 v) {
  __m128 sum = _mm_mul_ps(_mm_loadu_ps(block), _mm_permute_ps(v, 0x00));
  sum = _mm_fmadd_ps(_mm_loadu_ps(block + 3), _mm_permute_ps(v, 0x55), sum);
  sum = _mm_fmadd_ps(_mm_loadu_ps(block + 6), _mm_permute_ps(v, 0xaa), sum);
  return _mm_blend_ps(_mm_mul_ps(gain, sum), _mm_setzero_ps(), 0x8);
}

void scale(const float* inverses, float gain, std::int64_t begin, std::int64_t end, const float* b,
           float* d) {
  for (std::int64_t row = begin; row < end; ++row)
    _mm_store_ps(d + 4 * row,
                 scaled_product(inverses + 9 * row, _mm_set1_ps(gain), _mm_load_ps(b + 4 * row)));
}

void correction(const BlockRows& a, const float* inverses, float gain, std::int64_t begin, std::int64_t end,
                const float* b, const float* x, float* rest, float* d) {
  for (std::int64_t row = begin; row < end; ++row) {
    const __m128 left = _mm_sub_ps(_mm_load_ps(b + 4 * row), row_product(a, row, x));
    _mm_store_ps(rest + 4 * row, left);
    _mm_store_ps(d + 4 * row, scaled_product(inverses + 9 * row, _mm_set1_ps(gain), left));
  }
}

void smooth(const BlockRows& a, const float* inverses, float keep, float gain, std::int64_t begin,
            std::int64_t end, const float* b, const float* d, float* x) {
  for (std::int64_t row = begin; row < end; ++row) {
    const __m128 left = _mm_sub_ps(_mm_load_ps(b + 4 * row), row_product(a, row, d));
    const __m128 step = scaled_product(inverses + 9 * row, _mm_set1_ps(gain), left);
    const __m128 kept = _mm_fmadd_ps(_mm_set1_ps(keep), _mm_load_ps(d + 4 * row), _mm_load_ps(x + 4 * row));
    _mm_store_ps(x + 4 * row, _mm_add_ps(kept, step));
  }
}

}  // namespace

const BlockKernels avx2_block_kernels{multiply, residual, scale, correction, smooth};

}  // namespace electret::detail
