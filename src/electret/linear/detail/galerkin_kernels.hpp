#pragma once
/// \file
/// The two passes of a Galerkin product, one set of functions per instruction set. There is no inline code
/// here, because the files that implement the sets are compiled with flags of their own.

#include <cstdint>

#include <electret/linear/detail/block_kernels.hpp>

namespace electret::detail {

/// Rows of weights: those of row i are weights[offsets[i]] …, in the columns indices[offsets[i]] ….
struct WeightRows {
  const std::int64_t* offsets;
  const std::int32_t* indices;
  const float* weights;
};

/// Where products are added. Those of row i are listed from places[offsets[i]] on. A place is the index of a
/// block within the result's row, which begins at block row_offsets[i].
struct Places {
  const std::int64_t* offsets;
  const std::uint16_t* places;
  const std::int64_t* row_offsets;
  float* values;
};

/// B: the blocks of row i begin at values + 9·offsets[i]. For the q-th pair (c, i) of P by columns, the first
/// skips[q] of them are below row c's diagonal.
struct HalfRows {
  const std::int64_t* offsets;
  const float* values;
  const std::uint16_t* skips;
};

/// C from the diagonal on. Places count from block diagonal[c]; row c ends at block row_offsets[c + 1].
struct UpperRows {
  const std::int64_t* offsets;
  const std::uint16_t* places;
  const std::int64_t* diagonal;
  const std::int64_t* row_offsets;
  float* values;
};

struct GalerkinKernels {
  /// B_i = Σ_j A_ij P_j for begin ≤ i < end.
  void (*half)(const BlockRows& a, const WeightRows& p, const Places& b, std::int64_t begin,
               std::int64_t end);
  /// C_c = Σ_i P_ic B_i for begin ≤ c < end, from the diagonal on; `columns` are P's.
  void (*coarse)(const WeightRows& columns, const HalfRows& b, const UpperRows& c, std::int64_t begin,
                 std::int64_t end);
};

extern const GalerkinKernels portable_galerkin_kernels;
#ifdef ELECTRET_HAS_AVX2
extern const GalerkinKernels avx2_galerkin_kernels;
#endif

/// Those of the instruction set in force.
const GalerkinKernels& galerkin_kernels();

}  // namespace electret::detail
