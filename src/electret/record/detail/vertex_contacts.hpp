#pragma once
/// \file
/// What obstacles and other bodies push the vertices of a frame with.

#include <cstdint>
#include <vector>

#include <electret/record/trajectory_reader.hpp>

namespace electret {

/// Contact forces by vertex.
struct VertexContacts {
  VectorArray forces;                ///< n×3, N: the sum over obstacles, normal and tangential; 0 elsewhere.
  std::vector<std::uint8_t> states;  ///< n: 0 without contact, 1 where an obstacle holds it, 2 if it slips.
};

/// Those of a frame. Both arrays are empty if the run stores no contacts. Throws UnreadableError.
VertexContacts vertex_contacts(const TrajectoryReader& run, Count frame);

/// What the pairs of a frame push each vertex with (n×3, N): a pair's force is shared by where its closest
/// points are. Empty if the run stores no pairs. Throws UnreadableError.
VectorArray vertex_pair_forces(const TrajectoryReader& run, Count frame);

}  // namespace electret
