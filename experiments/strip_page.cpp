#include "strip_page.hpp"

#include <algorithm>

namespace electret::experiments {
namespace {

using namespace colours;

/// Lines of text around a middle height.
void lines(Canvas& canvas, double x, double middle, Anchor anchor, const std::string& text) {
  constexpr double line_height = 17;
  const auto breaks = static_cast<double>(std::count(text.begin(), text.end(), '\n'));
  double y = middle - 0.5 * breaks * line_height + 5;
  std::size_t from = 0;
  for (;;) {
    const std::size_t end = text.find('\n', from);
    canvas.text(x, y, anchor, text.substr(from, end == std::string::npos ? end : end - from));
    if (end == std::string::npos) return;
    from = end + 1;
    y += line_height;
  }
}

}  // namespace

double StripPage::widest_panel(double left, std::size_t columns) {
  const auto count = static_cast<double>(std::max<std::size_t>(columns, 1));
  return (width - left - margin - gap * (count - 1)) / count;
}

double StripPage::height() const {
  return top + static_cast<double>(labels.size()) * (panel_height + gap) + margin;
}

void StripPage::draw(Canvas& canvas, const Panel& panel) const {
  const auto panel_left = [&](std::size_t column) {
    return left + static_cast<double>(column) * (panel_width + gap);
  };
  canvas.fill_all(white);
  canvas.colour(ink);
  canvas.font(18, true);
  canvas.text(margin, 32, Anchor::start, title);
  canvas.font(12.5);
  canvas.text(margin, 54, Anchor::start, subtitle);
  canvas.font(14);
  for (std::size_t k = 0; k < columns.size(); ++k)
    canvas.text(panel_left(k) + panel_width / 2, top - 10, Anchor::middle, columns[k]);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const double y = top + static_cast<double>(row) * (panel_height + gap);
    canvas.colour(ink);
    canvas.font(13.5);
    lines(canvas, margin, y + panel_height / 2, Anchor::start, labels[row]);
    for (std::size_t k = 0; k < columns.size(); ++k) panel(row, k, panel_left(k), y);
  }
}

void StripPage::empty_panel(Canvas& canvas, double x, double y) const {
  canvas.colour(ground);
  canvas.rectangle(x, y, panel_width, panel_height);
}

void StripPage::missing(Canvas& canvas, double x, double y, const std::string& words) const {
  canvas.colour(frame);
  canvas.font(12.5);
  lines(canvas, x + panel_width / 2, y + panel_height / 2, Anchor::middle, words);
}

}  // namespace electret::experiments
