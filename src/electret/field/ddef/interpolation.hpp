#pragma once
/// \file
/// Interpolates the far field from a tetrahedron's vertices to a point in it, and the transpose.
///
///   E(x) = Σ_v ψ_v(x) [G_v + c H_v (x - u_v)],  φ(x) = Σ_v ψ_v(x) [Φ_v - c G_v·(x - u_v)],  G = -∇Φ, H = ∂G.
///
/// c = 0 is the linear interpolation of [MSC 3.1.3]. c = 1/2 interpolates a quadratic Φ or G exactly, because
/// half the Taylor term removes the error of the linear interpolation.

#include <electret/field/ddef/charges.hpp>

namespace electret::ddef {

/// The far field around one tetrahedron; lengths are scaled.
struct Interpolation {
  Interpolation(const Discretisation& discretisation, Index t, bool half_taylor)
      : barycentric(discretisation.mesh().tessellation.barycentric[static_cast<std::size_t>(t)]),
        box(discretisation.box()),
        vertices(discretisation.vertices(t)),
        taylor(half_taylor && discretisation.mesh().tessellation.well_shaped[static_cast<std::size_t>(t)]
                   ? 0.5
                   : 0.0) {}

  const Barycentric& barycentric;
  const Box& box;
  std::array<Vec3, 4> vertices;
  double taylor;                    ///< c.
  std::array<VertexSums, 4> far{};  ///< G_v, Φ_v, H_v.

  [[nodiscard]] std::array<double, 4> weights(const Vec3& x) const { return barycentric(box.unit(x)); }

  [[nodiscard]] VertexSums at(const Vec3& x) const {
    const auto psi = weights(x);
    VertexSums sum;
    for (std::size_t v = 0; v < 4; ++v) {
      sum.vector += psi[v] * field_of(v, x);
      sum.scalar += psi[v] * (far[v].scalar - taylor * dot(far[v].vector, x - vertices[v]));
    }
    return sum;
  }

  /// ∂(w·E)/∂x.
  [[nodiscard]] Vec3 gradient(const Vec3& x, const Vec3& w) const {
    const auto psi = weights(x);
    std::array<double, 4> along;
    for (std::size_t v = 0; v < 4; ++v) along[v] = dot(w, field_of(v, x));
    // Σ_v ∂ψ_v along_v with ∂ψ_0 = -Σ ∂ψ_k
    Vec3 unit;
    for (std::size_t k = 0; k < 3; ++k) unit += (along[k + 1] - along[0]) * barycentric.gradients[k];
    Vec3 result{unit.x / box.size.x, unit.y / box.size.y, unit.z / box.size.z};
    if (taylor > 0.0)
      for (std::size_t v = 0; v < 4; ++v) result += (psi[v] * taylor) * symmetric_product(far[v].gradient, w);
    return result;
  }

 private:
  [[nodiscard]] Vec3 field_of(std::size_t v, const Vec3& x) const {
    if (taylor == 0.0) return far[v].vector;
    return far[v].vector + taylor * symmetric_product(far[v].gradient, x - vertices[v]);
  }
};

}  // namespace electret::ddef
