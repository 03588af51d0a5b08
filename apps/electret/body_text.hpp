#pragma once
/// \file
/// How `check` and `info` say how large bodies are.

#include <string>

#include <electret/geometry/body_size.hpp>

namespace electret::app {

/// "1 × 0.1 × 0.1 m; edges: 0.05 m the shortest, 0.0621 m on average".
[[nodiscard]] std::string body_size_text(const BodySize& size);

/// "1 tetrahedron, 32 hexahedra".
[[nodiscard]] std::string element_counts(Count tetrahedra, Count hexahedra);

}  // namespace electret::app
