#pragma once
// The kinds of solid elements, by their numbers of vertices.

namespace electret::test {

inline constexpr int tetrahedron = 4, hexahedron = 8;

}  // namespace electret::test
