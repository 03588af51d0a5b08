#pragma once
/// \file
/// Elastic materials at one point: energy density Ψ, first Piola-Kirchhoff stress P = ∂Ψ/∂F and tangent ∂P/∂F
/// as functions of the deformation gradient F. These are the slow, obvious functions, by singular values.
///
/// R is the rotation of F's polar decomposition and always proper. s are the singular values, the smallest of
/// which has the sign of det F. S = RᵀF, J = det F. The models are:
///
///   projective          μ|F-R|² + (λ/2)|F-N|², N the nearest matrix of determinant 1 [DiffPD]
///   corotated           μ|F-R|² + (λ/2)(tr S - 3)²
///   fixed_corotated     μ|F-R|² + (λ/2)(J - 1)²
///   neo_hookean         (μ/2)(|F|² - 3) - μ ln J + (λ/2) ln²J, +∞ for J ≤ 0
///   stable_neo_hookean  (μ'/2)(|F|² - 3 - ln((|F|² + 1)/4)) - (3μ'/4)(J - 1) + (λ'/2)(J - 1)²,
///                       μ' = 4μ/3, λ' = λ + 5μ/6 (Smith, de Goes and Kim 2018)
///   linear              μ|ε|² + (λ/2) tr²ε, ε = sym F - I: not invariant under rotations
///
/// Each is linear in μ and λ, and so must every further model be: derivatives with respect to Young's modulus
/// and Poisson's ratio are computed by the same functions, with the derivatives of (μ, λ) in place of (μ, λ).

#include <array>
#include <optional>
#include <string_view>

#include <electret/core/types.hpp>
#include <electret/elastic/elastic_energy.hpp>
#include <electret/elastic/options.hpp>

namespace electret {

/// The model called `name`; none for any other word.
std::optional<MaterialModel> material_model(std::string_view name);

/// Lamé's coefficients (Pa), or their derivatives.
struct Lame {
  double mu = 0.0, lambda = 0.0;
};

/// μ = E/(2(1+ν)), λ = Eν/((1+ν)(1-2ν)).
Lame lame(double youngs_modulus, double poissons_ratio);
Lame lame_by_youngs_modulus(double poissons_ratio);
Lame lame_by_poissons_ratio(double youngs_modulus, double poissons_ratio);

/// ∂P/∂F: entry 9(3i+j) + 3k+l is ∂P_ij/∂F_kl.
using Tangent = std::array<double, 81>;

/// Ψ(F), Pa; +∞ if the model has no energy at F.
double point_energy(MaterialModel model, const Lame& lame, const Mat3& f);
/// Returns Ψ(F) and sets P, which is 0 if Ψ is infinite.
double point_stress(MaterialModel model, const Lame& lame, const Mat3& f, Mat3& stress);
/// Sets the exact tangent, or the positive semi-definite matrix nearest to it.
void point_tangent(MaterialModel model, const Lame& lame, const Mat3& f, HessianKind kind, Tangent& tangent);

}  // namespace electret
