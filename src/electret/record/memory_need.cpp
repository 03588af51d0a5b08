#include <electret/record/memory_need.hpp>

namespace electret {

double memory_need(const System& system, const Integrator& integrator) {
  // Measured: runs of verlet on grids of 3² to 500² vertices and lattices of 28³ and 40³.
  constexpr double vertex = 440.0;  // The scene's arrays, the state, forces, the recorder's.
  constexpr double spring = 131.0;  // The scene's, the energy's, and the list of springs per vertex.
  // Measured: boxes of 20³ and 32³ hexahedra and of 16³ and 26³ cells of six tetrahedra. An element's
  // vertices in the mesh, the scene and the energy, and its undeformed shape.
  constexpr double hexahedron = 420.0, tetrahedron = 260.0;
  const double bytes = program_memory + vertex * static_cast<double>(system.vertex_count()) +
                       spring * static_cast<double>(system.assembly.springs.size()) +
                       hexahedron * static_cast<double>(system.assembly.hexahedra.size()) +
                       tetrahedron * static_cast<double>(system.assembly.tetrahedra.size());
  return bytes + integrator.memory_needed();
}

double gradient_memory_need(const System& system, const Integrator& integrator, bool rest_positions) {
  // Measured: boxes of 24³ and 32³ hexahedra and of 16³ and 24³ cells of six tetrahedra. Three states, the
  // derivatives with respect to a state, to the inputs and to the assembly's numbers, and the vectors of the
  // solves. Each spring has two more derivatives, twice.
  constexpr double vertex = 700.0, spring = 32.0;
  // Derivatives with respect to the corners of each undeformed element, and their way to the vertices.
  constexpr double hexahedron = 830.0, tetrahedron = 295.0;
  const double bytes = vertex * static_cast<double>(system.vertex_count()) +
                       spring * static_cast<double>(system.assembly.springs.size());
  const double of_rest = hexahedron * static_cast<double>(system.assembly.hexahedra.size()) +
                         tetrahedron * static_cast<double>(system.assembly.tetrahedra.size());
  return memory_need(system, integrator) + bytes + (rest_positions ? of_rest : 0.0);
}

}  // namespace electret
