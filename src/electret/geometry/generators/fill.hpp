#pragma once
/// \file
/// Solids that are made from a surface: hexahedra of a grid ("voxels"), or tetrahedra that follow the surface
/// ("fill").

#include <electret/geometry/generators.hpp>
#include <electret/geometry/surface_tree.hpp>

namespace electret {

/// Where the grid of `voxels` lies.
enum class VoxelGrid {
  centred,  ///< As many cells as cover the surface's box, centred on it.
  corner,   ///< From the box's lowest corner on, as many cells as fit into it: floor(extent / cell_size).
};

/// The cubes of a grid whose centres are inside the surface, where the winding number is over ½. The grid has
/// cells of `cell_size`, m. Vertices and cubes are numbered with x fastest.
Mesh voxels(const SurfaceTree& surface, double cell_size, VoxelGrid grid = VoxelGrid::centred);

/// Tetrahedra that are made by isosurface stuffing (stuffing.hpp).
Mesh filled(const SurfaceTree& surface, double cell_size);

/// The surface tied to `solid`, which was made from it, and how well the two fit.
FilledSurface surface_of_solid(const Mesh& solid, const Mesh& surface, const SurfaceTree& tree);

const Shape& voxels_shape();
const Shape& fill_shape();

}  // namespace electret
