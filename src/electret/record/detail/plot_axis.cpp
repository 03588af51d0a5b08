#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>

#include <electret/core/digits.hpp>
#include <electret/record/detail/plot_axis.hpp>

namespace electret {
namespace {

double nice_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double lead = rough / power;
  return power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
}

std::vector<double> finite(const std::vector<double>& values) {
  std::vector<double> kept;
  for (const double value : values)
    if (std::isfinite(value)) kept.push_back(value);
  return kept;
}

/// Whether two different numbers have the same text.
bool has_twins(const std::vector<double>& values, const std::vector<std::string>& texts) {
  std::map<std::string, double> known;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto [at, is_new] = known.try_emplace(texts[k], values[k]);
    if (!is_new && std::isfinite(values[k]) && at->second != values[k]) return true;
  }
  return false;
}

}  // namespace

double Ticks::first_multiple() const {
  return std::round(first / step);
}

std::string Ticks::label(int k) const {
  const double number = value(k);
  const double size = std::max(std::abs(first), std::abs(last()));
  std::string label;
  if (size >= 1e5 || step < 1e-5) {
    label = general_text(number, digits_for(size, step, 6));
  } else {
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 8);
    label = fixed_text(number == 0.0 ? 0.0 : number, decimals);
  }
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

Common common_part(const std::vector<double>& values) {
  const std::vector<double> all = finite(values);
  if (all.empty()) return {};
  const auto [least, largest] = std::minmax_element(all.begin(), all.end());
  const double size = std::max(std::abs(*least), std::abs(*largest)), range = *largest - *least;
  constexpr double near = 1e-5;  // More than six digits would be needed.
  if (!(range > 0.0) || range > near * size) return {};
  const double exponent = std::ceil(std::log10(range)), power = std::pow(10.0, exponent);
  // A multiple of a power of ten, and as such the number that its text is.
  const int digits = std::clamp(static_cast<int>(std::ceil(std::log10(size)) - exponent) + 1, 1, 17);
  constexpr double slack = 1e-3;  // 10 / 1e-6 is not whole.
  const std::string text = general_text(std::floor(*least / power + slack) * power, digits);
  double value = 0.0;
  (void)std::from_chars(text.data(), text.data() + text.size(), value);
  return {value, text};
}

PowerOfTen common_power(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : finite(values)) largest = std::max(largest, std::abs(value));
  if (!(largest > 0.0) || (largest >= 1e-2 && largest < 1e5)) return {};
  const double exponent = std::floor(std::log10(largest));
  const auto digits = std::to_string(static_cast<int>(std::abs(exponent)));
  return {std::pow(10.0, exponent),
          std::string(exponent < 0.0 ? "1e-" : "1e+") + (digits.size() < 2 ? "0" : "") + digits};
}

int digits_for(double size, double step, int least) {
  constexpr int most = 15;
  if (!(size > 0.0) || !(step > 0.0)) return least;
  return std::clamp(static_cast<int>(std::ceil(std::log10(size / step) - 1e-9)) + 1, least, most);
}

std::string with_common(const std::string& label, const std::string& common, const std::string& factor) {
  std::string text = label;
  if (!common.empty()) text += common.front() == '-' ? " + " + common.substr(1) : " \u2212 " + common;
  if (!factor.empty()) text += " (\u00d7 " + factor + ")";
  return text;
}

ListedTicks listed_ticks(const std::vector<double>& values) {
  const Common common = common_part(values);
  std::vector<double> rest;
  for (const double value : values) rest.push_back(value - common.value);
  const PowerOfTen power = common_power(rest);
  ListedTicks ticks{{}, common.text, power.text};
  constexpr int usual = 4, most = 8;
  for (int digits = usual; digits <= most; ++digits) {
    ticks.texts.clear();
    for (const double value : rest) ticks.texts.push_back(general_text(value / power.value, digits));
    if (!has_twins(rest, ticks.texts)) break;
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
