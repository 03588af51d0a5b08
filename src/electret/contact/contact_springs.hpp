#pragma once
/// \file
/// What obstacles push with as a potential: the augmented Lagrangian of their law (Alart and Curnier 1991).

#include <array>
#include <span>
#include <vector>

#include <electret/contact/contact_set.hpp>
#include <electret/linear/stencil_matrix.hpp>

namespace electret {

/// Around given pushes λ, τ of each wall with the friction ℓ = μλ they allow, a vertex is pushed by
///
///   (λ - cφ)₊ n  and  q, or ℓ q/|q| if |q| > ℓ,  with q = τ - c T(x - x̃),
///
/// where the normal in T is that with which the pushes were given. Both are the gradients of functions that
/// are once differentiable, so that a stage with them is a minimisation. If it leaves the pushes as they
/// were, it has met the obstacles' law. Allocates nothing after `begin`'s first call.
class ContactSprings {
 public:
  /// `stiffness` is c of each vertex of the set, N/m. `contacts` must outlive this.
  ContactSprings(ContactSet& contacts, std::vector<double> stiffness);

  /// Forgets all pushes, and how stiff springs were.
  void clear();
  /// Begins anew, with springs of `raise` times their stiffness.
  void begin(double raise = 1.0);
  /// Wall `wall` of those that vertex `k` of the set saw at the last `look` pushes it by `force`, N. What is
  /// beyond its law is left out. `yields`: it may slide where it ought to stick.
  void push(std::size_t k, std::size_t wall, const Vec3& force, bool yields = false);
  /// Call after the last `push`. Friction may then be up to ℓ = ℓ' + share (μλ - ℓ'), with the former ℓ' of
  /// the wall, 0 if it had none. The share is one for all, found from how μλ - ℓ' has changed (Irons and Tuck
  /// 1969): less than 1 where it alternates.
  void settle();

  /// The potential of all pushes at `place` (n×3, m), J, but for a constant. Looks from there.
  double evaluate(VectorView place);
  /// out += factor times its gradient at the last evaluated place.
  void add_gradient(double factor, VectorSpan out) const;
  /// Appends factor times its second derivative there; if `is_clamped`, without what is not positive
  /// semi-definite.
  void append_hessian(bool is_clamped, double factor, std::vector<StencilVertices>& vertices,
                      std::vector<StencilBlocks>& blocks) const;

 private:
  /// A wall's push when the pushes were given.
  struct Push {
    std::size_t obstacle = ContactSight::none;
    Vec3 normal, friction;              ///< n; τ, N.
    double pressure = 0.0, most = 0.0;  ///< λ and ℓ, N.
    double off = 0.0;                   ///< μλ - ℓ', N.
    bool sticks = false;                ///< Its friction has no bound.
  };
  /// What the walls do to a vertex at the last evaluated place.
  struct Response {
    double value = 0.0;         ///< J.
    Vec3 force;                 ///< N.
    Mat3 slope, clamped_slope;  ///< -∂force/∂x, N/m.
  };
  using Pushes = std::vector<std::array<Push, most_walls>>;
  [[nodiscard]] static const Push* push_of(const Pushes& pushes, std::size_t k, const ContactSight& sight);
  [[nodiscard]] Response response(std::size_t k, const Vec3& place) const;

  ContactSet& contacts_;
  std::vector<double> stiffness_;
  double share_ = 1.0, raise_ = 1.0;
  int settled_ = 0;                     ///< How often since `clear`.
  double along_ = 0.0, changed_ = 0.0;  ///< Of the changes of `off`: their product with it, and their square.
  Pushes pushes_, former_;
  std::vector<Response> responses_;
};

}  // namespace electret
