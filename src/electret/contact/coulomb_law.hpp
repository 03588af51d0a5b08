#pragma once
/// \file
/// Signorini's and Coulomb's conditions at one vertex as one equation C = 0, with its exact derivatives
/// (docs/contact.md, "The law"; Alart and Curnier 1991, Hüeber, Stadler and Wohlmuth 2008).

#include <array>

#include <electret/core/types.hpp>
#include <electret/linear/vertex_constraint.hpp>

namespace electret {

/// Which part of the law holds. `free`: the obstacle does not push. `stick`: it pushes, and the vertex keeps
/// its place on it. `slip`: it pushes, and the vertex slides against the largest friction.
enum class ContactState : unsigned char { free, stick, slip };

/// A vertex and the obstacle next to it, at the end of a step. Forces and the scale share one unit: N and
/// N/m, or, if all are multiplied by a stage's a (s²), kg m and kg.
struct ContactPoint {
  Vec3 force;  ///< f: what the obstacle must exert, M(x - y)/a + ∇E(x) at the vertex.
  Vec3 slide;  ///< x - x̃, m. x̃ is the vertex's place at the start, carried along by the obstacle.
  double distance = 0.0;  ///< φ, m; negative inside.
  Vec3 normal;            ///< n = ∇φ, a unit vector.
  Mat3 curvature;         ///< K = ∇n, 1/m.
  double scale = 0.0;  ///< c > 0: weighs distances against forces. It changes the way to the solution only.
  double friction = 0.0;  ///< μ ≥ 0, finite.
  bool sticks = false;    ///< A vertex that touches never slides, as if μ were infinite.
  /// If ≥ 0, the largest friction, N, in place of μ p: Tresca's law, which has a potential.
  double bound = -1.0;
  double rounding = 0.0;  ///< Distances up to this may be nothing but rounding, m.
};

/// Of vertices that must not slide but can neither stay nor leave: the obstacle would have to pull those that
/// stay, and those that leave would come out inside.
inline constexpr double yielding_friction = 2.0;

/// Lets what would stick slide, by that friction.
inline void let_slide(ContactPoint& point) {
  if (point.sticks) point.sticks = false, point.friction = yielding_friction;
}

/// C and the quantities that decide it. With λ = n·f, p = λ - cφ, T = I - nnᵀ, d = T(f - c(x - x̃)), d̂ =
/// d/|d|: free (p ≤ 0): C = f;  stick (|d| ≤ μp): C = c(φn + T(x - x̃));  slip: C = cφn + Tf - μ p d̂.
struct ContactResidual {
  ContactState state = ContactState::free;
  Vec3 value;             ///< C.
  double pressure = 0.0;  ///< p.
  Vec3 direction;         ///< d̂, where the vertex slips; else 0.
  double pull = 0.0;      ///< |d|.
};

/// The derivatives of C, with the state held.
struct ContactJacobian {
  Mat3 by_force;     ///< ∂C/∂f.
  Mat3 by_place;     ///< ∂C/∂x, with f held: through φ, n and x - x̃.
  Mat3 by_start;     ///< ∂C/∂x̃.
  Vec3 by_friction;  ///< ∂C/∂μ.
  Vec3 by_distance;  ///< ∂C/∂φ, for an obstacle's parameters.
  Mat3 by_normal;    ///< ∂C/∂n, with φ held.
};

/// How a vertex takes part in a linear system whose rows are those of ∂f/∂x, except that the row of this
/// vertex is C_f·(∂f/∂x row) + C_x. The vertex moves by δ = prescribed + V ξ. Its equations are Wᵀ(row of
/// ∂f/∂x · δ) + D ξ = `right_hand_side` with the k numbers of V's columns.
struct ReducedContact {
  VertexConstraint constraint;
  Vec3 prescribed;                          ///< m.
  std::array<double, 3> right_hand_side{};  ///< Its first k numbers.
};

/// Evaluates C. `point.normal` must be a unit vector.
ContactResidual contact_residual(const ContactPoint& point);
/// C of `state`, whichever holds: an adjoint goes back through the state that the step ended in.
ContactResidual contact_residual(const ContactPoint& point, ContactState state);

/// Its derivatives in `residual.state`.
ContactJacobian contact_jacobian(const ContactPoint& point, const ContactResidual& residual);

/// Eliminates what the vertex's own equation prescribes, so that the Newton step is C + ∂C = 0. Free vertices
/// have V = W = I; those that stick k = 0; those that slip k = 2.
ReducedContact reduce_contact(Index vertex, const ContactPoint& point, const ContactResidual& residual,
                              const ContactJacobian& jacobian);

/// The adjoint of `reduce_contact`. Of the solution w of Jᵀw = b, where J has the rows above, z = C_fᵀ w
/// solves the transposed reduced system. Returns w at the vertex from z there and from `remainder` = (b - Hz)
/// at the vertex, with H = ∂f/∂x.
Vec3 adjoint_of_contact(const ContactPoint& point, const ContactResidual& residual,
                        const ContactJacobian& jacobian, const Vec3& z, const Vec3& remainder);

}  // namespace electret
