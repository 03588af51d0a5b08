#pragma once
/// \file
/// The numbers beside a map's colours: where the scale begins and ends, and how values are written.

#include <string>
#include <vector>

#include <electret/record/detail/plot_axis.hpp>

namespace electret {

/// The scale reaches 0, unless all values lie further from 0 than they do from each other. What all values
/// have in common, and a power of ten where they are very small or very large, stand beside the label.
class ColourScale {
 public:
  /// Values that are not finite do not count.
  explicit ColourScale(const std::vector<double>& values);

  /// Where a value is on the scale, from 0 to 1.
  [[nodiscard]] double part(double value) const;
  /// The value as its cell shows it, with as many digits as tell a hundredth of the scale.
  [[nodiscard]] std::string text(double value) const;
  /// `name` with what is to be subtracted and the factor: "height − 10 (× 1e-06)".
  [[nodiscard]] std::string label(const std::string& name) const;

  /// Whether values are shown as they are, without common part and factor.
  [[nodiscard]] bool is_plain() const { return common_.text.empty() && factor_text_.empty(); }

  struct Tick {
    double part = 0.0;
    std::string text;
  };
  [[nodiscard]] std::vector<Tick> ticks() const;

 private:
  [[nodiscard]] double shown(double value) const { return (value - common_.value) / factor_; }

  Common common_;
  double factor_ = 1.0;
  std::string factor_text_;
  Ticks ticks_;
  int digits_ = 3;
};

}  // namespace electret
