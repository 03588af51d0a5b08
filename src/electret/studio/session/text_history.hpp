#pragma once
/// \file
/// The states of a scene's text that can be gone back to.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <electret/studio/session/painted_charges.hpp>

namespace electret::studio {

/// A scene's text, and what the files of painted charges have that it names.
struct TextState {
  std::string text{};
  PaintedFiles painted{};

  bool operator==(const TextState&) const = default;
};

/// Undo and redo of a text: 200 states or 64 MB, of which the oldest are forgotten.
class TextHistory {
 public:
  static constexpr std::size_t most_states = 200, most_bytes = std::size_t{64} << 20;

  /// Another text, without a past.
  void begin(std::string text, PaintedFiles painted = {}) {
    *this = TextHistory();
    now_ = {std::move(text), std::move(painted)};
  }
  [[nodiscard]] const std::string& text() const { return now_.text; }
  [[nodiscard]] const PaintedFiles& painted() const { return now_.painted; }
  [[nodiscard]] const TextState& now() const { return now_; }
  [[nodiscard]] bool can_undo() const { return !past_.empty(); }
  [[nodiscard]] bool can_redo() const { return !future_.empty(); }
  [[nodiscard]] const TextState& undone() const { return past_.back(); }
  [[nodiscard]] const TextState& redone() const { return future_.back(); }

  /// A new text. What has the gesture of the one before it is one step of undo with it; 0 is none.
  void put(std::string text, double gesture = 0.0) { put(TextState{std::move(text), now_.painted}, gesture); }
  void put(TextState next, double gesture = 0.0) {
    const bool goes_on = gesture != 0.0 && gesture == gesture_ && !past_.empty() && future_.empty();
    gesture_ = gesture;
    if (!goes_on) past_.push_back(std::move(now_));
    now_ = std::move(next);
    future_.clear();
    std::size_t bytes = 0, kept = 0;
    const TextState* later = &now_;
    while (kept < past_.size() && kept < most_states) {
      const TextState& state = past_[past_.size() - 1 - kept];
      bytes += size_of(state, *std::exchange(later, &state));
      if (bytes > most_bytes) break;
      ++kept;
    }
    past_.erase(past_.begin(), past_.end() - static_cast<std::ptrdiff_t>(kept));
  }
  /// A new text in place of the present one, which cannot be gone back to.
  void replace(std::string text) {
    gesture_ = 0.0;
    now_.text = std::move(text);
    future_.clear();
  }
  /// What the files have that the present state names. Of a file that is new other states mean the same,
  /// because nothing has written it since.
  void renew_painted(const PaintedFiles& files) {
    const PaintedFiles before = std::exchange(now_.painted, files);
    for (std::vector<TextState>* states : {&past_, &future_})
      for (TextState& state : *states)
        for (const auto& each : files)
          if (!before.contains(each.first)) state.painted.insert(each);
  }
  void undo() { step(past_, future_); }
  void redo() { step(future_, past_); }

 private:
  /// What a state takes beside the later one, bytes.
  static std::size_t size_of(const TextState& state, const TextState& later) {
    std::size_t bytes = state.text.size();
    for (const auto& [name, file] : state.painted) {
      const auto same = later.painted.find(name);
      if (same == later.painted.end() || same->second.bytes != file.bytes) bytes += file.bytes->size();
    }
    return bytes;
  }
  void step(std::vector<TextState>& from, std::vector<TextState>& to) {
    gesture_ = 0.0;
    to.push_back(std::exchange(now_, std::move(from.back())));
    from.pop_back();
  }

  TextState now_;
  std::vector<TextState> past_, future_;
  double gesture_ = 0.0;
};

}  // namespace electret::studio
