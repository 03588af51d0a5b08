#include <electret/record/memory_need.hpp>

namespace electret {

double memory_need(const System& system, const Integrator& integrator) {
  // Measured: runs of verlet on grids of 3² to 500² vertices and lattices of 28³ and 40³.
  constexpr double program = 28e6;
  constexpr double vertex = 440.0;  // The scene's arrays, the state, forces, the recorder's.
  constexpr double spring = 131.0;  // The scene's, the energy's, and the list of springs per vertex.
  // Measured: boxes of 20³ and 32³ hexahedra and of 16³ and 26³ cells of six tetrahedra. An element's
  // vertices in the mesh, the scene and the energy, and its undeformed shape.
  constexpr double hexahedron = 420.0, tetrahedron = 260.0;
  const double bytes = program + vertex * static_cast<double>(system.vertex_count()) +
                       spring * static_cast<double>(system.assembly.springs.size()) +
                       hexahedron * static_cast<double>(system.assembly.hexahedra.size()) +
                       tetrahedron * static_cast<double>(system.assembly.tetrahedra.size());
  return bytes + integrator.memory_needed();
}

}  // namespace electret
