#pragma once
/// \file
/// Limits in words, with few digits, on the side of the limit where they are allowed.

#include <string>

namespace electret {

/// `value` with three significant digits that is no more than it, but for its rounding: "at most …".
std::string brief_text_below(double value);
/// The same that is no less: "at least …".
std::string brief_text_above(double value);
/// `value` with `digits` significant digits and no less in magnitude, but for its rounding.
double rounded_up(double value, int digits);

}  // namespace electret
