#pragma once
/// \file
/// A value over two parameters as coloured cells, each with its number where they are few, as SVG and PNG of
/// the same drawing.

#include <string>
#include <vector>

namespace electret {

struct ColourMap {
  std::string title = {}, subtitle = {};
  std::string x_label = {}, y_label = {};       ///< Quantity and unit.
  std::vector<double> x = {}, y = {};           ///< The columns', the rows' (upwards) parameter.
  std::vector<std::vector<double>> value = {};  ///< value[row][column]; not finite: an empty cell.
  std::string value_label = {};                 ///< Beside the scale of colours.
  double scale = 1.0;                           ///< Cells and scale show scale × value: 100 for percent.
};

/// An SVG document of 960×600. The colours run from dark blue to yellow, ever lighter: told apart by the
/// colour-blind too. Throws InternalError unless `value` has a row for each y and a column for each x.
[[nodiscard]] std::string colour_map_svg(const ColourMap& map);
/// A PNG picture of 960·scale × 600·scale pixels.
[[nodiscard]] std::string colour_map_png(const ColourMap& map, double scale = 2.0);

}  // namespace electret
