#pragma once
/// \file
/// Warnings about a scene that is valid, but perhaps not what its author meant.

#include <string>
#include <vector>

#include <electret/core/warning.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/start_pushes.hpp>

namespace electret {

/// Warnings about a scene, each at the place of a key. There is one for each of
/// * settings of `ddef` with another solver,
/// * bodies that are turned, but not the velocities of their meshes,
/// * vertices that no spring or element joins and no pin holds, in bodies that have springs, materials or
///   muscles (a body without them consists of free particles),
/// * charged bodies if neither [coulomb] nor an external charge or field acts on charges,
/// * groups that nothing refers to, and that are not among `used_groups` ("BODY.GROUP"), as by a loss,
/// * key-frames beyond the end of the run,
/// * more `neighbours` than the body has other vertices,
/// * obstacles whose push or friction the step does not resolve, or that bodies start inside of,
/// * springs whose rounding hides the weight of their body,
/// * water that throws a vertex back at the start,
/// * bodies in water whose surface would be closed if vertices at one place were one,
/// * bodies that start within the thickness of contact, with what they push each other with if `pushes` is
///   there.
[[nodiscard]] std::vector<Warning> scene_warnings(const Assembly& assembly,
                                                  const std::vector<std::string>& used_groups = {},
                                                  const StartPushes& pushes = {});

/// Notes of the kind `shapeless`. They name bodies that are closed surfaces under gravity and whose only
/// springs are their edges, because such bodies keep no shape of their own. This is often intended, so only
/// `check` prints notes.
[[nodiscard]] std::vector<Warning> scene_notes(const Assembly& assembly);

/// "SETTING is used only by the solver ddef; the solver here is …".
[[nodiscard]] std::string used_only_by_ddef(const std::string& setting, const std::string& solver);

}  // namespace electret
