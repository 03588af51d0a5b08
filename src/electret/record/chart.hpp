#pragma once
/// \file
/// Charts of measured numbers: lines with markers and error bars over linear or logarithmic axes, as SVG and
/// PNG of the same drawing.
///
/// \code
///   electret::Chart chart;
///   chart.title = "Time of an evaluation";
///   chart.x = {.label = "charges", .logarithmic = true};
///   chart.y = {.label = "time (s)", .logarithmic = true};
///   chart.series.push_back({.name = "direct", .x = {1e3, 1e4}, .y = {1e-4, 1e-2}});
///   write(electret::chart_svg(chart), electret::chart_png(chart));
/// \endcode

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace electret {

enum class Marker { none, circle, square, triangle, diamond, cross };

/// A curve: points (x, y) in the order in which a line joins them. Points are left out if they are not
/// finite, or not positive on a logarithmic axis.
struct Series {
  std::string name = {};  ///< In the legend. Series of one name share an entry. Empty: no entry.
  std::vector<double> x = {}, y = {};
  /// Half the length of each point's error bar, in units of y; empty: no bars.
  std::vector<double> error = {};
  int colour = 0;  ///< Index into the palette (chart_colours), which repeats.
  Marker marker = Marker::circle;
  bool line = true;     ///< Whether a line joins the points.
  double stroke = 1.8;  ///< Width of the line.
  bool dashed = false;
  bool hollow = false;     ///< Markers filled with white.
  std::string label = {};  ///< Written beside the last point.
};

struct ChartAxis {
  std::string label = {};  ///< Quantity and unit.
  bool logarithmic = false;
  std::optional<double> low = {}, high = {};  ///< The range; absent: the data's.
  std::vector<std::string> names = {};        ///< If there are any, the axis has these at 0, 1, 2, …
};

/// A horizontal line across the chart.
struct ChartLevel {
  double value = 0.0;
  std::string label = {};
};

struct Chart {
  std::string title = {};
  std::string subtitle = {};
  ChartAxis x = {}, y = {};
  std::vector<Series> series = {};
  std::vector<ChartLevel> levels = {};
  double height = 600.0;  ///< Of the page, whose width is 960.
};

/// The number of different colours. The colours are Okabe and Ito's, which the colour-blind can tell apart,
/// too.
[[nodiscard]] int chart_colours();

/// The chart as an SVG document. Text is drawn as outlines, so that it looks the same everywhere.
[[nodiscard]] std::string chart_svg(const Chart& chart);
/// The charts one below the other as one SVG document.
[[nodiscard]] std::string charts_svg(std::span<const Chart> charts);

/// The chart as a PNG picture of 960·scale × height·scale pixels.
[[nodiscard]] std::string chart_png(const Chart& chart, double scale = 2.0);

}  // namespace electret
