#pragma once
/// \file
/// A potted plant's upper part, of cubes: what stands for the plant of [DiffPD], whose voxels are of unstated
/// origin.

#include <string>

#include <electret/geometry/mesh.hpp>

namespace electret::experiments {

/// A hollow stem on z = 0 about the z axis and six leaves, one cube thick, that rise and droop: 0.9 m high,
/// of cubes of `cell` m. Shapes vary by `seed`. All cubes hang together by faces.
[[nodiscard]] Mesh plant_mesh(double cell, unsigned seed);

/// Vertices and hexahedra as a Medit .mesh file.
[[nodiscard]] std::string medit_text(const Mesh& mesh);

}  // namespace electret::experiments
