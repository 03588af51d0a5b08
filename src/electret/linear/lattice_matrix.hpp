#pragma once
/// \file
/// Symmetric matrices of 3×3 blocks in float32 on a lattice, with at most 27 blocks per row, half of which
/// are stored.

#include <vector>

#include <electret/linear/lattice.hpp>

namespace electret {

/// Three numbers per node in three arrays, which are 0 beyond the nodes on both sides.
class LatticeVector {
 public:
  explicit LatticeVector(const LatticeShape& shape);
  [[nodiscard]] float* axis(int k) { return values_.data() + front_ + k * stride_; }
  [[nodiscard]] const float* axis(int k) const { return values_.data() + front_ + k * stride_; }
  /// The distance from one axis's array to the next.
  [[nodiscard]] Count stride() const { return stride_; }

 private:
  Count front_, stride_;
  std::vector<float> values_;
};

/// Entry (r, c) of the block in row i and the column of i's neighbour of code k ≥ 0 (LatticeShape) is
/// entry(k, 3r + c)[i]. Every such array is contiguous along lines, for kernels that process neighbouring
/// rows side by side. Blocks left of the diagonal are transposes of blocks right of it and are not stored.
class LatticeMatrix {
 public:
  static constexpr int codes = 14;  ///< The codes that are stored: 0 … 13.

  explicit LatticeMatrix(const LatticeShape& shape);

  [[nodiscard]] const LatticeShape& shape() const { return shape_; }
  /// The array of an entry, from number 0 on. Before it are zeros, as far as a neighbour reaches.
  [[nodiscard]] float* entry(int code, int k) { return values_.data() + front_ + (9 * code + k) * stride_; }
  [[nodiscard]] const float* entry(int code, int k) const {
    return values_.data() + front_ + (9 * code + k) * stride_;
  }
  /// The distance from one entry's array to the next.
  [[nodiscard]] Count stride() const { return stride_; }
  /// The bytes of all entries, including the zeros around the nodes.
  [[nodiscard]] double bytes() const { return sizeof(float) * static_cast<double>(values_.size()); }

  void set_zero(Threads& threads);
  /// Sets all blocks in the row and column of `number` to 0.
  void clear(Index number);

  /// y = A x; the vectors differ. Rows are computed in parallel, each summed in a fixed order.
  void multiply(Threads& threads, const LatticeVector& x, LatticeVector& y) const;

 private:
  LatticeShape shape_;
  Count front_, stride_;
  std::vector<float> values_;
};

}  // namespace electret
