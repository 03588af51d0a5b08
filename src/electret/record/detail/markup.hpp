#pragma once
/// \file
/// Texts within XML and HTML.

#include <string>
#include <string_view>

namespace electret {

/// The text with markup's own characters named: "a&b" is "a&amp;b". As content, or as an attribute's value
/// between quotes of either kind.
[[nodiscard]] std::string marked_up(std::string_view text);

}  // namespace electret
