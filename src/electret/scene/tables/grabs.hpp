#pragma once
/// \file
/// `[[grab]]`.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <electret/scene/keyframes.hpp>
#include <electret/scene/numbers.hpp>

namespace electret {

struct SceneTable;

/// `[[grab]]`: a spring and a damper from a moved point to the weighted mean of some vertices of a body, as a
/// hand that holds it.
struct Grab {
  std::string body{};
  std::vector<Index> vertices{};  ///< Of the body, each once.
  std::vector<double> weights{};  ///< One per vertex; their sum is 1. Empty: all the same.
  double stiffness = 0.0;         ///< N/m.
  double damping = 0.0;           ///< N s/m.
  KeyFrames<Vec3> targets{};      ///< m, world axes. No force before the first time.
  std::optional<double> until{};  ///< s, after the first time. No force from here on; absent: to the end.
};

/// One `[[grab]]`.
struct GrabTrack {
  std::vector<Index> vertices;                             ///< Global indices, as written.
  std::vector<double> weights;                             ///< One per vertex, ≥ 0; they sum to 1.
  double stiffness = 0.0;                                  ///< N/m.
  double damping = 0.0;                                    ///< N s/m.
  KeyFrames<Vec3> targets;                                 ///< m.
  double until = std::numeric_limits<double>::infinity();  ///< s.

  /// Whether it acts at `time` (s): from the first time on, before `until`. Both count from 1e-9·`time_step`
  /// before them, as keys with `step` do.
  [[nodiscard]] bool acts_at(double time, double time_step) const {
    const double at = time + 1e-9 * time_step;
    return at >= targets.times.front() && at < until;
  }
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind grab_stiffness, grab_damping, grab_targets;
}

/// The table itself.
SceneTable grab_table();

}  // namespace electret
