#pragma once
/// \file
/// Words for findings: similar names, lists of allowed values, numbers and names as a person would write
/// them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/text.hpp>

namespace electret {

/// The number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate most similar to `name` if it is similar enough to be a typing error, else "".
std::string closest_name(std::string_view name, std::span<const std::string> candidates);

/// `did you mean "step"?` if a candidate is similar, else `allowed: duration, step, steps`.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

/// The shortest decimal that reads back as `value`.
std::string number_text(double value);
/// The same with a mark that it is not a whole number: "1.0".
std::string decimal_text(double value);

/// The value with three digits.
std::string brief_text(double value);

}  // namespace electret
