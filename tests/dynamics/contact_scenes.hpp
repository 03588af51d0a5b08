#pragma once
/// Scenes whose obstacles push exactly, and what is measured of them.

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include <electret/dynamics/simulator.hpp>
#include <electret/scene/read.hpp>

namespace electret::test {

/// Steps of 0.01 s and a block of `cells` cells of 0.05 m, three by three by two, that stands on the plane z
/// = 0, with `more` of its keys; gravity is as given.
inline std::string block_scene(const std::string& gravity, const std::string& more = "",
                               const std::string& modulus = "1e6") {
  return R"(
[time]
step = 0.01
steps = 4000
[integrator]
tolerance = 1e-9
[gravity]
acceleration = )" +
         gravity + R"(
[[body]]
name = "block"
generate = { shape = "box", cells = [3, 3, 2], cell_size = 0.05 }
translate = [0.0, 0.0, 0.05]
density = 1000.0
)" + more +
         R"(
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = )" +
         modulus + "\n  poissons_ratio = 0.3\n";
}

/// Free particles of 0.5 kg, `count` in a row along y, at `place`, with `more` of the body's keys.
inline std::string particles(const std::string& place, const std::string& more, int count = 2,
                             const std::string& name = "dust") {
  return "[[body]]\nname = \"" + name +
         "\"\ngenerate = { shape = \"chain\", vertices = " + std::to_string(count) +
         ", length = 1.0 }\nrotate = [0, 0, 90]\ntranslate = " + place + "\nmass = 0.5\n" + more + "\n";
}

/// A plane through the origin, which pushes exactly.
inline std::string plane_obstacle(const std::string& normal, const std::string& more,
                                  const std::string& name = "ground") {
  return "[[obstacle]]\nname = \"" + name +
         "\"\nshape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = " + normal + "\n" + more;
}

inline Simulator contact_simulator(const std::string& text, int threads = 1) {
  return Simulator(compile(assemble(parse_scene(text, "scene.toml", ".")), threads));
}

inline Vec3 mean_velocity_of(const Simulator& simulator) {
  Vec3 momentum;
  double mass = 0.0;
  for (std::size_t i = 0; i < simulator.state().velocities.size(); ++i) {
    momentum += simulator.system().masses()[i] * simulator.state().velocities[i];
    mass += simulator.system().masses()[i];
  }
  return (1.0 / mass) * momentum;
}

/// Takes steps, none of which may end unconverged.
inline void take_steps(Simulator& simulator, int steps) {
  for (int k = 0; k < steps; ++k) {
    const StepReport report = simulator.step();
    ASSERT_FALSE(report.capped || report.contact.is_unconverged) << "step " << k;
  }
}

}  // namespace electret::test
