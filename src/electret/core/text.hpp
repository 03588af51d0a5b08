#pragma once
/// \file
/// Text of users' files (keys, names, cells, file names), made safe to show in messages.

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace electret {

/// The text as one line that no terminal interprets as a command. Every byte of the following is shown as
/// `\xNN`: control characters (line ends, ESC, U+0080 to U+009F), characters that break lines or change the
/// direction of writing, and bytes that are not valid UTF-8. Everything else is unchanged, so applying the
/// function twice changes nothing more.
std::string printable(std::string_view text);

/// Whether the text is valid UTF-8 (RFC 3629).
bool is_utf8(std::string_view text);

/// The printable text in double quotes. A text longer than `longest` bytes is cut between two characters and
/// ends in `…`.
std::string in_quotes(std::string_view text, std::size_t longest = 120);

/// Such as "1.5 GB".
std::string bytes_text(double bytes);

/// The lines of the text, without their line ends.
std::vector<std::string> lines_of(std::string_view text);

/// "1 vertex", "3 vertices".
template <std::integral Number>
std::string counted(Number count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

/// The texts joined by the separator: "a, b, c".
template <class Texts>
std::string joined(const Texts& texts, std::string_view separator = ", ") {
  std::string result;
  for (const auto& text : texts) {
    if (!result.empty()) result += separator;
    result += text;
  }
  return result;
}

/// The texts other than `left_out`.
template <class Texts>
std::vector<std::string> all_but(std::string_view left_out, const Texts& texts) {
  std::vector<std::string> others;
  for (const auto& text : texts)
    if (text != left_out) others.emplace_back(text);
  return others;
}

}  // namespace electret
