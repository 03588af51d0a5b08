#pragma once
/// \file
/// A session as a run: the files that `electret run session.toml -o DIR` makes.

#include <string>
#include <vector>

#include <electret/core/control.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/painted_charges.hpp>

namespace electret::studio {

struct RecordingOrder {
  std::string text{};                  ///< Of session.toml, as it stood.
  std::string folder{};                ///< Where that is.
  FileReader read{};                   ///< Of what it names.
  std::vector<PaintedFile> painted{};  ///< Which `read` finds as long as they are kept here.
  std::string directory{};             ///< Of the run.
  bool overwrite = false;              ///< As in RunOptions.
  int threads = 0;                     ///< 0: all.
};

struct RecordedSteps {
  Count done = 0, total = 0;
  std::string error{};  ///< Why it ended before its last step, and what there is; "" if it did not.
};

/// Repeats the session and records it. If a stop is requested, the step comes to its end, as in
/// `run_to_directory`. Once the run has begun, what goes wrong is told in the result. Before that nothing is
/// written, and it throws Cancelled, or as `compile` and `run_to_directory`.
[[nodiscard]] RecordedSteps record_session(const RecordingOrder& order, const Control& control);

}  // namespace electret::studio
