#pragma once
/// \file
/// Everything the command prints goes through here: what users named cannot steer the terminal, and a reader
/// that is gone ends nothing.

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include <electret/core/text.hpp>

namespace electret::app {

/// Texts are formatted as printable ones, everything else as it is.
template <class Argument>
using Printed =
    std::conditional_t<std::is_convertible_v<const Argument&, std::string_view>, std::string, Argument>;

template <class Argument>
decltype(auto) printed(const Argument& argument) {
  if constexpr (std::is_convertible_v<const Argument&, std::string_view>)
    return printable(argument);
  else
    return (argument);
}

/// Writes `text` as it is. What cannot be written is dropped; the stream's error flag tells of it, and of
/// stdout's the command's end asks (`guarded`).
void put(std::FILE* stream, std::string_view text);

/// Results, on stdout.
template <class... Arguments>
void say(fmt::format_string<Printed<Arguments>...> form, const Arguments&... arguments) {
  put(stdout, fmt::vformat(form, fmt::make_format_args(printed(arguments)...)));
}

/// Progress and findings, on stderr.
template <class... Arguments>
void tell(fmt::format_string<Printed<Arguments>...> form, const Arguments&... arguments) {
  put(stderr, fmt::vformat(form, fmt::make_format_args(printed(arguments)...)));
}

}  // namespace electret::app
