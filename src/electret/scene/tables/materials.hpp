#pragma once
/// \file
/// `[[body.material]]`.

#include <string>
#include <vector>

#include <electret/scene/numbers.hpp>
#include <electret/scene/tables/element_groups.hpp>

namespace electret {

struct SceneTable;

/// `[[body.material]]`: what elements are made of. Several materials on the same elements add up.
struct Material {
  std::string model{};          ///< One of `material_models` (elastic/options.hpp).
  double youngs_modulus = 0.0;  ///< Pa, > 0.
  double poissons_ratio = 0.0;  ///< In (-1, ½).
  std::string group{};          ///< An element group; empty: all elements.
};

/// One `[[body.material]]`. Moduli and ratios are listed for its tetrahedra first, then for its hexahedra.
struct MaterialTrack {
  std::size_t body = 0;  ///< The body's number.
  std::string model;     ///< "corotated".
  ElementSet elements;
  std::vector<double> youngs_modulus;  ///< Pa, one per element.
  std::vector<double> poissons_ratio;  ///< One per element.
  std::string name;                    ///< "body.NAME.material.I"; "body.NAME" if it is the only one.
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind youngs_modulus, poissons_ratio;
}

/// The table itself.
SceneTable material_table();

}  // namespace electret
