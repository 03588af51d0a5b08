#pragma once
/// \file
/// A recorded run that a session goes on with: what it is loaded from, and whether it can be had.
///
/// The session's scene is the run's, from step 0 on, and its clock stands at the run's checkpoint. A run
/// repeats its bits; so a session.toml of all its steps repeats both, and nothing of the run is copied.

#include <memory>
#include <string>
#include <vector>

#include <electret/dynamics/simulator.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/studio/session/system_info.hpp>

namespace electret::studio {

struct RecordedStart {
  std::string directory;  ///< Of the run.
  std::string text;       ///< Of its scene.
};

/// What was recorded at steps before the checkpoint, to be looked at.
struct RememberedStep {
  Count step = 0;
  Floats positions;  ///< As in Frame.
  std::shared_ptr<const std::vector<double>> charges;
};

/// What a session goes on from.
struct RecordedPast {
  State state;
  WorkAccounts work;
  std::vector<RememberedStep> steps;
};

/// The run's checkpoint. Throws InputError if there is none, it is damaged, or of another version.
[[nodiscard]] Checkpoint checkpoint_of(const RecordedStart& start);

/// Throws InputError unless the scene, as it is read now, is the one that was run.
void require_scene_of_run(const RecordedStart& start, const Checkpoint& checkpoint, const Assembly& now);

/// Compiles the scene with the method that the run has chosen. Throws InputError if its steps would not be
/// the run's.
[[nodiscard]] Simulator simulator_of_run(const RecordedStart& start, const Checkpoint& checkpoint,
                                         Assembly assembly, int threads);

/// The frames that the run has before `step`, in at most `limit` bytes; none where the trajectory cannot be
/// read or is not of this scene. A frame was recorded after every `every`-th step.
[[nodiscard]] std::vector<RememberedStep> remembered_steps(const RecordedStart& start, const Shown& shown,
                                                           Count step, Count every, std::size_t limit);

}  // namespace electret::studio
