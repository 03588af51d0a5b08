#pragma once
/// \file
/// The loops over springs a step spends its time in, one set an instruction set. No inline code here: the
/// files that implement it are compiled with flags of their own.
///
/// All sets give the same bits: they do the same operations in the same order (the energy in four lanes,
/// spring e in lane e mod 4), without fused multiply-adds. Rows of vectors are padded to 4 doubles and
/// aligned to 32 bytes.

#include <cstdint>

namespace electret::detail {

/// Springs begin … end-1, begin a multiple of 4. A spring's two ends differ.
struct SpringRange {
  const std::int32_t* ends;   ///< i, j a spring.
  const double* stiffness;    ///< k, N/m.
  const double* rest_length;  ///< l, m.
  const double* positions;    ///< 4 doubles a vertex, the last 0; m.
  std::int64_t begin, end;
};

/// The springs at each vertex, for sums a vertex: those of vertex v are sides[offsets[v]] … ascending.
struct SpringSide {
  std::int32_t other;   ///< The vertex at the spring's other end.
  std::int32_t spring;  ///< Its number.
};
struct SpringRows {
  const std::int64_t* offsets;
  const SpringSide* sides;
  const double* positions;   ///< As in SpringRange.
  const double* factors;     ///< One a spring.
  const std::int32_t* ends;  ///< i, j a spring.
  bool zero_lengths;         ///< Some spring has zero length.
  double* out;               ///< 3 doubles a vertex.
};

struct SpringKernels {
  /// Σ k/2 (|β| - l)², J.
  double (*energy)(const SpringRange& springs);
  /// The same, and k (β - p): added to row i and taken from row j of `rows` (4 doubles a vertex).
  double (*scatter_gradient)(const SpringRange& springs, double* rows);
  /// The same in two halves: first the factor c of each spring with k (β - p) = c β, setting `zero_length`
  /// where a spring has no β, …
  double (*gradient_factors)(const SpringRange& springs, double* factors, bool* zero_length);
  /// … then, for vertices begin … end-1, row v += Σ over its springs, ascending, of ± c β: the sums of
  /// scattering, in the same order.
  void (*gather)(const SpringRows& rows, std::int64_t begin, std::int64_t end);
  /// β̂ and l/|β|, clamped at most 1, in 4 doubles a spring: (1, 0, 0) and 0 where |β| = 0.
  void (*directions)(const SpringRange& springs, bool clamped, double* out);
  /// w = √(k r) β̂ and a = k (1 - r), r = l/|β| as above, in float32: a spring's block is a I + w wᵀ. 4 floats
  /// at the places sides[2 e] and sides[2 e + 1] of `out` for spring e.
  void (*factors)(const SpringRange& springs, bool clamped, const std::int32_t* sides, float* out);
};

extern const SpringKernels portable_spring_kernels;
#ifdef ELECTRET_HAS_AVX2
extern const SpringKernels avx2_spring_kernels;
#endif

/// The widest set this machine has.
const SpringKernels& spring_kernels();

}  // namespace electret::detail
