#include <algorithm>
#include <array>
#include <cstddef>

#include <electret/core/digits.hpp>
#include <electret/core/text.hpp>

namespace electret {
namespace {

struct Character {
  std::size_t length = 0;  ///< In bytes; 0 where no valid UTF-8 sequence starts.
  char32_t code = 0;
};

/// The character that `text`, which is not empty, starts with (RFC 3629: no surrogates, no overlong forms).
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  char32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (is_overlong || is_surrogate || code > 0x10FFFF) return {};
  return {length, code};
}

/// Whether a terminal acts on the character, or displays the text that follows it in another place.
bool is_command(char32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7F && code <= 0x9F);
  const bool breaks_lines = code == 0x2028 || code == 0x2029;
  const bool turns_direction = code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                               (code >= 0x2066 && code <= 0x2069);
  return is_control || breaks_lines || turns_direction;
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t length = std::max<std::size_t>(character.length, 1);
    if (character.length > 0 && !is_command(character.code)) {
      result += text.substr(0, length);
    } else {
      for (const char c : text.substr(0, length)) {
        const auto byte = static_cast<unsigned char>(c);
        result.append("\\x").append(1, digits[byte / 16]).append(1, digits[byte % 16]);
      }
    }
    text.remove_prefix(length);
  }
  return result;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = first_character(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) bytes /= 1000.0, ++unit;
  return (unit == 0 ? fixed_text(bytes, 0) : general_text(bytes, 3)) + " " + units[unit];
}

std::string in_quotes(std::string_view text, std::size_t longest) {
  std::size_t length = std::min(text.size(), longest);
  while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
    --length;
  return "\"" + printable(text.substr(0, length)) + (text.size() > length ? "…\"" : "\"");
}

}  // namespace electret
