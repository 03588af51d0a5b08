#pragma once
/// \file
/// Takes slow motions out of a reduced system A ξ = rhs, so that they are solved in float64.

#include <functional>
#include <vector>

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>
#include <electret/linear/detail/reduction.hpp>
#include <electret/linear/slow_motion.hpp>

namespace electret::detail {

/// Deflation (Nicolaides 1987). Z are the slow motions within the trial bases V of the constraints, Y those
/// within the test bases W, and E = YᵀAZ. In float32 A Z is lost beside the rest of A. A Krylov method
/// therefore solves P A ξ = P r with P = I - A Z E⁻¹ Yᵀ, which leaves nothing to do for Z, and `correct` adds
/// the part of Z in float64.
class Deflation {
 public:
  /// y = A x for reduced vectors of the whole system.
  using Product = std::function<void(VectorView, VectorSpan)>;

  /// `rows` are the system's. Takes one product per motion of the largest group. Allocates.
  void set(Threads& threads, Index rows, const SlowMotions& motions, const Reduction& reduction,
           const Product& product);
  [[nodiscard]] bool is_empty() const { return groups_.empty(); }
  /// Whether A resists every sum of slow motions. A must be symmetric.
  [[nodiscard]] bool is_positive_definite() const { return is_positive_definite_; }
  void clear() {
    groups_.clear();
    is_positive_definite_ = true;
  }

  /// solution += Z E⁻¹ Yᵀ residual; residual ← P residual.
  void correct(Threads& threads, VectorSpan residual, VectorSpan solution) const;
  /// y ← P y.
  void project(Threads& threads, PaddedSpan32 y) const;

 private:
  /// Columns of Z, Y and A Z. E is diagonal once a group is complete, and `size` is the column's entry.
  struct Column {
    VectorArray trial, test, product;
    double size = 0.0;
  };
  /// The columns of one group have the rows of the vertices first … end-1.
  struct Group {
    Index first = 0, end = 0;
    std::vector<Column> columns;
  };
  void take_motions(const SlowMotions& motions, const Reduction& reduction);
  void take_products(Threads& threads, Index rows, const Product& product);
  void make_diagonal(Threads& threads, Group& group);

  std::vector<Group> groups_;
  bool is_positive_definite_ = true;
};

}  // namespace electret::detail
