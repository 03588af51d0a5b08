#pragma once
/// \file
/// Derivatives of E = Σ_q w_q Ψ(F_q) with respect to the rest positions X, with x held.
///
/// If X moves by δX, F changes by -F N and w by w tr N, where N = Σ_a δX_a G_aᵀ. This holds for any Ψ.

#include <array>
#include <span>

#include <electret/elastic/rest_shape.hpp>

namespace electret {

/// G_a at point `q` of element `e`, which are the gradients of the shape functions.
template <std::size_t vertices>
std::array<Vec3, vertices> shape_gradients(const RestShape& shape, Count e, std::size_t q) {
  std::array<Vec3, vertices> gradients;
  for (std::size_t a = 0; a < vertices; ++a)
    gradients[a] = transposed_product(shape.inverse(e, q), shape.slopes(q)[a]);
  return gradients;
}

/// Σ_a v_a G_aᵀ.
template <std::size_t vertices>
Mat3 field_gradient(const std::array<Vec3, vertices>& values, const std::array<Vec3, vertices>& gradients) {
  Mat3 sum;
  for (std::size_t a = 0; a < vertices; ++a) sum += outer(values[a], gradients[a]);
  return sum;
}

/// Writes ∂E/∂X_a = Σ_q w_q [Ψ I - FᵀP] G_a to `out`. stress(F, P) returns Ψ and sets P = ∂Ψ/∂F.
template <std::size_t vertices, class Stress>
void energy_rest_derivatives(const RestShape& shape, Count e, const std::array<Vec3, vertices>& x,
                             Stress&& stress, std::array<Vec3, vertices>& out) {
  out.fill(Vec3{});
  for (std::size_t q = 0; q < shape.points(); ++q) {
    const auto gradients = shape_gradients<vertices>(shape, e, q);
    const Mat3 f = field_gradient(x, gradients);
    Mat3 p;
    const double density = stress(f, p);
    for (std::size_t a = 0; a < vertices; ++a)
      out[a] += shape.weight(e, q) * (density * gradients[a] - transposed_product(f, p * gradients[a]));
  }
}

/// Writes ∂(zᵀ∇E)/∂X_a = Σ_q w_q [(P:D) I - FᵀdP - DᵀP] G_a to `out`, where D = Σ_b z_b G_bᵀ. change(F, D, P,
/// dP) sets P and its change dP when F changes along D.
template <std::size_t vertices, class Change>
void gradient_rest_products(const RestShape& shape, Count e, const std::array<Vec3, vertices>& x,
                            const std::array<Vec3, vertices>& z, Change&& change,
                            std::array<Vec3, vertices>& out) {
  out.fill(Vec3{});
  for (std::size_t q = 0; q < shape.points(); ++q) {
    const auto gradients = shape_gradients<vertices>(shape, e, q);
    const Mat3 f = field_gradient(x, gradients), d = field_gradient(z, gradients);
    Mat3 p, dp;
    change(f, d, p, dp);
    double product = 0.0;
    for (std::size_t i = 0; i < 3; ++i) product += dot(p.rows[i], d.rows[i]);
    for (std::size_t a = 0; a < vertices; ++a) {
      const Vec3& g = gradients[a];
      out[a] +=
          shape.weight(e, q) * (product * g - transposed_product(f, dp * g) - transposed_product(d, p * g));
    }
  }
}

}  // namespace electret
