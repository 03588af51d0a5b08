#pragma once
/// \file
/// Solids made from a surface: hexahedra of a grid ("voxels"), or tetrahedra that follow the surface
/// ("fill").

#include <electret/geometry/generators.hpp>
#include <electret/geometry/surface_tree.hpp>

namespace electret {

/// The cubes of a grid of `cell_size`, m, centred on the surface's box, whose centres are inside: where the
/// winding number is over ½. Vertices and cubes with x fastest.
Mesh voxels(const SurfaceTree& surface, double cell_size);

/// Tetrahedra by isosurface stuffing (stuffing.hpp).
Mesh filled(const SurfaceTree& surface, double cell_size);

/// The surface tied to `solid`, which was made from it, and how well that fits.
FilledSurface surface_of_solid(const Mesh& solid, const Mesh& surface, const SurfaceTree& tree);

const Shape& voxels_shape();
const Shape& fill_shape();

}  // namespace electret
