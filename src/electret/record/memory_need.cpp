#include <electret/record/memory_need.hpp>

namespace electret {

double memory_need(const System& system, const Integrator& integrator) {
  // Measured: runs of verlet on grids of 3² to 500² vertices and lattices of 28³ and 40³.
  constexpr double program = 28e6;
  constexpr double vertex = 440.0;  // The scene's arrays, the state, forces, the recorder's.
  constexpr double spring = 131.0;  // The scene's, the energy's, and which of them meet at a vertex.
  // Measured: boxes of 16³ and 26³ hexahedra and of 13³ and 20³ cells of six tetrahedra. An element's
  // vertices in the mesh, the scene and the energy, its undeformed shape and its corners' forces.
  constexpr double hexahedron = 1150.0, tetrahedron = 330.0;
  double bytes = program + vertex * static_cast<double>(system.vertex_count()) +
                 spring * static_cast<double>(system.assembly.springs.size()) +
                 hexahedron * static_cast<double>(system.assembly.hexahedra.size()) +
                 tetrahedron * static_cast<double>(system.assembly.tetrahedra.size());
  // Explicit methods linearise too: the first step asks how fast the elements oscillate.
  for (const auto& energy : system.elastic) bytes += energy->memory_needed();
  return bytes + integrator.memory_needed();
}

}  // namespace electret
