#pragma once
/// \file
/// Round tick marks, and prefixes of units.

#include <string>
#include <vector>

namespace electret {

/// Ticks at multiples of 1, 2 or 5 × 10^k that cover [low, high] with about `count` intervals.
struct Ticks {
  double first = 0.0, step = 1.0;
  int intervals = 1;
  [[nodiscard]] double value(int k) const { return (first_multiple() + k) * step; }
  [[nodiscard]] double last() const { return value(intervals); }
  /// As many decimals as the step needs.
  [[nodiscard]] std::string label(int k) const;

 private:
  [[nodiscard]] double first_multiple() const;
};
/// With `cover`, the first and last tick enclose the range; otherwise they lie inside it.
[[nodiscard]] Ticks make_ticks(double low, double high, int count, bool cover);

/// What numbers that are nearly equal have in common, such as 10 of 10.000001 and 10.000002; else 0.
struct Common {
  double value = 0.0;
  std::string text;  ///< Empty for 0.
};
[[nodiscard]] Common common_part(const std::vector<double>& values);

/// The power of ten of the largest number if all are very small or very large; else 1.
struct PowerOfTen {
  double value = 1.0;
  std::string text;  ///< Such as "1e-06"; empty for 1.
};
[[nodiscard]] PowerOfTen common_power(const std::vector<double>& values);

/// The digits by which numbers of this size that differ by `step` differ when they are written; at least
/// `least`.
[[nodiscard]] int digits_for(double size, double step, int least);

/// The label of an axis whose numbers are written without a common part and factor: "q − 10 (× 1e-06)".
[[nodiscard]] std::string with_common(const std::string& label, const std::string& common,
                                      const std::string& factor);

/// Short texts for listed numbers: up to four digits each, or as many as tell them apart. What all have in
/// common, and a power of ten, stand apart.
struct ListedTicks {
  std::vector<std::string> texts;
  std::string common;  ///< Such as "10", which is to be added to each; empty for 0.
  std::string factor;  ///< Such as "1e-06"; empty for 1.
  /// `name` with both of them, for the axis.
  [[nodiscard]] std::string label(const std::string& name) const { return with_common(name, common, factor); }
};
[[nodiscard]] ListedTicks listed_ticks(const std::vector<double>& values);

/// A unit's prefix and its factor, a power of 1000: "k", "m", "µ".
struct UnitPrefix {
  double factor = 1.0;
  std::string symbol;
};
[[nodiscard]] UnitPrefix unit_prefix(double magnitude);

}  // namespace electret
