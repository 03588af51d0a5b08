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

/// Short texts for listed numbers: up to four digits each, with a common power of ten apart if the numbers
/// are very small or very large.
struct ListedTicks {
  std::vector<std::string> texts;
  std::string factor;  ///< Such as "1e-06", for the axis's label; empty for 1.
};
[[nodiscard]] ListedTicks listed_ticks(const std::vector<double>& values);

/// A unit's prefix and its factor, a power of 1000: "k", "m", "µ".
struct UnitPrefix {
  double factor = 1.0;
  std::string symbol;
};
[[nodiscard]] UnitPrefix unit_prefix(double magnitude);

}  // namespace electret
