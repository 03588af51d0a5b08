#include "picture_strip.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <electret/core/errors.hpp>
#include <electret/record/canvas.hpp>

#include "strip_page.hpp"

namespace electret::experiments {
namespace {

using namespace colours;

constexpr double widest_panel = 165;
constexpr double pixel_scale = 2.0;

/// Screen coordinates: right, up and towards the viewer, m.
class View {
 public:
  View(double azimuth, double elevation) {
    const double a = azimuth * std::numbers::pi / 180.0, e = elevation * std::numbers::pi / 180.0;
    right_ = {std::cos(a), std::sin(a), 0.0};
    nearer_ = {std::sin(a) * std::cos(e), -std::cos(a) * std::cos(e), std::sin(e)};
    up_ = cross(nearer_, right_);
  }
  [[nodiscard]] Vec3 of(const Vec3& x) const { return {dot(right_, x), dot(up_, x), dot(nearer_, x)}; }

 private:
  Vec3 right_, up_, nearer_;
};

struct Box {
  Vec3 low{inf, inf, inf}, high{-inf, -inf, -inf};
  static constexpr double inf = std::numeric_limits<double>::infinity();

  void add(const Vec3& x) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], x[axis]);
      high[axis] = std::max(high[axis], x[axis]);
    }
  }
  [[nodiscard]] Vec3 centre() const { return 0.5 * (low + high); }
};

Colour mixed(const Colour& a, const Colour& b, double t) {
  const double s = std::clamp(t, 0.0, 1.0);
  return {a.red + s * (b.red - a.red), a.green + s * (b.green - a.green), a.blue + s * (b.blue - a.blue)};
}

/// Indices of `depth` from the farthest to the nearest.
std::vector<std::size_t> far_to_near(const std::vector<double>& depth) {
  std::vector<std::size_t> order(depth.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return depth[a] < depth[b]; });
  return order;
}

class StripDrawing {
 public:
  explicit StripDrawing(const PictureStrip& strip)
      : strip_(strip), view_(strip.azimuth, strip.elevation), box_(fitted_box()) {
    page_ = {.title = strip.title, .subtitle = strip.subtitle, .columns = strip.columns};
    for (const StripRow& row : strip.rows) page_.labels.push_back(row.label);
    page_.panel_width = std::min(StripPage::widest_panel(page_.left, strip.columns.size()), widest_panel);
    const Vec3 size = box_.high - box_.low;
    const double shape = size.x > 0.0 ? size.y / size.x : 1.0;
    page_.panel_height = page_.panel_width * std::clamp(shape, 0.5, 1.8);
    scale_ = 0.94 * std::min(page_.panel_width / std::max(size.x, 1e-300),
                             page_.panel_height / std::max(size.y, 1e-300));
  }

  [[nodiscard]] double height() const { return page_.height(); }

  void draw(Canvas& canvas) const {
    page_.draw(canvas, [&](std::size_t number, std::size_t column, double x, double y) {
      const StripRow& row = strip_.rows[number];
      page_.empty_panel(canvas, x, y);
      if (row.pictures[column].empty())
        page_.missing(canvas, x, y, row.missing);
      else
        canvas.pixels(x, y, page_.panel_width, page_.panel_height, pixel_scale,
                      [&](Canvas& panel) { body(panel, row.pictures[column]); });
    });
  }

 private:
  [[nodiscard]] Box fitted_box() const {
    Box box;
    for (const auto& picture : strip_.rows[strip_.fitted_row].pictures)
      for (const Vec3& x : picture)
        if (is_finite(x)) box.add(view_.of(x));
    if (!(box.low.x <= box.high.x)) box.low = {-1, -1, -1}, box.high = {1, 1, 1};
    return box;
  }

  void body(Canvas& panel, const VectorArray& positions) const {
    panel.fill_all(StripPage::ground);
    VectorArray seen(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) seen[i] = on_panel(positions[i]);
    strip_.faces.empty() ? springs(panel, seen) : surface(panel, positions, seen);
  }

  /// x and y in units of the page, from the panel's upper left corner; z towards the viewer, 0 to 1 in the
  /// fitted box.
  [[nodiscard]] Vec3 on_panel(const Vec3& position) const {
    const Vec3 x = view_.of(position), centre = box_.centre();
    return {page_.panel_width / 2 + scale_ * (x.x - centre.x),
            page_.panel_height / 2 - scale_ * (x.y - centre.y),
            (x.z - box_.low.z) / std::max(box_.high.z - box_.low.z, 1e-300)};
  }

  void springs(Canvas& panel, const VectorArray& seen) const {
    constexpr Colour far{0.80, 0.84, 0.88}, near{0.30, 0.38, 0.46};
    std::vector<double> depth;
    for (const auto& [i, j] : strip_.edges) depth.push_back(0.5 * (at(seen, i).z + at(seen, j).z));
    for (const std::size_t k : far_to_near(depth)) {
      const auto& [i, j] = strip_.edges[k];
      panel.colour(mixed(far, near, depth[k]));
      panel.line(at(seen, i).x, at(seen, i).y, at(seen, j).x, at(seen, j).y, 0.6);
    }
    depth.clear();
    for (const Vec3& x : seen) depth.push_back(x.z);
    for (const std::size_t i : far_to_near(depth)) {
      panel.colour(mixed({0.62, 0.76, 0.88}, palette[0], depth[i]));
      panel.dot(seen[i].x, seen[i].y, 1.5 + 0.7 * std::clamp(depth[i], 0.0, 1.0));
    }
  }

  /// From the farthest face to the nearest, lit from the viewer's upper left.
  void surface(Canvas& panel, const VectorArray& positions, const VectorArray& seen) const {
    constexpr Colour dark{0.16, 0.30, 0.42}, light{0.78, 0.88, 0.96};
    const Vec3 lamp = (1.0 / norm(Vec3{-0.5, 0.6, 0.8})) * Vec3{-0.5, 0.6, 0.8};
    std::vector<double> depth;
    for (const auto& [a, b, c] : strip_.faces)
      depth.push_back((at(seen, a).z + at(seen, b).z + at(seen, c).z) / 3.0);
    for (const std::size_t k : far_to_near(depth)) {
      const auto& [a, b, c] = strip_.faces[k];
      const Vec3 normal =
          cross(view_.of(at(positions, b) - at(positions, a)), view_.of(at(positions, c) - at(positions, a)));
      const double size = norm(normal);
      // A face of a cloth is seen from either side.
      const double towards = normal.z < 0.0 ? -1.0 : 1.0;
      const double lit = size > 0.0 ? std::max(towards * dot(normal, lamp) / size, 0.0) : 0.0;
      const Colour colour = mixed(dark, light, 0.1 + 0.9 * lit);
      const std::array<PagePoint, 3> corners{
          {{at(seen, a).x, at(seen, a).y}, {at(seen, b).x, at(seen, b).y}, {at(seen, c).x, at(seen, c).y}}};
      panel.filled(corners, colour, mixed(colour, dark, 0.25), 0.35);
    }
  }

  static const Vec3& at(const VectorArray& x, Index i) { return x[static_cast<std::size_t>(i)]; }

  const PictureStrip& strip_;
  View view_;
  Box box_;
  StripPage page_;
  double scale_ = 1.0;
};

void check(const PictureStrip& strip) {
  require(strip.fitted_row < strip.rows.size(), "picture strip: the fitted row is one of the rows");
  for (const StripRow& row : strip.rows)
    require(row.pictures.size() == strip.columns.size(), "picture strip: not one picture per column");
}

}  // namespace

std::string picture_strip_svg(const PictureStrip& strip) {
  check(strip);
  const StripDrawing drawing(strip);
  return drawing_svg(StripPage::width, drawing.height(), [&](Canvas& canvas) { drawing.draw(canvas); });
}

std::string picture_strip_png(const PictureStrip& strip, double scale) {
  check(strip);
  const StripDrawing drawing(strip);
  return drawing_png(StripPage::width, drawing.height(), scale,
                     [&](Canvas& canvas) { drawing.draw(canvas); });
}

}  // namespace electret::experiments
