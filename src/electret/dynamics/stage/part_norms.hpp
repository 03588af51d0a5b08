#pragma once
/// \file
/// Norms over each joined part of a system. One norm over all vertices hides what a light part does beside a
/// heavy one.

#include <vector>

#include <electret/dynamics/system.hpp>

namespace electret {

/// The parts that elements join and of which a vertex may move.
class PartNorms {
 public:
  explicit PartNorms(const System& system);

  [[nodiscard]] std::size_t count() const { return count_; }
  /// Whether there is more than one.
  [[nodiscard]] bool is_divided() const { return count_ > 1; }
  /// The part of vertex i; -1 if nothing of its part may move.
  [[nodiscard]] Index part_of(std::size_t i) const { return part_[i]; }

  /// squares[p] ← Σ weight_i² ‖x_i‖² over the vertices of part p. `squares` has `count()` rows.
  void find_squares(ScalarView weights, VectorView x, ScalarSpan squares) const;
  /// The same with weights 1.
  void find_squares(VectorView x, ScalarSpan squares) const;

 private:
  std::vector<Index> part_;
  std::size_t count_ = 0;
};

}  // namespace electret
