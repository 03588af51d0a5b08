#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <string_view>

#include <cairo-svg.h>
#include <cairo.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/canvas.hpp>

namespace electret {
namespace {

constexpr double marker_radius = 4.2;

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

cairo_status_t append(void* text, const unsigned char* bytes, unsigned int size) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), size);
  return CAIRO_STATUS_SUCCESS;
}

void draw_on(cairo_surface_t* surface, double scale, const std::function<void(Canvas&)>& draw) {
  const Context cairo(cairo_create(surface), &cairo_destroy);
  cairo_scale(cairo.get(), scale, scale);
  Canvas canvas(cairo.get());
  draw(canvas);
  require(cairo_status(cairo.get()) == CAIRO_STATUS_SUCCESS, "drawing: Cairo could not draw it");
}

Surface drawn_pixels(double width, double height, double scale, const std::function<void(Canvas&)>& draw) {
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(width * scale)),
                                             static_cast<int>(std::lround(height * scale))),
                  &cairo_surface_destroy);
  draw_on(surface.get(), scale, draw);
  return surface;
}

void replace_all(std::string& text, const std::string& old, const std::string& with) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
}

/// Cairo numbers the surfaces of a process and uses the numbers as names in an SVG document. They are
/// replaced, so that the same drawing gives the same file.
void rename_surfaces(std::string& svg) {
  int pictures = 0;
  for (const std::string name : {"surface", "image", "source-"}) {  // the last is of Cairo 1.18
    const std::string start = "id=\"" + name;
    for (std::size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
      const std::size_t from = at + 4;  // behind id="
      const std::string old = svg.substr(from, svg.find('"', from) - from);
      const std::string renamed = name == "surface" ? "chart" : "picture" + std::to_string(pictures++);
      replace_all(svg, "#" + old + "\"", "#" + renamed + "\"");
      replace_all(svg, "\"" + old + "\"", "\"" + renamed + "\"");
    }
  }
}

}  // namespace

void Canvas::colour(const Colour& c) {
  cairo_set_source_rgb(cairo_, c.red, c.green, c.blue);
}

void Canvas::line(double x1, double y1, double x2, double y2, double stroke) {
  cairo_set_line_width(cairo_, stroke);
  cairo_move_to(cairo_, x1, y1);
  cairo_line_to(cairo_, x2, y2);
  cairo_stroke(cairo_);
}

void Canvas::font(double size, bool bold) {
  cairo_select_font_face(cairo_, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo_, size);
}

double Canvas::text_width(const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(cairo_, printable(text).c_str(), &extents);
  return extents.x_advance;
}

void Canvas::text(double x, double y, Anchor anchor, const std::string& text) {
  const double shift = anchor == Anchor::start ? 0.0 : anchor == Anchor::middle ? 0.5 : 1.0;
  cairo_move_to(cairo_, x - shift * text_width(text), y);
  cairo_show_text(cairo_, printable(text).c_str());
}

void Canvas::turned_text(double x, double y, const std::string& words) {
  cairo_save(cairo_);
  cairo_translate(cairo_, x, y);
  cairo_rotate(cairo_, -std::numbers::pi / 2);
  text(0, 0, Anchor::middle, words);
  cairo_restore(cairo_);
}

void Canvas::polyline(const std::vector<PagePoint>& points, double stroke, bool dashed) {
  const std::array<double, 2> dashes{7, 4};
  cairo_new_path(cairo_);  // text leaves a point to go on from
  cairo_set_line_width(cairo_, stroke);
  cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
  cairo_set_dash(cairo_, dashes.data(), dashed ? 2 : 0, 0);
  for (const auto& [x, y] : points) cairo_line_to(cairo_, x, y);
  cairo_stroke(cairo_);
  cairo_set_dash(cairo_, dashes.data(), 0, 0);
}

void Canvas::filled(std::span<const PagePoint> corners, const Colour& inside, const Colour& edge,
                    double stroke) {
  cairo_new_path(cairo_);
  for (const auto& [x, y] : corners) cairo_line_to(cairo_, x, y);
  cairo_close_path(cairo_);
  colour(inside);
  cairo_fill_preserve(cairo_);
  colour(edge);
  cairo_set_line_width(cairo_, stroke);
  cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke(cairo_);
}

void Canvas::rectangle(double x, double y, double w, double h) {
  cairo_rectangle(cairo_, x, y, w, h);
  cairo_fill(cairo_);
}

void Canvas::marker(Marker kind, double x, double y, const Colour& edge, bool hollow) {
  const double r = marker_radius;
  cairo_new_path(cairo_);
  switch (kind) {
    case Marker::none:
      return;
    case Marker::circle:
      cairo_new_sub_path(cairo_), cairo_arc(cairo_, x, y, r, 0, 2.0 * std::numbers::pi);
      break;
    case Marker::square:
      polygon(x, y, 4, 1.3 * r, std::numbers::pi / 4);
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
  colour(hollow ? colours::white : edge);
  cairo_fill_preserve(cairo_);
  colour(edge);
  cairo_set_line_width(cairo_, 1.4);
  cairo_stroke(cairo_);
}

void Canvas::dot(double x, double y, double radius) {
  cairo_new_path(cairo_);
  cairo_arc(cairo_, x, y, radius, 0, 2.0 * std::numbers::pi);
  cairo_fill(cairo_);
}

void Canvas::polygon(double x, double y, int corners, double radius, double turn) {
  for (int k = 0; k < corners; ++k) {
    const double angle = turn + 2.0 * std::numbers::pi * k / corners;
    cairo_line_to(cairo_, x + radius * std::sin(angle), y - radius * std::cos(angle));
  }
  cairo_close_path(cairo_);
}

void Canvas::clip(double x, double y, double w, double h) {
  cairo_save(cairo_);
  cairo_rectangle(cairo_, x, y, w, h);
  cairo_clip(cairo_);
}

void Canvas::unclip() {
  cairo_restore(cairo_);
}

void Canvas::fill_all(const Colour& c) {
  colour(c);
  cairo_paint(cairo_);
}

void Canvas::move_origin(double x, double y) {
  cairo_translate(cairo_, x, y);
}

void Canvas::pixels(double x, double y, double w, double h, double scale,
                    const std::function<void(Canvas&)>& draw) {
  const Surface picture = drawn_pixels(w, h, scale, draw);
  cairo_save(cairo_);
  cairo_translate(cairo_, x, y);
  cairo_scale(cairo_, 1.0 / scale, 1.0 / scale);
  cairo_set_source_surface(cairo_, picture.get(), 0, 0);
  cairo_paint(cairo_);
  cairo_restore(cairo_);
}

void Canvas::bitmap(double x, double y, double w, double h,
                    std::span<const std::array<std::uint8_t, 3>> colours, int width) {
  const int height = static_cast<int>(colours.size()) / width;
  const Surface picture(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height),
                        &cairo_surface_destroy);
  require(cairo_surface_status(picture.get()) == CAIRO_STATUS_SUCCESS, "drawing: Cairo took no pixels");
  unsigned char* rows = cairo_image_surface_get_data(picture.get());
  const int stride = cairo_image_surface_get_stride(picture.get());
  for (std::size_t k = 0; k < colours.size(); ++k) {
    const auto row = static_cast<std::ptrdiff_t>(k) / width, column = static_cast<std::ptrdiff_t>(k) % width;
    const std::uint32_t pixel = std::uint32_t{colours[k][0]} << 16U | std::uint32_t{colours[k][1]} << 8U |
                                std::uint32_t{colours[k][2]};
    std::memcpy(rows + row * stride + 4 * column, &pixel, sizeof pixel);
  }
  cairo_surface_mark_dirty(picture.get());
  cairo_save(cairo_);
  cairo_translate(cairo_, x, y);
  cairo_scale(cairo_, w / width, h / height);
  cairo_set_source_surface(cairo_, picture.get(), 0, 0);
  cairo_paint(cairo_);
  cairo_restore(cairo_);
}

std::string drawing_svg(double width, double height, const std::function<void(Canvas&)>& draw) {
  std::string text;
  {
    const Surface surface(cairo_svg_surface_create_for_stream(&append, &text, width, height),
                          &cairo_surface_destroy);
    draw_on(surface.get(), 1.0, draw);
    cairo_surface_finish(surface.get());
    require(cairo_surface_status(surface.get()) == CAIRO_STATUS_SUCCESS, "drawing: Cairo wrote no SVG");
  }
  rename_surfaces(text);
  return text;
}

std::string drawing_png(double width, double height, double scale, const std::function<void(Canvas&)>& draw) {
  const Surface surface = drawn_pixels(width, height, scale, draw);
  std::string bytes;
  require(cairo_surface_write_to_png_stream(surface.get(), &append, &bytes) == CAIRO_STATUS_SUCCESS,
          "drawing: Cairo wrote no PNG");
  return bytes;
}

}  // namespace electret
