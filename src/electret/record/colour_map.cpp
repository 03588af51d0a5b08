#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <electret/core/errors.hpp>
#include <electret/record/canvas.hpp>
#include <electret/record/colour_map.hpp>
#include <electret/record/detail/plot_axis.hpp>

namespace electret {
namespace {

using namespace colours;

constexpr double map_width = 960, map_height = 600;
constexpr double map_left = 88, map_right = 780, map_top = 72, map_bottom = 532;
constexpr double scale_left = map_right + 36, scale_right = scale_left + 22;

/// From dark blue through grey to yellow; the lightness grows evenly along it.
constexpr std::array<Colour, 5> ramp{
    {{0.00, 0.13, 0.30}, {0.26, 0.30, 0.42}, {0.49, 0.48, 0.47}, {0.74, 0.68, 0.43}, {1.00, 0.92, 0.27}}};

Colour ramp_colour(double part) {
  const double at = std::clamp(part, 0.0, 1.0) * static_cast<double>(ramp.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
  const double t = at - static_cast<double>(k);
  const auto between = [t](double a, double b) { return a + t * (b - a); };
  return {between(ramp[k].red, ramp[k + 1].red), between(ramp[k].green, ramp[k + 1].green),
          between(ramp[k].blue, ramp[k + 1].blue)};
}

std::string number(const char* form, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), form, value);
  return text.data();
}

class MapDrawing {
 public:
  MapDrawing(const ColourMap& map, Canvas& canvas)
      : map_(map),
        canvas_(canvas),
        ticks_(scale_ticks()),
        columns_(listed_ticks(map.x)),
        rows_(listed_ticks(map.y)) {}

  void draw() {
    canvas_.fill_all(white);
    titles();
    for (std::size_t row = 0; row < map_.y.size(); ++row)
      for (std::size_t column = 0; column < map_.x.size(); ++column) cell(row, column);
    axes();
    colour_scale();
  }

 private:
  /// From 0, or from the smallest value if that is less, to beyond the largest.
  [[nodiscard]] Ticks scale_ticks() const {
    double least = 0.0, largest = 0.0;
    for (const auto& row : map_.value)
      for (const double value : row) {
        if (!std::isfinite(value)) continue;
        least = std::min(least, map_.scale * value);
        largest = std::max(largest, map_.scale * value);
      }
    return make_ticks(least, largest > least ? largest : least + 1.0, 5, true);
  }
  [[nodiscard]] double part(double shown) const {
    return (shown - ticks_.value(0)) / (ticks_.last() - ticks_.value(0));
  }
  /// The least k such that there is room for a label on every k-th of `count` cells.
  [[nodiscard]] static std::size_t stride(std::size_t count) { return (count + 11) / 12; }
  /// A font in which `text` fits into `width`, at most `most`.
  [[nodiscard]] static double font_for(const std::string& text, double width, double most) {
    constexpr double letter = 0.62;  // Of the font's size, for digits.
    return std::min(most, width / (letter * static_cast<double>(std::max<std::size_t>(text.size(), 1))));
  }
  [[nodiscard]] static std::string with_factor(const std::string& label, const ListedTicks& ticks) {
    return ticks.factor.empty() ? label : label + " (\u00d7 " + ticks.factor + ")";
  }
  [[nodiscard]] double cell_width() const {
    return (map_right - map_left) / static_cast<double>(map_.x.size());
  }
  [[nodiscard]] double cell_height() const {
    return (map_bottom - map_top) / static_cast<double>(map_.y.size());
  }
  [[nodiscard]] double centre_x(std::size_t column) const {
    return map_left + (static_cast<double>(column) + 0.5) * cell_width();
  }
  [[nodiscard]] double centre_y(std::size_t row) const {
    return map_bottom - (static_cast<double>(row) + 0.5) * cell_height();
  }

  void titles() {
    canvas_.colour(ink);
    canvas_.font(18, true);
    canvas_.text(map_left, 32, Anchor::start, map_.title);
    canvas_.font(12.5);
    canvas_.text(map_left, 54, Anchor::start, map_.subtitle);
    canvas_.font(14);
    canvas_.text((map_left + map_right) / 2, map_bottom + 50, Anchor::middle,
                 with_factor(map_.x_label, columns_));
    canvas_.turned_text(30, (map_top + map_bottom) / 2, with_factor(map_.y_label, rows_));
    canvas_.turned_text(scale_right + 64, (map_top + map_bottom) / 2, map_.value_label);
  }

  void cell(std::size_t row, std::size_t column) {
    const double shown = map_.scale * map_.value[row][column];
    if (!std::isfinite(shown)) return;
    const double x = centre_x(column), y = centre_y(row);
    canvas_.colour(ramp_colour(part(shown)));
    canvas_.rectangle(x - 0.5 * cell_width(), y - 0.5 * cell_height(), cell_width(), cell_height());
    if (stride(map_.x.size()) > 1 || stride(map_.y.size()) > 1) return;
    canvas_.colour(part(shown) < 0.55 ? white : Colour{0.1, 0.1, 0.1});
    const std::string text = cell_text(shown);
    const double font = font_for(text, cell_width() - 6, 15);
    constexpr double smallest = 8;
    if (font < smallest) return;
    canvas_.font(font);
    canvas_.text(x, y + 5, Anchor::middle, text);
  }

  /// Parts of a hundred with one digit behind the point; other values with three digits.
  [[nodiscard]] std::string cell_text(double shown) const {
    if (map_.scale == 1.0) return number("%.3g", shown);
    return number(shown < 9.95 ? "%.1f" : "%.0f", shown);
  }

  void axes() {
    canvas_.colour(ink);
    canvas_.font(14);
    for (std::size_t k = 0; k < map_.x.size(); k += stride(map_.x.size()))
      canvas_.text(centre_x(k), map_bottom + 22, Anchor::middle, columns_.texts[k]);
    for (std::size_t k = 0; k < map_.y.size(); k += stride(map_.y.size())) {
      constexpr double room = 36;  // Beside the turned label.
      canvas_.font(font_for(rows_.texts[k], room, 14));
      canvas_.text(map_left - 12, centre_y(k) + 5, Anchor::end, rows_.texts[k]);
    }
  }

  void colour_scale() {
    constexpr int steps = 200;
    for (int k = 0; k < steps; ++k) {
      const double part = (k + 0.5) / steps, y = map_bottom - (map_bottom - map_top) * (k + 1.0) / steps;
      canvas_.colour(ramp_colour(part));
      canvas_.rectangle(scale_left, y, scale_right - scale_left, (map_bottom - map_top) / steps + 0.6);
    }
    canvas_.colour(ink);
    canvas_.font(13);
    for (int k = 0; k <= ticks_.intervals; ++k) {
      const double y = map_bottom - (map_bottom - map_top) * part(ticks_.value(k));
      canvas_.line(scale_right, y, scale_right + 5, y, 1.2);
      canvas_.text(scale_right + 10, y + 5, Anchor::start, ticks_.label(k));
    }
  }

  const ColourMap& map_;
  Canvas& canvas_;
  Ticks ticks_;
  ListedTicks columns_, rows_;
};

void check(const ColourMap& map) {
  require(map.value.size() == map.y.size(), "colour map: not one row per y");
  for (const auto& row : map.value) require(row.size() == map.x.size(), "colour map: not one column per x");
}

}  // namespace

std::string colour_map_svg(const ColourMap& map) {
  check(map);
  return drawing_svg(map_width, map_height, [&](Canvas& canvas) { MapDrawing(map, canvas).draw(); });
}

std::string colour_map_png(const ColourMap& map, double scale) {
  check(map);
  return drawing_png(map_width, map_height, scale, [&](Canvas& canvas) { MapDrawing(map, canvas).draw(); });
}

}  // namespace electret
