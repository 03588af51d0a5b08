#include <array>
#include <charconv>

#include <electret/core/digits.hpp>

namespace electret {
namespace {

std::string text_of(double value, std::chars_format form, int precision) {
  std::array<char, 64> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, form, precision);
  if (error == std::errc{}) return {buffer.data(), end};
  std::string text(static_cast<std::size_t>(400 + precision),
                   '\0');  // 1e308 has 309 digits before the point.
  text.resize(static_cast<std::size_t>(
      std::to_chars(text.data(), text.data() + text.size(), value, form, precision).ptr - text.data()));
  return text;
}

}  // namespace

std::string general_text(double value, int digits) {
  return text_of(value, std::chars_format::general, digits);
}

std::string fixed_text(double value, int decimals) {
  return text_of(value, std::chars_format::fixed, decimals);
}

std::string scientific_text(double value, int decimals) {
  return text_of(value, std::chars_format::scientific, decimals);
}

}  // namespace electret
