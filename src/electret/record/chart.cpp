#include <algorithm>
#include <array>
#include <set>

#include <electret/core/errors.hpp>
#include <electret/record/canvas.hpp>
#include <electret/record/chart.hpp>
#include <electret/record/detail/chart_labels.hpp>
#include <electret/record/detail/chart_scale.hpp>

namespace electret {
namespace {

using namespace colours;

constexpr double chart_width = 960;
constexpr double least_left = 88, chart_right = 716, chart_top = 72, below_chart = 68;
constexpr double tick_size = 13, tick_gap = 10, label_middle = 26, label_room = 40;
constexpr double legend_left = chart_right + 24, legend_row = 24, legend_line = 16;
constexpr double legend_text = legend_left + 38, legend_width = chart_width - 8 - legend_text;

std::vector<double> all_values(const Chart& chart, bool horizontal) {
  std::vector<double> values;
  for (const Series& series : chart.series)
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      values.push_back(horizontal ? series.x[k] : series.y[k]);
      if (horizontal || series.error.empty()) continue;
      values.push_back(series.y[k] + series.error[k]);
      // On a logarithmic axis, a bar that goes below a hundredth of its point only says that it is long.
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
  Drawing(const Chart& chart, Canvas& canvas)
      : chart_(chart),
        canvas_(canvas),
        bottom_(chart.height - below_chart),
        x_scale_(chart.x, all_values(chart, true), false),
        y_scale_(chart.y, all_values(chart, false), true),
        left_(std::max(least_left, label_room + widest(y_scale_) + tick_gap)) {}

  void draw() {
    titles();
    axes();
    levels();
    canvas_.clip(left_, chart_top - 6, chart_right - left_ + 6, bottom_ - chart_top + 12);
    for (const Series& series : chart_.series) error_bars(series);
    for (const Series& series : chart_.series) curve(series);
    canvas_.unclip();
    for (const Series& series : chart_.series) label(series);
    legend();
  }

 private:
  [[nodiscard]] double x(double value) const {
    return left_ + (chart_right - left_) * near_chart(x_scale_.place(value));
  }
  [[nodiscard]] double y(double value) const {
    return bottom_ - (bottom_ - chart_top) * near_chart(y_scale_.place(value));
  }
  /// If a run diverges, a dashed line out of the chart would consist of millions of dashes.
  [[nodiscard]] static double near_chart(double place) { return std::clamp(place, -20.0, 20.0); }
  [[nodiscard]] bool has_place(const Series& series, std::size_t k) const {
    return x_scale_.shows(series.x[k]) && y_scale_.shows(series.y[k]);
  }

  [[nodiscard]] double widest(const ChartScale& scale) {
    double width = 0.0;
    canvas_.font(tick_size);
    for (const ChartTick& tick : scale.ticks()) width = std::max(width, canvas_.text_width(tick.text));
    return width;
  }

  void titles() {
    canvas_.colour(ink);
    canvas_.font(18, true);
    canvas_.text(left_, 32, Anchor::start, chart_.title);
    canvas_.font(12.5);
    canvas_.text(left_, 54, Anchor::start, chart_.subtitle);
    canvas_.font(14);
    canvas_.text((left_ + chart_right) / 2, bottom_ + 50, Anchor::middle, chart_.x.label);
    canvas_.turned_text(label_middle, (chart_top + bottom_) / 2, chart_.y.label);
  }

  /// The tick's words with their raised part, starting at x.
  void tick_text(const ChartTick& tick, double at, double baseline, Anchor anchor) {
    canvas_.font(10);
    const double raised = canvas_.text_width(tick.superscript);
    canvas_.font(tick_size);
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
      canvas_.line(x(tick.value), chart_top, x(tick.value), bottom_, 1);
      if (!tick.text.empty()) tick_text(tick, x(tick.value), bottom_ + 23, Anchor::middle);
    }
    for (const ChartTick& tick : y_scale_.ticks()) {
      canvas_.colour(tick.text.empty() ? faint : grid);
      canvas_.line(left_, y(tick.value), chart_right, y(tick.value), 1);
      if (!tick.text.empty()) tick_text(tick, left_ - tick_gap, y(tick.value) + 5, Anchor::end);
    }
    canvas_.colour(frame);
    canvas_.line(left_, bottom_, chart_right, bottom_, 1.2);
    canvas_.line(left_, chart_top, left_, bottom_, 1.2);
  }

  void levels() {
    for (const ChartLevel& level : chart_.levels) {
      if (!y_scale_.shows(level.value)) continue;
      const double at = y(level.value);
      canvas_.colour(frame);
      canvas_.polyline({{left_, at}, {chart_right, at}}, 1.2, true);
      level_label(level.label, at);
    }
  }

  /// Writes a level's label above its line or below, at the right or the left end, where no other one is.
  void level_label(const std::string& label, double line) {
    if (label.empty()) return;
    constexpr double above = 6, below = 15, ascent = 12, height = 15;
    canvas_.font(12);
    const double width = canvas_.text_width(label), right = chart_right - 6 - width, left = left_ + 6;
    std::vector<LabelBox> choices;
    for (const double from : {right, left})
      for (const double baseline : {line - above, line + below})
        choices.push_back({from, baseline - ascent, width, height});
    const LabelBox& box = choices[places_.take(choices)];
    canvas_.text(box.left, box.top + ascent, Anchor::start, label);
  }

  void error_bars(const Series& series) {
    canvas_.colour(colour_of(series));
    for (std::size_t k = 0; k < series.error.size(); ++k) {
      if (!has_place(series, k)) continue;
      const double at = x(series.x[k]), end = series.y[k] - series.error[k];
      const double high = y(series.y[k] + series.error[k]);
      const double low = y_scale_.shows(end) ? y(end) : bottom_ + 20;  // off the chart
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
    double at = chart_top + 10;
    for (const Series& series : chart_.series) {
      if (series.name.empty() || !named.insert(series.name).second) continue;
      canvas_.colour(colour_of(series));
      if (series.line)
        canvas_.polyline({{legend_left, at}, {legend_left + 30, at}}, series.stroke, series.dashed);
      canvas_.marker(series.marker, legend_left + 15, at, colour_of(series), series.hollow);
      canvas_.colour(ink);
      canvas_.font(12.5);
      at += (legend_name(series.name, at + 4.5) - 1) * legend_line + legend_row;
    }
  }

  /// Writes a name in as many lines as it takes, and returns how many.
  double legend_name(const std::string& name, double baseline) {
    const auto width_of = [this](const std::string& text) { return canvas_.text_width(text); };
    const std::vector<std::string> lines = wrapped(name, legend_width, width_of);
    for (const std::string& line : lines) {
      canvas_.text(legend_text, baseline, Anchor::start, line);
      baseline += legend_line;
    }
    return static_cast<double>(lines.size());
  }

  const Chart& chart_;
  Canvas& canvas_;
  LabelPlaces places_;  ///< Of the levels' labels.
  double bottom_;       ///< Of the axes.
  ChartScale x_scale_, y_scale_;
  double left_;  ///< Of the axes: as far to the right as the widest number of the upright axis needs.
};

void check(const Chart& chart) {
  for (const Series& series : chart.series)
    require(series.x.size() == series.y.size() &&
                (series.error.empty() || series.error.size() == series.y.size()),
            "chart: a series needs as many x as y");
}

}  // namespace

int chart_colours() {
  return static_cast<int>(palette.size());
}

std::string chart_svg(const Chart& chart) {
  return charts_svg({&chart, 1});
}

std::string charts_svg(std::span<const Chart> charts) {
  double height = 0.0;
  for (const Chart& chart : charts) {
    check(chart);
    height += chart.height;
  }
  return drawing_svg(chart_width, height, [&](Canvas& canvas) {
    canvas.fill_all(white);
    for (const Chart& chart : charts) {
      Drawing(chart, canvas).draw();
      canvas.move_origin(0.0, chart.height);
    }
  });
}

std::string chart_png(const Chart& chart, double scale) {
  check(chart);
  return drawing_png(chart_width, chart.height, scale, [&](Canvas& canvas) {
    canvas.fill_all(white);
    Drawing(chart, canvas).draw();
  });
}

}  // namespace electret
