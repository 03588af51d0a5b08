#pragma once
/// \file
/// A volume mesh in a few numbers.

#include <electret/geometry/mesh.hpp>

namespace electret {

struct VolumeReport {
  std::size_t tetrahedra = 0, hexahedra = 0;
  double volume = 0.0;         ///< m³; inverted elements count negative.
  double worst_quality = 1.0;  ///< The smallest `element_quality`.
  std::size_t worst_element = 0;
};

/// The report on the elements of `mesh`, which has at least one, if its vertices are at `vertices` (n×3, m).
VolumeReport volume_report(const Mesh& mesh, VectorView vertices);

}  // namespace electret
