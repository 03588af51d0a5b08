#pragma once
/// \file
/// The undeformed shape of volume elements at their quadrature points.
///
/// F = (Σ_a x_a ∂N_a/∂ξᵀ) J⁻¹ with J = Σ_a X_a ∂N_a/∂ξᵀ. A tetrahedron has one point of weight det J / 6. A
/// hexahedron, of any shape, has 2×2×2 Gauss points of weight det J. If all hexahedra are parallelepipeds, as
/// in boxes and voxels, J is kept only once per hexahedron.

#include <span>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/elastic/element_batches.hpp>
#include <electret/elastic/element_block.hpp>

namespace electret {

class RestShape {
 public:
  /// The shape of `elements` (tetrahedra or hexahedra) at `rest_positions` (n×3, m). Throws InternalError for
  /// other elements, and DivergenceError if an element is inverted or flat at a point.
  RestShape(const ElementBlock& elements, VectorView rest_positions);

  [[nodiscard]] std::size_t points() const { return points_; }  ///< Per element.
  /// ∂N_a/∂ξ at point `q`, one per vertex of an element.
  [[nodiscard]] std::span<const Vec3> slopes(std::size_t q) const {
    return std::span(slopes_).subspan(q * vertices_, vertices_);
  }
  /// J⁻¹ at point `q` of element `e`, 1/m.
  [[nodiscard]] Mat3 inverse(Count e, std::size_t q) const;
  /// The weight of point `q` of element `e`, m³.
  [[nodiscard]] double weight(Count e, std::size_t q) const { return values_[at(e, q) + 9 * width]; }

  /// The batches in which kernels process the elements.
  [[nodiscard]] const ElementBatches& batches() const { return batches_; }
  /// The numbers of batch `k`: at each point J⁻¹, row after row, and the weight, each for eight elements.
  /// Lanes without an element hold those of another one.
  [[nodiscard]] const double* batch(Count k) const {
    return values_.data() + static_cast<std::size_t>(k) * kept_points_ * 10 * width;
  }
  /// How many numbers lie between a point of a batch and the next; 0 if all points are the same.
  [[nodiscard]] Count batch_stride() const { return kept_points_ == 1 ? 0 : static_cast<Count>(10 * width); }

 private:
  static constexpr std::size_t width = ElementBatches::width;
  /// The place of the first of ten numbers, `width` apart.
  [[nodiscard]] std::size_t at(Count e, std::size_t q) const {
    const auto place = static_cast<std::size_t>(batches_.place(e));
    return (place / width * kept_points_ + (kept_points_ == 1 ? 0 : q)) * 10 * width + place % width;
  }
  /// J at all points of every element, element after element.
  [[nodiscard]] std::vector<Mat3> jacobians(const ElementBlock& elements, VectorView rest_positions) const;
  void keep(std::size_t at, const Mat3& jacobian);

  std::size_t vertices_, points_;
  std::size_t kept_points_ = 1;  ///< 1 if an element's points have the same J.
  std::vector<Vec3> slopes_;
  ElementBatches batches_;
  std::vector<double> values_;  ///< J⁻¹ and the weight of eight elements at a time.
};

}  // namespace electret
