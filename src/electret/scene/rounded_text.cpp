#include <charconv>
#include <cmath>

#include <electret/scene/rounded_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// Of a value, by which a decimal that is meant to be it may differ.
constexpr double rounding = 1e-12;

/// `value` in steps of the last of its `digits` significant digits.
double in_units(double value, int digits, double& unit) {
  unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - (digits - 1));
  return value / unit;
}

/// The text of `value`, or of what is a unit of its third digit beside it on the side of `sign`, so that the
/// text is not on the other side of `value`.
std::string text_beside(double value, double sign) {
  std::string text = brief_text(value);
  if (value == 0.0 || !std::isfinite(value)) return text;
  const auto is_beyond = [&](const std::string& written) {
    double read = value;
    std::from_chars(written.data(), written.data() + written.size(), read);
    return sign * (read - value) < -rounding * std::abs(value);
  };
  double unit = 0.0;
  in_units(value, 3, unit);
  for (int step = 1; step <= 2 && is_beyond(text); ++step) text = brief_text(value + sign * step * unit);
  return text;
}

}  // namespace

std::string brief_text_below(double value) {
  return text_beside(value, -1.0);
}

std::string brief_text_above(double value) {
  return text_beside(value, 1.0);
}

double rounded_up(double value, int digits) {
  if (value == 0.0) return 0.0;
  double unit = 0.0;
  const double units = in_units(std::abs(value), digits, unit);
  return std::copysign(std::ceil(units - 1e-9) * unit, value);
}

}  // namespace electret
