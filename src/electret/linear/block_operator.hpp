#pragma once
/// \file
/// What a Krylov method multiplies by: H = M + a∇²E, assembled or matrix-free.

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>
#include <electret/linear/block_matrix.hpp>

namespace electret {

/// A symmetric 3n×3n operator. The float64 product is the truth that residuals are taken from; the float32
/// product of the same operator drives the iterations.
class BlockOperator {
 public:
  virtual ~BlockOperator() = default;
  [[nodiscard]] virtual Index rows() const = 0;
  /// out = H d in float32; overwrites; lane 3 of `out` is 0. The arrays differ.
  virtual void multiply(PaddedView32 d, PaddedSpan32 out) = 0;
  /// Whether rows of the float32 product can be had without the others, by `multiply_rows`.
  [[nodiscard]] virtual bool has_rows() const { return false; }
  /// The rows begin … end-1, on the caller's thread: the bits of `multiply`.
  virtual void multiply_rows(PaddedView32 /*d*/, PaddedSpan32 /*out*/, Count /*begin*/, Count /*end*/) const {
  }
  /// out = H d in float64; overwrites. The arrays differ.
  virtual void multiply(VectorView d, VectorSpan out) = 0;
};

/// An assembled matrix as an operator; both products are of its float32 entries. `matrix` and `threads` must
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
