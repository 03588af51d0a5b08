// Bodies that hang under gravity come to rest where their elements carry their weight, whatever the step.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/options.hpp>
#include <electret/dynamics/stability.hpp>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

/// A body that hangs from pins. `spread` is about how many times its fastest oscillation is faster than its
/// slowest.
struct HangingBody {
  const char* name;
  Assembly assembly;
  double spread;
};

/// 2 kg on a spring.
HangingBody hanging_mass() {
  Assembly assembly = loose_vertices({{0, 0, 0}, {0, 0, -1}}, 1.0, "");
  assembly.masses = {0.5, 2.0};
  assembly.springs = {{0, 1, 500.0, 1.0}};
  add_pins(assembly, {0});
  return {"mass", std::move(assembly), 1.0};
}

/// 20 cm of hexahedra that bend by 2 cm.
HangingBody beam(const std::string& method) {
  Scene scene;
  scene.integrator.method = method;
  scene.time = {.step = 1.0, .steps = 1};
  Body& body = scene.bodies.emplace_back();
  body.name = "beam";
  body.generate = GeneratorSpec{
      "box", {{"cells", std::vector<double>{2, 1, 1}}, {"cell_size", 0.1}, {"element", std::string("hex")}}};
  body.density = 1000.0;
  body.materials.push_back({"stable_neo_hookean", 1e5, 0.3, ""});
  Assembly assembly = assemble(std::move(scene));
  const VectorArray& x = assembly.initial_positions;
  const double wall = std::min_element(x.begin(), x.end(), [](auto& a, auto& b) { return a.x < b.x; })->x;
  std::vector<Index> held;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i].x == wall) held.push_back(static_cast<Index>(i));
  add_pins(assembly, held);
  return {"beam", std::move(assembly), 20.0};
}

/// 4×4 vertices whose upper row is held, pushed out of their plane.
HangingBody curtain() {
  constexpr int side = 4;
  VectorArray x;
  for (int row = 0; row < side; ++row)
    for (int k = 0; k < side; ++k) x.push_back({0.3 * k, 0.05 * row * row, -0.3 * row});
  Assembly assembly = loose_vertices(x, 1.0, "");
  const auto vertex = [](int row, int k) { return static_cast<Index>(side * row + k); };
  const auto join = [&](Index a, Index b, double rest) { assembly.springs.push_back({a, b, 500.0, rest}); };
  for (int row = 0; row < side; ++row)
    for (int k = 0; k < side; ++k) {
      if (k > 0) join(vertex(row, k), vertex(row, k - 1), 0.3);
      if (row > 0) join(vertex(row, k), vertex(row - 1, k), 0.3);
    }
  for (std::size_t i = 0; i < assembly.masses.size(); ++i)
    assembly.masses[i] = 0.3 + 0.02 * static_cast<double>(i);
  add_pins(assembly, {0, 1, 2, 3});
  return {"curtain", std::move(assembly), 15.0};
}

constexpr double g = 9.81;

double weight(const Simulator& run) {
  double mass = 0.0;
  for (const double m : run.system().masses()) mass += m;
  return mass * g;
}

/// ‖-∇E(x) + m g‖ over the free vertices, N.
double unbalanced(Simulator& run) {
  const VectorArray& x = run.state().positions;
  VectorArray force(x.size());
  for (auto& energy : run.system().elastic) energy->add_gradient(x, force);
  for (std::size_t i = 0; i < x.size(); ++i) force[i] = -force[i] + run.system().masses()[i] * Vec3{0, 0, -g};
  for (const Index pin : run.system().pins) force[static_cast<std::size_t>(pin)] = {};
  double squares = 0.0;
  for (const Vec3& f : force) squares += squared_norm(f);
  return std::sqrt(squares);
}

double fastest_vertex(const Simulator& run) {
  double fastest = 0.0;
  for (const Vec3& v : run.state().velocities) fastest = std::max(fastest, norm(v));
  return fastest;
}

/// How much of the weight the pins do not carry.
double weight_not_held(const Simulator& run) {
  Vec3 sum{0, 0, -weight(run)};
  for (const Vec3& reaction : run.pin_reactions()) sum += reaction;
  return norm(sum);
}

/// At h ω = `stiffness` for the body's fastest oscillation. Its slowest is damped critically if the step
/// resolves that damping, which is explicit in most methods. explicit_euler needs a drag of more than h ω².
Simulator slowed(HangingBody body, const std::string& method, double stiffness) {
  body.assembly.scene.integrator.method = method;
  body.assembly.scene.integrator.tolerance = 1e-11;
  body.assembly.scene.integrator.max_iterations = 1000;
  body.assembly.scene.gravity = Vec3{0, 0, -g};
  const double omega = fastest_oscillations(*compile(body.assembly, 1)).springs;
  Scene& scene = body.assembly.scene;
  scene.time.step = stiffness / omega;
  scene.time.steps = 30000;
  const double critical = std::min(2.0 * omega / body.spread, 0.8 / scene.time.step);
  scene.damping.drag = method == "explicit_euler" ? 2.0 * stiffness * omega : critical;
  return simulator(std::move(body.assembly));
}

bool rests(Simulator& run) {
  const double little = 1e-8 * weight(run);
  return unbalanced(run) <= little && weight_not_held(run) <= little && fastest_vertex(run) <= 1e-8;
}

class Rest : public testing::TestWithParam<std::string_view> {};

TEST_P(Rest, IsWhereTheElementsCarryTheWeight) {
  const std::string method(GetParam());
  const bool is_explicit = std::find(explicit_integrator_methods.begin(), explicit_integrator_methods.end(),
                                     method) != explicit_integrator_methods.end();
  std::vector<HangingBody> bodies{hanging_mass(), curtain()};
  // Its matrix is that of springs, so that it refuses elements.
  if (method == "linear_implicit")
    EXPECT_THROW(static_cast<void>(beam(method)), InputError);
  else
    bodies.push_back(beam(method));
  for (const double stiffness : {0.3, 3.0, 30.0}) {
    if (is_explicit && stiffness > 0.3) continue;
    for (const HangingBody& body : bodies) {
      Simulator run = slowed(body, method, stiffness);
      const double little = 1e-8 * weight(run);
      for (int k = 0; k < 1000 && !rests(run); ++k) run.run(run.state().step + 30);
      EXPECT_LE(unbalanced(run), little) << body.name << ", h ω = " << stiffness;
      EXPECT_LE(fastest_vertex(run), 1e-8) << body.name << ", h ω = " << stiffness;
      EXPECT_LE(weight_not_held(run), little) << body.name << ", h ω = " << stiffness;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Rest, testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace electret::test
