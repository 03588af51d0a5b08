#pragma once
/// \file
/// The undeformed shape of volume elements at their quadrature points.
///
/// F = (Σ_a x_a ∂N_a/∂ξᵀ) J⁻¹, J = Σ_a X_a ∂N_a/∂ξᵀ; one point of weight det J / 6 in a tetrahedron, 2×2×2
/// Gauss points of weight det J in a hexahedron of any shape. Where all hexahedra are parallelepipeds, as in
/// boxes and voxels, J is kept once for each of them.

#include <span>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/elastic/element_batches.hpp>
#include <electret/elastic/element_block.hpp>

namespace electret {

class RestShape {
 public:
  /// Of `elements`, tetrahedra or hexahedra, in `rest_positions` (n×3, m). Throws InternalError for other
  /// elements, DivergenceError where one is inverted or flat at a point.
  RestShape(const ElementBlock& elements, VectorView rest_positions);

  [[nodiscard]] std::size_t points() const { return points_; }  ///< In an element.
  /// ∂N_a/∂ξ at point `q`: one for each vertex of an element.
  [[nodiscard]] std::span<const Vec3> slopes(std::size_t q) const {
    return std::span(slopes_).subspan(q * vertices_, vertices_);
  }
  /// J⁻¹ at point `q` of element `e`, 1/m.
  [[nodiscard]] Mat3 inverse(Count e, std::size_t q) const;
  /// m³.
  [[nodiscard]] double weight(Count e, std::size_t q) const { return values_[at(e, q) + 9 * width]; }

  /// The order in which kernels work on the elements.
  [[nodiscard]] const ElementBatches& batches() const { return batches_; }
  /// Of batch `k`, at each point J⁻¹ row after row and the weight, of eight elements each; lanes without an
  /// element hold another one's.
  [[nodiscard]] const double* batch(Count k) const {
    return values_.data() + static_cast<std::size_t>(k) * kept_points_ * 10 * width;
  }
  /// Numbers from a point of a batch to the next: 0 where all are the same.
  [[nodiscard]] Count batch_stride() const { return kept_points_ == 1 ? 0 : static_cast<Count>(10 * width); }

 private:
  static constexpr std::size_t width = ElementBatches::width;
  /// The place of the first of ten numbers, `width` apart.
  [[nodiscard]] std::size_t at(Count e, std::size_t q) const {
    const auto place = static_cast<std::size_t>(batches_.place(e));
    return (place / width * kept_points_ + (kept_points_ == 1 ? 0 : q)) * 10 * width + place % width;
  }
  /// J of every element, the points of each one after the other.
  [[nodiscard]] std::vector<Mat3> jacobians(const ElementBlock& elements, VectorView rest_positions) const;
  void keep(std::size_t at, const Mat3& jacobian);

  std::size_t vertices_, points_;
  std::size_t kept_points_ = 1;  ///< 1 where an element's points have the same J.
  std::vector<Vec3> slopes_;
  ElementBatches batches_;
  std::vector<double> values_;  ///< J⁻¹ and the weight of eight elements at a time.
};

}  // namespace electret
