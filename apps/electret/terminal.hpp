#pragma once
/// \file
/// Progress on stderr: a bar on a terminal, plain lines elsewhere; and how numbers are said.

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
  /// Of work that is not counted in steps: what is being done, and how much of the whole is done, 0 to 1.
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
  Count first_ = -1;  ///< Where this run began (a resumed one does not begin at 0).
};

/// One line for `part` (0 to 1) of the work, in fewer columns than `width`: label, bar, percentage and words,
/// or as many of them as fit whole; at least the percentage where there are 7 columns.
std::string progress_line(const std::string& label, double part, const std::string& words, int width);

/// s until the end, from the time since the run began or was resumed at step `first`; 0 before it has
/// stepped.
double seconds_left(const Progress& progress, Count first, double elapsed);
/// "1 min 05 s", "0.24 s".
std::string duration_text(double seconds);
/// "1.5 GB".
std::string bytes_text(double bytes);
/// The terminal's width in columns (80 when stderr is none).
int terminal_width();

}  // namespace electret::app
