#pragma once
/// \file
/// The drawing of charts and pictures: the few strokes that they are made of, through Cairo, as SVG and PNG.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <electret/record/chart.hpp>

using cairo_t = struct _cairo;  // NOLINT(bugprone-reserved-identifier): Cairo's own name.

namespace electret {

/// Each part is between 0 and 1.
struct Colour {
  double red, green, blue;
};
namespace colours {
inline constexpr Colour ink{0.2, 0.2, 0.2}, faint{0.92, 0.92, 0.92}, grid{0.82, 0.82, 0.82},
    frame{0.4, 0.4, 0.4}, white{1, 1, 1};
/// Okabe and Ito's colours, which the colour-blind can tell apart, too.
inline constexpr std::array<Colour, 7> palette{{{0.00, 0.45, 0.70},
                                                {0.84, 0.37, 0.00},
                                                {0.00, 0.62, 0.45},
                                                {0.80, 0.47, 0.65},
                                                {0.90, 0.62, 0.00},
                                                {0.34, 0.71, 0.91},
                                                {0.13, 0.13, 0.13}}};
}  // namespace colours

enum class Anchor { start, middle, end };

/// A point of the page: x to the right, y downwards.
using PagePoint = std::array<double, 2>;

class Canvas {
 public:
  explicit Canvas(cairo_t* cairo) : cairo_(cairo) {}

  void colour(const Colour& c);
  void line(double x1, double y1, double x2, double y2, double stroke);
  void font(double size, bool bold = false);
  [[nodiscard]] double text_width(const std::string& text);
  void text(double x, double y, Anchor anchor, const std::string& text);
  void turned_text(double x, double y, const std::string& words);
  void polyline(const std::vector<PagePoint>& points, double stroke, bool dashed);
  /// `polygon`, filled, with a thin edge of another colour.
  void filled(std::span<const PagePoint> polygon, const Colour& inside, const Colour& edge, double stroke);
  void rectangle(double x, double y, double w, double h);  ///< Filled.
  void marker(Marker kind, double x, double y, const Colour& edge, bool hollow);
  void dot(double x, double y, double radius);
  void clip(double x, double y, double w, double h);
  void unclip();
  void fill_all(const Colour& c);
  void move_origin(double x, double y);  ///< Later strokes are drawn from there.
  /// Draws the page of w×h that `draw` draws as pixels, `scale` per unit, at (x, y). Something with thousands
  /// of strokes thus becomes a small picture inside an SVG.
  void pixels(double x, double y, double w, double h, double scale, const std::function<void(Canvas&)>& draw);
  /// Draws pixels over the page's w×h at (x, y). They have eight bits per colour and come row by row from the
  /// upper left one, `width` per row.
  void bitmap(double x, double y, double w, double h, std::span<const std::array<std::uint8_t, 3>> colours,
              int width);

 private:
  void polygon(double x, double y, int corners, double radius, double turn);

  cairo_t* cairo_;
};

/// A page of width×height as an SVG document. Text is drawn as outlines. The same drawing gives the same
/// bytes.
[[nodiscard]] std::string drawing_svg(double width, double height, const std::function<void(Canvas&)>& draw);
/// The same as a PNG picture, with `scale` pixels per unit.
[[nodiscard]] std::string drawing_png(double width, double height, double scale,
                                      const std::function<void(Canvas&)>& draw);

}  // namespace electret
