#include "terminal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "print.hpp"

namespace electret::app {
namespace {

constexpr double redraw_seconds = 0.1;  // drawing the bar more often would only cost time
constexpr double line_seconds = 10.0;   // lines go to logs, so that they are rare

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// The most columns that UTF-8 text takes. A character of three bytes or more may be two columns wide.
int columns(std::string_view text) {
  int count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continues = (byte & 0xC0U) == 0x80U;
    count += continues ? 0 : byte >= 0xE0U ? 2 : 1;
  }
  return count;
}

std::string bar(double part, int width) {
  const int full = static_cast<int>(part * width);
  return " [" + std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(width - full), '.') + "]";
}

}  // namespace

std::string progress_line(const std::string& label, double part, const std::string& words, int width) {
  constexpr int shortest_bar = 10, longest_bar = 40, brackets = 3;
  const int room = width - 1;  // Many terminals wrap once their last column is written.
  const double clamped = std::clamp(part, 0.0, 1.0);
  const std::string percent = fmt::format(" {:3.0f} %", 100.0 * clamped);
  const std::string tail = percent + "  " + words;
  const int left = room - columns(label) - columns(tail) - brackets;
  if (left >= shortest_bar) return label + bar(clamped, std::min(left, longest_bar)) + tail;
  for (const std::string& line : {label + tail, tail, label + percent, percent})
    if (columns(line) <= room) return line;
  return {};
}

int terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

double seconds_left(const Progress& progress, Count first, double elapsed) {
  const Count done = progress.done - first;
  return done > 0 ? elapsed / static_cast<double>(done) * static_cast<double>(progress.total - progress.done)
                  : 0.0;
}

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.2g} s", seconds);
  if (seconds < 59.5) return fmt::format("{:.0f} s", seconds);
  const auto whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string pace_text(const Progress& progress, Count first, double elapsed, const std::string& unit) {
  if (progress.done <= first || elapsed <= 0.0) return "";
  return fmt::format("{:.3g} {}/s, {} left", static_cast<double>(progress.done - first) / elapsed, unit,
                     duration_text(seconds_left(progress, first, elapsed)));
}

ProgressDisplay::ProgressDisplay(std::string label)
    : label_(std::move(label)), terminal_(isatty(STDERR_FILENO) != 0), start_(Clock::now()), last_(start_) {}

ProgressDisplay::~ProgressDisplay() {
  clear();
}

bool ProgressDisplay::is_due(bool last) {
  const auto now = Clock::now();
  const double since = seconds_between(last_, now);
  if (since < (terminal_ ? redraw_seconds : line_seconds) && !(terminal_ && last)) return false;
  last_ = now;
  return true;
}

void ProgressDisplay::update(const Progress& progress) {
  if (first_ < 0) first_ = progress.done;
  if (!is_due(progress.done == progress.total)) return;
  const std::string left = duration_text(seconds_left(progress, first_, seconds_between(start_, last_)));
  if (!terminal_) {
    tell("{}: step {} of {}, {} left\n", label_, progress.done, progress.total, left);
    return;
  }
  const double part =
      progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : 1.0;
  draw_bar(part, fmt::format("step {}/{}  {} left", progress.done, progress.total, left));
}

void ProgressDisplay::update(std::string_view what, double part) {
  if (!is_due(part >= 1.0)) return;
  if (terminal_)
    draw_bar(part, std::string(what));
  else
    tell("{}: {:.0f} %, {}\n", label_, 100.0 * part, what);
}

void ProgressDisplay::draw_bar(double part, const std::string& words) {
  tell("\r\x1b[K{}", progress_line(label_, part, words, terminal_width()));
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressDisplay::clear() {
  if (!drawn_) return;
  tell("\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace electret::app
