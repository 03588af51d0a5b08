#pragma once
/// \file
/// Rows of small pictures of a body over time, as SVG and PNG of the same drawing. A picture is an
/// orthographic view of the body's faces or, if it has none, of its springs and vertices.

#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::experiments {

/// One row, with one picture per column.
struct StripRow {
  std::string label = {};                  ///< On the left; "\n" starts a new line.
  std::vector<VectorArray> pictures = {};  ///< n×3, m; an empty one is drawn as `missing`.
  /// Shown in place of an empty picture, such as "diverged at 0.9 s".
  std::string missing = {};
};

struct PictureStrip {
  std::string title = {}, subtitle = {};
  std::vector<std::string> columns = {};  ///< The columns' headings, such as times.
  std::vector<StripRow> rows = {};
  std::vector<Triangle> faces = {};
  std::vector<Edge> edges = {};  ///< Drawn with the vertices if there are no faces.
  double azimuth = 30.0;         ///< The viewer's angle about z away from -y, degrees.
  double elevation = 35.0;       ///< The angle from which the viewer looks down, degrees.
  std::size_t fitted_row = 0;    ///< The view is fitted to this row's pictures; all rows have one scale.
};

/// An SVG document of width 960, whose height depends on the rows. The pictures in it are pixels. Throws
/// InternalError unless every row has one picture per column.
[[nodiscard]] std::string picture_strip_svg(const PictureStrip& strip);
/// A PNG picture that is 960·scale pixels wide.
[[nodiscard]] std::string picture_strip_png(const PictureStrip& strip, double scale = 2.0);

}  // namespace electret::experiments
