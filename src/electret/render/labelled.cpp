#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <electret/core/arguments.hpp>
#include <electret/record/canvas.hpp>
#include <electret/render/charge_colours.hpp>
#include <electret/render/labelled.hpp>

namespace electret {
namespace {

using namespace colours;

constexpr int scale_steps = 64;
constexpr double narrowest = 25.0;  // lines' heights: narrower pictures have no room for a scale

void bitmap(Canvas& canvas, const Image& image, double x, double y) {
  canvas.bitmap(x, y, image.width, image.height, image.pixels, image.width);
}

/// Draws the colour scale with its right edge at x and its middle at y; `unit` is the height of a line of
/// text.
void charge_scale(Canvas& canvas, double x, double y, double height, double unit, double largest) {
  const double width = 0.6 * unit, top = y - 0.5 * height, left = x - width;
  for (int k = 0; k < scale_steps; ++k) {
    canvas.colour(charge_colour(1.0 - 2.0 * (k + 0.5) / scale_steps));
    // Each piece is a little taller than its part, so that no line shows between them.
    canvas.rectangle(left, top + height * k / scale_steps, width,
                     height / scale_steps + (k + 1 < scale_steps ? 0.5 : 0.0));
  }
  canvas.font(0.72 * unit);
  canvas.colour(ink);
  canvas.text(x, top - 0.4 * unit, Anchor::end, "+" + charge_text(largest));
  canvas.text(x, top + height + 0.95 * unit, Anchor::end, "−" + charge_text(largest));
}

bool is_whole(const Image& image) {
  return image.width > 0 && image.height > 0 &&
         image.pixels.size() ==
             static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
}

double line_height(double height) {
  return std::clamp(0.034 * height, 9.0, 60.0);
}

}  // namespace

std::string time_caption(double time) {
  return fmt::format("t = {:.4g} s", time);
}

std::string labelled_png(const Image& image, const PictureLabels& labels) {
  require_argument(is_whole(image), "a picture without all its pixels");
  const double unit = line_height(image.height);
  return drawing_png(image.width, image.height, 1.0, [&](Canvas& canvas) {
    bitmap(canvas, image, 0, 0);
    canvas.colour(ink);
    canvas.font(0.9 * unit);
    if (!labels.caption.empty()) canvas.text(unit, image.height - unit, Anchor::start, labels.caption);
    if (labels.largest_charge > 0.0 && image.width > narrowest * unit)
      charge_scale(canvas, image.width - unit, 0.5 * image.height, 0.34 * image.height, unit,
                   labels.largest_charge);
  });
}

std::string strip_png(const std::vector<Image>& images, const std::vector<std::string>& captions, int columns,
                      double largest_charge) {
  require_argument(!images.empty() && images.size() == captions.size() && columns > 0,
                   "strip: not one image per caption");
  const int width = images.front().width, height = images.front().height;
  for (const Image& image : images)
    require_argument(is_whole(image) && image.width == width && image.height == height,
                     "strip: the images differ in size");
  const int across = std::min(columns, static_cast<int>(images.size()));
  const int down = (static_cast<int>(images.size()) + across - 1) / across;
  const double unit = std::clamp(0.05 * height, 12.0, 40.0), gap = std::round(0.3 * unit);
  const double line = std::round(1.6 * unit);
  const double scale_width = largest_charge > 0.0 ? std::round(4.5 * unit) : 0.0;
  const double whole_width = across * width + (across - 1) * gap + scale_width;
  const double whole_height = down * (height + line) + (down - 1) * gap;
  return drawing_png(whole_width, whole_height, 1.0, [&](Canvas& canvas) {
    canvas.fill_all(white);
    for (std::size_t k = 0; k < images.size(); ++k) {
      const int column = static_cast<int>(k) % across, row = static_cast<int>(k) / across;
      const double x = column * (width + gap);
      const double y = row * (height + line + gap);
      bitmap(canvas, images[k], x, y);
      canvas.colour(ink);
      canvas.font(0.85 * unit);
      canvas.text(x + 0.5 * width, y + height + 1.1 * unit, Anchor::middle, captions[k]);
    }
    if (largest_charge > 0.0)
      charge_scale(canvas, whole_width - 0.6 * unit, 0.5 * height, std::min(0.5 * height, 9.0 * unit), unit,
                   largest_charge);
  });
}

}  // namespace electret
