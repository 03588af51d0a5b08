#pragma once
/// \file
/// Whether a run's files can be gone on with.

#include <optional>
#include <string>

#include <electret/core/warning.hpp>
#include <electret/dynamics/system.hpp>
#include <electret/record/checkpoint.hpp>
#include <electret/record/run_directory.hpp>

namespace electret {

/// Reads the folder's checkpoint for a run that is to be resumed. Throws UnreadableError, which says how to
/// start afresh.
Checkpoint checkpoint_to_resume(const RunDirectory& folder);

/// What keeps the state of a checkpoint from being one of `system`, whose scene has the checkpoint's
/// identity; "" if nothing does.
[[nodiscard]] std::string fault_of_state(const Checkpoint& checkpoint, const System& system);

/// The warning that the field is computed elsewhere than before the checkpoint; absent if it is not.
[[nodiscard]] std::optional<Warning> other_device_warning(const Checkpoint& checkpoint, const System& system);

/// The warning that another instruction set computes than before the checkpoint; absent if it is the same.
[[nodiscard]] std::optional<Warning> other_instructions_warning(const Checkpoint& checkpoint);

/// Throws UnreadableError with everything that is wrong unless the run's trajectory and tables hold what the
/// checkpoint says. Changes nothing. A finished run needs this, too: without its trajectory it has no
/// results.
void check_resumable(const RunDirectory& folder, const Checkpoint& checkpoint, const System& system);

}  // namespace electret
