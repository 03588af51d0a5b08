#pragma once
/// \file
/// Escapes texts for XML and HTML.

#include <string>
#include <string_view>

namespace electret {

/// The text with the characters of markup escaped: "a&b" becomes "a&amp;b". Suits content and attribute
/// values in quotes of either kind.
[[nodiscard]] std::string marked_up(std::string_view text);

}  // namespace electret
