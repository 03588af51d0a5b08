#pragma once
/// \file
/// Kernels for rows of lattice matrices side by side, one set of functions per instruction set. There is no
/// inline code here, because the files that implement the sets are compiled with flags of their own.

#include <cstdint>

namespace electret::detail {

/// A LatticeMatrix: entry e of the blocks of code k in row i is values[(9k + e)·stride + i].
struct LatticeRows {
  const float* values;
  std::int64_t stride;
  std::int64_t offsets[14];  ///< The distance from a row to its neighbour of each code.
};

/// A LatticeVector: component c of node i is values[c·stride + i].
struct LatticeInput {
  const float* values;
  std::int64_t stride;
};
struct LatticeOutput {
  float* values;
  std::int64_t stride;
};

/// Inverse diagonal blocks: entries 00, 01, 02, 11, 12, 22 of row i are values[e·stride + i].
struct LatticeInverses {
  const float* values;
  std::int64_t stride;
};

/// Kernels for the rows begin ≤ i < end. Arrays may be read for 16 rows more.
struct LatticeKernels {
  /// y = A x.
  void (*multiply)(const LatticeRows& a, std::int64_t begin, std::int64_t end, LatticeInput x,
                   LatticeOutput y);
  /// y = b - A x.
  void (*residual)(const LatticeRows& a, std::int64_t begin, std::int64_t end, LatticeInput b, LatticeInput x,
                   LatticeOutput y);
  /// d = gain D b.
  void (*scale)(LatticeInverses inverses, float gain, std::int64_t begin, std::int64_t end, LatticeInput b,
                LatticeOutput d);
  /// residual = b - A x and d = gain D residual.
  void (*correction)(const LatticeRows& a, LatticeInverses inverses, float gain, std::int64_t begin,
                     std::int64_t end, LatticeInput b, LatticeInput x, LatticeOutput residual,
                     LatticeOutput d);
  /// x = (old + keep d) + gain D (b - A d), where `old` is x, or 0 if `fresh`.
  void (*smooth)(const LatticeRows& a, LatticeInverses inverses, float keep, float gain, bool fresh,
                 std::int64_t begin, std::int64_t end, LatticeInput b, LatticeInput d, LatticeOutput x);
  /// out[k] = Σ_t weights[t] terms[t][k] of 1 to 7 terms for `lines` lines of `length` numbers. Lines of the
  /// terms are `term_stride` apart, those of `out`, which no term overlaps, are `out_stride` apart.
  void (*combine)(int count, const float* weights, const float* const* terms, std::int64_t term_stride,
                  std::int64_t lines, std::int64_t length, std::int64_t out_stride, float* out);
  /// out[k] = in[2k] for `lines` lines of `length` numbers.
  void (*take_every_second)(const float* in, std::int64_t in_stride, std::int64_t lines, std::int64_t length,
                            std::int64_t out_stride, float* out);
};

extern const LatticeKernels portable_lattice_kernels;
#ifdef ELECTRET_HAS_AVX2
extern const LatticeKernels avx2_lattice_kernels;
#endif

/// Those of the instruction set in force.
const LatticeKernels& lattice_kernels();

}  // namespace electret::detail
