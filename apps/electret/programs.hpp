#pragma once
/// \file
/// Programs of others that are used where they are installed.

#include <string>

namespace electret::app {

/// The path of the first program called `name` in the folders of PATH; empty where there is none.
std::string find_program(const std::string& name);

}  // namespace electret::app
