#include <algorithm>
#include <cmath>

#include <electret/record/detail/chart_scale.hpp>
#include <electret/record/detail/plot_axis.hpp>

namespace electret {
namespace {

constexpr int most_decades = 8;  // more than these are not all labelled

/// "0.2", "1", "20", "500": digits of an unremarkable number.
std::string plain(double value) {
  Ticks ticks;
  ticks.first = value;
  ticks.step = std::pow(10.0, std::floor(std::log10(value) + 1e-9));
  ticks.intervals = 0;
  return ticks.label(0);
}

/// Whether numbers of one sign differ by little beside their size, but by more than rounding.
bool are_close(double low, double high) {
  constexpr double little = 0.2, rounding = 1e-6;
  const double size = std::max(std::abs(low), std::abs(high)), range = high - low;
  return low * high > 0.0 && range < little * size && range > rounding * size;
}

bool are_whole(const std::vector<double>& values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [](double value) { return value == std::round(value); });
}

}  // namespace

ChartScale::ChartScale(const ChartAxis& axis, const std::vector<double>& values, bool from_zero)
    : logarithmic_(axis.logarithmic), fixed_low_(axis.low.has_value()), fixed_high_(axis.high.has_value()) {
  if (!axis.names.empty()) {
    make_named(axis.names);
    return;
  }
  std::vector<double> shown;
  std::copy_if(values.begin(), values.end(), std::back_inserter(shown),
               [this](double value) { return shows(value); });
  const auto range = std::minmax_element(shown.begin(), shown.end());
  low_ = shown.empty() ? (logarithmic_ ? 0.1 : 0.0) : *range.first;
  high_ = shown.empty() ? 1.0 : *range.second;
  if (!logarithmic_ && from_zero && !are_close(low_, high_)) {
    low_ = std::min(low_, 0.0);
    high_ = std::max(high_, 0.0);
  }
  low_ = axis.low.value_or(low_);
  high_ = axis.high.value_or(high_);
  logarithmic_ ? make_logarithmic() : make_linear(!from_zero && are_whole(shown));
}

bool ChartScale::shows(double value) const {
  return std::isfinite(value) && (!logarithmic_ || value > 0.0);
}

double ChartScale::place(double value) const {
  if (!logarithmic_) return (value - low_) / (high_ - low_);
  return std::log(value / low_) / std::log(high_ / low_);
}

void ChartScale::make_named(const std::vector<std::string>& names) {
  logarithmic_ = false;
  low_ = -0.5;
  high_ = static_cast<double>(names.size()) - 0.5;
  for (std::size_t k = 0; k < names.size(); ++k) ticks_.push_back({static_cast<double>(k), names[k], ""});
}

void ChartScale::make_linear(bool whole) {
  constexpr int usual = 7;
  // So many intervals that each is at least 1.
  const double range = high_ - low_;
  const int count = whole && range >= 1.0 && range < usual ? static_cast<int>(range) : usual;
  const Ticks ticks = make_ticks(low_, high_, count, !fixed_low_ && !fixed_high_);
  for (int k = 0; k <= ticks.intervals; ++k) ticks_.push_back({ticks.value(k), ticks.label(k), ""});
  if (!fixed_low_ && !fixed_high_) {
    low_ = ticks.value(0);
    high_ = ticks.last();
  }
  if (!(high_ > low_)) high_ = low_ + 1.0;
}

void ChartScale::make_logarithmic() {
  if (!(high_ > low_)) {
    low_ /= 2.0;
    high_ *= 2.0;
  }
  // Leave a little room, so that no marker sits on the frame.
  const double room = std::pow(high_ / low_, 0.04);
  if (!fixed_low_) low_ /= room;
  if (!fixed_high_) high_ *= room;
  const double decades = std::log10(high_ / low_);
  add_powers(static_cast<int>(std::ceil(decades / most_decades)));
  if (decades > 2.5) return;
  // If there are few powers of ten, 2 and 5 are labelled, too.
  for (ChartTick& tick : ticks_) {
    const double lead = tick.value / std::pow(10.0, std::floor(std::log10(tick.value) + 1e-9));
    const bool between = std::abs(lead - 2.0) < 0.01 || std::abs(lead - 5.0) < 0.01;
    if (!tick.text.empty() || between) tick = {tick.value, plain(tick.value), ""};
  }
}

void ChartScale::add_powers(int step) {
  const int first = static_cast<int>(std::floor(std::log10(low_)));
  const int last = static_cast<int>(std::ceil(std::log10(high_)));
  for (int power = first; power <= last; ++power)
    for (int lead = 1; lead < 10; ++lead) {
      const double value = lead * std::pow(10.0, power);
      if (value < low_ * (1.0 - 1e-12) || value > high_ * (1.0 + 1e-12)) continue;
      const bool major = lead == 1 && power % step == 0;
      if (!major && step > 1) continue;
      std::string exponent = std::to_string(std::abs(power));
      if (power < 0) exponent = "\u2212" + exponent;
      ticks_.push_back({value, major ? "10" : "", major ? exponent : ""});
    }
}

}  // namespace electret
