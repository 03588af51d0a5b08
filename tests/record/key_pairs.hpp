#pragma once
/// \file
/// For every key of a scene two scenes that differ in it alone.

#include <map>
#include <string>
#include <utility>

namespace electret::test {

/// By "table.key".
std::map<std::string, std::pair<std::string, std::string>> key_pairs();
/// The meshes that those scenes name.
std::string written_file(const std::string& path);

}  // namespace electret::test
