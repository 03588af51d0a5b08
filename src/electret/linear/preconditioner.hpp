#pragma once
/// \file
/// Approximate inverses of a block matrix, for Krylov methods.

#include <array>
#include <span>
#include <string_view>

#include <electret/core/padded.hpp>
#include <electret/linear/block_matrix.hpp>

namespace electret {

/// A symmetric positive definite approximation of the inverse of a matrix on its free vertices. It keeps
/// nothing of earlier matrices: the result of `apply` depends on the last refresh alone.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// "block_jacobi", "multigrid".
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Takes the values of `matrix`, which must outlive the next `apply`. `held` has one entry per row: 1 for a
  /// vertex that does not move, 0 for a free one; if it is empty, all are free. Returns false if the matrix
  /// turns out not to be positive definite; `apply` must then not be called, and the caller refreshes with a
  /// clamped matrix.
  [[nodiscard]] virtual bool refresh(const BlockMatrix& matrix, std::span<const char> held) = 0;
  /// z = B r; 0 on held vertices, whatever `r` is there. The arrays differ.
  virtual void apply(PaddedView32 r, PaddedSpan32 z) = 0;
  /// The inverse of a vertex's own 3×3 block of the matrix, as it was refreshed; 0 on a held vertex.
  /// Symmetric.
  [[nodiscard]] virtual std::array<float, 9> own_inverse(Index vertex) const = 0;
  /// Whether each row of z depends on the same row of r alone. `apply_rows` then computes single rows on the
  /// caller's thread.
  [[nodiscard]] virtual bool is_block_diagonal() const { return false; }
  virtual void apply_rows(PaddedView32 /*r*/, PaddedSpan32 /*z*/, Count /*begin*/, Count /*end*/) const {}
};

}  // namespace electret
