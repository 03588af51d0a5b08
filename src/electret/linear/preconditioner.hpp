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
};

}  // namespace electret
