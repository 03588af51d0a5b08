#pragma once
/// \file
/// Sums over stencils of four vertices that change from place to place, such as pairs that touch: vectors and
/// symmetric matrices of 3×3 blocks, gathered row by row.

#include <array>
#include <span>
#include <vector>

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>
#include <electret/core/types.hpp>

namespace electret {

/// The vertices of a stencil, all different; -1 where it has fewer than four.
using StencilVertices = std::array<Index, 4>;
constexpr Index no_vertex = -1;

/// A vector per vertex of a stencil.
using StencilVectors = std::array<Vec3, 4>;

/// A symmetric matrix over the vertices of a stencil: the blocks (0,0), (0,1), (0,2), (0,3), (1,1), (1,2),
/// (1,3), (2,2), (2,3), (3,3).
struct StencilBlocks {
  std::array<Mat3, 10> upper;
  /// The place of block (row, column) for row ≤ column.
  static constexpr std::size_t place(std::size_t row, std::size_t column) {
    return row * 4 - row * (row + 1) / 2 + column;
  }
  [[nodiscard]] Mat3& at(std::size_t row, std::size_t column) { return upper[place(row, column)]; }
  [[nodiscard]] const Mat3& at(std::size_t row, std::size_t column) const {
    return upper[place(row, column)];
  }
};

/// Which stencils each vertex is in. Every sum over the stencils of a vertex goes through them in ascending
/// order, so that the bits are the same for any number of threads.
class StencilRows {
 public:
  struct Entry {
    std::size_t stencil;
    std::size_t corner;
  };

  /// Takes the stencils of a system of `vertices` vertices. Allocates only for more than ever before.
  void build(std::size_t vertices, std::span<const StencilVertices> stencils);
  /// The vertices of any stencil, ascending.
  [[nodiscard]] std::span<const Index> vertices() const { return vertices_; }
  /// The entries of `vertices()[row]`.
  [[nodiscard]] std::span<const Entry> entries(std::size_t row) const {
    return std::span(entries_).subspan(offsets_[row], offsets_[row + 1] - offsets_[row]);
  }
  /// out_v += factor Σ vectors of the stencils of v.
  void add(Threads& threads, double factor, std::span<const StencilVectors> vectors, VectorSpan out) const;

 private:
  std::vector<Index> vertices_;
  std::vector<std::size_t> offsets_{0};
  std::vector<Entry> entries_;
  std::vector<std::size_t> next_;  ///< One per vertex of the system.
};

/// The sum of the stencils' matrices, with the columns of each row ascending.
class StencilMatrix {
 public:
  /// Takes the sum of `blocks`, one per stencil. Which blocks there are is found anew only for other
  /// stencils.
  void assemble(Threads& threads, std::size_t vertices, std::span<const StencilVertices> stencils,
                std::span<const StencilBlocks> blocks);
  /// Becomes 0.
  void clear();
  [[nodiscard]] bool is_zero() const { return rows_.vertices().empty(); }

  /// out_v += factor (A d)_v for the rows v = begin … end-1, in float32 on the caller's thread.
  void add_product_rows(float factor, PaddedView32 d, PaddedSpan32 out, Count begin, Count end) const;
  /// out += A d in float64.
  void add_product(Threads& threads, VectorView d, VectorSpan out) const;
  /// Calls visit(row, column, block) for the blocks of both triangles, row by row.
  template <class Visit>
  void for_blocks(Visit&& visit) const {
    for (std::size_t row = 0; row < rows_.vertices().size(); ++row)
      for (std::size_t k = offsets_[row]; k < offsets_[row + 1]; ++k)
        visit(rows_.vertices()[row], columns_[k], blocks_[k]);
  }
  /// blocks_v += factor A_vv; 9 floats per vertex, column-major.
  void add_diagonal(float factor, std::span<float> blocks) const;

 private:
  void find_columns(Threads& threads);

  StencilRows rows_;
  std::vector<StencilVertices> stencils_;
  std::vector<std::size_t> offsets_;  ///< Of the blocks of each row.
  std::vector<Index> columns_;
  std::vector<std::size_t> slots_;  ///< Of each stencil's 16 blocks.
  std::vector<Mat3> blocks_;
  /// Three columns of four lanes per block.
  std::vector<std::array<Padded32, 3>> blocks32_;
};

}  // namespace electret
