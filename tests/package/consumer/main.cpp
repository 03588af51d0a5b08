#include <cstdio>

#include <electret/electret.hpp>

int main(int, char** arguments) {
  electret::Simulator simulator(electret::compile(electret::load_scene(arguments[1])));
  const double before = simulator.energies().total();
  simulator.run(100);
  std::printf("energy %.6g J, then %.6g J\n", before, simulator.energies().total());
  return simulator.state().step == 100 ? 0 : 1;
}
