#pragma once
/// \file
/// Applies the bases of constrained vertices to whole vectors in place.

#include <span>
#include <vector>

#include <electret/core/padded.hpp>
#include <electret/core/parallel.hpp>
#include <electret/linear/vertex_constraint.hpp>

namespace electret::detail {

/// The constraints of one system. For its transpose, V and W are exchanged and D is transposed. Pins are kept
/// by their numbers alone.
class Reduction {
 public:
  /// No vertex may be named twice. Allocates if there are more constraints or pins than before.
  void set(std::span<const VertexConstraint> constraints, std::span<const Index> pins, bool transposed);

  /// Whether no vertex has a constraint other than a pin.
  [[nodiscard]] bool has_pins_only() const { return constraints_.empty(); }
  /// Those of one or more columns, ascending by vertex.
  [[nodiscard]] std::span<const VertexConstraint> constraints() const { return constraints_; }
  /// Ascending.
  [[nodiscard]] std::span<const Index> pins() const { return pins_; }

  /// x_i ← V x_i.
  void expand(Threads& threads, VectorSpan x) const;
  /// V x, in `work`. If all constraints are pins, it is x itself, which is 0 at pins.
  [[nodiscard]] PaddedView32 expanded(Threads& threads, PaddedView32 x, std::vector<Padded32>& work) const;
  [[nodiscard]] VectorView expanded(Threads& threads, VectorView x, VectorArray& work) const;
  /// y_i ← Wᵀ y_i + D x_i.
  void test(Threads& threads, PaddedView32 x, PaddedSpan32 y) const;
  void test(Threads& threads, VectorView x, VectorSpan y) const;
  /// The same for the rows begin … end-1 alone, on the caller's thread. All constraints must be pins.
  void test_rows(PaddedSpan32 y, Count begin, Count end) const;
  /// Keeps the first k numbers of each x_i and sets the others to 0.
  void trim(Threads& threads, VectorSpan x) const;

 private:
  std::vector<VertexConstraint> constraints_;
  std::vector<Index> pins_;
};

/// Sets the rows of an array to 0 at those of `pins` (ascending) that are among begin … end-1.
void clear_rows(std::span<const Index> pins, PaddedSpan32 y, Count begin, Count end);

}  // namespace electret::detail
