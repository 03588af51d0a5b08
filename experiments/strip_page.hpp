#pragma once
/// \file
/// The page of a strip of pictures: titles, headings of columns, labels of rows, and panels between them.

#include <functional>
#include <string>
#include <vector>

#include <electret/record/canvas.hpp>

namespace electret::experiments {

struct StripPage {
  static constexpr double width = 960, margin = 16, gap = 6, top = 92;  ///< In the page's units.
  static constexpr double label_width = 118;  ///< Where panels start if rows have labels.

  std::string title = {}, subtitle = {};
  std::vector<std::string> columns = {};  ///< The headings.
  std::vector<std::string> labels = {};   ///< One per row; "\n" starts a new line.
  double left = label_width;              ///< The left edge of the first panel.
  double panel_width = 0.0, panel_height = 0.0;

  /// The widest panel with which all columns fit.
  [[nodiscard]] static double widest_panel(double left, std::size_t columns);
  [[nodiscard]] double height() const;

  /// Draws everything but the panels, and calls `panel` with the row, column and upper left corner of each.
  using Panel = std::function<void(std::size_t row, std::size_t column, double x, double y)>;
  void draw(Canvas& canvas, const Panel& panel) const;

  static constexpr Colour ground{0.965, 0.965, 0.965};  ///< The background of empty panels.
  void empty_panel(Canvas& canvas, double x, double y) const;
  /// Draws `words` in the middle of an empty panel; "\n" starts a new line.
  void missing(Canvas& canvas, double x, double y, const std::string& words) const;
};

}  // namespace electret::experiments
