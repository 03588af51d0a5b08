#include <algorithm>
#include <cmath>

#include <electret/core/digits.hpp>
#include <electret/record/detail/colour_scale.hpp>

namespace electret {

ColourScale::ColourScale(const std::vector<double>& values) : common_(common_part(values)) {
  double least = 0.0, largest = 0.0;
  bool is_first = true;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    least = is_first ? value : std::min(least, value);
    largest = is_first ? value : std::max(largest, value);
    is_first = false;
  }
  least -= common_.value;
  largest -= common_.value;
  const double size = std::max(std::abs(least), std::abs(largest));
  const bool is_far_from_zero = largest > least && largest - least < 0.5 * size;
  if (!is_far_from_zero) {
    least = std::min(least, 0.0);
    largest = std::max(largest, 0.0);
    if (!(largest > least)) largest = least + 1.0;
  }
  const PowerOfTen power = common_power({least, largest});
  factor_ = power.value;
  factor_text_ = power.text;
  ticks_ = make_ticks(least / factor_, largest / factor_, 5, true);
  digits_ = digits_for(size / factor_, 0.01 * (largest - least) / factor_, 3);
}

double ColourScale::part(double value) const {
  return (shown(value) - ticks_.value(0)) / (ticks_.last() - ticks_.value(0));
}

std::string ColourScale::text(double value) const {
  return general_text(shown(value), digits_);
}

std::string ColourScale::label(const std::string& name) const {
  return with_common(name, common_.text, factor_text_);
}

std::vector<ColourScale::Tick> ColourScale::ticks() const {
  std::vector<Tick> all;
  const double range = ticks_.last() - ticks_.value(0);
  for (int k = 0; k <= ticks_.intervals; ++k)
    all.push_back({(ticks_.value(k) - ticks_.value(0)) / range, ticks_.label(k)});
  return all;
}

}  // namespace electret
