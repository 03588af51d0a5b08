#pragma once
/// \file
/// Watches a recorded run for vertices that go through obstacles unseen.

#include <optional>
#include <string>

#include <electret/contact/unseen_passage.hpp>
#include <electret/dynamics/system.hpp>

namespace electret {

/// Obstacles that push exactly and have a thickness end the run instead (ContactSet::passage).
class ObstacleWatch {
 public:
  /// What went through obstacles in the step that has led to `state`. Nothing where it is not known where the
  /// step began.
  std::optional<UnseenPassage> observe(const System& system, const State& state);
  /// Begins with `state`; a step from another one is not looked at.
  void begin(const System& system, const State& state);
  /// It is not known where the next step begins.
  void forget() { start_.clear(); }

 private:
  VectorArray start_;  ///< Of the next step, n×3, m.
  Count step_ = 0;     ///< That led there.
};

/// That vertices went through an obstacle in the step that ended with step `step`, and which step is small
/// enough.
[[nodiscard]] std::string passage_warning(const System& system, const UnseenPassage& passage, Count step);

}  // namespace electret
