#pragma once
/// \file
/// Stress and energy of volume elements, for pictures and exports.

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include <electret/elastic/material.hpp>
#include <electret/elastic/rest_shape.hpp>

namespace electret {

struct Assembly;

/// The stress and energy of the materials of one element, as means over its undeformed volume.
struct ElementStress {
  /// σ = P Fᵀ / det F, Pa: xx, yy, zz, xy, yz, xz. Of the model `linear` it is P itself.
  std::array<double, 6> cauchy{};
  double von_mises = 0.0;       ///< √(3/2) |σ - (tr σ / 3) I| of that mean σ, Pa.
  double energy_density = 0.0;  ///< Ψ, J/m³ of undeformed volume.
  /// False if the element is so flat that σ or Ψ has no finite value; all numbers above are then 0.
  bool is_defined = true;
};

/// The elements of a body and their materials. Elements are numbered with the tetrahedra first.
class ElementStresses {
 public:
  /// One material of some elements. If an element has several, they add up.
  struct Part {
    MaterialModel model = MaterialModel::corotated;
    Lame lame;
    std::vector<Index> elements;
  };

  /// `tetrahedra` and `hexahedra` index the undeformed `rest_positions` (n×3, m). Throws DivergenceError if
  /// an element is inverted or flat at rest.
  ElementStresses(std::vector<std::array<Index, 4>> tetrahedra, std::vector<std::array<Index, 8>> hexahedra,
                  VectorView rest_positions, std::vector<Part> parts);

  /// Puts these materials in place of the present ones.
  void set_parts(std::vector<Part> parts) { parts_ = std::move(parts); }

  /// One per element, at `positions` (n×3, m).
  [[nodiscard]] std::vector<ElementStress> at(VectorView positions) const;

 private:
  std::vector<std::array<Index, 4>> tetrahedra_;
  std::vector<std::array<Index, 8>> hexahedra_;
  std::unique_ptr<RestShape> tetrahedra_at_rest_, hexahedra_at_rest_;
  std::vector<Part> parts_;
};

/// The stress of each element of `assembly` at `positions` (n×3, m), with the tetrahedra first. It is 0 for
/// elements without a material. Throws DivergenceError if an element with a material is inverted or flat at
/// rest.
std::vector<ElementStress> element_stresses(const Assembly& assembly, VectorView positions);

}  // namespace electret
