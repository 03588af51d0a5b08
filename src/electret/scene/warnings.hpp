#pragma once
/// \file
/// What is right as it is written, but perhaps not as it is meant.

#include <string>
#include <vector>

#include <electret/scene/assembly.hpp>

namespace electret {

/// "scene.toml:LINE:COL: warning: what, of which body; what to do", one line each for
/// * settings of `ddef` with another solver,
/// * bodies with springs and vertices that none of them joins and no pin holds; a body without any springs is
///   one of free particles,
/// * charged bodies where neither [coulomb] nor an external charge or field acts on charges,
/// * groups that nothing refers to,
/// * key-frames beyond the end of the run,
/// * `neighbours` that a body has not.
[[nodiscard]] std::vector<std::string> scene_warnings(const Assembly& assembly);

/// "scene.toml:LINE:COL: note: …" of bodies that are closed surfaces under gravity, with springs along their
/// edges alone: they keep no shape of their own. Often meant, so that `check` alone says it.
[[nodiscard]] std::vector<std::string> scene_notes(const Assembly& assembly);

/// "SETTING is used by the solver ddef alone, the solver here is …".
[[nodiscard]] std::string used_by_ddef_alone(const std::string& setting, const std::string& solver);

}  // namespace electret
