#include <algorithm>
#include <cmath>

#include <electret/elastic/muscle_stencil.hpp>
#include <electret/elastic/rest_derivatives.hpp>

namespace electret {

template <int count>
MuscleStencil<count>::MuscleStencil(std::shared_ptr<const RestShape> shape, std::vector<Vec3> fibres,
                                    std::vector<double> stiffness, std::vector<double> activations)
    : shape_(std::move(shape)),
      fibres_(std::move(fibres)),
      stiffness_(std::move(stiffness)),
      activations_(std::move(activations)) {
  require(stiffness_.size() == activations_.size() && stiffness_.size() == fibres_.size(),
          "a muscle needs one fibre, one k and one a per element");
  for (Vec3& fibre : fibres_) {
    require(norm(fibre) > 0.0, "a muscle: a fibre has no direction");
    fibre = (1.0 / norm(fibre)) * fibre;
  }
  for (const double value : stiffness_) require(value >= 0.0, "a muscle: a negative stiffness");
  for (const double value : activations_)
    require(std::isfinite(value), "a muscle: an activation is not finite");
  parameters_ = {ElasticParameter{"stiffness", "Pa", ParameterScope::element,
                                  static_cast<Count>(stiffness_.size()), 1, stiffness_}};
}

template <int count>
std::array<double, count> MuscleStencil<count>::coefficients(Count e, std::size_t q) const {
  const Vec3 along = shape_->inverse(e, q) * fibre(e);
  const auto slopes = shape_->slopes(q);
  std::array<double, count> result;
  for (std::size_t v = 0; v < result.size(); ++v) result[v] = dot(slopes[v], along);
  return result;
}

template <int count>
Vec3 MuscleStencil<count>::weighted(const Corners& values, const std::array<double, count>& coefficients) {
  Vec3 sum;
  for (std::size_t v = 0; v < values.size(); ++v) sum += coefficients[v] * values[v];
  return sum;
}

template <int count>
typename MuscleStencil<count>::Stretch MuscleStencil<count>::stretch(const Vec3& u) {
  const double length = norm(u);
  return {u, length > 0.0 ? (1.0 / length) * u : Vec3{}, length};
}

template <int count>
double MuscleStencil<count>::across(Count e, const Stretch& stretch, HessianKind kind) const {
  if (stretch.length == 0.0) return 1.0;
  const double exact = 1.0 - a(e) / stretch.length;
  return kind == HessianKind::clamped ? std::max(0.0, exact) : exact;
}

template <int count>
double MuscleStencil<count>::energy(Count e, const Corners& x) const {
  double sum = 0.0;
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const double excess = norm(weighted(x, coefficients(e, q))) - a(e);
    sum += 0.5 * shape_->weight(e, q) * k(e) * (excess * excess);
  }
  return sum;
}

template <int count>
double MuscleStencil<count>::gradient(Count e, const Corners& x, Corners& g) const {
  double sum = 0.0;
  g.fill(Vec3{});
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const auto c = coefficients(e, q);
    const Stretch at = stretch(weighted(x, c));
    const double excess = at.length - a(e), stiffness = shape_->weight(e, q) * k(e);
    sum += 0.5 * stiffness * (excess * excess);
    const Vec3 pull = (stiffness * excess) * at.unit;
    for (std::size_t v = 0; v < g.size(); ++v) g[v] += c[v] * pull;
  }
  return sum;
}

template <int count>
void MuscleStencil<count>::hessian(Count e, const Corners& x, HessianKind kind, Blocks& h) const {
  h.fill(Mat3{});
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const auto c = coefficients(e, q);
    const Stretch at = stretch(weighted(x, c));
    const double part = across(e, at, kind), stiffness = shape_->weight(e, q) * k(e);
    const Mat3 of_point = stiffness * (part * Mat3::identity() + (1.0 - part) * outer(at.unit, at.unit));
    for (std::size_t v = 0; v < c.size(); ++v)
      for (std::size_t w = 0; w < c.size(); ++w) h[v * c.size() + w] += (c[v] * c[w]) * of_point;
  }
}

template <int count>
void MuscleStencil<count>::hessian_product(Count e, const Corners& x, const Corners& d, HessianKind kind,
                                           Corners& out) const {
  out.fill(Vec3{});
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const auto c = coefficients(e, q);
    const Stretch at = stretch(weighted(x, c));
    const Vec3 change = weighted(d, c);
    const double part = across(e, at, kind), stiffness = shape_->weight(e, q) * k(e);
    const Vec3 of_point = stiffness * (part * change + ((1.0 - part) * dot(at.unit, change)) * at.unit);
    for (std::size_t v = 0; v < c.size(); ++v) out[v] += c[v] * of_point;
  }
}

template <int count>
std::array<double, count * count> MuscleStencil<count>::majoriser(Count e) const {
  std::array<double, count * count> weights{};
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const auto c = coefficients(e, q);
    const double stiffness = shape_->weight(e, q) * k(e);
    for (std::size_t v = 0; v < c.size(); ++v)
      for (std::size_t w = 0; w < c.size(); ++w) weights[v * c.size() + w] += stiffness * (c[v] * c[w]);
  }
  return weights;
}

template <int count>
double MuscleStencil<count>::force_scale(Count e) const {
  double sum = 0.0;
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    double steepest = 0.0;
    for (const double c : coefficients(e, q)) steepest = std::max(steepest, std::abs(c));
    sum += shape_->weight(e, q) * k(e) * steepest;
  }
  return sum;
}

template <int count>
typename MuscleStencil<count>::Slopes MuscleStencil<count>::energy_parameter_derivatives(
    Count e, const Corners& x) const {
  double sum = 0.0;
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const double excess = norm(weighted(x, coefficients(e, q))) - a(e);
    sum += 0.5 * shape_->weight(e, q) * (excess * excess);
  }
  return {sum};
}

template <int count>
typename MuscleStencil<count>::Slopes MuscleStencil<count>::gradient_parameter_products(
    Count e, const Corners& x, const Corners& z) const {
  double sum = 0.0;
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const auto c = coefficients(e, q);
    const Stretch at = stretch(weighted(x, c));
    sum += shape_->weight(e, q) * (at.length - a(e)) * dot(at.unit, weighted(z, c));
  }
  return {sum};
}

template <int count>
double MuscleStencil<count>::energy_activation_derivative(Count e, const Corners& x) const {
  double sum = 0.0;
  for (std::size_t q = 0; q < shape_->points(); ++q)
    sum -= shape_->weight(e, q) * k(e) * (norm(weighted(x, coefficients(e, q))) - a(e));
  return sum;
}

template <int count>
double MuscleStencil<count>::gradient_activation_product(Count e, const Corners& x, const Corners& z) const {
  double sum = 0.0;
  for (std::size_t q = 0; q < shape_->points(); ++q) {
    const auto c = coefficients(e, q);
    sum -= shape_->weight(e, q) * k(e) * dot(stretch(weighted(x, c)).unit, weighted(z, c));
  }
  return sum;
}

template <int count>
void MuscleStencil<count>::energy_rest_derivatives(Count e, const Corners& x, Corners& out) const {
  const auto stress = [&](const Mat3& f, Mat3& p) {
    const Stretch at = stretch(f * fibre(e));
    const double excess = at.length - a(e);
    p = outer((k(e) * excess) * at.unit, fibre(e));
    return 0.5 * k(e) * (excess * excess);
  };
  electret::energy_rest_derivatives(*shape_, e, x, stress, out);
}

template <int count>
void MuscleStencil<count>::gradient_rest_products(Count e, const Corners& x, const Corners& z,
                                                  Corners& out) const {
  const auto change = [&](const Mat3& f, const Mat3& d, Mat3& p, Mat3& dp) {
    const Stretch at = stretch(f * fibre(e));
    const Vec3 moved = d * fibre(e);
    const double part = across(e, at, HessianKind::exact);
    p = outer((k(e) * (at.length - a(e))) * at.unit, fibre(e));
    dp = outer(k(e) * (part * moved + ((1.0 - part) * dot(at.unit, moved)) * at.unit), fibre(e));
  };
  electret::gradient_rest_products(*shape_, e, x, z, change, out);
}

template class MuscleStencil<4>;
template class MuscleStencil<8>;

}  // namespace electret
