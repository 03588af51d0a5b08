#pragma once
/// \file
/// Runs of a sweep that are ordinary runs, or fits, in a folder while they last, so that another process may
/// go on with them.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <electret/sweep/run_limits.hpp>
#include <electret/sweep/sweep_run.hpp>

namespace electret {

/// What a run in a folder gives beside its files.
struct FolderRun {
  /// Of each kept frame the positions and then, if they are kept, the velocities; as many as were reached.
  std::vector<std::vector<double>> frames;
  std::vector<double> quantities;
  Count steps = 0;
};

/// Runs the scene into `directory`, or goes on with what is there. Throws Cancelled and TimeoutError as
/// RunLimits::check; the run can then go on. After a DivergenceError, `found` holds what was reached; it is
/// thrown on. Throws DirectoryInUseError if another process does the run there, and IoError.
void run_in_folder(const SweepPlan& plan, const Assembly& assembly, const std::string& directory,
                   const RunLimits& limits, FolderRun& found);

/// What becomes of the folder of a run that has ended, by `[keep] directories`: it stays in runs/, goes to
/// failed/, or is removed. A folder to which another process writes is left alone.
void settle_run_folder(const std::string& sweep, const SweepPlan& plan, Count run, SweepStatus status);
/// The same for all folders in runs/ whose run has ended: a kill may have left them. `status_of` is absent
/// for a run that has not.
void settle_run_folders(const std::string& sweep, const SweepPlan& plan,
                        const std::function<std::optional<SweepStatus>(Count)>& status_of);

}  // namespace electret
