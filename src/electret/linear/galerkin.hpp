#pragma once
/// \file
/// Coarse matrices A_c = (P ⊗ I₃)ᵀ A (P ⊗ I₃) by two passes over rows, each block's place known beforehand.

#include <cstdint>
#include <vector>

#include <electret/linear/block_matrix.hpp>

namespace electret {

/// A sparse matrix P of weights, by rows and by columns.
struct GridInterpolation {
  Index rows = 0, columns = 0;
  std::vector<Count> offsets{0};  ///< rows + 1.
  std::vector<Index> nodes;       ///< Columns of row i: nodes[offsets[i]] …
  std::vector<float> weights;
  std::vector<Count> column_offsets{0};  ///< columns + 1.
  std::vector<Index> column_rows;        ///< Rows of column c, ascending: column_rows[column_offsets[c]] …
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
  /// The coarse pattern. `fine` must outlive the product. A column of P without
  /// entries is not allowed. Throws InternalError where sizes do not fit.
  /// `slab`: of A P so many blocks are held at a time, or an eighth of all where that is more.
  GalerkinProduct(const BlockPattern& fine, GridInterpolation interpolation, Count slab = default_slab);

  static constexpr Count default_slab = 2'000'000;

  [[nodiscard]] const GridInterpolation& interpolation() const { return p_; }
  [[nodiscard]] const BlockPattern& pattern() const { return coarse_; }

  /// `coarse` = Pᵀ `fine` P, `fine` symmetric: what lies below the diagonal is the transpose of what lies
  /// above it. Rows in parallel, each by one thread in one order: the same bits for any number of threads.
  /// The first call finds the blocks' places; later ones allocate nothing.
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
  // B = A P: row i's blocks are half_offsets_[i] … of B; half_places_ says to which of them each product
  // A_ij P_jc goes.
  std::vector<Count> half_offsets_{0}, half_place_offsets_{0};
  std::vector<Index> half_nodes_;
  std::vector<Place> half_places_;
  // B is made slab by slab: coarse rows slab_ends_[s - 1] … slab_ends_[s] - 1 read the rows slab_rows_ of B,
  // ascending, from slab_row_offsets_[s] on; slab_places_ (rows + 1) says where each of them begins.
  std::vector<Index> slab_ends_, slab_rows_;
  std::vector<Count> slab_row_offsets_{0}, slab_places_;
  std::vector<float> half_values_;
  // A_c = Pᵀ B, diagonal and above: of each pair (c, i) of P, how many blocks of B_i lie below the diagonal,
  // and to which block of row c, counted from its diagonal, each product P_ic B_ik of the others goes.
  std::vector<Place> coarse_skips_;
  std::vector<Count> coarse_place_offsets_{0};
  std::vector<Place> coarse_places_;
  // The blocks above the diagonal that those below it are transposes of, row by row.
  std::vector<Count> mirrored_offsets_{0}, mirrored_;
};

}  // namespace electret
