#pragma once
/// \file
/// Progress on stderr, as a bar on a terminal and as plain lines elsewhere; and numbers as texts.

#include <chrono>
#include <string>
#include <string_view>

#include <electret/core/control.hpp>

namespace electret::app {

/// Draws progress; `clear` removes the bar before other lines are printed.
class ProgressDisplay {
 public:
  explicit ProgressDisplay(std::string label);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  void update(const Progress& progress);
  /// For work that is not counted in steps: what is being done, and which part of the whole is done, 0 to 1.
  void update(std::string_view what, double part);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool is_due(bool last);
  void draw_bar(double part, const std::string& words);

  std::string label_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_, last_;
  Count first_ = -1;  ///< The step at which this run began; a resumed run does not begin at 0.
};

/// One line for `part` (0 to 1) of the work, in fewer columns than `width`. It has label, bar, percentage and
/// words, or as many of them as fit whole. The percentage is always there if there are 7 columns.
std::string progress_line(const std::string& label, double part, const std::string& words, int width);

/// The time until the end (s), estimated from the time `elapsed` (s) since the run began or was resumed at
/// step `first`. 0 before the first step.
double seconds_left(const Progress& progress, Count first, double elapsed);
/// Such as "1 min 05 s", "0.24 s".
std::string duration_text(double seconds);
/// Such as "3.2 runs/s, 12 s left", `elapsed` seconds after `first` was done; empty before more is done.
std::string pace_text(const Progress& progress, Count first, double elapsed, const std::string& unit);
/// The terminal's width in columns; 80 if stderr is no terminal.
int terminal_width();

}  // namespace electret::app
