#include <electret/geometry/volume.hpp>
#include <electret/scene/body_of.hpp>
#include <electret/scene/lumped_masses.hpp>

namespace electret {

std::optional<double> density_of(const Assembly& assembly, Index v) {
  const std::size_t body = body_of(assembly.body_offsets, v);
  const auto i = static_cast<std::size_t>(v);
  if (body >= assembly.scene.bodies.size() || !assembly.scene.bodies[body].density) return std::nullopt;
  return assembly.masses[i] / assembly.volumes[i];
}

void update_lumped_masses(Assembly& assembly) {
  Mesh solids;
  solids.vertices = assembly.rest_positions;
  solids.tetrahedra = assembly.tetrahedra;
  solids.hexahedra = assembly.hexahedra;
  const std::vector<double> volumes = lumped_volumes(solids);
  for (std::size_t i = 0; i < volumes.size(); ++i)
    if (const auto density = density_of(assembly, static_cast<Index>(i)))
      assembly.masses[i] = *density * volumes[i];
  assembly.volumes = volumes;
}

}  // namespace electret
