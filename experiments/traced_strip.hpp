#pragma once
/// \file
/// Rows of ray-traced pictures of a body over time.

#include <optional>

#include <electret/core/parallel.hpp>
#include <electret/render/camera.hpp>
#include <electret/render/picture.hpp>

#include "picture_strip.hpp"

namespace electret::experiments {

/// One row: a picture for each column.
struct TracedRow {
  std::string label = {};              ///< On the left; "\n" starts a further line.
  std::vector<Picture> pictures = {};  ///< One that shows nothing is drawn as `missing`.
  std::string missing = {};            ///< What stands where there is no picture.
};

/// Rows of pictures that are traced: all by one camera, on one floor.
struct TracedRows {
  std::string title, subtitle;
  std::vector<std::string> columns;  ///< The headings: times.
  std::vector<TracedRow> rows;
  ViewDirection view{};
  bool ground = true;
  std::optional<double> floor = {};  ///< The ground's height, m; absent: under all that is shown.
};

/// Of one body, whose surface alone is drawn. Balls stand in every picture.
struct TracedStrip {
  std::string title, subtitle;
  std::vector<std::string> columns;  ///< The headings: times.
  std::vector<StripRow> rows;        ///< Each has a picture for each column.
  std::vector<Triangle> faces;       ///< Of every picture,
  std::vector<Colour> colours = {};  ///< and its vertices' colours; empty: one for all.
  std::vector<Ball> balls = {};      ///< Marks, as targets.
  ViewDirection view{};
  bool ground = true;
  std::optional<double> floor = {};  ///< The ground's height, m; absent: under all that is shown.
};

/// An SVG document 960 wide, and the same as a PNG picture of twice as many pixels.
struct StripDrawings {
  std::string svg, png;
};
/// Throws InternalError unless every row has a picture for each column.
[[nodiscard]] StripDrawings draw(const TracedRows& strip, Threads& threads);
[[nodiscard]] StripDrawings draw(const TracedStrip& strip, Threads& threads);

}  // namespace electret::experiments
