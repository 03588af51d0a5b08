#pragma once
/// \file
/// A scene with its meshes read, as Python holds it: shared by whoever compiles it, never changed.

#include <map>
#include <memory>
#include <string>

#include <electret/scene/assembly.hpp>

#include "text.hpp"

namespace electret::python {

using SharedAssembly = std::shared_ptr<const Assembly>;

/// Files that exist in memory alone, by their paths as a scene's reader asks for them.
using MemoryFiles = std::map<FileName, std::string>;

}  // namespace electret::python
