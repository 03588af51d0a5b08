#pragma once
/// \file
/// Background grids over bodies at rest: the coarse spaces of multigrid, and the interpolation between them.

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <electret/linear/galerkin.hpp>

namespace electret {

/// Where a level's unknowns lie: in the unit cube of their body's box, along the axes that are not flat.
struct GridPoints {
  VectorArray places;
  std::vector<Index> bodies;  ///< -1: takes no part.

  [[nodiscard]] Index size() const { return static_cast<Index>(bodies.size()); }
};

/// Cells along the three axes of a body's box; 0 along a flat one.
using GridCells = std::array<Count, 3>;

/// A grid over `points`: trilinear weights, and its nodes, those without weight left out.
struct Grid {
  GridInterpolation interpolation;
  GridPoints nodes;
};
Grid make_grid(const GridPoints& points, std::span<const GridCells> cells_of_bodies);

/// Level 0 has a row a vertex; each next one a row a node of a grid of twice the cell's size, down to 100
/// nodes or to what gets no smaller. A body's first cell is the smallest of 2.5, 3, 4, 5, 6 and 8 edges (the
/// mean over its vertices of the shortest) with which the first coarse matrix has at most a quarter of the
/// fine one's blocks. Locally affine deformations carry the rotations, so that P ⊗ I₃ is built once, at rest.
class GridLevels {
 public:
  /// `rest`: the vertices' places, metres; vertices body_offsets[b] … body_offsets[b+1]-1 are body b. `held`
  /// (1: does not move; empty: none) and vertices without neighbours take no part. Throws InternalError where
  /// sizes do not fit. `pattern` must outlive the levels.
  GridLevels(const BlockPattern& pattern, VectorView rest, std::span<const Index> body_offsets,
             std::span<const char> held);

  static constexpr Index coarsest_nodes = 100;

  /// The number of levels, the fine one included: 1 or more.
  [[nodiscard]] int levels() const { return static_cast<int>(products_.size()) + 1; }
  [[nodiscard]] const BlockPattern& pattern(int level) const {
    return level == 0 ? *fine_ : products_[static_cast<std::size_t>(level) - 1]->pattern();
  }
  /// From level + 1 to `level`.
  [[nodiscard]] const GridInterpolation& interpolation(int level) const {
    return product(level).interpolation();
  }
  /// What makes the matrix of level + 1 from that of `level`.
  [[nodiscard]] GalerkinProduct& product(int level) const {
    return *products_[static_cast<std::size_t>(level)];
  }
  /// The first grid's cell in edges; 0 where there is no grid.
  [[nodiscard]] double cell() const { return cell_; }

 private:
  const BlockPattern* fine_;
  std::vector<std::unique_ptr<GalerkinProduct>> products_;
  double cell_ = 0.0;
};

}  // namespace electret
