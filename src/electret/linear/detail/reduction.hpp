#pragma once
/// \file
/// Applies the bases of constrained vertices to whole vectors in place.

#include <span>
#include <vector>

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>
#include <electret/linear/vertex_constraint.hpp>

namespace electret::detail {

/// The constraints of one system. For its transpose, V and W are exchanged and D is transposed.
class Reduction {
 public:
  void set(std::span<const VertexConstraint> constraints, bool transposed);

  /// Whether no vertex is constrained.
  [[nodiscard]] bool is_identity() const { return constraints_.empty(); }

  /// x_i ← V x_i.
  void expand(Threads& threads, VectorSpan x) const;
  /// V x, in `work`. If all constraints are pins, it is x itself, which is 0 at pins.
  [[nodiscard]] PaddedView32 expanded(Threads& threads, PaddedView32 x, std::vector<Padded32>& work) const;
  [[nodiscard]] VectorView expanded(Threads& threads, VectorView x, VectorArray& work) const;
  /// y_i ← Vᵀ y_i.
  void project(Threads& threads, PaddedSpan32 y) const;
  /// y_i ← Wᵀ y_i + D x_i.
  void test(Threads& threads, PaddedView32 x, PaddedSpan32 y) const;
  void test(Threads& threads, VectorView x, VectorSpan y) const;
  /// Keeps the first k numbers of each x_i and sets the others to 0.
  void trim(Threads& threads, VectorSpan x) const;

 private:
  template <class Body>
  void for_constraints(Threads& threads, Body&& body) const;

  std::vector<VertexConstraint> constraints_;
  bool pins_only_ = true;
};

}  // namespace electret::detail
