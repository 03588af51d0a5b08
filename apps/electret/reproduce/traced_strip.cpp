#include "traced_strip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/core/errors.hpp>
#include <electret/record/canvas.hpp>
#include <electret/render/trace.hpp>

namespace electret::app::reproduce {
namespace {

using namespace colours;

constexpr double width = 960, margin = 16, gap = 6, top = 92, line = 17, widest_label = 118;  // of the page
constexpr int pixels_a_unit = 2;
constexpr Colour body_colour{0.45, 0.66, 0.84}, empty_panel{0.965, 0.965, 0.965};

bool shows_nothing(const Picture& picture) {
  return picture.surfaces.empty() && picture.rods.empty() && picture.balls.empty();
}

class Drawing {
 public:
  Drawing(const TracedRows& strip, Threads& threads) : strip_(strip), threads_(threads) {
    for (const TracedRow& row : strip.rows)
      require(row.pictures.size() == strip.columns.size() && !row.pictures.empty(),
              "traced strip: a picture for each column");
    const auto columns = static_cast<double>(strip.columns.size());
    const bool has_labels = std::any_of(strip.rows.begin(), strip.rows.end(),
                                        [](const TracedRow& row) { return !row.label.empty(); });
    left_ = has_labels ? widest_label : margin;
    panel_width_ = std::floor((width - left_ - margin - gap * (columns - 1)) / columns);
    const double shape = std::clamp(framing(1.0).shape(), 0.6, 2.0);
    panel_height_ = std::floor(panel_width_ / shape);
    camera_ = framing(panel_width_ / panel_height_).camera();
    for (const TracedRow& row : strip.rows)
      for (const Picture& picture : row.pictures)
        images_.push_back(shows_nothing(picture) ? Image{} : traced(picture));
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
  template <class Visit>
  void for_points(Visit visit) const {
    for (const TracedRow& row : strip_.rows)
      for (const Picture& picture : row.pictures) {
        for (const Surface& surface : picture.surfaces)
          for (const Vec3& x : surface.positions)
            if (is_finite(x)) visit(x, 0.0);
        for (const Ball& ball : picture.balls) visit(ball.centre, ball.radius);
      }
  }

  [[nodiscard]] Framing framing(double shape) const {
    Framing result({0.0, 0.0, 1.0}, strip_.view, shape, 0.06);
    for_points([&](const Vec3& x, double radius) { result.add(x, radius); });
    return result;
  }

  [[nodiscard]] Image traced(Picture picture) const {
    if (strip_.ground) {
      double lowest = std::numeric_limits<double>::infinity();
      for_points([&](const Vec3& x, double radius) { lowest = std::min(lowest, x.z - radius); });
      picture.ground = lowest;
    }
    return trace(picture, camera_,
                 {.width = pixels_a_unit * static_cast<int>(panel_width_),
                  .height = pixels_a_unit * static_cast<int>(panel_height_),
                  .samples = 32},
                 threads_);
  }

  [[nodiscard]] double panel_left(std::size_t column) const {
    return left_ + static_cast<double>(column) * (panel_width_ + gap);
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

  static void words(Canvas& canvas, double x, double middle, Anchor anchor, const std::string& text) {
    const auto breaks = static_cast<double>(std::count(text.begin(), text.end(), '\n'));
    double y = middle - 0.5 * breaks * line + 5;
    std::string rest = text;
    for (;;) {
      const std::size_t end = rest.find('\n');
      canvas.text(x, y, anchor, rest.substr(0, end));
      if (end == std::string::npos) return;
      rest.erase(0, end + 1);
      y += line;
    }
  }

  void draw_row(Canvas& canvas, std::size_t number) const {
    const TracedRow& row = strip_.rows[number];
    const double y = top + static_cast<double>(number) * (panel_height_ + gap);
    canvas.colour(ink);
    canvas.font(13.5);
    words(canvas, margin, y + panel_height_ / 2, Anchor::start, row.label);
    for (std::size_t k = 0; k < row.pictures.size(); ++k) {
      const Image& image = images_[number * strip_.columns.size() + k];
      const double x = panel_left(k);
      if (image.pixels.empty()) {
        canvas.colour(empty_panel);
        canvas.rectangle(x, y, panel_width_, panel_height_);
        canvas.colour(frame);
        canvas.font(12.5);
        words(canvas, x + panel_width_ / 2, y + panel_height_ / 2, Anchor::middle, row.missing);
      } else {
        canvas.bitmap(x, y, panel_width_, panel_height_, image.pixels, image.width);
      }
    }
  }

  const TracedRows& strip_;
  Threads& threads_;
  double left_ = 0.0, panel_width_ = 0.0, panel_height_ = 0.0;
  Camera camera_;
  std::vector<Image> images_;
};

Picture picture_of(const TracedStrip& strip, const VectorArray& positions) {
  Picture picture;
  if (positions.empty()) return picture;
  picture.surfaces.push_back({positions, strip.faces, strip.colours});
  if (strip.colours.empty()) picture.surfaces[0].colours.assign(positions.size(), body_colour);
  picture.balls = strip.balls;
  return picture;
}

}  // namespace

StripDrawings draw(const TracedStrip& strip, Threads& threads) {
  TracedRows rows{strip.title, strip.subtitle, strip.columns, {}, strip.view, strip.ground};
  for (const StripRow& row : strip.rows) {
    rows.rows.push_back({row.label, {}, row.missing});
    for (const VectorArray& positions : row.pictures)
      rows.rows.back().pictures.push_back(picture_of(strip, positions));
  }
  return draw(rows, threads);
}

StripDrawings draw(const TracedRows& strip, Threads& threads) {
  const Drawing drawing(strip, threads);
  const auto page = [&](Canvas& canvas) { drawing.draw(canvas); };
  return {drawing_svg(width, drawing.height(), page),
          drawing_png(width, drawing.height(), pixels_a_unit, page)};
}

}  // namespace electret::app::reproduce
