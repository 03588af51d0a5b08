#include <algorithm>

#include <electret/elastic/volume_stencil.hpp>

namespace electret {
namespace {

/// Σ_a v_a G_aᵀ: the gradient of a field with the values v.
template <class Corners>
Mat3 gradient_of(const Corners& values, const Corners& gradients) {
  Mat3 sum;
  for (std::size_t a = 0; a < values.size(); ++a) sum += outer(values[a], gradients[a]);
  return sum;
}

double product(const Mat3& a, const Mat3& b) {
  return dot(a.rows[0], b.rows[0]) + dot(a.rows[1], b.rows[1]) + dot(a.rows[2], b.rows[2]);
}

double entry(const Mat3& a, std::size_t k) {
  return a.rows[k / 3][static_cast<int>(k % 3)];
}

}  // namespace

template <int count>
VolumeStencil<count>::VolumeStencil(std::shared_ptr<const RestShape> shape, MaterialModel model,
                                    std::vector<double> youngs_modulus, std::vector<double> poissons_ratio)
    : shape_(std::move(shape)),
      model_(model),
      youngs_modulus_(std::move(youngs_modulus)),
      poissons_ratio_(std::move(poissons_ratio)) {
  require(youngs_modulus_.size() == poissons_ratio_.size(), "a material needs one E and one ν per element");
  for (const double e : youngs_modulus_) require(e >= 0.0, "a material: E is negative");
  for (const double nu : poissons_ratio_)
    require(nu > -1.0 && nu < 0.5, "a material: Poisson's ratio is outside (-1, 0.5)");
  const auto elements = static_cast<Count>(youngs_modulus_.size());
  parameters_ = {
      ElasticParameter{"youngs_modulus", "Pa", ParameterScope::element, elements, 1, youngs_modulus_},
      ElasticParameter{"poissons_ratio", "", ParameterScope::element, elements, 1, poissons_ratio_}};
}

template <int count>
typename VolumeStencil<count>::Corners VolumeStencil<count>::gradients(Count e, std::size_t q) const {
  Corners result;
  const auto slopes = shape_->slopes(q);
  for (std::size_t a = 0; a < result.size(); ++a)
    result[a] = transposed_product(shape_->inverse(e, q), slopes[a]);
  return result;
}

template <int count>
std::array<Lame, 2> VolumeStencil<count>::coefficient_slopes(Count e) const {
  return {lame_by_youngs_modulus(poissons_ratio(e)),
          lame_by_poissons_ratio(youngs_modulus(e), poissons_ratio(e))};
}

template <int count>
double VolumeStencil<count>::energy(Count e, const Corners& x) const {
  double sum = 0.0;
  for (std::size_t q = 0; q < shape_->points(); ++q)
    sum += shape_->weight(e, q) * point_energy(model_, coefficients(e), gradient_of(x, gradients(e, q)));
  return sum;
}

template <int count>
double VolumeStencil<count>::gradient(Count e, const Corners& x, Corners& g) const {
  double sum = 0.0;
  g.fill(Vec3{});
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const Corners at = gradients(e, q);
    const double weight = shape_->weight(e, q);
    Mat3 stress;
    sum += weight * point_stress(model_, coefficients(e), gradient_of(x, at), stress);
    for (std::size_t a = 0; a < g.size(); ++a) g[a] += weight * (stress * at[a]);
  }
  return sum;
}

template <int count>
void VolumeStencil<count>::hessian(Count e, const Corners& x, HessianKind kind, Blocks& h) const {
  h.fill(Mat3{});
  Tangent tangent;
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const Corners at = gradients(e, q);
    const double weight = shape_->weight(e, q);
    point_tangent(model_, coefficients(e), gradient_of(x, at), kind, tangent);
    for (std::size_t b = 0; b < at.size(); ++b) {
      // The change of each entry of F with coordinate k of vertex b.
      std::array<Vec3, 9> by_b;
      for (std::size_t ij = 0; ij < 9; ++ij)
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l)
            by_b[ij][k] += weight * tangent[9 * ij + static_cast<std::size_t>(3 * k + l)] * at[b][l];
      for (std::size_t a = 0; a < at.size(); ++a)
        for (std::size_t i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            h[a * at.size() + b].rows[i] += at[a][j] * by_b[3 * i + static_cast<std::size_t>(j)];
    }
  }
}

template <int count>
void VolumeStencil<count>::hessian_product(Count e, const Corners& x, const Corners& d, HessianKind kind,
                                           Corners& out) const {
  out.fill(Vec3{});
  Tangent tangent;
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const Corners at = gradients(e, q);
    const Mat3 change = gradient_of(d, at);
    point_tangent(model_, coefficients(e), gradient_of(x, at), kind, tangent);
    Mat3 of_stress;
    for (std::size_t ij = 0; ij < 9; ++ij)
      for (std::size_t kl = 0; kl < 9; ++kl)
        of_stress.rows[ij / 3][static_cast<int>(ij % 3)] += tangent[9 * ij + kl] * entry(change, kl);
    for (std::size_t a = 0; a < out.size(); ++a) out[a] += shape_->weight(e, q) * (of_stress * at[a]);
  }
}

template <int count>
std::array<double, count * count> VolumeStencil<count>::majoriser(Count e) const {
  std::array<double, count * count> weights{};
  const Lame c = coefficients(e);
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const Corners at = gradients(e, q);
    const double stiffness = shape_->weight(e, q) * (2.0 * c.mu + std::max(0.0, c.lambda));
    for (std::size_t a = 0; a < at.size(); ++a)
      for (std::size_t b = 0; b < at.size(); ++b) weights[a * at.size() + b] += stiffness * dot(at[a], at[b]);
  }
  return weights;
}

template <int count>
double VolumeStencil<count>::force_scale(Count e) const {
  const Lame c = coefficients(e);
  double sum = 0.0;
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    double steepest = 0.0;
    for (const Vec3& gradient : gradients(e, q)) steepest = std::max(steepest, norm(gradient));
    sum += shape_->weight(e, q) * (2.0 * c.mu + 3.0 * std::abs(c.lambda)) * steepest;
  }
  return sum;
}

template <int count>
typename VolumeStencil<count>::Slopes VolumeStencil<count>::energy_parameter_derivatives(
    Count e, const Corners& x) const {
  Slopes slopes{};
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const Mat3 f = gradient_of(x, gradients(e, q));
    for (std::size_t p = 0; p < 2; ++p)
      slopes[p] += shape_->weight(e, q) * point_energy(model_, coefficient_slopes(e)[p], f);
  }
  return slopes;
}

template <int count>
typename VolumeStencil<count>::Slopes VolumeStencil<count>::gradient_parameter_products(
    Count e, const Corners& x, const Corners& z) const {
  Slopes slopes{};
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const Corners at = gradients(e, q);
    const Mat3 f = gradient_of(x, at), change = gradient_of(z, at);
    for (std::size_t p = 0; p < 2; ++p) {
      Mat3 stress;
      point_stress(model_, coefficient_slopes(e)[p], f, stress);
      slopes[p] += shape_->weight(e, q) * product(stress, change);
    }
  }
  return slopes;
}

template class VolumeStencil<4>;
template class VolumeStencil<8>;

}  // namespace electret
