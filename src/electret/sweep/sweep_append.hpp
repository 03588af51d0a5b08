#pragma once
/// \file
/// Runs that are added to a sweep while it goes on, such as by a search that chooses its next values itself.

#include <string>
#include <vector>

#include <electret/sweep/sweep_folder.hpp>

namespace electret {

/// Adds a run for each of `rows`, whose values are those of `keys`, to the sweep that is in the folder, and
/// returns the number of the first. The keys are those of the sweep in any order; a sweep without runs takes
/// them as they are. Throws InputError with every finding: other keys, texts that cannot stand in a table,
/// rows of another length, scenes that are wrong. Nothing is then added. Threads and processes may append at
/// the same time.
Count append_runs(const SweepFolder& folder, const std::vector<std::string>& keys,
                  const std::vector<std::vector<std::string>>& rows);

}  // namespace electret
