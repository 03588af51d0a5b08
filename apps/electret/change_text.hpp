#pragma once
/// \file
/// How `check` and `info` show a change of the scene.

#include <string>

#include <electret/scene/tables/changes.hpp>

namespace electret::app {

/// "before the step from state 120: time.step=0.01, --unset gravity".
[[nodiscard]] std::string change_text(const Change& change);

}  // namespace electret::app
