#pragma once
/// \file
/// A memory of the past with a bound: when it is full, every other step is forgotten.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <electret/core/types.hpp>

namespace electret::studio {

/// Values of steps, thinned evenly: it keeps the multiples of a stride, which doubles whenever they take more
/// than `limit` bytes. The first step is always kept.
template <class Value>
class KeptSteps {
 public:
  explicit KeptSteps(std::size_t limit) : limit_(limit) {}

  void clear() {
    entries_.clear();
    stride_ = 1;
    bytes_ = 0;
  }
  /// Whether `keep` would take a value of this step: it is later than all, and one of the stride.
  [[nodiscard]] bool wants(Count step) const {
    return entries_.empty() || (step > entries_.back().step && step % stride_ == 0);
  }
  /// One that `stays` is not thinned out.
  void keep(Count step, Value value, std::size_t bytes, bool stays = false) {
    if (!wants(step)) return;
    entries_.push_back({step, bytes, std::move(value), stays});
    bytes_ += bytes;
    while (bytes_ > limit_ && is_any_to_thin()) thin();
  }
  /// Forgets `step` and what came after it.
  void forget(Count step) {
    while (!entries_.empty() && entries_.back().step >= step) {
      bytes_ -= entries_.back().bytes;
      entries_.pop_back();
    }
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] Count stride() const { return stride_; }

  struct Found {
    Count step;
    const Value& value;
  };
  /// The last one at or before `step`. There must be one.
  [[nodiscard]] Found at_or_before(Count step) const {
    const auto after = first_after(step);
    const Entry& entry = *(after == entries_.begin() ? after : after - 1);
    return {entry.step, entry.value};
  }
  /// The one whose step is nearest; of two the earlier. There must be one.
  [[nodiscard]] Found nearest(Count step) const {
    const auto after = first_after(step);
    if (after == entries_.begin()) return {after->step, after->value};
    const auto before = after - 1;
    const bool later = after != entries_.end() && after->step - step < step - before->step;
    const Entry& entry = later ? *after : *before;
    return {entry.step, entry.value};
  }

 private:
  struct Entry {
    Count step;
    std::size_t bytes;
    Value value;
    bool stays;
  };
  [[nodiscard]] auto first_after(Count step) const {
    return std::upper_bound(entries_.begin(), entries_.end(), step,
                            [](Count value, const Entry& entry) { return value < entry.step; });
  }
  [[nodiscard]] bool is_any_to_thin() const {
    return std::any_of(entries_.begin(), entries_.end(), [this](const Entry& entry) {
      return !entry.stays && entry.step != entries_.front().step;
    });
  }
  void thin() {
    stride_ *= 2;
    const Count first = entries_.front().step;
    std::erase_if(entries_, [&](const Entry& entry) {
      return !entry.stays && entry.step != first && entry.step % stride_ != 0;
    });
    bytes_ = 0;
    for (const Entry& entry : entries_) bytes_ += entry.bytes;
  }

  std::size_t limit_, bytes_ = 0;
  Count stride_ = 1;
  std::vector<Entry> entries_;  ///< By step.
};

}  // namespace electret::studio
