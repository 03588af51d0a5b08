#pragma once
/// \file
/// Symmetric matrices of 3×3 blocks in float32 on a lattice: 27 blocks a row at most, half of them kept.

#include <vector>

#include <electret/linear/lattice.hpp>

namespace electret {

/// Three numbers a node in three arrays, 0 beyond the nodes on both sides.
class LatticeVector {
 public:
  explicit LatticeVector(const LatticeShape& shape);
  [[nodiscard]] float* axis(int k) { return values_.data() + front_ + k * stride_; }
  [[nodiscard]] const float* axis(int k) const { return values_.data() + front_ + k * stride_; }
  /// From one axis to the next.
  [[nodiscard]] Count stride() const { return stride_; }

 private:
  Count front_, stride_;
  std::vector<float> values_;
};

/// Entry (r, c) of the block in row i and the column of i's neighbour of code k ≥ 0 (LatticeShape) is
/// entry(k, 3r + c)[i]: every such array is contiguous along lines, for kernels that work on neighbouring
/// rows side by side. Blocks to the left of the diagonal are the transposes of others' to the right.
class LatticeMatrix {
 public:
  static constexpr int codes = 14;  ///< Kept: 0 … 13.

  explicit LatticeMatrix(const LatticeShape& shape);

  [[nodiscard]] const LatticeShape& shape() const { return shape_; }
  /// Of number 0; there are 0s before it, as far as a neighbour reaches.
  [[nodiscard]] float* entry(int code, int k) { return values_.data() + front_ + (9 * code + k) * stride_; }
  [[nodiscard]] const float* entry(int code, int k) const {
    return values_.data() + front_ + (9 * code + k) * stride_;
  }
  /// From one entry's array to the next.
  [[nodiscard]] Count stride() const { return stride_; }
  /// Numbers that entries are kept of, 0s behind the last node included.
  [[nodiscard]] double bytes() const { return sizeof(float) * static_cast<double>(values_.size()); }

  void set_zero(Threads& threads);
  /// Makes 0 what couples `number` with itself and with others.
  void clear(Index number);

  /// y = A x; the vectors differ. Rows in parallel, each summed in one fixed order.
  void multiply(Threads& threads, const LatticeVector& x, LatticeVector& y) const;

 private:
  LatticeShape shape_;
  Count front_, stride_;
  std::vector<float> values_;
};

}  // namespace electret
