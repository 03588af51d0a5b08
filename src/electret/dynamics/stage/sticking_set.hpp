#pragma once
/// \file
/// Which vertices stick in a step: the published choice of an active set ([DiffPD] §5).

#include <span>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// Looks for a set of vertices that is the one that its own solution wants. One entry a vertex, 1 if it is in
/// the set. Allocates nothing after the first step.
class StickingSet {
 public:
  explicit StickingSet(std::size_t vertices) : now_(vertices, 0) {}

  /// Begins a step with the set that the last one ended with.
  void begin(std::span<const char> last);
  /// The set to be tried.
  [[nodiscard]] std::span<const char> now() const { return now_; }
  /// Takes the set that the solution with `now` wants. Returns whether another is to be tried. A set that was
  /// tried before in this step gives way to what it has in common with `now`, and half of the rest of each,
  /// by the vertices' numbers. If the two differ by no more than a vertex each way, `now` stays.
  bool propose(std::span<const char> wanted);

 private:
  std::vector<char> now_;
  std::vector<std::vector<char>> tried_;
  std::size_t tries_ = 0;
};

}  // namespace electret
