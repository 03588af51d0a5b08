#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <electret/core/errors.hpp>
#include <electret/record/canvas.hpp>
#include <electret/record/picture_strip.hpp>

namespace electret {
namespace {

using namespace colours;

constexpr double width = 960, top = 92, label_width = 118, gap = 6, margin = 16, label_row = 17,
                 widest_panel = 165;
constexpr double pixel_scale = 2.0;
constexpr double pi = 3.14159265358979323846;

/// Screen coordinates: right, up and towards the viewer, m.
class View {
 public:
  View(double azimuth, double elevation) {
    const double a = azimuth * pi / 180.0, e = elevation * pi / 180.0;
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
    const auto columns = static_cast<double>(std::max<std::size_t>(strip.columns.size(), 1));
    panel_width_ = std::min((width - label_width - margin - gap * (columns - 1)) / columns, widest_panel);
    const Vec3 size = box_.high - box_.low;
    const double shape = size.x > 0.0 ? size.y / size.x : 1.0;
    panel_height_ = panel_width_ * std::clamp(shape, 0.5, 1.8);
    scale_ =
        0.94 * std::min(panel_width_ / std::max(size.x, 1e-300), panel_height_ / std::max(size.y, 1e-300));
  }

  [[nodiscard]] double height() const {
    return top + static_cast<double>(strip_.rows.size()) * (panel_height_ + gap) + margin;
  }

  void draw(Canvas& canvas) const {
    canvas.fill_all(white);
    titles(canvas);
    for (std::size_t row = 0; row < strip_.rows.size(); ++row) draw_row(canvas, row);
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
  [[nodiscard]] double panel_left(std::size_t column) const {
    return label_width + static_cast<double>(column) * (panel_width_ + gap);
  }

  void titles(Canvas& canvas) const {
    canvas.colour(ink);
    canvas.font(18, true);
    canvas.text(margin, 32, Anchor::start, strip_.title);
    canvas.font(12.5);
    canvas.text(margin, 54, Anchor::start, strip_.subtitle);
    canvas.font(14);
    for (std::size_t k = 0; k < strip_.columns.size(); ++k)
      canvas.text(panel_left(k) + panel_width_ / 2, top - 10, Anchor::middle, strip_.columns[k]);
  }

  static void lines(Canvas& canvas, double x, double middle, Anchor anchor, const std::string& text) {
    const auto breaks = static_cast<double>(std::count(text.begin(), text.end(), '\n'));
    double y = middle - 0.5 * breaks * label_row + 5;
    std::size_t from = 0;
    for (;;) {
      const std::size_t end = text.find('\n', from);
      canvas.text(x, y, anchor, text.substr(from, end == std::string::npos ? end : end - from));
      if (end == std::string::npos) return;
      from = end + 1;
      y += label_row;
    }
  }

  void draw_row(Canvas& canvas, std::size_t number) const {
    const StripRow& row = strip_.rows[number];
    const double y = top + static_cast<double>(number) * (panel_height_ + gap);
    canvas.colour(ink);
    canvas.font(13.5);
    lines(canvas, margin, y + panel_height_ / 2, Anchor::start, row.label);
    for (std::size_t k = 0; k < row.pictures.size(); ++k) {
      const double x = panel_left(k);
      canvas.colour({0.965, 0.965, 0.965});
      canvas.rectangle(x, y, panel_width_, panel_height_);
      if (row.pictures[k].empty()) {
        canvas.colour(frame);
        canvas.font(12.5);
        lines(canvas, x + panel_width_ / 2, y + panel_height_ / 2, Anchor::middle, row.missing);
        continue;
      }
      canvas.pixels(x, y, panel_width_, panel_height_, pixel_scale,
                    [&](Canvas& panel) { body(panel, row.pictures[k]); });
    }
  }

  void body(Canvas& panel, const VectorArray& positions) const {
    panel.fill_all({0.965, 0.965, 0.965});
    VectorArray seen(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) seen[i] = on_panel(positions[i]);
    strip_.faces.empty() ? springs(panel, seen) : surface(panel, positions, seen);
  }

  /// x and y in units of the page, from the panel's upper left corner; z towards the viewer, 0 to 1 in the
  /// fitted box.
  [[nodiscard]] Vec3 on_panel(const Vec3& position) const {
    const Vec3 x = view_.of(position), centre = box_.centre();
    return {panel_width_ / 2 + scale_ * (x.x - centre.x), panel_height_ / 2 - scale_ * (x.y - centre.y),
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
  double panel_width_ = 0.0, panel_height_ = 0.0, scale_ = 1.0;
};

void check(const PictureStrip& strip) {
  require(strip.fitted_row < strip.rows.size(), "picture strip: the fitted row is one of the rows");
  for (const StripRow& row : strip.rows)
    require(row.pictures.size() == strip.columns.size(), "picture strip: a picture for each column");
}

}  // namespace

std::string picture_strip_svg(const PictureStrip& strip) {
  check(strip);
  const StripDrawing drawing(strip);
  return drawing_svg(width, drawing.height(), [&](Canvas& canvas) { drawing.draw(canvas); });
}

std::string picture_strip_png(const PictureStrip& strip, double scale) {
  check(strip);
  const StripDrawing drawing(strip);
  return drawing_png(width, drawing.height(), scale, [&](Canvas& canvas) { drawing.draw(canvas); });
}

}  // namespace electret
