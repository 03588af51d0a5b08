#pragma once
/// \file
/// What the device's kernels read of a mesh, and how charges are dealt to them.

#include <electret/field/ddef/discretisation.hpp>
#include <electret/field/gpu/device.hpp>

namespace electret::gpu {

/// The sizes of the kernels (kernels/ddef_*.cl).
inline constexpr Index ddef_chunk = 32;          ///< Tetrahedra of a chunk: the bits of a mask.
inline constexpr Index ddef_block = 256;         ///< Vertices of a group.
inline constexpr Index ddef_tile = 128;          ///< Most charges of a tile of far sums.
inline constexpr Index ddef_most_targets = 124;  ///< Of a group of near sums.
inline constexpr Count ddef_most_parts = 64;     ///< Of the charges in far sums.

/// A mesh as arrays. They depend on the mesh alone, so that they serve as long as it does.
struct MeshTables {
  explicit MeshTables(const ddef::Mesh& mesh);

  Count grid_points;
  ddef::Aspect aspect;
  Index blocks = 0;  ///< Of vertices.
  Index chunks = 0;  ///< Of tetrahedra.
  /// The grid's vertices in the order in which the tetrahedra, which are in Morton order, come by them. On
  /// the device a vertex is its place here.
  std::vector<Index> vertices;
  std::vector<Index> corners;             ///< Four places of `vertices` a tetrahedron.
  std::vector<std::uint32_t> near_begin;  ///< By tetrahedron t: S(t) is near[near_begin[t]] ….
  /// s, and from bit 27 on four flags: s is not near vertex k of t. Bit 31: t ∈ S(s), too.
  std::vector<std::uint32_t> near;
  /// Seven a tetrahedron: the gradients of ψ_1, ψ_2, ψ_3 in the unit cube, each as high and low part; half
  /// the sides of a box around the tetrahedron's middle that holds S(t), in the unit cube, and the Taylor
  /// term's factor (0 or 1/2).
  std::vector<Float4> geometry;
  /// By block and chunk: the row of `masks` (ddef_block words), or -1 if no vertex of the block is near the
  /// chunk.
  std::vector<Index> mask_rows;
  /// By vertex of the block: bit b says that the chunk's tetrahedron b is near.
  std::vector<std::uint32_t> masks;

 private:
  void order_vertices(const ddef::Tessellation& tessellation);
  void fill_near(const ddef::Mesh& mesh);
  void fill_geometry(const ddef::Mesh& mesh);
  void fill_masks(const ddef::Mesh& mesh);
};

/// What derivative products read of a mesh, besides.
struct ProductTables {
  ProductTables(const ddef::Mesh& mesh, const MeshTables& tables);

  std::vector<std::uint32_t> seen_begin;
  /// By tetrahedron s: the tetrahedra t with s ∈ S(t), and from bit 27 on four flags: s is not near vertex k
  /// of t. Bit 31: t ∈ S(s), too.
  std::vector<std::uint32_t> seen;
  /// By vertex (a place of MeshTables::vertices): the corners 4 t + k that it is, ascending.
  std::vector<Index> around_begin, around;
};

/// What a kernel of far sums reads at a time: neighbouring charges of one chunk.
struct FarTiles {
  std::vector<Int4> tiles;  ///< {first charge, number, chunk, 0}.
  std::vector<Index>
      part_begin;  ///< Part p is tiles [part_begin[p], part_begin[p + 1]). It has about n/parts charges.

  void cut(const ddef::SortedPoints& sources, Index tetrahedra);
};

/// Groups of near sums. Targets of a large tetrahedron are dealt to as many groups as keep lanes busy. Groups
/// that take long come first, so that none is left alone at the end.
struct NearGroups {
  std::vector<Int4> groups;  ///< {tetrahedron, first target, number, 1 for the tetrahedron's first group}.
  std::vector<Count> pairs;  ///< Of a group, about; lanes that have no pair count, too.

  void cut(const ddef::Discretisation& discretisation, Threads& threads);

 private:
  void deal(const ddef::SortedPoints& targets);
  void sort();

  std::vector<Count> near_;  ///< The charges in S(t), by place of t among the occupied tetrahedra.
  std::vector<Int4> unsorted_;
  std::vector<Count> unsorted_pairs_;
};

/// Calls launch(begin, end) for ranges of items [0, n) of about `most` pairs each, where item k has pairs(k).
template <class Pairs, class Launch>
void in_launches(Count n, Count most, Pairs&& pairs, Launch&& launch) {
  Count begin = 0, sum = 0;
  for (Count k = 0; k < n; ++k) {
    sum += pairs(k);
    if (sum < most && k + 1 < n) continue;
    launch(static_cast<Index>(begin), static_cast<Index>(k + 1));
    begin = k + 1;
    sum = 0;
  }
}

}  // namespace electret::gpu
