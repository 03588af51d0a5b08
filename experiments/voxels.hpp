#pragma once
/// \file
/// Bodies of equal cubes, as the published experiments with contact have them ([DiffPD]).

#include <array>
#include <set>
#include <string>
#include <vector>

#include <electret/geometry/mesh.hpp>

namespace electret::experiments {

/// A cube by its place in the grid.
using Cell = std::array<int, 3>;

/// Cubes of `size` m, of which that at (0, 0, 0) has its lowest corner in the origin. Vertices ascend by x,
/// then y, then z, as in the published code, whose random numbers depend on the order.
class VoxelBody {
 public:
  VoxelBody(const std::set<Cell>& cells, double size);
  /// One that is made already.
  explicit VoxelBody(Mesh mesh);

  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  /// The vertices of one cube alone, ascending: those that touch obstacles in the published scenes.
  [[nodiscard]] const std::vector<Index>& corners() const { return corners_; }

 private:
  Mesh mesh_;
  std::vector<Index> corners_;
};

/// The cubes of an n×n×n grid for whose middles, in cells from the grid's middle, `is_inside` holds.
template <class IsInside>
std::set<Cell> cells_within(int n, IsInside&& is_inside) {
  std::set<Cell> cells;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        if (is_inside(i + 0.5 - 0.5 * n, j + 0.5 - 0.5 * n, k + 0.5 - 0.5 * n)) cells.insert({i, j, k});
  return cells;
}

/// Rows of a table with the columns x, y, z.
[[nodiscard]] std::string csv_of(const VectorArray& rows);

}  // namespace electret::experiments
