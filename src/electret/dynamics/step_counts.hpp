#pragma once
/// \file
/// Numbers that a method counts in a step beyond those that every method has.

#include <array>
#include <span>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/core/types.hpp>

namespace electret {

struct StepCount {
  std::string_view name;  ///< A literal: "linear_iterations".
  Count value = 0;
};

/// A few counts by name, without memory of their own.
class StepCounts {
 public:
  static constexpr std::size_t most = 8;

  /// Adds to the count of that name. Throws InternalError for a ninth name.
  void add(std::string_view name, Count value) {
    for (StepCount& count : std::span(counts_).first(size_))
      if (count.name == name) {
        count.value += value;
        return;
      }
    require(size_ < most, "a step has more counts than fit");
    counts_[size_++] = {name, value};
  }
  void add(const StepCounts& others) {
    for (const StepCount& count : others.all()) add(count.name, count.value);
  }
  /// 0 if nothing of that name was counted.
  [[nodiscard]] Count of(std::string_view name) const {
    for (const StepCount& count : all())
      if (count.name == name) return count.value;
    return 0;
  }
  [[nodiscard]] std::span<const StepCount> all() const { return std::span(counts_).first(size_); }

 private:
  std::array<StepCount, most> counts_{};
  std::size_t size_ = 0;
};

}  // namespace electret
