#pragma once
/// \file
/// Sums and updates of padded float32 vectors, one set of functions per instruction set. All sets give the
/// same bits. There is no inline code here, because the files that implement the sets are compiled with flags
/// of their own.

#include <cstdint>

namespace electret::detail {

/// Vectors have `rows` rows of 4 floats. Products are summed in float64.
struct VectorKernels {
  /// Σ a·b.
  double (*dot)(const float* a, const float* b, std::int64_t rows);
  /// y += s x.
  void (*add_scaled)(float s, const float* x, float* y, std::int64_t rows);
  /// y = x + s y.
  void (*scale_and_add)(float s, const float* x, float* y, std::int64_t rows);
  /// x += s p and r -= s q; returns Σ r·r.
  double (*step)(float s, const float* p, const float* q, float* x, float* r, std::int64_t rows);
};

extern const VectorKernels portable_vector_kernels;
#ifdef ELECTRET_HAS_AVX2
extern const VectorKernels avx2_vector_kernels;
#endif

/// Those of the instruction set in force.
const VectorKernels& vector_kernels();

}  // namespace electret::detail
