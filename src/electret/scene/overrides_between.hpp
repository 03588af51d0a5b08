#pragma once
/// \file
/// How two trees of values differ, in the words of overrides.

#include <string>
#include <vector>

#include <electret/scene/document.hpp>

namespace electret {

/// The overrides ("KEY=VALUE", "--unset KEY") that make of the table `before` one with the values of `after`.
/// Numbers that are equal are the same, whether they are whole or not. What is removed comes first within
/// each table. Throws InternalError for dates.
std::vector<std::string> overrides_between(const Node& before, const Node& after);

}  // namespace electret
