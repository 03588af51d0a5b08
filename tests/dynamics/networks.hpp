#pragma once
/// \file
/// Systems the tests of dynamics run: built by hand, without files, from fixed seeds.

#include <random>
#include <string>
#include <utility>

#include <electret/dynamics/simulator.hpp>

namespace electret::test {

/// What a random network has; every vertex has its own mass, charge and velocity.
struct NetworkOptions {
  int side = 3;  ///< side³ vertices of a jittered lattice, 1 m apart.
  std::uint64_t seed = 1;
  std::string method = "verlet";
  double step = 0.01;  ///< s.
  double tolerance = 1e-11;
  bool springs = true;  ///< To the vertices within 1.3 m; compressed and stretched ones.
  bool coulomb = true;  ///< Charges of both signs, ±1e-5 C.
  bool gravity = false;
  double drag = 0.0;            ///< 1/s.
  double spring_damping = 0.0;  ///< N s/m.
  bool pins = false;            ///< Three vertices held.
  bool moved_pins = false;      ///< Two more moved by key-frames.
  /// Three more that are held in some directions: two roll on a moving plane, the second of them on a rail,
  /// because it rolls on another plane, too; the third slides along a rail.
  bool rollers = false;
};

Assembly random_network(const NetworkOptions& options);

/// `vertices` and nothing between them, 1 kg each, at rest.
Assembly loose_vertices(VectorArray positions, double step, const std::string& method);

/// The published experiment `torus-energy` (integrators.md): R = 1 m, r = 0.4 m, 145 best-candidate points,
/// springs of 10 N/m to the 24 nearest, 1 kg and `charge` C a vertex.
Assembly charged_torus(double step, const std::string& method, double charge = 6e-6);

/// The vertices of a pin track, held, or moved by `offsets`.
void add_pins(Assembly& assembly, std::vector<Index> vertices, KeyFrames<Vec3> offsets = {},
              PinHold hold = {});

inline Simulator simulator(Assembly assembly, int threads = 1) {
  return Simulator(compile(std::move(assembly), threads));
}

/// After `steps` steps.
inline State state_after(Assembly assembly, Count steps, int threads = 1) {
  Simulator run = simulator(std::move(assembly), threads);
  run.run(steps);
  return run.state();
}

/// Largest |a_i - b_i|.
double largest_difference(VectorView a, VectorView b);

}  // namespace electret::test
