#include "elastic_solves/scenes.hpp"

#include <cmath>
#include <random>
#include <utility>

namespace electret::bench {
namespace {

constexpr double light = 1e-3;  // kg a vertex.

/// A body of springs; h = 0.01 s.
Scene scene_of(GeneratorSpec shape, double mass) {
  Scene scene;
  scene.time = {.step = 0.01, .steps = 1'000'000};
  Body& body = scene.bodies.emplace_back();
  body.name = "body";
  body.generate = std::move(shape);
  body.mass = mass;
  return scene;
}

void add_springs(Scene& scene, const std::string& from, double stiffness, int neighbours = 18) {
  SpringTable& table = scene.bodies[0].springs.emplace_back();
  table.from = from;
  table.neighbours = neighbours;
  table.stiffness = stiffness;
}

void hold(Scene& scene, const std::string& group) {
  VertexGroup& held = scene.bodies[0].groups.emplace_back();
  held.name = held.attribute = group;
  scene.bodies[0].pins.emplace_back().group = group;
}

/// Velocities with no symmetry, so that a sheet that is pushed together buckles.
void stir(Assembly& assembly) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-0.01, 0.01);
  for (Vec3& v : assembly.initial_velocities) v = {uniform(random), uniform(random), uniform(random)};
}

enum class Start { hanging, flat, buckling };

/// n × n vertices 1 cm apart with edges, diagonals and bending springs of k/m = `ratio` (1/s²): hanging from
/// its top; held flat at its boundary and falling across; or standing on its bottom, stirred.
Assembly sheet(int n, double ratio, Start start) {
  const double side = n, width = 0.01 * (side - 1.0);
  Scene scene =
      scene_of({"grid", {{"rows", side}, {"columns", side}, {"width", width}, {"height", width}}}, light);
  scene.gravity = start == Start::flat ? Vec3{0, 0, -9.81} : Vec3{0, -9.81, 0};
  for (const char* from : {"edges", "diagonals", "bending"}) add_springs(scene, from, ratio * light);
  hold(scene, start == Start::hanging ? "top" : start == Start::flat ? "boundary" : "bottom");
  Assembly assembly = assemble(std::move(scene));
  if (start == Start::buckling) stir(assembly);
  return assembly;
}

/// n³ vertices, springs to the 18 nearest, held at the left.
Assembly solid(int n, double ratio) {
  const double side = n;
  Scene scene = scene_of({"lattice", {{"nx", side}, {"ny", side}, {"nz", side}}}, light);
  scene.gravity = Vec3{0, 0, -9.81};
  add_springs(scene, "nearest", ratio * light);
  hold(scene, "left");
  return assemble(std::move(scene));
}

/// A closed surface with springs to the 18 nearest, held at its base.
Assembly blob(int vertices, double ratio) {
  Scene scene = scene_of({"blob", {{"vertices", static_cast<double>(vertices)}}}, light);
  scene.gravity = Vec3{0, 0, -9.81};
  add_springs(scene, "nearest", ratio * light);
  hold(scene, "base");
  return assemble(std::move(scene));
}

/// The main job: a closed surface with edge springs, h²k/m = 20, free, of like charges whose push on the
/// whole is 10 m/s² at 1 m; their field to 1e-3.
Assembly charged_blob(int vertices) {
  const double n = vertices;
  Scene scene = scene_of({"blob", {{"vertices", n}}}, light);
  scene.coulomb = FieldOptions{};
  scene.coulomb->accuracy = 1e-3;
  scene.bodies[0].total_charge = std::sqrt(10.0 * n * light / coulomb_constant);
  add_springs(scene, "edges", 20.0 / 1e-4 * light);
  return assemble(std::move(scene));
}

/// k = 20 N/m between the 24 nearest, 1 kg and 1 µC a vertex, h = 0.03 s: soft.
Assembly soft_blob() {
  Scene scene = scene_of({"blob", {{"vertices", 2562.0}}}, 1.0);
  scene.time.step = 0.03;
  scene.coulomb = FieldOptions{};
  scene.bodies[0].charge = 1e-6;
  add_springs(scene, "nearest", 20.0, 24);
  return assemble(std::move(scene));
}

/// The published charged torus (examples/charged_torus.toml), the charge of the whole kept.
Assembly torus(int vertices) {
  Scene scene = scene_of(
      {"torus", {{"vertices", static_cast<double>(vertices)}, {"sampling", std::string("best_candidate")}}},
      1.0);
  scene.time.step = 0.03;
  scene.coulomb = FieldOptions{};
  scene.bodies[0].total_charge = 145 * 6e-6;
  add_springs(scene, "nearest", 10.0, 24);
  return assemble(std::move(scene));
}

std::vector<SolveScene> all_scenes() {
  std::vector<SolveScene> all;
  const auto add = [&](std::string name, Cost cost, Count steps, std::function<Assembly()> make) {
    all.push_back({std::move(name), cost, steps, std::move(make)});
  };
  for (const auto& [label, k] : {std::pair{"_5e4", 5e4}, {"_5e6", 5e6}}) {
    const double ratio = k;
    add(std::string("cloth_100_hanging") + label, Cost::quick, 5,
        [=] { return sheet(100, ratio, Start::hanging); });
    add(std::string("cloth_100_flat") + label, Cost::usual, 5,
        [=] { return sheet(100, ratio, Start::flat); });
    add(std::string("cloth_100_buckling") + label, Cost::usual, 5,
        [=] { return sheet(100, ratio, Start::buckling); });
    add(std::string("solid_20") + label, Cost::quick, 5, [=] { return solid(20, ratio); });
  }
  add("torus_145", Cost::quick, 200, [] { return torus(145); });
  add("torus_1000", Cost::quick, 50, [] { return torus(1000); });
  add("blob_soft_2562", Cost::quick, 20, [] { return soft_blob(); });
  add("blob_2500_5e4", Cost::usual, 10, [] { return blob(2500, 5e4); });
  add("blob_20k", Cost::usual, 5, [] { return charged_blob(20'000); });
  add("blob_100k", Cost::large, 5, [] { return charged_blob(100'000); });
  add("solid_46_5e4", Cost::large, 3, [] { return solid(46, 5e4); });
  add("cloth_316_hanging_5e4", Cost::large, 3, [] { return sheet(316, 5e4, Start::hanging); });
  add("cloth_316_hanging_5e6", Cost::large, 3, [] { return sheet(316, 5e6, Start::hanging); });
  add("cloth_1000_hanging_5e4", Cost::large, 2, [] { return sheet(1000, 5e4, Start::hanging); });
  return all;
}

}  // namespace

const std::vector<SolveScene>& solve_scenes() {
  static const std::vector<SolveScene> scenes = all_scenes();
  return scenes;
}

}  // namespace electret::bench
