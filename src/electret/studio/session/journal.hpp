#pragma once
/// \file
/// What was done in a session, and what its folder holds, for people.

#include <string>
#include <vector>

#include <electret/studio/session/events.hpp>

namespace electret::studio {

class Live;

/// Edits, pulls and charges in hands, in the order of steps; those that come after what was simulated last
/// are left out.
[[nodiscard]] std::vector<JournalEntry> journal_of(const Live& live);

/// The regular files of a folder by their names, at most 200; none if it cannot be read.
[[nodiscard]] std::vector<SessionFile> files_in(const std::string& folder);

}  // namespace electret::studio
