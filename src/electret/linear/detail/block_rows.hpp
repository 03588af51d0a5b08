#pragma once
/// \file
/// Block matrices and padded vectors in the form that their kernels take.

#include <electret/core/padded.hpp>
#include <electret/linear/block_matrix.hpp>
#include <electret/linear/detail/block_kernels.hpp>

namespace electret::detail {

/// Rows per chunk of parallel loops over a block matrix.
constexpr Count block_chunk = 256;

inline BlockRows rows_of(const BlockMatrix& a) {
  return {a.pattern().offsets().data(), a.pattern().columns().data(), a.block(0)};
}

/// The numbers of a padded vector, four a row; null if it has none.
template <class View>
auto* lanes_of(View x) {
  return x.empty() ? nullptr : x.front().lane;
}

}  // namespace electret::detail
