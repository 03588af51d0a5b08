#pragma once
/// \file
/// The list of the pictures and movies that were made of a run within its folder (.electret-pictures.json),
/// so that a run that replaces it can remove them.

#include <string>
#include <vector>

#include <electret/record/run_directory.hpp>

namespace electret {

/// Adds the files at `paths` to the list before they are made. Files outside the run's folder are left out.
/// Throws IoError.
void note_pictures(const RunDirectory& run, const std::vector<std::string>& paths);

/// Removes the listed files, the list, and the folders that are empty then. Whatever else is there stays.
/// Throws IoError if a file cannot be removed.
void remove_pictures(const RunDirectory& run);

}  // namespace electret
