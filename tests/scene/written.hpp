#pragma once
/// All of a scene as text, by the schema's slots: what two scenes must have in common to be the same.

#include <string>

#include <electret/scene/assembly.hpp>

namespace electret::test {

/// Every value that the schema's rows fill, and what was assembled from them. Values that may be absent and
/// have a default are left to what was assembled.
std::string written(const Assembly& assembly);

}  // namespace electret::test
