#pragma once
/// \file
/// Two parts of surfaces that may touch: a vertex and a triangle, or two edges.

#include <array>
#include <compare>

#include <electret/core/types.hpp>

namespace electret {

enum class PairKind : unsigned char { vertex_triangle, edge_edge };

/// Four different vertices: a vertex and the corners of a triangle, or the ends of two edges. Pairs are
/// ordered by kind, then by vertices. A surface names each pair in one way (contact_surface.hpp): the first
/// end of an edge is the smaller index, the first edge is the smaller one.
struct SurfacePair {
  PairKind kind = PairKind::vertex_triangle;
  std::array<Index, 4> vertices{};

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes what the compiler compares with for a pointer.
  friend constexpr auto operator<=>(const SurfacePair&, const SurfacePair&) = default;
};

}  // namespace electret
