#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include <electret/record/detail/plot_axis.hpp>
#include <electret/record/energy_plot.hpp>

namespace electret {
namespace {

constexpr double width = 960, height = 540;
constexpr double left = 84, right = 828, top = 56, bottom = 478;

/// One column of the table. The colours are Okabe and Ito's, told apart by the colour-blind too.
struct Curve {
  const char* name;
  const char* colour;
  double (*value)(const Energies&);
  double stroke;
};

constexpr std::array<Curve, 6> curves{{
    {"kinetic", "#0072b2", [](const Energies& e) { return e.kinetic; }, 1.6},
    {"elastic", "#d55e00", [](const Energies& e) { return e.elastic; }, 1.6},
    {"Coulomb", "#009e73", [](const Energies& e) { return e.coulomb; }, 1.6},
    {"external", "#cc79a7", [](const Energies& e) { return e.external; }, 1.6},
    {"gravity", "#e69f00", [](const Energies& e) { return e.gravity; }, 1.6},
    {"total", "#222222", [](const Energies& e) { return e.total(); }, 2.4},
}};

std::string fixed(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (static_cast<unsigned char>(c) >= 32)
      result += c;
  }
  return result;
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& attributes,
                    const std::string& text) {
  return "<text x=\"" + fixed(x) + "\" y=\"" + fixed(y) + "\" text-anchor=\"" + anchor + "\"" + attributes +
         ">" + escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& attributes) {
  return "<line x1=\"" + fixed(x1) + "\" y1=\"" + fixed(y1) + "\" x2=\"" + fixed(x2) + "\" y2=\"" +
         fixed(y2) + "\" " + attributes + "/>\n";
}

class Plot {
 public:
  Plot(std::span<const EnergyRow> rows, const std::string& title) : rows_(rows), title_(title) {
    for (const Curve& curve : curves)
      if (curve.name == std::string("total") || !is_zero(curve)) shown_.push_back(&curve);
    measure();
  }

  [[nodiscard]] std::string svg() const {
    std::string text =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 540\" width=\"960\" height=\"540\" "
        "font-family=\"DejaVu Sans, Verdana, Helvetica, sans-serif\" font-size=\"13\" fill=\"#333\">\n";
    text += "<rect width=\"" + fixed(width) + "\" height=\"" + fixed(height) + "\" fill=\"#fff\"/>\n";
    text += text_at(left, 32, "start", " font-size=\"17\" font-weight=\"bold\"", title_);
    text += axes();
    for (const Curve* curve : shown_) text += rows_.size() == 1 ? dot(*curve) : polyline(*curve);
    return text + legend() + "</svg>\n";
  }

 private:
  [[nodiscard]] bool is_zero(const Curve& curve) const {
    return std::all_of(rows_.begin(), rows_.end(),
                       [&](const EnergyRow& row) { return curve.value(row.energies) == 0.0; });
  }

  void measure() {
    double low = 0.0, high = 0.0;
    for (const EnergyRow& row : rows_)
      for (const Curve* curve : shown_) {
        const double value = curve->value(row.energies);
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    prefix_ = unit_prefix(std::max(high, -low));
    y_ticks_ = make_ticks(low / prefix_.factor, high / prefix_.factor, 7, true);
    start_ = rows_.empty() ? 0.0 : rows_.front().time;
    end_ = rows_.empty() ? 0.0 : rows_.back().time;
    if (!(end_ > start_)) end_ = start_ + 1.0;
    x_ticks_ = make_ticks(start_, end_, 8, false);
  }

  [[nodiscard]] double x(double time) const {
    return left + (right - left) * (time - start_) / (end_ - start_);
  }
  [[nodiscard]] double y(double value) const {
    return bottom - (bottom - top) * (value - y_ticks_.value(0)) / (y_ticks_.last() - y_ticks_.value(0));
  }

  [[nodiscard]] std::string axes() const {
    std::string text;
    for (int k = 0; k <= y_ticks_.intervals; ++k) {
      const double at = y(y_ticks_.value(k));
      const bool zero = std::abs(y_ticks_.value(k)) < 0.5 * y_ticks_.step;
      text += line(left, at, right, at, zero ? "stroke=\"#999\"" : "stroke=\"#e4e4e4\"");
      text += text_at(left - 9, at + 4.5, "end", "", y_ticks_.label(k));
    }
    for (int k = 0; k <= x_ticks_.intervals; ++k) {
      const double at = x(x_ticks_.value(k));
      text += line(at, bottom, at, bottom + 6, "stroke=\"#666\"");
      text += text_at(at, bottom + 22, "middle", "", x_ticks_.label(k));
    }
    text += line(left, bottom, right, bottom, "stroke=\"#666\"");
    text += line(left, top, left, bottom, "stroke=\"#666\"");
    text += text_at((left + right) / 2, bottom + 46, "middle", "", "time (s)");
    const std::string turn = " transform=\"rotate(-90 24 " + fixed((top + bottom) / 2) + ")\"";
    return text + text_at(24, (top + bottom) / 2, "middle", turn, "energy (" + prefix_.symbol + "J)");
  }

  /// Every row, or the least and the greatest of each of 1000 stretches, in their order.
  [[nodiscard]] std::vector<std::size_t> sampled(const Curve& curve) const {
    constexpr std::size_t stretches = 1000;
    std::vector<std::size_t> picked;
    const auto value = [&](std::size_t row) { return curve.value(rows_[row].energies); };
    for (std::size_t s = 0; s < stretches && rows_.size() > 2 * stretches; ++s) {
      const std::size_t begin = s * rows_.size() / stretches, end = (s + 1) * rows_.size() / stretches;
      std::size_t least = begin, greatest = begin;
      for (std::size_t row = begin; row < end; ++row) {
        if (value(row) < value(least)) least = row;
        if (value(row) > value(greatest)) greatest = row;
      }
      picked.push_back(std::min(least, greatest));
      if (least != greatest) picked.push_back(std::max(least, greatest));
    }
    if (!picked.empty()) return picked;
    for (std::size_t row = 0; row < rows_.size(); ++row) picked.push_back(row);
    return picked;
  }

  [[nodiscard]] std::string polyline(const Curve& curve) const {
    std::string text = "<polyline fill=\"none\" stroke-linejoin=\"round\" stroke=\"" +
                       std::string(curve.colour) + "\" stroke-width=\"" + fixed(curve.stroke) +
                       "\" points=\"";
    for (const std::size_t row : sampled(curve)) {
      const double value = curve.value(rows_[row].energies) / prefix_.factor;
      if (std::isfinite(value)) text += fixed(x(rows_[row].time)) + "," + fixed(y(value)) + " ";
    }
    return text + "\"/>\n";
  }

  /// The one row there is: a line would have no length.
  [[nodiscard]] std::string dot(const Curve& curve) const {
    const double value = curve.value(rows_.front().energies) / prefix_.factor;
    if (!std::isfinite(value)) return {};
    return "<circle cx=\"" + fixed(x(rows_.front().time)) + "\" cy=\"" + fixed(y(value)) + "\" r=\"" +
           fixed(2.0 + curve.stroke) + "\" fill=\"" + curve.colour + "\"/>\n";
  }

  [[nodiscard]] std::string legend() const {
    std::string text;
    double at = top + 10;
    for (const Curve* curve : shown_) {
      const std::string stroke =
          "stroke=\"" + std::string(curve->colour) + "\" stroke-width=\"" + fixed(curve->stroke + 1.0) + "\"";
      text += line(right + 20, at, right + 46, at, stroke);
      text += text_at(right + 54, at + 4.5, "start", "", curve->name);
      at += 24;
    }
    return text;
  }

  std::span<const EnergyRow> rows_;
  std::string title_;
  std::vector<const Curve*> shown_;
  UnitPrefix prefix_;
  Ticks x_ticks_, y_ticks_;
  double start_ = 0.0, end_ = 1.0;  ///< s.
};

}  // namespace

std::string energy_plot(std::span<const EnergyRow> rows, const std::string& title) {
  return Plot(rows, title).svg();
}

}  // namespace electret
