#pragma once
/// \file
/// The characters with which the files of runs write names. HDF5 has other uses for "/" and for a name that
/// is "." alone.

#include <string_view>

namespace electret {

inline constexpr std::string_view slash_of_links = "\u2215";  ///< In place of "/".
inline constexpr std::string_view dot_of_links = "\u2024";    ///< In place of a name that is ".".

}  // namespace electret
