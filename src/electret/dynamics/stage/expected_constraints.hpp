#pragma once
/// \file
/// Constraints that a preconditioner expects of the systems that it serves.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include <electret/core/padded.hpp>
#include <electret/core/types.hpp>
#include <electret/linear/vertex_constraint.hpp>

namespace electret {

/// The inverse of VᵀHV, with orthonormal V, is Vᵀ(H + σN)⁻¹V for large σ, with N = I - VVᵀ at each
/// constrained vertex. So a preconditioner of H + σN is one of the reduced system on its coarse levels, too,
/// which cannot have constraints of single vertices. Where a vertex turns out to move otherwise, σ must not
/// be so large that it cannot.
class ExpectedConstraints {
 public:
  /// At vertices that are not pinned. Those with three columns move freely and do not count.
  void set(std::span<const VertexConstraint> constraints);
  [[nodiscard]] bool is_empty() const { return vertices_.empty(); }

  /// Adds σN to the diagonal blocks; `entry(vertex, row, column)` refers to a number of one, in float32.
  template <class Entry>
  void add(Entry&& entry) {
    for (Stiffened& at : vertices_) {
      float largest = 0.0F;
      for (int k = 0; k < 3; ++k) largest = std::max(largest, entry(at.vertex, k, k));
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          float& added = at.added[static_cast<std::size_t>(3 * r + c)];
          added = static_cast<float>(stiffness * at.held.rows[static_cast<std::size_t>(r)][c]) * largest;
          entry(at.vertex, r, c) += added;
        }
    }
  }
  /// y ← y - σN x: of a product with the matrix, it leaves that with H.
  void subtract(PaddedView32 x, PaddedSpan32 y) const;

 private:
  /// σ by the largest number on the diagonal of a vertex' block.
  static constexpr double stiffness = 4.0;
  struct Stiffened {
    Index vertex = 0;
    Mat3 held;                     ///< N.
    std::array<float, 9> added{};  ///< σN, row by row.
  };
  std::vector<Stiffened> vertices_;
};

}  // namespace electret
