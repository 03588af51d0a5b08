#pragma once
/// \file
/// The operator by which a Krylov method multiplies: H = M + a∇²E, assembled or matrix-free.

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>
#include <electret/linear/block_matrix.hpp>

namespace electret {

/// A symmetric 3n×3n operator. Residuals are computed with the float64 product. The iterations use the
/// float32 product of the same operator.
class BlockOperator {
 public:
  virtual ~BlockOperator() = default;
  [[nodiscard]] virtual Index rows() const = 0;
  /// out = H d in float32; overwrites `out`, whose lane 3 becomes 0. The arrays differ.
  virtual void multiply(PaddedView32 d, PaddedSpan32 out) = 0;
  /// Whether `multiply_rows` can compute some rows of the float32 product without the others.
  [[nodiscard]] virtual bool has_rows() const { return false; }
  /// Computes the rows begin … end-1 on the caller's thread, with the bits of `multiply`.
  virtual void multiply_rows(PaddedView32 /*d*/, PaddedSpan32 /*out*/, Count /*begin*/, Count /*end*/) const {
  }
  /// out = H d in float64; overwrites `out`. The arrays differ.
  virtual void multiply(VectorView d, VectorSpan out) = 0;
};

/// An assembled matrix as an operator. Both products use its float32 entries. `matrix` and `threads` must
/// outlive it.
class AssembledOperator final : public BlockOperator {
 public:
  AssembledOperator(const BlockMatrix& matrix, Threads& threads) : matrix_(matrix), threads_(threads) {}
  [[nodiscard]] Index rows() const override { return matrix_.pattern().rows(); }
  void multiply(PaddedView32 d, PaddedSpan32 out) override { matrix_.multiply(threads_, d, out); }
  void multiply(VectorView d, VectorSpan out) override { matrix_.multiply(threads_, d, out); }

 private:
  const BlockMatrix& matrix_;
  Threads& threads_;
};

}  // namespace electret
