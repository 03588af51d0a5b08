#pragma once
/// \file
/// The bases of constrained vertices, applied to whole vectors in place.

#include <span>
#include <vector>

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>
#include <electret/linear/vertex_constraint.hpp>

namespace electret::detail {

/// The constraints of one system, or, for its transpose, with V and W exchanged and D transposed.
class Reduction {
 public:
  void set(std::span<const VertexConstraint> constraints, bool transposed);

  /// No vertex is constrained.
  [[nodiscard]] bool is_identity() const { return constraints_.empty(); }

  /// x_i ← V x_i.
  void expand(Threads& threads, VectorSpan x) const;
  /// Vx, in `work`; x itself, which is 0 at pins, where all constraints are pins.
  [[nodiscard]] PaddedView32 expanded(Threads& threads, PaddedView32 x, std::vector<Padded32>& work) const;
  [[nodiscard]] VectorView expanded(Threads& threads, VectorView x, VectorArray& work) const;
  /// y_i ← Vᵀ y_i.
  void project(Threads& threads, PaddedSpan32 y) const;
  /// y_i ← Wᵀ y_i + D x_i.
  void test(Threads& threads, PaddedView32 x, PaddedSpan32 y) const;
  void test(Threads& threads, VectorView x, VectorSpan y) const;
  /// x_i ← its first k numbers.
  void trim(Threads& threads, VectorSpan x) const;

 private:
  template <class Body>
  void for_constraints(Threads& threads, Body&& body) const;

  std::vector<VertexConstraint> constraints_;
  bool pins_only_ = true;
};

}  // namespace electret::detail
