#pragma once
/// \file
/// One tetrahedron or hexahedron of a material (material.hpp): E = Σ_q w_q Ψ(F_q). The slow reference.

#include <memory>
#include <vector>

#include <electret/elastic/element_energy.hpp>
#include <electret/elastic/material.hpp>
#include <electret/elastic/rest_shape.hpp>

namespace electret {

/// `count` is the number of vertices: 4 for tetrahedra, 8 for hexahedra.
template <int count>
class VolumeStencil {
 public:
  static constexpr int vertices = count;
  static constexpr std::string_view name = count == 4 ? "tetrahedron" : "hexahedron", words = "elements";
  static constexpr bool is_solid = true;
  static constexpr double smoother_bound = 0.0;
  static constexpr ElementCosts costs = solid_costs(count);
  static constexpr int numbers = 2;
  using Corners = std::array<Vec3, count>;
  using Blocks = std::array<Mat3, count * count>;
  using Slopes = std::array<double, 2>;  ///< With respect to E and ν.

  /// `youngs_modulus` E (Pa) and `poissons_ratio` ν have one entry per element. Throws InternalError if their
  /// numbers differ, for E < 0, and for ν outside (-1, ½).
  VolumeStencil(std::shared_ptr<const RestShape> shape, MaterialModel model,
                std::vector<double> youngs_modulus, std::vector<double> poissons_ratio);
  // The parameters' views point into the vectors, whose memory a move keeps and a copy does not.
  VolumeStencil(VolumeStencil&&) noexcept = default;
  VolumeStencil& operator=(VolumeStencil&&) noexcept = default;
  VolumeStencil(const VolumeStencil&) = delete;
  VolumeStencil& operator=(const VolumeStencil&) = delete;
  ~VolumeStencil() = default;

  [[nodiscard]] std::span<const ElasticParameter> parameters() const { return parameters_; }
  [[nodiscard]] const RestShape& shape() const { return *shape_; }
  [[nodiscard]] MaterialModel model() const { return model_; }
  /// Lamé's coefficients of element `e`.
  [[nodiscard]] Lame coefficients(Count e) const { return lame(youngs_modulus(e), poissons_ratio(e)); }

  /// Their derivatives with respect to E and ν.
  [[nodiscard]] std::array<Lame, 2> coefficient_slopes(Count e) const;

  [[nodiscard]] double energy(Count e, const Corners& x) const;
  /// Σ_q w_q P G_a, G_a = J⁻ᵀ ∂N_a/∂ξ.
  double gradient(Count e, const Corners& x, Corners& g) const;
  void hessian(Count e, const Corners& x, HessianKind kind, Blocks& h) const;
  void hessian_product(Count e, const Corners& x, const Corners& d, HessianKind kind, Corners& out) const;
  /// Σ_q w_q (2μ + max(λ, 0)) G_a·G_b: a majoriser for `projective`, a mean stiffness for the other models.
  [[nodiscard]] std::array<double, count * count> majoriser(Count e) const;
  /// Σ_q w_q (2μ + 3|λ|) max_a |G_a|, the force at a strain of 1.
  [[nodiscard]] double force_scale(Count e) const;
  [[nodiscard]] Slopes energy_parameter_derivatives(Count e, const Corners& x) const;
  [[nodiscard]] Slopes gradient_parameter_products(Count e, const Corners& x, const Corners& z) const;

  /// ∂E/∂X of its vertices' rest positions at held x, and ∂(zᵀ∇E)/∂X (rest_derivatives.hpp).
  void energy_rest_derivatives(Count e, const Corners& x, Corners& out) const;
  void gradient_rest_products(Count e, const Corners& x, const Corners& z, Corners& out) const;

 private:
  [[nodiscard]] double youngs_modulus(Count e) const { return youngs_modulus_[static_cast<std::size_t>(e)]; }
  [[nodiscard]] double poissons_ratio(Count e) const { return poissons_ratio_[static_cast<std::size_t>(e)]; }
  /// G_a at point `q`.
  [[nodiscard]] Corners gradients(Count e, std::size_t q) const;
  std::shared_ptr<const RestShape> shape_;
  MaterialModel model_;
  std::vector<double> youngs_modulus_, poissons_ratio_;
  std::array<ElasticParameter, 2> parameters_;
};

extern template class VolumeStencil<4>;
extern template class VolumeStencil<8>;

}  // namespace electret
