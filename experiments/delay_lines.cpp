#include "delay_lines.hpp"

#include <algorithm>
#include <utility>

namespace electret::experiments {

DelayLines::DelayLines(std::vector<Cord> cords) : cords_(std::move(cords)) {
  for (const Cord& cord : cords_) signals_.emplace_back(cord.cells.size(), 0.0);
  by_signals_ = signals_;
}

void DelayLines::restart() {
  for (auto& signals : signals_) std::fill(signals.begin(), signals.end(), 0.0);
}

void DelayLines::restart_back() {
  for (auto& by_signals : by_signals_) std::fill(by_signals.begin(), by_signals.end(), 0.0);
}

void DelayLines::advance(ScalarView outputs, ScalarSpan action) {
  for (std::size_t c = 0; c < cords_.size(); ++c) {
    const Cord& cord = cords_[c];
    std::vector<double>& signals = signals_[c];
    std::copy_backward(signals.begin(), signals.end() - 1, signals.end());
    signals.front() = std::max(cord.side * outputs[cord.output], 0.0);
    for (std::size_t k = 0; k < cord.cells.size(); ++k)
      for (const std::size_t number : cord.cells[k]) action[number] = 1.0 - signals[k];
  }
}

void DelayLines::pull(ScalarView outputs, ScalarView by_action, ScalarSpan by_outputs) {
  for (std::size_t c = 0; c < cords_.size(); ++c) {
    const Cord& cord = cords_[c];
    std::vector<double>& by_signals = by_signals_[c];
    for (std::size_t k = 0; k < cord.cells.size(); ++k)
      for (const std::size_t number : cord.cells[k]) by_signals[k] -= by_action[number];
    if (cord.side * outputs[cord.output] > 0.0) by_outputs[cord.output] += cord.side * by_signals.front();
    std::copy(by_signals.begin() + 1, by_signals.end(), by_signals.begin());
    by_signals.back() = 0.0;
  }
}

}  // namespace electret::experiments
