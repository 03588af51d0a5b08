#pragma once
/// \file
/// A small charged body, made in memory, with everything a checkpoint must carry: key-framed charges and
/// external charges, a moved pin, loads, a grab, drag, a Coulomb field.

#include <cmath>
#include <memory>
#include <random>
#include <string>

#include <electret/dynamics/system.hpp>

namespace electret::test {

struct SceneWishes {
  std::string method = "imex";
  double time_step = 0.01;
  Count steps = 60;
  Count every = 3;
  double charge = 2e-6;  ///< C, of even vertices; odd ones have half of it, negative.
  bool key_frames = true;
  Index vertices = 24;
};

inline Assembly made_assembly(const SceneWishes& wishes) {
  Assembly a;
  a.scene.name = "made body";
  a.scene.text = "[time]\nstep = " + std::to_string(wishes.time_step) + "\n";
  a.scene.time = {wishes.time_step, wishes.steps};
  a.scene.integrator.method = wishes.method;
  a.scene.coulomb = FieldOptions{};
  a.scene.gravity = Vec3{0.0, 0.0, -9.81};
  a.scene.damping.drag = 0.1;
  a.scene.output.every = wishes.every;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(-0.1, 0.1);
  for (Index i = 0; i < wishes.vertices; ++i) {
    const double angle = 0.5 * i;
    a.rest_positions.push_back({std::cos(angle) + noise(random), std::sin(angle) + noise(random), 0.2 * i});
    a.masses.push_back(0.1 + 0.01 * i);
    a.charges.push_back(i % 2 == 0 ? wishes.charge : -0.5 * wishes.charge);
    a.initial_velocities.push_back({noise(random), noise(random), 0.0});
  }
  a.initial_positions = a.rest_positions;
  for (Index i = 0; i + 1 < wishes.vertices; ++i)
    for (Index j = i + 1; j < std::min(wishes.vertices, i + 4); ++j)
      a.springs.push_back({i, j, 20.0,
                           norm(a.rest_positions[static_cast<std::size_t>(i)] -
                                a.rest_positions[static_cast<std::size_t>(j)])});
  const auto springs = static_cast<Count>(a.springs.size());
  a.body_offsets = {0, wishes.vertices};
  a.spring_offsets = a.body_spring_offsets = {0, springs};
  a.faces = {{0, 1, 2}};
  if (wishes.key_frames) {
    a.charge_tracks.push_back({{2, 3}, {{0.0, 0.3}, {1e-6, -2e-6}, Interpolation::linear}, true, "charge"});
    a.pin_tracks.push_back({{0}, {{0.0, 0.5}, {Vec3{}, Vec3{0.1, 0.0, 0.2}}, Interpolation::cubic}, "pin"});
    a.external_charges.push_back({{Vec3{}},
                                  {{0.0, 0.2}, {-3e-6, 1e-6}, Interpolation::linear},
                                  KeyFrames<Vec3>::constant({3.0, 0.0, 1.0}),
                                  0.2});
    a.load_tracks.push_back({{1, 3}, {Vec3{0.1, -0.2, 0.3}}, {}, "constant load"});
    a.load_tracks.push_back({{2, 3},
                             {Vec3{0.2, 0.0, 0.0}, Vec3{0.0, 0.1, 0.0}},
                             {{0.0, 0.3}, {0.0, 2.0}, Interpolation::linear},
                             "load"});
    a.grabs.push_back({{0, 4, 2},
                       {0.5, 0.25, 0.25},
                       4.0,
                       0.3,
                       {{0.01, 0.3}, {Vec3{0.5, 0.0, 1.5}, Vec3{1.0, 0.5, 2.0}}, Interpolation::linear},
                       0.1});
  }
  return a;
}

inline std::unique_ptr<System> made_system(const SceneWishes& wishes, int threads = 1) {
  return compile(made_assembly(wishes), threads);
}

}  // namespace electret::test
