#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

#include <electret/record/detail/plot_axis.hpp>

namespace electret {
namespace {

double nice_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double lead = rough / power;
  return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

}  // namespace

double Ticks::first_multiple() const {
  return std::round(first / step);
}

std::string Ticks::label(int k) const {
  const double number = value(k);
  const double size = std::max(std::abs(first), std::abs(last()));
  std::array<char, 40> text{};
  if (size >= 1e5 || step < 1e-5) {
    std::snprintf(text.data(), text.size(), "%.6g", number);
  } else {
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 8);
    std::snprintf(text.data(), text.size(), "%.*f", decimals, number == 0.0 ? 0.0 : number);
  }
  std::string label = text.data();
  if (label.front() == '-') label.replace(0, 1, "\u2212");
  return label;
}

Ticks make_ticks(double low, double high, int count, bool cover) {
  if (!(high > low)) {
    const double around = std::max(std::abs(low) * 0.1, 1e-12);
    low -= around;
    high += around;
  }
  Ticks ticks;
  ticks.step = nice_step((high - low) / count);
  const double slack = 1e-9;
  const double first = cover ? std::floor(low / ticks.step + slack) : std::ceil(low / ticks.step - slack);
  const double last = cover ? std::ceil(high / ticks.step - slack) : std::floor(high / ticks.step + slack);
  ticks.first = first * ticks.step;
  ticks.intervals = std::max(static_cast<int>(last - first), 0);
  return ticks;
}

ListedTicks listed_ticks(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  ListedTicks ticks;
  double factor = 1.0;
  if (largest > 0.0 && (largest < 1e-2 || largest >= 1e5)) {
    const double exponent = std::floor(std::log10(largest));
    factor = std::pow(10.0, exponent);
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "1e%+03.0f", exponent);
    ticks.factor = text.data();
  }
  for (const double value : values) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value / factor);
    ticks.texts.emplace_back(text.data());
  }
  return ticks;
}

UnitPrefix unit_prefix(double magnitude) {
  static constexpr std::array<const char*, 9> symbols{"p", "n", "\u00b5", "m", "", "k", "M", "G", "T"};
  if (!(magnitude > 0.0) || !std::isfinite(magnitude)) return {};
  const int power = std::clamp(static_cast<int>(std::floor(std::log10(magnitude) / 3.0)), -4, 4);
  return {std::pow(1000.0, power), symbols[static_cast<std::size_t>(std::ptrdiff_t{power} + 4)]};
}

}  // namespace electret
