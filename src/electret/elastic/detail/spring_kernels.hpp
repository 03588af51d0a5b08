#pragma once
/// \file
/// The loops over springs in which a step spends its time, one set of functions per instruction set. There is
/// no inline code here, because the files that implement the sets are compiled with flags of their own.
///
/// All sets give the same bits, because they do the same operations in the same order, without fused
/// multiply-adds. The energy is summed in four lanes, with spring e in lane e mod 4. Rows of vectors are
/// padded to 4 doubles and aligned to 32 bytes.

#include <cstdint>

namespace electret::detail {

/// Springs begin … end-1; `begin` is a multiple of 4. A spring's two ends differ.
struct SpringRange {
  const std::int32_t* ends;   ///< i, j per spring.
  const double* stiffness;    ///< k, N/m.
  const double* rest_length;  ///< l, m.
  const double* positions;    ///< 4 doubles per vertex, the last 0; m.
  std::int64_t begin, end;
};

/// One side of a spring, as seen from a vertex.
struct SpringSide {
  std::int32_t other;   ///< The vertex at the spring's other end.
  std::int32_t spring;  ///< The spring's number.
};
/// The springs at each vertex, for sums per vertex: those of vertex v are sides[offsets[v]] …, ascending.
struct SpringRows {
  const std::int64_t* offsets;
  const SpringSide* sides;
  const double* positions;   ///< As in SpringRange.
  const double* factors;     ///< One per spring.
  const std::int32_t* ends;  ///< i, j per spring.
  bool zero_lengths;         ///< Whether some spring has zero length.
  double* out;               ///< 3 doubles per vertex.
};

struct SpringKernels {
  /// Σ k/2 (|β| - l)², J.
  double (*energy)(const SpringRange& springs);
  /// The same; also adds k (β - p) to row i of `rows` (4 doubles per vertex) and subtracts it from row j.
  double (*scatter_gradient)(const SpringRange& springs, double* rows);
  /// The same in two halves. This one computes the factor c of each spring with k (β - p) = c β, and sets
  /// `zero_length` if a spring has no β.
  double (*gradient_factors)(const SpringRange& springs, double* factors, bool* zero_length);
  /// The second half: for vertices begin … end-1, row v += Σ ± c β over its springs, ascending. These are the
  /// sums of `scatter_gradient` in the same order.
  void (*gather)(const SpringRows& rows, std::int64_t begin, std::int64_t end);
  /// β̂ and l/|β| (at most 1 if clamped) in 4 doubles per spring; (1, 0, 0) and 0 if |β| = 0.
  void (*directions)(const SpringRange& springs, bool clamped, double* out);
  /// w = √(k r) β̂ and a = k (1 - r) in float32, with r = l/|β| as above; a spring's block is a I + w wᵀ.
  /// Spring e writes these 4 floats to the places sides[2 e] and sides[2 e + 1] of `out`.
  void (*factors)(const SpringRange& springs, bool clamped, const std::int32_t* sides, float* out);
};

extern const SpringKernels portable_spring_kernels;
#ifdef ELECTRET_HAS_AVX2
extern const SpringKernels avx2_spring_kernels;
#endif

/// Those of the instruction set in force.
const SpringKernels& spring_kernels();

}  // namespace electret::detail
