#pragma once
/// \file
/// What a scene says that has no effect: right as it is written, but perhaps not as it is meant.

#include <string>
#include <vector>

#include <electret/scene/scene.hpp>

namespace electret {

/// "scene.toml:LINE:COL: warning: what; what to write instead", a line for each setting of `scene` that its
/// other choices leave unused.
[[nodiscard]] std::vector<std::string> scene_warnings(const Scene& scene);

/// "SETTING is used by the solver ddef alone, the solver here is …".
[[nodiscard]] std::string used_by_ddef_alone(const std::string& setting, const std::string& solver);

}  // namespace electret
