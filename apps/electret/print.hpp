#pragma once
/// \file
/// Everything that the command prints goes through here. Names that users chose thus cannot control the
/// terminal, and a reader that is gone does not end the command.

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include <electret/core/text.hpp>

namespace electret::app {

/// Texts are made printable before they are formatted; everything else is formatted as it is.
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

/// Writes `text` as it is. What cannot be written is dropped and sets the stream's error flag. `guarded`
/// checks that of stdout at the command's end.
void put(std::FILE* stream, std::string_view text);

/// `arguments` as `form` lays them out. {fmt} 10 and later take no temporaries, which these parameters name.
template <class... Arguments>
std::string laid_out(fmt::string_view form, const Arguments&... arguments) {
  return fmt::vformat(form, fmt::make_format_args(arguments...));
}

/// Prints results on stdout.
template <class... Arguments>
void say(fmt::format_string<Printed<Arguments>...> form, const Arguments&... arguments) {
  put(stdout, laid_out(form, printed(arguments)...));
}

/// Prints progress and findings on stderr.
template <class... Arguments>
void tell(fmt::format_string<Printed<Arguments>...> form, const Arguments&... arguments) {
  put(stderr, laid_out(form, printed(arguments)...));
}

/// Prints a line of a list of facts: the label, filled up to `width` characters, then the text.
inline void print_fact(const std::string& label, const std::string& text, std::size_t width = 18) {
  say("{:<{}}{}\n", label, width, text);
}

}  // namespace electret::app
