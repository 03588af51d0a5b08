#pragma once
/// \file
/// Which bodies may touch each other, and which themselves.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace electret {

/// A symmetric table of bodies by bodies. At first none may touch.
class BodyPairs {
 public:
  explicit BodyPairs(std::size_t bodies = 0) : bodies_(bodies), may_touch_(bodies * bodies, 0) {}

  void allow(std::size_t a, std::size_t b, bool may_touch = true) {
    may_touch_[a * bodies_ + b] = may_touch_[b * bodies_ + a] = may_touch ? 1 : 0;
  }

  [[nodiscard]] std::size_t bodies() const { return bodies_; }
  /// With a = b: whether the body may touch itself.
  [[nodiscard]] bool may_touch(std::size_t a, std::size_t b) const {
    return may_touch_[a * bodies_ + b] != 0;
  }
  [[nodiscard]] bool is_any_allowed() const {
    return std::find(may_touch_.begin(), may_touch_.end(), char{1}) != may_touch_.end();
  }
  [[nodiscard]] bool is_self_allowed() const {
    for (std::size_t b = 0; b < bodies_; ++b)
      if (may_touch(b, b)) return true;
    return false;
  }
  [[nodiscard]] bool is_other_allowed() const {
    for (std::size_t a = 0; a < bodies_; ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (may_touch(a, b)) return true;
    return false;
  }

 private:
  std::size_t bodies_;
  std::vector<char> may_touch_;
};

}  // namespace electret
