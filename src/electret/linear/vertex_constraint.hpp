#pragma once
/// \file
/// Constraints of single vertices as reduced bases.

#include <array>

#include <electret/core/types.hpp>

namespace electret {

/// What vertex `vertex` may do: its displacement is δ = V ξ with ξ of k = `columns` numbers, its equations
/// are tested by W, and D is added to its reduced block: the system is (WᵀHV + D) ξ = rhs, with V = W = I and
/// D = 0 at the vertices without a constraint. k = 0 pins the vertex. Contact that slips has k = 2, V a basis
/// of the tangent plane, W = V - μ n (Vᵀd̂)ᵀ.
struct VertexConstraint {
  Index vertex = 0;
  int columns = 0;                   ///< k ≤ 3.
  std::array<Vec3, 3> trial{};       ///< The first k columns of V; orthonormal ones precondition best.
  std::array<Vec3, 3> test{};        ///< The first k columns of W.
  std::array<double, 9> diagonal{};  ///< D, k×k, row-major, in the first k² places.
};

/// A vertex that does not move.
inline VertexConstraint pin(Index vertex) {
  VertexConstraint constraint;
  constraint.vertex = vertex;
  return constraint;
}

}  // namespace electret
