#pragma once
/// \file
/// `[[change]]`.

#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

struct SceneTable;

/// `[[change]]`: what changes in the scene before the step that starts from state `step`. Keys are removed
/// first, then set.
struct Change {
  Count step = 0;
  std::vector<std::string> set{};    ///< "KEY=VALUE", as overrides.
  std::vector<std::string> unset{};  ///< Keys.
};

/// The table itself.
SceneTable change_table();

}  // namespace electret
