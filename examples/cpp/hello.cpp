// A charged sphere, made and simulated from C++.
#include <cstdio>

#include <electret/electret.hpp>

int main() {
  electret::Scene scene;
  scene.time = {.step = 0.02, .steps = 100};
  scene.coulomb = electret::FieldOptions{};
  electret::Body& sphere = scene.bodies.emplace_back();
  sphere.name = "sphere";
  sphere.generate = electret::GeneratorSpec{"sphere", {{"vertices", 200.0}}};
  sphere.mass = 0.1;                               // kg per vertex
  sphere.charge = 1e-6;                            // C per vertex
  sphere.springs.emplace_back().stiffness = 20.0;  // N/m, along the mesh's edges

  electret::Simulator simulator(electret::compile(electret::assemble(scene)));
  simulator.run(scene.time.steps);
  std::printf("total energy after 2 s: %.6f J\n", simulator.energies().total());
}
