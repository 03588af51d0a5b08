#include <algorithm>

#include <electret/record/trajectory_header.hpp>
#include <electret/scene/changes.hpp>

namespace electret {

TrajectoryHeader trajectory_header(const Assembly& a) {
  TrajectoryHeader header;
  header.masses = a.masses;
  header.rest_positions = a.rest_positions;
  header.springs = a.springs;
  header.faces = a.faces;
  header.tetrahedra = a.tetrahedra;
  header.hexahedra = a.hexahedra;
  header.surfaces = a.surfaces;
  header.pins = pinned_vertices(a);
  header.body_offsets = a.body_offsets;
  header.scene = a.scene.text;
  for (const std::string& each : a.scene.overrides)
    header.overrides += (header.overrides.empty() ? "" : "\n") + each;
  for (std::size_t b = 0; b + 1 < a.body_offsets.size(); ++b) {
    const bool is_named = b < a.scene.bodies.size() && !a.scene.bodies[b].name.empty();
    header.body_names.push_back(is_named ? a.scene.bodies[b].name : "body" + std::to_string(b + 1));
  }
  if (std::any_of(a.obstacles.begin(), a.obstacles.end(),
                  [](const ObstacleTrack& track) { return track.is_exact; }))
    for (const ObstacleTrack& track : a.obstacles)
      header.obstacles.push_back(track.name.substr(track.name.find('.') + 1));
  header.groups = a.groups;
  header.element_groups = a.element_groups;
  return header;
}

bool charges_change(const System& system) {
  const auto& changed = system.assembly.changed;
  return system.schedule.charges_change() || (changed != nullptr && changed->change_charges());
}

}  // namespace electret
