#pragma once
/// \file
/// A chart's axis as a function from values to [0, 1], with its tick marks.

#include <string>
#include <vector>

#include <electret/record/chart.hpp>

namespace electret {

/// One tick: where it is, and its text. Minor ticks have no text.
struct ChartTick {
  double value = 0.0;
  std::string text;         ///< Empty for a minor tick.
  std::string superscript;  ///< Drawn raised after the text, for powers of ten.
};

class ChartScale {
 public:
  /// Covers those of `values` that an axis can show, and what `axis` fixes. If `from_zero`, a linear axis
  /// reaches 0 even if all values have one sign, unless that would hide how they differ: they span less than
  /// a fifth of the largest, and more than rounding. Without it, whole numbers have ticks at whole numbers.
  /// An axis of names covers these.
  ChartScale(const ChartAxis& axis, const std::vector<double>& values, bool from_zero);

  /// Whether a value has a place on the axis, which may be outside its range.
  [[nodiscard]] bool shows(double value) const;
  /// 0 at the axis's low end, 1 at its high end.
  [[nodiscard]] double place(double value) const;
  [[nodiscard]] const std::vector<ChartTick>& ticks() const { return ticks_; }

 private:
  void make_named(const std::vector<std::string>& names);
  void make_linear(bool whole);
  void make_logarithmic();
  void add_powers(int step);

  bool logarithmic_;
  double low_ = 0.0, high_ = 1.0;
  bool fixed_low_, fixed_high_;
  std::vector<ChartTick> ticks_;
};

}  // namespace electret
