#include <algorithm>
#include <array>
#include <cmath>

#include <electret/core/digits.hpp>
#include <electret/core/errors.hpp>
#include <electret/record/canvas.hpp>
#include <electret/record/colour_map.hpp>
#include <electret/record/detail/colour_scale.hpp>
#include <electret/record/detail/plot_axis.hpp>

namespace electret {
namespace {

using namespace colours;

constexpr double map_width = 960, map_height = 600;
constexpr double map_left = 88, map_right = 780, map_top = 72, map_bottom = 532;
constexpr double scale_left = map_right + 36, scale_right = scale_left + 22;
constexpr double label_left = 10;  // Of the scale's numbers, from its edge.

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

class MapDrawing {
 public:
  MapDrawing(const ColourMap& map, Canvas& canvas)
      : map_(map),
        canvas_(canvas),
        scale_(shown_values(map)),
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
  [[nodiscard]] static std::vector<double> shown_values(const ColourMap& map) {
    std::vector<double> all;
    for (const auto& row : map.value)
      for (const double value : row) all.push_back(map.scale * value);
    return all;
  }
  /// The least k such that there is room for a label on every k-th of `count` cells.
  [[nodiscard]] static std::size_t stride(std::size_t count) { return (count + 11) / 12; }
  /// A letter of UTF-8 begins with a byte that does not go on with another one.
  [[nodiscard]] static std::size_t letters(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  }
  /// A font in which `text` fits into `width`, at most `most`.
  [[nodiscard]] static double font_for(const std::string& text, double width, double most) {
    constexpr double letter = 0.62;  // Of the font's size, for digits.
    return std::min(most, width / (letter * static_cast<double>(std::max<std::size_t>(letters(text), 1))));
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
    canvas_.text((map_left + map_right) / 2, map_bottom + 50, Anchor::middle, columns_.label(map_.x_label));
    canvas_.turned_text(30, (map_top + map_bottom) / 2, rows_.label(map_.y_label));
    canvas_.turned_text(scale_right + label_left + scale_room() + 19, (map_top + map_bottom) / 2,
                        scale_.label(map_.value_label));
  }

  void cell(std::size_t row, std::size_t column) {
    const double shown = map_.scale * map_.value[row][column];
    if (!std::isfinite(shown)) return;
    const double x = centre_x(column), y = centre_y(row);
    canvas_.colour(ramp_colour(scale_.part(shown)));
    canvas_.rectangle(x - 0.5 * cell_width(), y - 0.5 * cell_height(), cell_width(), cell_height());
    if (stride(map_.x.size()) > 1 || stride(map_.y.size()) > 1) return;
    canvas_.colour(scale_.part(shown) < 0.55 ? white : Colour{0.1, 0.1, 0.1});
    const std::string text = cell_text(shown);
    const double font = font_for(text, cell_width() - 6, 15);
    constexpr double smallest = 8;
    if (font < smallest) return;
    canvas_.font(font);
    canvas_.text(x, y + 5, Anchor::middle, text);
  }

  /// Parts of a hundred with one digit behind the point; others as the scale writes them.
  [[nodiscard]] std::string cell_text(double shown) const {
    if (map_.scale == 1.0 || !scale_.is_plain()) return scale_.text(shown);
    return fixed_text(shown, shown < 9.95 ? 1 : 0);
  }

  void axes() {
    canvas_.colour(ink);
    for (std::size_t k = 0; k < map_.x.size(); k += stride(map_.x.size())) {
      const double room = cell_width() * static_cast<double>(stride(map_.x.size())) - 6;
      canvas_.font(font_for(columns_.texts[k], room, 14));
      canvas_.text(centre_x(k), map_bottom + 22, Anchor::middle, columns_.texts[k]);
    }
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
    for (const ColourScale::Tick& tick : scale_.ticks()) {
      const double y = map_bottom - (map_bottom - map_top) * tick.part;
      canvas_.line(scale_right, y, scale_right + 5, y, 1.2);
      canvas_.font(font_for(tick.text, scale_room(), 13));
      canvas_.text(scale_right + label_left, y + 5, Anchor::start, tick.text);
    }
  }
  /// The width of the scale's numbers: that of five digits, or more where they are longer and the page has
  /// room.
  [[nodiscard]] double scale_room() const {
    std::size_t longest = 0;
    for (const ColourScale::Tick& tick : scale_.ticks()) longest = std::max(longest, letters(tick.text));
    return std::clamp(8.1 * static_cast<double>(longest), 35.0, 70.0);
  }

  const ColourMap& map_;
  Canvas& canvas_;
  ColourScale scale_;
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
