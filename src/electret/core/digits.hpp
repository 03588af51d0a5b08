#pragma once
/// \file
/// Numbers as text that is the same in every locale. The C library's printf and strtod, and streams, write
/// and read "0,5" in a program that has set a locale with a decimal comma.

#include <string>

namespace electret {

/// The text that printf gives for "%.{digits}g" in the C locale.
std::string general_text(double value, int digits);

/// The same for "%.{decimals}f".
std::string fixed_text(double value, int decimals);

/// The same for "%.{decimals}e".
std::string scientific_text(double value, int decimals);

/// Whether the byte is a letter from A to Z or a to z, or a digit.
[[nodiscard]] constexpr bool is_ascii_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

}  // namespace electret
