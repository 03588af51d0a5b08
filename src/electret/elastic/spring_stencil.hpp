#pragma once
/// \file
/// One linear spring [Liu13 eq. 5]: E = k/2 (|β| - l)², β = x_i - x_j, β̂ = β/|β|, P = I - β̂β̂ᵀ, p = l β̂.
///
/// At |β| = 0 there is no direction. There β̂ = (1, 0, 0) and ∂p/∂β = 0, so that the Hessian block is k I.

#include <vector>

#include <electret/elastic/element_energy.hpp>

namespace electret {

class SpringStencil {
 public:
  static constexpr int vertices = 2;
  static constexpr std::string_view name = "spring", words = "springs";
  static constexpr bool is_solid = false;
  static constexpr double smoother_bound = 2.0;  ///< |a - b|² ≤ 2|a|² + 2|b|².
  static constexpr ElementCosts costs{2.8, 0.0, 2.0};
  static constexpr int numbers = 2;
  using Corners = std::array<Vec3, 2>;
  using Blocks = std::array<Mat3, 4>;
  using Slopes = std::array<double, 2>;  ///< With respect to k and l.

  /// `stiffness` k (N/m) and `rest_length` l (m) have one entry per spring. Throws InternalError if their
  /// numbers differ or one is negative.
  SpringStencil(std::vector<double> stiffness, std::vector<double> rest_length);
  // The parameters' views point into the vectors, whose memory a move keeps and a copy does not.
  SpringStencil(SpringStencil&&) noexcept = default;
  SpringStencil& operator=(SpringStencil&&) noexcept = default;
  SpringStencil(const SpringStencil&) = delete;
  SpringStencil& operator=(const SpringStencil&) = delete;
  ~SpringStencil() = default;

  [[nodiscard]] std::span<const ElasticParameter> parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<double>& stiffness() const { return stiffness_; }
  [[nodiscard]] const std::vector<double>& rest_length() const { return rest_length_; }

  [[nodiscard]] double energy(Count e, const Corners& x) const;
  /// ∇E = k (β - p) at i, the opposite at j.
  double gradient(Count e, const Corners& x, Corners& g) const;
  /// k (I - (l/|β|) P); if clamped, the transverse factor 1 - l/|β| is at least 0.
  void hessian(Count e, const Corners& x, HessianKind kind, Blocks& h) const;
  void hessian_product(Count e, const Corners& x, const Corners& d, HessianKind kind, Corners& out) const;
  /// k (1, -1; -1, 1), the quadratic part [MSC eq. 5].
  [[nodiscard]] std::array<double, 4> majoriser(Count e) const;
  [[nodiscard]] double force_scale(Count e) const;
  /// ½ (|β| - l)² with respect to k, -k (|β| - l) with respect to l.
  [[nodiscard]] Slopes energy_parameter_derivatives(Count e, const Corners& x) const;
  /// ζ·(β - p) with respect to k, -k ζ·β̂ with respect to l, where ζ = z_i - z_j.
  [[nodiscard]] Slopes gradient_parameter_products(Count e, const Corners& x, const Corners& z) const;
  /// With ν = v_i - v_j, τ = max(0, 1 - l/|β|), τ' = l/|β|² for |β| > l else 0:
  /// k [τ' (ζ·Pν) β̂ + (1-τ)/|β| ((ν·β̂) Pζ + (ζ·β̂) Pν)] at i, the opposite at j.
  /// At the kink, ||β| - l| < 1e-12 l, half of τ' counts.
  void clamped_form_gradient(Count e, const Corners& x, const Corners& z, const Corners& v,
                             Corners& out) const;
  /// (ζ·β̂)(ν·β̂) + τ ζ·Pν with respect to k. With respect to l: -(k/|β|) ζ·Pν if |β| > l, half of it at the
  /// kink, else 0.
  [[nodiscard]] Slopes clamped_form_parameter_derivatives(Count e, const Corners& x, const Corners& z,
                                                          const Corners& v) const;

 private:
  struct Direction {
    Vec3 beta, unit;
    double length = 0.0;
  };
  static Direction direction(const Corners& x);
  [[nodiscard]] double k(Count e) const { return stiffness_[static_cast<std::size_t>(e)]; }
  [[nodiscard]] double l(Count e) const { return rest_length_[static_cast<std::size_t>(e)]; }
  /// l/|β|, 0 for |β| = 0; if clamped, at most 1.
  [[nodiscard]] double ratio(Count e, const Direction& d, HessianKind kind) const;
  /// How much of the branch |β| > l counts: 1, 0, or ½ at the kink.
  [[nodiscard]] double stretched(Count e, double length) const;

  std::vector<double> stiffness_, rest_length_;
  std::array<ElasticParameter, 2> parameters_;
};

}  // namespace electret
