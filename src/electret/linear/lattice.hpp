#pragma once
/// \file
/// Vertices that lie on a regular grid and are coupled only to their neighbours on it: boxes and voxels of
/// hexahedra, and boxes of tetrahedra. Their matrices need no column indices.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/linear/block_matrix.hpp>

namespace electret {

/// A grid of nodes along three axes. Node (x, y, z) has the number x·stride(0) + y·stride(1) + z. Every line
/// along z and every plane's lines are followed by numbers that belong to no node, so that a node's
/// neighbours outside the grid have numbers of their own.
class LatticeShape {
 public:
  LatticeShape() = default;
  explicit LatticeShape(const std::array<Index, 3>& nodes) : nodes_(nodes) {}

  [[nodiscard]] Index nodes(int axis) const { return nodes_[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] Index stride(int axis) const {
    const Index line = nodes_[2] + 1;
    return axis == 0 ? (nodes_[1] + 1) * line : axis == 1 ? line : 1;
  }
  /// How many numbers there are, with those of no node.
  [[nodiscard]] Count size() const { return Count{nodes_[0]} * stride(0); }
  /// Every node's number, ascending.
  [[nodiscard]] std::vector<Index> numbers() const;

  /// The grid with twice the step along every axis of three or more nodes. If an axis has an even number of
  /// nodes, the coarser grid reaches one step beyond the last.
  [[nodiscard]] LatticeShape coarser() const;

  /// The difference of numbers to the neighbour of `code`. The neighbour at (dx, dy, dz), each -1, 0 or 1,
  /// has the code 9 dx + 3 dy + dz.
  [[nodiscard]] Index offset(int code) const;
  /// The code of a node's neighbour.
  [[nodiscard]] int code(Index from, Index to) const;

  friend bool operator==(const LatticeShape&, const LatticeShape&) = default;

 private:
  std::array<Index, 3> nodes_{};
};

struct Lattice {
  LatticeShape shape;
  std::vector<Index> numbers;  ///< The number of each vertex.
};

/// The grid, in any rotation, on which the vertices lie at rest (n×3, m), to a fifth of its step. There is
/// one only if every element joins only neighbours on it, and it has at most twice as many nodes as there are
/// vertices. Its axes are edges of the first element of the first list.
std::optional<Lattice> find_lattice(VectorView rest, std::span<const ElementList> lists);

}  // namespace electret
