#pragma once
/// \file
/// Approximate inverses of a block matrix, for Krylov methods.

#include <span>
#include <string_view>

#include <electret/core/padded.hpp>
#include <electret/linear/block_matrix.hpp>

namespace electret {

/// A symmetric positive definite approximation of the inverse of a matrix on its free vertices. It holds
/// nothing of earlier matrices: what `apply` gives depends on the last refresh alone.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// "block_jacobi", "multigrid".
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Takes the values of `matrix`, which must outlive the next `apply`. `held`: 1 for a vertex that does not
  /// move, 0 for a free one, one a row; empty: all are free. False: the matrix is not positive definite as
  /// far as was looked, and `apply` must not be called; the caller refreshes with a clamped one.
  [[nodiscard]] virtual bool refresh(const BlockMatrix& matrix, std::span<const char> held) = 0;
  /// z = B r; 0 on held vertices, whatever `r` is there. The arrays differ.
  virtual void apply(PaddedView32 r, PaddedSpan32 z) = 0;
  /// Whether a row of z depends on the same row of r alone, so that `apply_rows` gives rows on their own, on
  /// the caller's thread.
  [[nodiscard]] virtual bool is_block_diagonal() const { return false; }
  virtual void apply_rows(PaddedView32 /*r*/, PaddedSpan32 /*z*/, Count /*begin*/, Count /*end*/) const {}
};

}  // namespace electret
