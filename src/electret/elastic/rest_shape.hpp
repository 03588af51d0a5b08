#pragma once
/// \file
/// The undeformed shape of volume elements at their quadrature points.
///
/// F = (Σ_a x_a ∂N_a/∂ξᵀ) J⁻¹, J = Σ_a X_a ∂N_a/∂ξᵀ; one point of weight det J / 6 in a tetrahedron, 2×2×2
/// Gauss points of weight det J in a hexahedron of any shape.

#include <span>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/elastic/element_block.hpp>

namespace electret {

class RestShape {
 public:
  /// Of `elements`, tetrahedra or hexahedra, in `rest_positions` (n×3, m). Throws InternalError for other
  /// elements, and where one is inverted or flat at a point.
  RestShape(const ElementBlock& elements, VectorView rest_positions);

  [[nodiscard]] std::size_t points() const { return points_; }  ///< In an element.
  /// ∂N_a/∂ξ at point `q`: one for each vertex of an element.
  [[nodiscard]] std::span<const Vec3> slopes(std::size_t q) const {
    return std::span(slopes_).subspan(q * vertices_, vertices_);
  }
  /// J⁻¹ at point `q` of element `e`, 1/m.
  [[nodiscard]] const Mat3& inverse(Count e, std::size_t q) const { return inverses_[at(e, q)]; }
  /// m³.
  [[nodiscard]] double weight(Count e, std::size_t q) const { return weights_[at(e, q)]; }

 private:
  [[nodiscard]] std::size_t at(Count e, std::size_t q) const {
    return static_cast<std::size_t>(e) * points_ + q;
  }
  std::size_t vertices_, points_;
  std::vector<Vec3> slopes_;
  std::vector<Mat3> inverses_;
  std::vector<double> weights_;
};

}  // namespace electret
