#pragma once
/// \file
/// The states of a scene's text that can be gone back to.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace electret::studio {

/// Undo and redo of a text: 200 states or 64 MB, of which the oldest are forgotten.
class TextHistory {
 public:
  static constexpr std::size_t most_states = 200, most_bytes = std::size_t{64} << 20;

  /// Another text, without a past.
  void begin(std::string text) {
    *this = TextHistory();
    text_ = std::move(text);
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool can_undo() const { return !past_.empty(); }
  [[nodiscard]] bool can_redo() const { return !future_.empty(); }
  [[nodiscard]] const std::string& undone() const { return past_.back(); }
  [[nodiscard]] const std::string& redone() const { return future_.back(); }

  /// A new text. What has the gesture of the one before it is one step of undo with it; 0 is none.
  void put(std::string text, double gesture = 0.0) {
    const bool goes_on = gesture != 0.0 && gesture == gesture_ && !past_.empty() && future_.empty();
    gesture_ = gesture;
    if (!goes_on) past_.push_back(std::move(text_));
    text_ = std::move(text);
    future_.clear();
    std::size_t bytes = 0, kept = 0;
    while (kept < past_.size() && kept < most_states) {
      bytes += past_[past_.size() - 1 - kept].size();
      if (bytes > most_bytes) break;
      ++kept;
    }
    past_.erase(past_.begin(), past_.end() - static_cast<std::ptrdiff_t>(kept));
  }
  /// A new text in place of the present one, which cannot be gone back to.
  void replace(std::string text) {
    gesture_ = 0.0;
    text_ = std::move(text);
    future_.clear();
  }
  void undo() { step(past_, future_); }
  void redo() { step(future_, past_); }

 private:
  void step(std::vector<std::string>& from, std::vector<std::string>& to) {
    gesture_ = 0.0;
    to.push_back(std::exchange(text_, std::move(from.back())));
    from.pop_back();
  }

  std::string text_;
  std::vector<std::string> past_, future_;
  double gesture_ = 0.0;
};

}  // namespace electret::studio
