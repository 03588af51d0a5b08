#include <cmath>
#include <numbers>

#include <electret/force/detail/point_charge.hpp>

namespace electret::detail {
namespace {

const double root_2_over_pi = std::sqrt(2.0 / std::numbers::pi);

GaussianShape series(double u) {
  GaussianShape shape;
  double power = 1.0;        // (-1)^k u^{2k}/(2^k k!)
  double slope_power = 0.0;  // (-1)^k 2k u^{2k-2}/(2^k k!)
  for (int k = 0; k < 16; ++k) {
    shape.g += power / (2 * k + 3);
    shape.potential += power / (2 * k + 1);
    shape.slope += slope_power / (2 * k + 3);
    slope_power = -power;
    power *= -u * u / (2 * (k + 1));
  }
  shape.g *= root_2_over_pi;
  shape.potential *= root_2_over_pi;
  shape.slope *= root_2_over_pi;
  return shape;
}

GaussianShape closed_form(double u) {
  const double w = root_2_over_pi * std::exp(-0.5 * u * u);
  const double erf = std::erf(u / std::numbers::sqrt2);
  const double u2 = u * u;
  return {erf / (u * u2) - w / u2, w * (3.0 + u2) / (u2 * u2) - 3.0 * erf / (u2 * u2 * u), erf / u};
}

}  // namespace

GaussianShape gaussian_shape(double u) {
  return u < 1.0 ? series(u) : closed_form(u);
}

RadialField radial_field(double distance, double width) {
  if (width == 0.0) {
    const double inverse = 1.0 / distance, cubed = inverse * inverse * inverse;
    return {cubed, -3.0 * cubed * inverse * inverse, inverse};
  }
  const GaussianShape shape = gaussian_shape(distance / width);
  const double cubed = width * width * width;
  return {shape.g / cubed, shape.slope / (cubed * width * width), shape.potential / width};
}

}  // namespace electret::detail
