#pragma once
/// \file
/// The libraries that factor. Each takes the lower triangle of a symmetric matrix and returns panels.

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

/// Eigen's simplicial LLᵀ with AMD ordering. Neighbouring columns with equal patterns are joined into panels.
/// Throws InternalError if `matrix` is not positive definite.
PanelFactor factorise_by_eigen(const LowerTriangle& matrix);

#ifdef ELECTRET_HAS_CHOLMOD
/// CHOLMOD's supernodal LLᵀ with CHOLMOD's own choice of ordering: AMD, or METIS if AMD causes much fill-in
/// (solids). BLAS runs on one thread. Throws InternalError if `matrix` is not positive definite.
PanelFactor factorise_by_cholmod(LowerTriangle& matrix);
#endif

}  // namespace electret::detail
