#pragma once
/// \file
/// Lattice matrices and vectors in the form that their kernels take.

#include <electret/linear/detail/lattice_kernels.hpp>
#include <electret/linear/lattice_matrix.hpp>

namespace electret::detail {

/// Rows per chunk of parallel loops.
constexpr Count lattice_chunk = 128;
/// Numbers that kernels may read beyond the last row.
constexpr Count overrun = 32;

inline LatticeRows rows_of(const LatticeMatrix& a) {
  LatticeRows rows{a.entry(0, 0), a.stride(), {}};
  for (int code = 0; code < LatticeMatrix::codes; ++code) rows.offsets[code] = a.shape().offset(code);
  return rows;
}
inline LatticeInput input(const LatticeVector& x) {
  return {x.axis(0), x.stride()};
}
inline LatticeOutput output(LatticeVector& x) {
  return {x.axis(0), x.stride()};
}

}  // namespace electret::detail
