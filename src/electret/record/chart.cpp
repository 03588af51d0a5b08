#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <string_view>

#include <cairo-svg.h>
#include <cairo.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/chart.hpp>
#include <electret/record/detail/chart_scale.hpp>

namespace electret {
namespace {

constexpr double width = 960, height = 600;
constexpr double left = 88, right = 716, top = 72, bottom = 532;
constexpr double legend_left = right + 24, legend_row = 24;
constexpr double marker_radius = 4.2;
constexpr double pi = 3.14159265358979323846;

struct Colour {
  double red, green, blue;
};
constexpr Colour ink{0.2, 0.2, 0.2}, faint{0.92, 0.92, 0.92}, grid{0.82, 0.82, 0.82}, frame{0.4, 0.4, 0.4},
    white{1, 1, 1};
/// Okabe and Ito's, told apart by the colour-blind too.
constexpr std::array<Colour, 7> palette{{{0.00, 0.45, 0.70},
                                         {0.84, 0.37, 0.00},
                                         {0.00, 0.62, 0.45},
                                         {0.80, 0.47, 0.65},
                                         {0.90, 0.62, 0.00},
                                         {0.34, 0.71, 0.91},
                                         {0.13, 0.13, 0.13}}};

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

cairo_status_t append(void* text, const unsigned char* bytes, unsigned int size) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), size);
  return CAIRO_STATUS_SUCCESS;
}

enum class Anchor { start, middle, end };

/// The few strokes a chart is made of.
class Canvas {
 public:
  explicit Canvas(cairo_t* cairo) : cairo_(cairo) {}

  void colour(const Colour& c) { cairo_set_source_rgb(cairo_, c.red, c.green, c.blue); }
  void line(double x1, double y1, double x2, double y2, double stroke) {
    cairo_set_line_width(cairo_, stroke);
    cairo_move_to(cairo_, x1, y1);
    cairo_line_to(cairo_, x2, y2);
    cairo_stroke(cairo_);
  }
  void font(double size, bool bold = false) {
    cairo_select_font_face(cairo_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo_, size);
  }
  double text_width(const std::string& text) {
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_, printable(text).c_str(), &extents);
    return extents.x_advance;
  }
  void text(double x, double y, Anchor anchor, const std::string& text) {
    const double shift = anchor == Anchor::start ? 0.0 : anchor == Anchor::middle ? 0.5 : 1.0;
    cairo_move_to(cairo_, x - shift * text_width(text), y);
    cairo_show_text(cairo_, printable(text).c_str());
  }
  void turned_text(double x, double y, const std::string& words) {
    cairo_save(cairo_);
    cairo_translate(cairo_, x, y);
    cairo_rotate(cairo_, -pi / 2);
    text(0, 0, Anchor::middle, words);
    cairo_restore(cairo_);
  }
  void polyline(const std::vector<std::array<double, 2>>& points, double stroke, bool dashed) {
    const std::array<double, 2> dashes{7, 4};
    cairo_new_path(cairo_);  // text leaves a point to go on from
    cairo_set_line_width(cairo_, stroke);
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    cairo_set_dash(cairo_, dashes.data(), dashed ? 2 : 0, 0);
    for (const auto& [x, y] : points) cairo_line_to(cairo_, x, y);
    cairo_stroke(cairo_);
    cairo_set_dash(cairo_, dashes.data(), 0, 0);
  }
  void marker(Marker kind, double x, double y, const Colour& edge, bool hollow);
  void clip(double x, double y, double w, double h) {
    cairo_save(cairo_);
    cairo_rectangle(cairo_, x, y, w, h);
    cairo_clip(cairo_);
  }
  void unclip() { cairo_restore(cairo_); }
  void fill_all(const Colour& c) {
    colour(c);
    cairo_paint(cairo_);
  }

 private:
  void polygon(double x, double y, int corners, double radius, double turn) {
    for (int k = 0; k < corners; ++k) {
      const double angle = turn + 2.0 * pi * k / corners;
      cairo_line_to(cairo_, x + radius * std::sin(angle), y - radius * std::cos(angle));
    }
    cairo_close_path(cairo_);
  }

  cairo_t* cairo_;
};

void Canvas::marker(Marker kind, double x, double y, const Colour& edge, bool hollow) {
  const double r = marker_radius;
  cairo_new_path(cairo_);
  switch (kind) {
    case Marker::none:
      return;
    case Marker::circle:
      cairo_new_sub_path(cairo_), cairo_arc(cairo_, x, y, r, 0, 2.0 * pi);
      break;
    case Marker::square:
      polygon(x, y, 4, 1.3 * r, pi / 4);
      break;
    case Marker::triangle:
      polygon(x, y, 3, 1.35 * r, 0);
      break;
    case Marker::diamond:
      polygon(x, y, 4, 1.4 * r, 0);
      break;
    case Marker::cross:
      colour(edge);
      line(x - r, y - r, x + r, y + r, 1.8);
      line(x - r, y + r, x + r, y - r, 1.8);
      return;
  }
  colour(hollow ? white : edge);
  cairo_fill_preserve(cairo_);
  colour(edge);
  cairo_set_line_width(cairo_, 1.4);
  cairo_stroke(cairo_);
}

std::vector<double> all_values(const Chart& chart, bool horizontal) {
  std::vector<double> values;
  for (const Series& series : chart.series)
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      values.push_back(horizontal ? series.x[k] : series.y[k]);
      if (horizontal || series.error.empty()) continue;
      values.push_back(series.y[k] + series.error[k]);
      // On a logarithmic axis a bar below a hundredth of its point says no more than that it is long.
      values.push_back(chart.y.logarithmic ? std::max(series.y[k] - series.error[k], 0.3 * series.y[k])
                                           : series.y[k] - series.error[k]);
    }
  if (!horizontal)
    for (const ChartLevel& level : chart.levels) values.push_back(level.value);
  return values;
}

const Colour& colour_of(const Series& series) {
  return palette[static_cast<std::size_t>(series.colour) % palette.size()];
}

class Drawing {
 public:
  Drawing(const Chart& chart, cairo_t* cairo)
      : chart_(chart),
        canvas_(cairo),
        x_scale_(chart.x, all_values(chart, true), false),
        y_scale_(chart.y, all_values(chart, false), true) {}

  void draw() {
    canvas_.fill_all(white);
    titles();
    axes();
    levels();
    canvas_.clip(left, top - 6, right - left + 6, bottom - top + 12);
    for (const Series& series : chart_.series) error_bars(series);
    for (const Series& series : chart_.series) curve(series);
    canvas_.unclip();
    for (const Series& series : chart_.series) label(series);
    legend();
  }

 private:
  [[nodiscard]] double x(double value) const { return left + (right - left) * x_scale_.place(value); }
  [[nodiscard]] double y(double value) const { return bottom - (bottom - top) * y_scale_.place(value); }
  [[nodiscard]] bool has_place(const Series& series, std::size_t k) const {
    return x_scale_.shows(series.x[k]) && y_scale_.shows(series.y[k]);
  }

  void titles() {
    canvas_.colour(ink);
    canvas_.font(18, true);
    canvas_.text(left, 32, Anchor::start, chart_.title);
    canvas_.font(12.5);
    canvas_.text(left, 54, Anchor::start, chart_.subtitle);
    canvas_.font(14);
    canvas_.text((left + right) / 2, bottom + 50, Anchor::middle, chart_.x.label);
    canvas_.turned_text(26, (top + bottom) / 2, chart_.y.label);
  }

  /// The tick's words with their raised part, starting at x.
  void tick_text(const ChartTick& tick, double at, double baseline, Anchor anchor) {
    canvas_.font(10);
    const double raised = canvas_.text_width(tick.superscript);
    canvas_.font(13);
    const double whole = canvas_.text_width(tick.text) + raised;
    const double start = at - (anchor == Anchor::middle ? whole / 2 : whole);
    canvas_.colour(ink);
    canvas_.text(start, baseline, Anchor::start, tick.text);
    canvas_.font(10);
    canvas_.text(start + whole - raised, baseline - 6, Anchor::start, tick.superscript);
  }

  void axes() {
    for (const ChartTick& tick : x_scale_.ticks()) {
      canvas_.colour(tick.text.empty() ? faint : grid);
      canvas_.line(x(tick.value), top, x(tick.value), bottom, 1);
      if (!tick.text.empty()) tick_text(tick, x(tick.value), bottom + 23, Anchor::middle);
    }
    for (const ChartTick& tick : y_scale_.ticks()) {
      canvas_.colour(tick.text.empty() ? faint : grid);
      canvas_.line(left, y(tick.value), right, y(tick.value), 1);
      if (!tick.text.empty()) tick_text(tick, left - 10, y(tick.value) + 5, Anchor::end);
    }
    canvas_.colour(frame);
    canvas_.line(left, bottom, right, bottom, 1.2);
    canvas_.line(left, top, left, bottom, 1.2);
  }

  void levels() {
    for (const ChartLevel& level : chart_.levels) {
      if (!y_scale_.shows(level.value)) continue;
      canvas_.colour(frame);
      canvas_.polyline({{left, y(level.value)}, {right, y(level.value)}}, 1.2, true);
      canvas_.font(12);
      canvas_.text(right - 6, y(level.value) - 6, Anchor::end, level.label);
    }
  }

  void error_bars(const Series& series) {
    canvas_.colour(colour_of(series));
    for (std::size_t k = 0; k < series.error.size(); ++k) {
      if (!has_place(series, k)) continue;
      const double at = x(series.x[k]), end = series.y[k] - series.error[k];
      const double high = y(series.y[k] + series.error[k]);
      const double low = y_scale_.shows(end) ? y(end) : bottom + 20;  // off the chart
      canvas_.line(at, low, at, high, 1.2);
      canvas_.line(at - 4, high, at + 4, high, 1.2);
      canvas_.line(at - 4, low, at + 4, low, 1.2);
    }
  }

  void curve(const Series& series) {
    std::vector<std::array<double, 2>> points;
    for (std::size_t k = 0; k < series.x.size(); ++k)
      if (has_place(series, k)) points.push_back({x(series.x[k]), y(series.y[k])});
    canvas_.colour(colour_of(series));
    if (series.line) canvas_.polyline(points, series.stroke, series.dashed);
    for (const auto& [px, py] : points)
      canvas_.marker(series.marker, px, py, colour_of(series), series.hollow);
  }

  void label(const Series& series) {
    if (series.label.empty() || series.x.empty() || !has_place(series, series.x.size() - 1)) return;
    canvas_.colour(colour_of(series));
    canvas_.font(11.5);
    const double px = x(series.x.back()), py = y(series.y.back());
    const bool fits = px + 9 + canvas_.text_width(series.label) < legend_left;
    fits ? canvas_.text(px + 8, py + 4, Anchor::start, series.label)
         : canvas_.text(px - 4, py - 9, Anchor::end, series.label);
  }

  void legend() {
    std::set<std::string> named;
    double at = top + 10;
    for (const Series& series : chart_.series) {
      if (series.name.empty() || !named.insert(series.name).second) continue;
      canvas_.colour(colour_of(series));
      if (series.line)
        canvas_.polyline({{legend_left, at}, {legend_left + 30, at}}, series.stroke, series.dashed);
      canvas_.marker(series.marker, legend_left + 15, at, colour_of(series), series.hollow);
      canvas_.colour(ink);
      canvas_.font(12.5);
      canvas_.text(legend_left + 38, at + 4.5, Anchor::start, series.name);
      at += legend_row;
    }
  }

  const Chart& chart_;
  Canvas canvas_;
  ChartScale x_scale_, y_scale_;
};

/// Cairo counts the surfaces of a process and names the document by the number; the same chart is the same
/// file.
void rename_surface(std::string& svg) {
  const std::string_view start = "id=\"surface";
  const std::size_t at = svg.find(start);
  if (at == std::string::npos) return;
  const std::size_t end = svg.find('"', at + start.size());
  svg.replace(at, end - at, "id=\"chart");
}

void check(const Chart& chart) {
  for (const Series& series : chart.series)
    require(series.x.size() == series.y.size() &&
                (series.error.empty() || series.error.size() == series.y.size()),
            "chart: a series has as many x as y");
}

void draw(const Chart& chart, cairo_surface_t* surface, double scale) {
  const Context cairo(cairo_create(surface), &cairo_destroy);
  cairo_scale(cairo.get(), scale, scale);
  Drawing(chart, cairo.get()).draw();
  require(cairo_status(cairo.get()) == CAIRO_STATUS_SUCCESS, "chart: Cairo could not draw it");
}

}  // namespace

int chart_colours() {
  return static_cast<int>(palette.size());
}

std::string chart_svg(const Chart& chart) {
  check(chart);
  std::string text;
  {
    const Surface surface(cairo_svg_surface_create_for_stream(&append, &text, width, height),
                          &cairo_surface_destroy);
    draw(chart, surface.get(), 1.0);
    cairo_surface_finish(surface.get());
    require(cairo_surface_status(surface.get()) == CAIRO_STATUS_SUCCESS, "chart: Cairo wrote no SVG");
  }
  rename_surface(text);
  return text;
}

std::string chart_png(const Chart& chart, double scale) {
  check(chart);
  std::string bytes;
  const Surface surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(width * scale)),
                                 static_cast<int>(std::lround(height * scale))),
      &cairo_surface_destroy);
  draw(chart, surface.get(), scale);
  require(cairo_surface_write_to_png_stream(surface.get(), &append, &bytes) == CAIRO_STATUS_SUCCESS,
          "chart: Cairo wrote no PNG");
  return bytes;
}

}  // namespace electret
