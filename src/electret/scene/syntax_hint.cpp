#include <algorithm>
#include <cctype>

#include <electret/core/text.hpp>
#include <electret/scene/syntax_hint.hpp>

namespace electret {
namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// "fan.obj" of `mesh = fan.obj   # the fan`; empty if there is no `=`.
std::string_view value_of(std::string_view line) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return {};
  const auto first = line.find_first_not_of(" \t", equals + 1);
  if (first == std::string_view::npos) return {};
  const std::string_view value = line.substr(first, line.find('#', first) - first);
  return value.substr(0, value.find_last_not_of(" \t") + 1);
}

/// Whether `value` begins like "0,02".
bool has_decimal_comma(std::string_view value) {
  const auto comma = value.find(',');
  return comma != std::string_view::npos && comma > 0 && comma + 1 < value.size() &&
         is_digit(value[comma - 1]) && is_digit(value[comma + 1]) && value.find_first_of("[{\"'") > comma;
}

}  // namespace

std::string syntax_hint(std::string_view line, std::string_view description) {
  const std::string_view value = value_of(line);
  if (description.find("array-of-tables") != std::string_view::npos)
    return "a [[table]] comes before the [[table.…]] that belong to it";
  if (value.starts_with('"') && value.find('\\') != std::string_view::npos)
    return R"(between "…" a backslash begins a special character; write / in paths, or put the text between '…')";
  if (!value.empty() && is_letter(value.front()) && value != "true" && value != "false")
    return "a text is written between quotes: " + in_quotes(value);
  if (has_decimal_comma(value)) return "numbers have a decimal point: 0.5";
  return "allowed: TOML 1.0";
}

}  // namespace electret
