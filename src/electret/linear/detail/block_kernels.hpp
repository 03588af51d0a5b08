#pragma once
/// \file
/// Products of 3×3 block rows, one set of functions per instruction set. There is no inline code here,
/// because the files that implement the sets are compiled with flags of their own.

#include <cstdint>

namespace electret::detail {

/// A matrix's rows. `values` holds 9 floats per block, column-major.
struct BlockRows {
  const std::int64_t* offsets;
  const std::int32_t* columns;
  const float* values;
};

/// Vectors have 4 floats per row, the last of which is 0. Inverse diagonal blocks are 9 floats per row,
/// column-major; one more float after the end may be read.
struct BlockKernels {
  /// y_r = Σ_j A_rj x_j for begin ≤ r < end.
  void (*multiply)(const BlockRows& a, std::int64_t begin, std::int64_t end, const float* x, float* y);
  /// y_r = b_r - Σ_j A_rj x_j.
  void (*residual)(const BlockRows& a, std::int64_t begin, std::int64_t end, const float* b, const float* x,
                   float* y);
  /// d_r = gain D_r b_r, where D are the inverse diagonal blocks.
  void (*scale)(const float* inverses, float gain, std::int64_t begin, std::int64_t end, const float* b,
                float* d);
  /// residual_r = b_r - Σ_j A_rj x_j and d_r = gain D_r residual_r.
  void (*correction)(const BlockRows& a, const float* inverses, float gain, std::int64_t begin,
                     std::int64_t end, const float* b, const float* x, float* residual, float* d);
  /// x_r += keep d_r + gain D_r (b_r - Σ_j A_rj d_j).
  void (*smooth)(const BlockRows& a, const float* inverses, float keep, float gain, std::int64_t begin,
                 std::int64_t end, const float* b, const float* d, float* x);
};

extern const BlockKernels portable_block_kernels;
#ifdef ELECTRET_HAS_AVX2
extern const BlockKernels avx2_block_kernels;
#endif

/// Those of the instruction set in force.
const BlockKernels& block_kernels();

}  // namespace electret::detail
