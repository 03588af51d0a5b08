#pragma once
/// \file
/// The libraries that factor: each takes the lower triangle of a symmetric matrix and gives panels.

#include <vector>

#include <electret/core/types.hpp>
#include <electret/linear/detail/panel_factor.hpp>

namespace electret::detail {

/// The lower triangle of a symmetric n×n matrix, n ≥ 1, by columns, rows ascending.
struct LowerTriangle {
  Count size = 0;
  std::vector<std::int64_t> offsets;  ///< size + 1.
  std::vector<std::int64_t> rows;
  std::vector<double> values;
};

/// Eigen's simplicial LLᵀ after AMD, its equal neighbouring columns joined into panels. Throws InternalError
/// when `matrix` is not positive definite.
PanelFactor factorise_by_eigen(const LowerTriangle& matrix);

#ifdef ELECTRET_HAS_CHOLMOD
/// CHOLMOD's supernodal LLᵀ; ordering by CHOLMOD's own rule: AMD, and METIS where AMD fills in badly
/// (solids). BLAS runs on one thread. Throws InternalError when `matrix` is not positive definite.
PanelFactor factorise_by_cholmod(LowerTriangle& matrix);
#endif

}  // namespace electret::detail
