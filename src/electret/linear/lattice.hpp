#pragma once
/// \file
/// Vertices that lie on a regular grid and are coupled to their neighbours there alone: boxes and voxels of
/// hexahedra, boxes of tetrahedra. Their matrices need no column numbers.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/linear/block_matrix.hpp>

namespace electret {

/// Nodes along the three axes. Node (x, y, z) has the number x·stride(0) + y·stride(1) + z; behind every line
/// along z and behind every plane's lines follow numbers of no node, so that a node's neighbours outside the
/// grid have numbers of their own.
class LatticeShape {
 public:
  LatticeShape() = default;
  explicit LatticeShape(const std::array<Index, 3>& nodes) : nodes_(nodes) {}

  [[nodiscard]] Index nodes(int axis) const { return nodes_[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] Index stride(int axis) const {
    const Index line = nodes_[2] + 1;
    return axis == 0 ? (nodes_[1] + 1) * line : axis == 1 ? line : 1;
  }
  /// All numbers.
  [[nodiscard]] Count size() const { return Count{nodes_[0]} * stride(0); }
  /// Every node's number, ascending.
  [[nodiscard]] std::vector<Index> numbers() const;

  /// Twice the step along every axis of three nodes or more; an even number of nodes reaches one step beyond
  /// the last.
  [[nodiscard]] LatticeShape coarser() const;

  /// Neighbours at (dx, dy, dz), each -1, 0 or 1, have the code 9 dx + 3 dy + dz.
  [[nodiscard]] Index offset(int code) const;
  /// The code of a node's neighbour.
  [[nodiscard]] int code(Index from, Index to) const;

  friend bool operator==(const LatticeShape&, const LatticeShape&) = default;

 private:
  std::array<Index, 3> nodes_{};
};

struct Lattice {
  LatticeShape shape;
  std::vector<Index> numbers;  ///< Of each vertex.
};

/// The grid that the vertices lie on at rest (n×3, m), to a fifth of its step, in any rotation, where every
/// element joins neighbours on it alone and it has at most twice as many nodes as there are vertices; none
/// else. Its axes are edges of the first element of the first list.
std::optional<Lattice> find_lattice(VectorView rest, std::span<const ElementList> lists);

}  // namespace electret
