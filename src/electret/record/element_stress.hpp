#pragma once
/// \file
/// Stress and energy of volume elements, for pictures and exports.

#include <array>
#include <memory>
#include <vector>

#include <electret/elastic/material.hpp>
#include <electret/elastic/rest_shape.hpp>

namespace electret {

/// Of the materials of one element, as means over its undeformed volume.
struct ElementStress {
  std::array<double, 6> cauchy{};  ///< σ = P Fᵀ / det F, Pa: xx, yy, zz, xy, yz, xz.
  double von_mises = 0.0;          ///< Of that mean σ, Pa: √(3/2) |σ - (tr σ / 3) I|.
  double energy_density = 0.0;     ///< Ψ, J/m³ of undeformed volume.
  /// False where an element is flat, so that σ or Ψ has no finite value: all numbers above are 0 then.
  bool is_defined = true;
};

/// The elements of a body and what they are made of. Elements are numbered tetrahedra first.
class ElementStresses {
 public:
  /// One material of some elements; several of one element add up.
  struct Part {
    MaterialModel model = MaterialModel::corotated;
    Lame lame;
    std::vector<Index> elements;
  };

  /// `tetrahedra` and `hexahedra` of the undeformed `rest_positions` (n×3, m). Throws InternalError where an
  /// element is inverted or flat at rest.
  ElementStresses(std::vector<std::array<Index, 4>> tetrahedra, std::vector<std::array<Index, 8>> hexahedra,
                  VectorView rest_positions, std::vector<Part> parts);

  /// One for each element, in `positions` (n×3, m).
  [[nodiscard]] std::vector<ElementStress> at(VectorView positions) const;

 private:
  std::vector<std::array<Index, 4>> tetrahedra_;
  std::vector<std::array<Index, 8>> hexahedra_;
  std::unique_ptr<RestShape> tetrahedra_at_rest_, hexahedra_at_rest_;
  std::vector<Part> parts_;
};

}  // namespace electret
