#pragma once
/// \file
/// One tetrahedron or hexahedron of muscle: E = Σ_q w_q (k/2)(|F_q m| - a)², [DiffPD] eq. 21 in other words.
///
/// m is the fibre's unit vector at rest, and k the stiffness. a is the activation, which is the stretch along
/// the fibre that the muscle aims at; it is 1 at rest. u = F m = Σ_a x_a c_a with c_a = G_a·m acts as a
/// spring between weighted means of the vertices, of length ℓ = |u| and rest length a.

#include <memory>
#include <vector>

#include <electret/elastic/element_energy.hpp>
#include <electret/elastic/rest_shape.hpp>

namespace electret {

/// `count` is the number of vertices: 4 for tetrahedra, 8 for hexahedra.
template <int count>
class MuscleStencil {
 public:
  static constexpr int vertices = count;
  static constexpr std::string_view name = "muscle", words = "elements";
  static constexpr bool is_solid = true;
  static constexpr double smoother_bound = 0.0;
  static constexpr ElementCosts costs = solid_costs(count);
  static constexpr int numbers = 1;
  using Corners = std::array<Vec3, count>;
  using Blocks = std::array<Mat3, count * count>;
  using Slopes = std::array<double, 1>;  ///< By k.

  /// `fibres` m may have any length but 0. They, `stiffness` k (Pa) and `activations` a have one entry per
  /// element. Throws InternalError for a fibre of length 0, different numbers of entries, k < 0, or an a that
  /// is not finite.
  MuscleStencil(std::shared_ptr<const RestShape> shape, std::vector<Vec3> fibres,
                std::vector<double> stiffness, std::vector<double> activations);
  // The parameter's view points into the vector, whose memory a move keeps and a copy does not.
  MuscleStencil(MuscleStencil&&) noexcept = default;
  MuscleStencil& operator=(MuscleStencil&&) noexcept = default;
  MuscleStencil(const MuscleStencil&) = delete;
  MuscleStencil& operator=(const MuscleStencil&) = delete;
  ~MuscleStencil() = default;

  [[nodiscard]] std::span<const ElasticParameter> parameters() const { return parameters_; }
  [[nodiscard]] const RestShape& shape() const { return *shape_; }
  /// m of element `e`.
  [[nodiscard]] const Vec3& fibre(Count e) const { return fibres_[static_cast<std::size_t>(e)]; }
  /// One per element.
  [[nodiscard]] ScalarSpan activations() { return activations_; }

  [[nodiscard]] double energy(Count e, const Corners& x) const;
  /// Σ_q w_q k(1 - a/ℓ) c_a u.
  double gradient(Count e, const Corners& x, Corners& g) const;
  /// Σ_q w_q c_a c_b K with K = k[(1 - a/ℓ) I + (a/ℓ) ûûᵀ]; if clamped, 1 - a/ℓ is at least 0.
  void hessian(Count e, const Corners& x, HessianKind kind, Blocks& h) const;
  void hessian_product(Count e, const Corners& x, const Corners& d, HessianKind kind, Corners& out) const;
  /// Σ_q w_q k c_a c_b, which is exact for the quadratic part. It majorises the Hessian where a ≥ 0. Where
  /// a < 0, no constant does, because k(1 - a/ℓ) has no bound as ℓ goes to 0.
  [[nodiscard]] std::array<double, count * count> majoriser(Count e) const;
  /// Σ_q w_q k max_a |c_a|, the force at a strain of 1 along the fibre, for any activation.
  [[nodiscard]] double force_scale(Count e) const;
  [[nodiscard]] Slopes energy_parameter_derivatives(Count e, const Corners& x) const;
  [[nodiscard]] Slopes gradient_parameter_products(Count e, const Corners& x, const Corners& z) const;

  /// ∂E/∂X of its vertices' rest positions at held x, and ∂(zᵀ∇E)/∂X (rest_derivatives.hpp).
  void energy_rest_derivatives(Count e, const Corners& x, Corners& out) const;
  void gradient_rest_products(Count e, const Corners& x, const Corners& z, Corners& out) const;

  /// ∂E/∂a.
  [[nodiscard]] double energy_activation_derivative(Count e, const Corners& x) const;
  /// zᵀ ∂∇E/∂a.
  [[nodiscard]] double gradient_activation_product(Count e, const Corners& x, const Corners& z) const;

 private:
  /// F m at one point.
  struct Stretch {
    Vec3 u, unit;         ///< `unit` is 0 if `length` is 0.
    double length = 0.0;  ///< ℓ.
  };

  [[nodiscard]] double k(Count e) const { return stiffness_[static_cast<std::size_t>(e)]; }
  [[nodiscard]] double a(Count e) const { return activations_[static_cast<std::size_t>(e)]; }
  /// c_a at point `q`, 1/m.
  [[nodiscard]] std::array<double, count> coefficients(Count e, std::size_t q) const;
  [[nodiscard]] static Vec3 weighted(const Corners& values, const std::array<double, count>& coefficients);
  [[nodiscard]] static Stretch stretch(const Vec3& u);
  /// 1 - a/ℓ, which is K's eigenvalue across the fibre divided by k; 1 if the fibre has no length.
  [[nodiscard]] double across(Count e, const Stretch& stretch, HessianKind kind) const;

  std::shared_ptr<const RestShape> shape_;
  std::vector<Vec3> fibres_;  ///< Unit vectors.
  std::vector<double> stiffness_, activations_;
  std::array<ElasticParameter, 1> parameters_;
};

extern template class MuscleStencil<4>;
extern template class MuscleStencil<8>;

}  // namespace electret
