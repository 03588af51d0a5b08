#pragma once
/// \file
/// The files that a session of the studio has beside its session.toml.

#include <string>
#include <string_view>
#include <vector>

namespace electret {

/// The number of painted charges of a session, 3 of "torus.charges.3.csv"; 0 if `file` is no such name.
[[nodiscard]] int painted_number(std::string_view file);

/// The names of painted charges in `folder`, in order; also those that a kill left half-written. Throws
/// IoError if the folder cannot be read.
[[nodiscard]] std::vector<std::string> painted_files(const std::string& folder);

/// The names of the sessions in `folder` that were moved aside, "session.before-2.toml", in order. Throws
/// IoError if the folder cannot be read.
[[nodiscard]] std::vector<std::string> sessions_aside(const std::string& folder);

/// Whether `folder` holds what a session has written before its first session.toml, and nothing else: it was
/// killed, or its disk was full. What earlier sessions left there, moved aside, may be beside it. Throws
/// IoError if the folder cannot be read.
[[nodiscard]] bool holds_begun_session(const std::string& folder);

}  // namespace electret
