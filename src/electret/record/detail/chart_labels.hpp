#pragma once
/// \file
/// Where a chart's texts go, so that they stay on the page and apart.

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace electret {

/// The width of a text as it is drawn.
using TextWidth = std::function<double(const std::string& text)>;

/// `text` in lines of at most `width`, broken between words. A word that is wider has a line of its own.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, double width,
                                               const TextWidth& width_of);

/// A rectangle of the page: x to the right, y downwards.
struct LabelBox {
  double left = 0.0, top = 0.0, width = 0.0, height = 0.0;
};

/// The places of labels that were drawn.
class LabelPlaces {
 public:
  /// Takes the first of `choices` that overlaps no place taken before, or else the first of all; returns its
  /// index. There is at least one.
  std::size_t take(std::span<const LabelBox> choices);

 private:
  std::vector<LabelBox> taken_;
};

}  // namespace electret
