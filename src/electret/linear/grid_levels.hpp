#pragma once
/// \file
/// Background grids over bodies at rest, which are the coarse spaces of multigrid, and the interpolation
/// between them.

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <electret/linear/galerkin.hpp>

namespace electret {

/// Where a level's unknowns are: in the unit cube of their body's box, along the axes that are not flat.
struct GridPoints {
  VectorArray places;
  std::vector<Index> bodies;  ///< One per unknown; -1 if it takes no part.

  [[nodiscard]] Index size() const { return static_cast<Index>(bodies.size()); }
};

/// The numbers of cells along the three axes of a body's box; 0 along a flat one.
using GridCells = std::array<Count, 3>;

/// A grid over points: trilinear weights, and the nodes with a weight that is not 0.
struct Grid {
  GridInterpolation interpolation;
  GridPoints nodes;
};
Grid make_grid(const GridPoints& points, std::span<const GridCells> cells_of_bodies);

/// Level 0 has one row per vertex. Each further level has one row per node of a grid. The cells double in
/// size from grid to grid, until there are at most 100 nodes or the next grid would be no smaller. A body's
/// first cell is a multiple of the edge length (the mean over its vertices of the shortest edge): the
/// smallest of 2.5, 3, 4, 5, 6 and 8 with which the first coarse matrix has at most a quarter of the fine
/// one's blocks. P ⊗ I₃ is built only once, at rest, because locally affine deformations include rotations.
class GridLevels {
 public:
  /// `rest` holds the vertices' positions at rest, m. Vertices body_offsets[b] … body_offsets[b+1]-1 are body
  /// b. Vertices that are held (1 in `held`; empty: none) or have no neighbours take no part. Throws
  /// InternalError if sizes do not fit. `pattern` must outlive the levels.
  GridLevels(const BlockPattern& pattern, VectorView rest, std::span<const Index> body_offsets,
             std::span<const char> held);

  static constexpr Index coarsest_nodes = 100;

  /// The number of levels, the fine one included: 1 or more.
  [[nodiscard]] int levels() const { return static_cast<int>(products_.size()) + 1; }
  [[nodiscard]] const BlockPattern& pattern(int level) const {
    return level == 0 ? *fine_ : products_[static_cast<std::size_t>(level) - 1]->pattern();
  }
  /// The interpolation from level + 1 to `level`.
  [[nodiscard]] const GridInterpolation& interpolation(int level) const {
    return product(level).interpolation();
  }
  /// The product that makes the matrix of level + 1 from that of `level`.
  [[nodiscard]] GalerkinProduct& product(int level) const {
    return *products_[static_cast<std::size_t>(level)];
  }
  /// The cell of the first grid in edge lengths; 0 if there is no grid.
  [[nodiscard]] double cell() const { return cell_; }

 private:
  const BlockPattern* fine_;
  std::vector<std::unique_ptr<GalerkinProduct>> products_;
  double cell_ = 0.0;
};

}  // namespace electret
