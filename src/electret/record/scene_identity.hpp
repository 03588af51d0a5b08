#pragma once
/// \file
/// Fingerprints of everything that decides a run, part by part, so that a resumed run can tell whether its
/// scene is the one it was stopped with, and what has changed.

#include <string>
#include <vector>

#include <electret/dynamics/system.hpp>

namespace electret {

struct Fingerprint {
  std::string part;   ///< "time step", "[coulomb]", "masses", ….
  std::string value;  ///< 16 hexadecimal digits.
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Of the scene as it acts: meshes and tables read, overrides applied. Settings are found through the schema.
/// Comments, the scene's name and the length of the run (`steps`, `duration`) do not count. FNV-1a over the
/// values' bits.
std::vector<Fingerprint> scene_identity(const System& system);
/// The parts in which two identities differ.
std::vector<std::string> changed_parts(const std::vector<Fingerprint>& before,
                                       const std::vector<Fingerprint>& now);

}  // namespace electret
