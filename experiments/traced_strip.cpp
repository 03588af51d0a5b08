#include "traced_strip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/core/errors.hpp>
#include <electret/record/canvas.hpp>
#include <electret/render/trace.hpp>

#include "strip_page.hpp"

namespace electret::experiments {
namespace {

constexpr int pixels_a_unit = 2;
constexpr Colour body_colour{0.45, 0.66, 0.84};

bool shows_nothing(const Picture& picture) {
  return picture.surfaces.empty() && picture.rods.empty() && picture.balls.empty();
}

class Drawing {
 public:
  Drawing(const TracedRows& strip, Threads& threads) : strip_(strip), threads_(threads) {
    for (const TracedRow& row : strip.rows)
      require(row.pictures.size() == strip.columns.size() && !row.pictures.empty(),
              "traced strip: a picture for each column");
    page_ = {.title = strip.title, .subtitle = strip.subtitle, .columns = strip.columns};
    for (const TracedRow& row : strip.rows) page_.labels.push_back(row.label);
    const bool has_labels = std::any_of(strip.rows.begin(), strip.rows.end(),
                                        [](const TracedRow& row) { return !row.label.empty(); });
    if (!has_labels) page_.left = StripPage::margin;
    page_.panel_width = std::floor(StripPage::widest_panel(page_.left, strip.columns.size()));
    const double shape = std::clamp(framing(1.0).shape(), 0.6, 2.0);
    page_.panel_height = std::floor(page_.panel_width / shape);
    camera_ = framing(page_.panel_width / page_.panel_height).camera();
    const double floor = strip.floor.value_or(lowest());
    for (const TracedRow& row : strip.rows)
      for (const Picture& picture : row.pictures)
        images_.push_back(shows_nothing(picture) ? Image{} : traced(picture, floor));
  }

  [[nodiscard]] double height() const { return page_.height(); }

  void draw(Canvas& canvas) const {
    page_.draw(canvas, [&](std::size_t row, std::size_t column, double x, double y) {
      const Image& image = images_[row * strip_.columns.size() + column];
      if (!image.pixels.empty()) {
        canvas.bitmap(x, y, page_.panel_width, page_.panel_height, image.pixels, image.width);
        return;
      }
      page_.empty_panel(canvas, x, y);
      page_.missing(canvas, x, y, strip_.rows[row].missing);
    });
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

  /// Where the floor is, m: under all that any picture shows.
  [[nodiscard]] double lowest() const {
    double lowest = std::numeric_limits<double>::infinity();
    for_points([&](const Vec3& x, double radius) { lowest = std::min(lowest, x.z - radius); });
    return lowest;
  }

  [[nodiscard]] Image traced(Picture picture, double floor) const {
    if (strip_.ground) picture.ground = floor;
    return trace(picture, camera_,
                 {.width = pixels_a_unit * static_cast<int>(page_.panel_width),
                  .height = pixels_a_unit * static_cast<int>(page_.panel_height),
                  .samples = 32},
                 threads_);
  }

  const TracedRows& strip_;
  Threads& threads_;
  StripPage page_;
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
  TracedRows rows{strip.title, strip.subtitle, strip.columns, {}, strip.view, strip.ground, strip.floor};
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
  return {drawing_svg(StripPage::width, drawing.height(), page),
          drawing_png(StripPage::width, drawing.height(), pixels_a_unit, page)};
}

}  // namespace electret::experiments
