#pragma once
/// \file
/// Sparse matrices of 3×3 blocks in float32, with one block row per vertex: the Hessians on which Krylov
/// methods and multigrid work.

#include <span>
#include <vector>

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>

namespace electret {

/// Elements of one kind: the vertices of element e are `connectivity[e·vertices_per_element …]`.
struct ElementList {
  int vertices_per_element = 0;
  std::span<const Index> connectivity;
};

/// Which blocks a matrix has: compressed rows of both triangles, with columns ascending. The diagonal blocks
/// are always there.
class BlockPattern {
 public:
  BlockPattern() = default;  ///< No rows.

  /// `offsets` has rows + 1 entries. Throws InternalError unless every row's columns ascend and include the
  /// diagonal.
  BlockPattern(std::vector<Count> offsets, std::vector<Index> columns);

  /// The blocks of all pairs of vertices that share an element. Throws InternalError for a vertex outside
  /// [0, rows).
  static BlockPattern of_elements(Index rows, std::span<const ElementList> lists);

  [[nodiscard]] Index rows() const { return static_cast<Index>(diagonal_.size()); }
  [[nodiscard]] Count blocks() const { return static_cast<Count>(columns_.size()); }
  /// The blocks of row r are offsets()[r] … offsets()[r+1]-1.
  [[nodiscard]] std::span<const Count> offsets() const { return offsets_; }
  [[nodiscard]] std::span<const Index> columns() const { return columns_; }
  /// The index of each row's diagonal block.
  [[nodiscard]] std::span<const Count> diagonal() const { return diagonal_; }
  /// The block's index; -1 if the pattern does not have it.
  [[nodiscard]] Count slot(Index row, Index column) const;

 private:
  std::vector<Count> offsets_{0};
  std::vector<Index> columns_;
  std::vector<Count> diagonal_;
};

/// A matrix on a pattern, which must outlive it. A block is 9 floats in column-major order, so that y += A_ij
/// x_j is a scaled sum of contiguous columns.
class BlockMatrix {
 public:
  explicit BlockMatrix(const BlockPattern& pattern);

  [[nodiscard]] const BlockPattern& pattern() const { return *pattern_; }
  /// 9 floats per block, without the padding.
  [[nodiscard]] std::span<float> values() { return std::span(values_).first(values_.size() - padding); }
  [[nodiscard]] std::span<const float> values() const {
    return std::span(values_).first(values_.size() - padding);
  }
  /// 9 floats, and 3 more that may be read, or written with the values they hold, so that four-float loads
  /// and stores stay inside.
  [[nodiscard]] float* block(Count slot) { return values_.data() + 9 * slot; }
  [[nodiscard]] const float* block(Count slot) const { return values_.data() + 9 * slot; }

  void set_zero(Threads& threads);
  /// A_ii += weight_i I for each row; `weights` has one entry per row.
  void add_diagonal(Threads& threads, ScalarView weights);

  /// y = A x. Rows are computed in parallel, each summed in a fixed order, so that the bits are the same for
  /// any number of threads. `x` and `y` have rows() rows and are different arrays.
  void multiply(Threads& threads, PaddedView32 x, PaddedSpan32 y) const;
  /// y = b - A x; `y` may be `b`.
  void residual(Threads& threads, PaddedView32 b, PaddedView32 x, PaddedSpan32 y) const;
  /// y = A x in float64, with the float32 entries.
  void multiply(Threads& threads, VectorView x, VectorSpan y) const;

 private:
  static constexpr std::size_t padding = 4;
  const BlockPattern* pattern_;
  std::vector<float> values_;
};

}  // namespace electret
