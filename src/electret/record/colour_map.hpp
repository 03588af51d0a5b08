#pragma once
/// \file
/// A value over two parameters as coloured cells, as SVG and PNG of the same drawing. If there are few cells,
/// each shows its number.

#include <string>
#include <vector>

namespace electret {

struct ColourMap {
  std::string title = {}, subtitle = {};
  std::string x_label = {}, y_label = {};  ///< Quantity and unit.
  /// The parameter of the columns, and that of the rows (upwards).
  std::vector<double> x = {}, y = {};
  /// value[row][column]; a cell is empty if its value is not finite.
  std::vector<std::vector<double>> value = {};
  std::string value_label = {};  ///< Beside the scale of colours.
  /// The cells and the colour scale show scale × value; 100 for percent.
  double scale = 1.0;
};

/// An SVG document of 960×600. The colours run from dark blue to yellow and become ever lighter, so that the
/// colour-blind can tell them apart, too. Throws InternalError unless `value` has one row per y and one
/// column per x.
[[nodiscard]] std::string colour_map_svg(const ColourMap& map);
/// A PNG picture of 960·scale × 600·scale pixels.
[[nodiscard]] std::string colour_map_png(const ColourMap& map, double scale = 2.0);

}  // namespace electret
