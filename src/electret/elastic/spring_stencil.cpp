#include <algorithm>

#include <electret/core/transverse.hpp>
#include <electret/elastic/spring_stencil.hpp>

namespace electret {

SpringStencil::SpringStencil(std::vector<double> stiffness, std::vector<double> rest_length)
    : stiffness_(std::move(stiffness)), rest_length_(std::move(rest_length)) {
  require(stiffness_.size() == rest_length_.size(), "springs need one stiffness and one rest length each");
  for (const auto* values : {&stiffness_, &rest_length_})
    for (const double value : *values)
      require(!(value < 0.0), "springs: a negative stiffness or rest length");
  const auto count = static_cast<Count>(stiffness_.size());
  parameters_ = {ElasticParameter{"stiffness", "N/m", ParameterScope::element, count, 1, stiffness_},
                 ElasticParameter{"rest_length", "m", ParameterScope::element, count, 1, rest_length_}};
}

SpringStencil::Direction SpringStencil::direction(const Corners& x) {
  Direction d;
  d.beta = x[0] - x[1];
  d.length = norm(d.beta);
  d.unit = d.length > 0.0 ? (1.0 / d.length) * d.beta : Vec3{1.0, 0.0, 0.0};
  return d;
}

double SpringStencil::ratio(Count e, const Direction& d, HessianKind kind) const {
  if (d.length == 0.0) return 0.0;
  const double full = l(e) / d.length;
  return kind == HessianKind::clamped ? std::min(full, 1.0) : full;
}

double SpringStencil::stretched(Count e, double length) const {
  if (std::abs(length - l(e)) < 1e-12 * l(e)) return 0.5;
  return length > l(e) ? 1.0 : 0.0;
}

double SpringStencil::energy(Count e, const Corners& x) const {
  const double stretch = direction(x).length - l(e);
  return 0.5 * k(e) * (stretch * stretch);
}

double SpringStencil::gradient(Count e, const Corners& x, Corners& g) const {
  const Direction d = direction(x);
  const double stretch = d.length - l(e);
  g[0] = (k(e) * stretch) * d.unit;
  g[1] = -g[0];
  return 0.5 * k(e) * (stretch * stretch);
}

void SpringStencil::hessian(Count e, const Corners& x, HessianKind kind, Blocks& h) const {
  const Direction d = direction(x);
  const double r = ratio(e, d, kind);
  h[0] = k(e) * ((1.0 - r) * Mat3::identity() + r * outer(d.unit, d.unit));
  h[1] = -1.0 * h[0];
  h[2] = h[1];
  h[3] = h[0];
}

void SpringStencil::hessian_product(Count e, const Corners& x, const Corners& d, HessianKind kind,
                                    Corners& out) const {
  const Direction at = direction(x);
  const Vec3 delta = d[0] - d[1];
  out[0] = k(e) * (delta - ratio(e, at, kind) * transverse(at.unit, delta));
  out[1] = -out[0];
}

std::array<double, 4> SpringStencil::majoriser(Count e) const {
  return {k(e), -k(e), -k(e), k(e)};
}

double SpringStencil::force_scale(Count e) const {
  return k(e) * l(e);
}

SpringStencil::Slopes SpringStencil::energy_parameter_derivatives(Count e, const Corners& x) const {
  const double stretch = direction(x).length - l(e);
  return {0.5 * (stretch * stretch), -k(e) * stretch};
}

SpringStencil::Slopes SpringStencil::gradient_parameter_products(Count e, const Corners& x,
                                                                 const Corners& z) const {
  const Direction d = direction(x);
  const double along = dot(z[0] - z[1], d.unit);
  return {(d.length - l(e)) * along, -k(e) * along};
}

void SpringStencil::clamped_form_gradient(Count e, const Corners& x, const Corners& z, const Corners& v,
                                          Corners& out) const {
  const Direction d = direction(x);
  out = {};
  if (d.length == 0.0) return;
  const Vec3 zeta = z[0] - z[1], nu = v[0] - v[1];
  const Vec3 p_zeta = transverse(d.unit, zeta), p_nu = transverse(d.unit, nu);
  const double slope = stretched(e, d.length) * l(e) / (d.length * d.length);
  const double one_minus_tau = std::min(1.0, l(e) / d.length);
  out[0] = k(e) * ((slope * dot(zeta, p_nu)) * d.unit +
                   (one_minus_tau / d.length) * (dot(nu, d.unit) * p_zeta + dot(zeta, d.unit) * p_nu));
  out[1] = -out[0];
}

SpringStencil::Slopes SpringStencil::clamped_form_parameter_derivatives(Count e, const Corners& x,
                                                                        const Corners& z,
                                                                        const Corners& v) const {
  const Direction d = direction(x);
  const Vec3 zeta = z[0] - z[1], nu = v[0] - v[1];
  const double transverse_form = dot(zeta, transverse(d.unit, nu));
  const double tau = 1.0 - ratio(e, d, HessianKind::clamped);
  const double by_length =
      d.length == 0.0 ? 0.0 : -stretched(e, d.length) * (k(e) / d.length) * transverse_form;
  return {dot(zeta, d.unit) * dot(nu, d.unit) + tau * transverse_form, by_length};
}

}  // namespace electret
