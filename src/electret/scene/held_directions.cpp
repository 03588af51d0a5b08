#include <electret/scene/held_directions.hpp>

namespace electret {

std::map<Index, Mat3> held_directions(const Assembly& assembly) {
  std::map<Index, Mat3> held;
  for (const PinTrack& track : assembly.pin_tracks)
    for (const Index vertex : track.vertices) held[vertex] += track.hold.projector();
  return held;
}

std::vector<Index> fixed_vertices(const Assembly& assembly) {
  std::vector<Index> fixed;
  for (const auto& [vertex, held] : held_directions(assembly)) {
    const double rank = held.rows[0].x + held.rows[1].y + held.rows[2].z;
    if (rank > 2.5) fixed.push_back(vertex);
  }
  return fixed;
}

}  // namespace electret
