#pragma once
/// \file
/// Constraints of single vertices, as reduced bases.

#include <array>
#include <optional>

#include <electret/core/types.hpp>

namespace electret {

/// How vertex `vertex` may move. Its displacement is δ = V ξ with k = `columns` numbers ξ, its equations are
/// tested by W, and D is added to its reduced block. The system is (WᵀHV + D) ξ = rhs, with V = W = I and D =
/// 0 at the vertices without a constraint. k = 0 pins the vertex. For slipping contact k = 2, V is a basis of
/// the tangent plane, and W = V - μ n (Vᵀd̂)ᵀ.
struct VertexConstraint {
  Index vertex = 0;
  int columns = 0;  ///< k ≤ 3.
  /// The first k columns of V; convergence is best if they are orthonormal.
  std::array<Vec3, 3> trial{};
  std::array<Vec3, 3> test{};        ///< The first k columns of W.
  std::array<double, 9> diagonal{};  ///< D, k×k, row-major, in the first k² places.
};

/// A vertex that does not move.
inline VertexConstraint pin(Index vertex) {
  VertexConstraint constraint;
  constraint.vertex = vertex;
  return constraint;
}

/// A vertex that moves freely but for the directions that `held`, an orthogonal projector, projects on. None
/// if those are all.
std::optional<VertexConstraint> constraint_within(Index vertex, const Mat3& held);

}  // namespace electret
