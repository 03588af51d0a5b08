// 3×3 blocks in registers of AVX2, for the volume kernels of AVX2 and of wider sets.

/// out[stride l + k] = in[8 k + l] for k, l < 8.
ELECTRET_INLINE void transpose(const float* in, float* out, std::int64_t stride) {
  __m256 a[8], b[8];
  for (int k = 0; k < 8; ++k) a[k] = _mm256_loadu_ps(in + 8 * k);
  for (int k = 0; k < 8; k += 2) {
    b[k] = _mm256_unpacklo_ps(a[k], a[k + 1]);
    b[k + 1] = _mm256_unpackhi_ps(a[k], a[k + 1]);
  }
  for (int k = 0; k < 8; k += 4)
    for (int half = 0; half < 2; ++half) {
      a[k + 2 * half] = _mm256_shuffle_ps(b[k + half], b[k + half + 2], 0x44);
      a[k + 2 * half + 1] = _mm256_shuffle_ps(b[k + half], b[k + half + 2], 0xEE);
    }
  for (int k = 0; k < 4; ++k) {
    _mm256_storeu_ps(out + stride * k, _mm256_permute2f128_ps(a[k], a[k + 4], 0x20));
    _mm256_storeu_ps(out + stride * (k + 4), _mm256_permute2f128_ps(a[k], a[k + 4], 0x31));
  }
}

/// out[k] += factor · block[k], k < 9.
ELECTRET_INLINE void add_block(float* out, float factor, const float* block) {
  _mm256_storeu_ps(out,
                   _mm256_fmadd_ps(_mm256_set1_ps(factor), _mm256_loadu_ps(block), _mm256_loadu_ps(out)));
  out[8] += factor * block[8];
}
/// The same of the block's transpose.
ELECTRET_INLINE void add_transposed_block(float* out, float factor, const float* block) {
  const __m256 turned =
      _mm256_permutevar8x32_ps(_mm256_loadu_ps(block), _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5));
  _mm256_storeu_ps(out, _mm256_fmadd_ps(_mm256_set1_ps(factor), turned, _mm256_loadu_ps(out)));
  out[8] += factor * block[8];
}
