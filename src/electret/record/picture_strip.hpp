#pragma once
/// \file
/// Rows of small pictures of a body over time, as SVG and PNG of the same drawing: an orthographic view of
/// its faces, or of its springs and vertices where it has none.

#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// One row: a picture for each column.
struct StripRow {
  std::string label = {};                  ///< On the left; "\n" starts a further line.
  std::vector<VectorArray> pictures = {};  ///< n×3, m; an empty one is drawn as `missing`.
  std::string missing = {};                ///< What stands where there is no picture: "diverged at 0.9 s".
};

struct PictureStrip {
  std::string title = {}, subtitle = {};
  std::vector<std::string> columns = {};  ///< The headings: times.
  std::vector<StripRow> rows = {};
  std::vector<Triangle> faces = {};
  std::vector<Edge> edges = {};  ///< Drawn where there are no faces, with the vertices.
  double azimuth = 30.0;         ///< Degrees about z that the viewer stands away from -y.
  double elevation = 35.0;       ///< Degrees that the viewer looks down from.
  std::size_t fitted_row = 0;    ///< The row whose pictures the view is made to hold; all have one scale.
};

/// An SVG document 960 wide, its height that of the rows; the pictures in it are pixels. Throws InternalError
/// unless every row has a picture for each column.
[[nodiscard]] std::string picture_strip_svg(const PictureStrip& strip);
/// A PNG picture of 960·scale pixels' width.
[[nodiscard]] std::string picture_strip_png(const PictureStrip& strip, double scale = 2.0);

}  // namespace electret
