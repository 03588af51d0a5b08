#pragma once
/// \file
/// Worker processes of a sweep on this machine.
///
/// A worker is `electret sweep DIR --runs -`. It reads runs from its standard input, a number or a range on
/// each line, and prints a line for each run that has ended. Its results are in its part file before that
/// line, so that nothing but the run in progress is lost whatever happens to a process.

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include <electret/sweep/sweep_state.hpp>

namespace electret::app {

struct WorkerOptions {
  int workers = 1;
  Count block = 0;  ///< Runs that a worker is given at once; 0: about two seconds' worth.
  std::stop_token stop{};
  /// Receives each run that has ended.
  std::function<void(Count run, SweepStatus status)> ended{};
};

/// Why a pool ended before all runs had.
struct PoolEnd {
  bool is_stopped = false;  ///< A stop was requested.
  std::string failure;      ///< Else what went wrong; empty if nothing did.
};

/// Does the missing runs of the sweep. A run whose worker dies is tried again, and is `lost` after so many
/// attempts as the job's limits say. Throws IoError if no worker can be started.
PoolEnd run_in_workers(const SweepFolder& folder, const SweepPlan& plan, const SweepState& state,
                       const WorkerOptions& options);

}  // namespace electret::app
