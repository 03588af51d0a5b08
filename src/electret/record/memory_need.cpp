#include <electret/record/memory_need.hpp>

namespace electret {

double memory_need(const System& system, const Integrator& integrator) {
  // Measured: runs of verlet on grids of 3² to 500² vertices and lattices of 28³ and 40³.
  constexpr double program = 28e6;
  constexpr double vertex = 440.0;  // The scene's arrays, the state, forces, the recorder's.
  constexpr double spring = 131.0;  // The scene's, the energy's, and which of them meet at a vertex.
  return program + vertex * static_cast<double>(system.vertex_count()) +
         spring * static_cast<double>(system.assembly.springs.size()) + integrator.memory_needed();
}

}  // namespace electret
