#pragma once
/// \file
/// A text that was typed in a page, whose lines all end alike, as the text of a file.

#include <string>
#include <string_view>

namespace electret::studio {

/// `typed` with the byte order mark and the line ends of `before`, of which it is a later state: lines before
/// the first and behind the last one that differs keep theirs, and the others get that of the first line.
/// What ends the lines of `typed` does not count.
[[nodiscard]] std::string as_in_file(std::string_view before, std::string_view typed);

}  // namespace electret::studio
