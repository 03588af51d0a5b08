#pragma once
/// \file
/// Coarse matrices A_c = (P ⊗ I₃)ᵀ A (P ⊗ I₃), computed by two passes over rows in which the place of each
/// block is known beforehand.

#include <cstdint>
#include <vector>

#include <electret/linear/block_matrix.hpp>

namespace electret {

/// A sparse matrix P of weights, stored by rows and by columns.
struct GridInterpolation {
  Index rows = 0, columns = 0;
  std::vector<Count> offsets{0};  ///< rows + 1.
  std::vector<Index> nodes;       ///< The columns of row i: nodes[offsets[i]] …
  std::vector<float> weights;
  std::vector<Count> column_offsets{0};  ///< columns + 1.
  /// The rows of column c, ascending: column_rows[column_offsets[c]] …
  std::vector<Index> column_rows;
  std::vector<float> column_weights;

  /// Fills the columns from the rows.
  void transpose();
  /// y_i += Σ_c P_ic x_c.
  void add_prolonged(Threads& threads, PaddedView32 x, PaddedSpan32 y) const;
  /// y_c = Σ_i P_ic x_i.
  void restrict_to(Threads& threads, PaddedView32 x, PaddedSpan32 y) const;
};

class GalerkinProduct {
 public:
  /// Finds the coarse pattern. `fine` must outlive the product. Every column of P must have entries. `slab`
  /// is the number of blocks of A P that are held at a time; if an eighth of all blocks is more, that many
  /// are held. Throws InternalError if sizes do not fit.
  GalerkinProduct(const BlockPattern& fine, GridInterpolation interpolation, Count slab = default_slab);

  static constexpr Count default_slab = 2'000'000;

  [[nodiscard]] const GridInterpolation& interpolation() const { return p_; }
  [[nodiscard]] const BlockPattern& pattern() const { return coarse_; }

  /// `coarse` = Pᵀ `fine` P. `fine` is symmetric, so that blocks below the diagonal are copied as transposes
  /// of those above it. Rows are computed in parallel, each by one thread in a fixed order, so that the bits
  /// are the same for any number of threads. The first call finds the blocks' places; later calls allocate
  /// nothing.
  void compute(Threads& threads, const BlockMatrix& fine, BlockMatrix& coarse);
  /// Into how many slabs the first `compute` cut the product.
  [[nodiscard]] std::size_t slabs() const { return slab_ends_.size(); }

 private:
  using Place = std::uint16_t;

  [[nodiscard]] std::span<const Index> half_row(Index i) const;
  template <class Visit>
  void for_products(Index i, Visit&& visit) const;
  void find_half_rows();
  void find_coarse_rows();
  void find_places();
  void find_slabs();
  void place_slab(std::size_t slab);
  void compute_slab(Threads& threads, const BlockMatrix& fine, BlockMatrix& coarse, std::size_t slab);
  void mirror(BlockMatrix& coarse, Count begin, Count end) const;

  const BlockPattern& fine_;
  GridInterpolation p_;
  BlockPattern coarse_;
  Count slab_;
  bool places_found_ = false;
  // B = A P: the blocks of row i begin at half_offsets_[i]. half_places_ says to which of them each product
  // A_ij P_jc is added.
  std::vector<Count> half_offsets_{0}, half_place_offsets_{0};
  std::vector<Index> half_nodes_;
  std::vector<Place> half_places_;
  // B is made slab by slab. The coarse rows slab_ends_[s - 1] … slab_ends_[s] - 1 read rows of B; these are
  // listed, ascending, in slab_rows_ from slab_row_offsets_[s] on. slab_places_ (rows + 1) says where each of
  // them begins.
  std::vector<Index> slab_ends_, slab_rows_;
  std::vector<Count> slab_row_offsets_{0}, slab_places_;
  std::vector<float> half_values_;
  // A_c = Pᵀ B, on and above the diagonal. For each pair (c, i) of P: how many blocks of B_i are below the
  // diagonal, and to which block of row c, counted from its diagonal, each product P_ic B_ik of the others is
  // added.
  std::vector<Place> coarse_skips_;
  std::vector<Count> coarse_place_offsets_{0};
  std::vector<Place> coarse_places_;
  // Row by row, for each block below the diagonal: the block above it of which it is the transpose.
  std::vector<Count> mirrored_offsets_{0}, mirrored_;
};

}  // namespace electret
