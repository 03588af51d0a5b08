#pragma once
/// \file
/// Fingerprints of everything that determines a run, part by part. By them, a resumed run finds out whether
/// its scene is still the one with which it was stopped, and what has changed.

#include <string>
#include <vector>

#include <electret/dynamics/system.hpp>
#include <electret/scene/identity.hpp>

namespace electret {

/// The fingerprints of the scene as it acts, with meshes and tables read and overrides applied. Settings are
/// found through the schema. Comments, the scene's name and the length of the run (`steps`, `duration`) do
/// not count. The hash is FNV-1a over the values' bits.
std::vector<Fingerprint> scene_identity(const System& system);
/// The same of a scene that is not compiled; `time_step` (s) is that of its start.
std::vector<Fingerprint> scene_identity(const Assembly& assembly, double time_step);
/// The parts in which two identities differ.
std::vector<std::string> changed_parts(const std::vector<Fingerprint>& before,
                                       const std::vector<Fingerprint>& now);

}  // namespace electret
