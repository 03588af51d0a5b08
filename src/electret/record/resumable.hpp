#pragma once
/// \file
/// Whether a run's files can be gone on with.

#include <electret/dynamics/system.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/record/run_directory.hpp>

namespace electret {

/// Reads the folder's checkpoint for a run that is to be resumed. Throws UnreadableError, which says how to
/// start afresh.
Checkpoint checkpoint_to_resume(const RunDirectory& folder);

/// Throws UnreadableError with everything that is wrong unless the run's trajectory and tables hold what the
/// checkpoint says. Changes nothing. A finished run needs this, too: without its trajectory it has no
/// results.
void check_resumable(const RunDirectory& folder, const Checkpoint& checkpoint, const System& system);

}  // namespace electret
