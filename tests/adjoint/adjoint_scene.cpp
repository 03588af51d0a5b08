#include "adjoint/adjoint_scene.hpp"

#include <cmath>

#include <electret/scene/read.hpp>

namespace electret::test {
namespace {

constexpr const char* text = R"toml(
[time]
step = 0.02
steps = 12
[integrator]
tolerance = 1e-12
max_iterations = 2000
[coulomb]
solver = "direct"
[gravity]
acceleration = [0.3, 0.2, -9.81]
[damping]
drag = 0.3
spring = 0.2
[[body]]
name = "net"
generate = { shape = "lattice", nx = 4, ny = 3, nz = 3, spacing = 1.0 }
mass = 0.7
charge = 6e-6
velocity = [0.2, -0.4, 0.1]
  [[body.springs]]
  stiffness = 40.0
  rest_length_scale = 1.2
  [[body.springs]]
  from = "nearest"
  neighbours = 10
  stiffness = 15.0
  rest_length_scale = 0.9
  [[body.group]]
  name = "held"
  indices = [0, 1]
  [[body.group]]
  name = "moved"
  indices = [2]
  [[body.group]]
  name = "tip"
  indices = [20, 21, 22]
  [[body.group]]
  name = "end"
  indices = [30, 31]
  [[body.group_charge]]
  group = "tip"
  value = -9e-6
  [[body.group_charge]]
  group = "end"
  times = [0.0, 0.1, 0.3]
  values = [1e-6, -7e-6, 4e-6]
  interpolation = "cubic"
  [[body.pin]]
  group = "held"
  [[body.pin]]
  group = "moved"
  times = [0.0, 0.1, 0.2]
  offsets = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.1], [0.0, 0.2, 0.0]]
  [[body.load]]
  group = "tip"
  force = [0.0, 0.5, 1.0]
  [[body.load]]
  group = "end"
  force = [0.4, 0.0, 0.0]
  times = [0.0, 0.2]
  values = [1.0, -1.0]
[[external_charge]]
charge = 3e-5
position = [1.5, 1.0, 4.0]
[[external_charge]]
width = 0.4
times = [0.0, 0.2]
charges = [2e-5, -3e-5]
positions = [[4.0, 0.0, 1.0], [4.2, 0.5, 1.0]]
[[electric_field]]
expression = ["-a*y*cos(3*t)", "a*x", "2e4*sin(x + z)"]
constants = { a = 9000.0 }
[[grab]]
body = "net"
vertices = [12, 25, 20]
weights = [0.5, 0.3, 0.2]
stiffness = 3.0
damping = 0.3
times = [0.02, 0.1, 0.2]
targets = [[1.0, 1.0, 1.0], [1.5, 1.0, 1.5], [1.5, 0.5, 2.0]]
until = 0.2
)toml";

constexpr const char* solid_text = R"toml(
[time]
step = 0.01
steps = 20
[integrator]
tolerance = 1e-12
max_iterations = 2000
[coulomb]
solver = "direct"
[gravity]
acceleration = [0.3, 0.2, -9.81]
[damping]
drag = 0.3
spring = 0.2
[[body]]
name = "solid"
generate = { shape = "box", cells = [2, 1, 1], cell_size = 0.2 }
density = 500.0
charge = 4e-7
velocity = [0.3, -0.2, 0.5]
  [[body.material]]
  model = "corotated"
  youngs_modulus = 5e3
  poissons_ratio = 0.2
  [[body.material]]
  group = "first"
  model = "corotated"
  youngs_modulus = 2e4
  poissons_ratio = 0.3
  [[body.springs]]
  from = "volume"
  stiffness = 30.0
  [[body.element_group]]
  name = "first"
  indices = [0]
  [[body.muscle]]
  group = "first"
  fibre = [2.0, 0.0, 0.5]
  stiffness = 2e4
  activation = 0.8
  [[body.muscle]]
  fibre = [0.0, 1.0, 0.5]
  stiffness = 1e4
  times = [0.0, 0.1, 0.2]
  values = [1.0, 0.6, 1.1]
  interpolation = "cubic"
  [[body.muscle]]
  group = "first"
  fibre = [0.0, 0.3, 1.0]
  stiffness = 5e3
  expression = "1 + A*sin(w*(t/h - 1))"
  constants = { A = 0.2, w = 0.3 }
  [[body.group]]
  name = "wall"
  attribute = "left"
  [[body.pin]]
  group = "wall"
  [[body.group]]
  name = "end"
  attribute = "right"
  [[body.load]]
  group = "end"
  force = [0.0, 2.0, 1.0]
[[hydrodynamics]]
density = 2.0
velocity = [6.0, 5.0, -8.0]
)toml";

/// Two bodies with their lower halves in two obstacles: the one slides, the other creeps, both with margins,
/// so that differences pass no kink of the friction.
constexpr const char* obstacle_text = R"toml(
[time]
step = 0.01
steps = 12
[integrator]
tolerance = 1e-12
max_iterations = 2000
[gravity]
acceleration = [0.3, 0.2, -9.81]
[coulomb]
solver = "direct"
[damping]
drag = 0.3
spring = 0.1
[[body]]
name = "slider"
generate = { shape = "lattice", nx = 2, ny = 2, nz = 2, spacing = 1.0 }
translate = [-1.0, 0.0, 0.0]
mass = 0.7
charge = 2e-6
velocity = [-2.0, 0.5, 0.1]
  [[body.springs]]
  from = "nearest"
  neighbours = 5
  stiffness = 40.0
[[body]]
name = "creeper"
generate = { shape = "lattice", nx = 2, ny = 2, nz = 2, spacing = 1.0 }
translate = [1.0, 0.0, 0.0]
mass = 0.7
charge = -1e-6
velocity = [0.1, 0.05, -0.1]
  [[body.springs]]
  from = "nearest"
  neighbours = 5
  stiffness = 40.0
[[obstacle]]
name = "floor"
shape = "plane"
point = [0.0, 0.0, -0.1]
normal = [0.04, -0.05, 1.0]
law = "penalty"
stiffness = 60.0
friction = 0.1
friction_stiffness = 0.5
times = [-0.1, 0.3]
offsets = [[0.0, 0.0, 0.0], [0.005, 0.002, 0.002]]
rotations = [[0.0, 0.0, 0.0], [0.1, -0.1, 0.4]]
[[obstacle]]
name = "ball"
shape = "sphere"
centre = [0.0, 0.1, -5.0]
radius = 5.0
law = "penalty"
stiffness = 20.0
exponent = 2.5
friction = 0.15
friction_stiffness = 0.5
)toml";

/// The balls overlap in all steps and slide past each other, so that differences pass no kink.
constexpr const char* ball_text = R"toml(
[time]
step = 0.01
steps = 12
[integrator]
tolerance = 1e-12
max_iterations = 2000
[damping]
spring = 0.1
[[body]]
name = "one"
generate = { shape = "icosphere_fan", radius = 0.5, subdivisions = 0 }
mass = 0.1
velocity = [0.3, 0.4, 0.1]
  [[body.springs]]
  from = "volume"
  stiffness = 40.0
[[body]]
name = "two"
generate = { shape = "icosphere_fan", radius = 0.5, subdivisions = 0 }
translate = [0.7, 0.2, 0.1]
mass = 0.1
velocity = [-0.2, -0.5, 0.0]
  [[body.springs]]
  from = "volume"
  stiffness = 40.0
[[ball_contact]]
bodies = ["one", "two"]
radius = 0.5
stiffnesses = [30.0, 20.0]
frictions = [0.5, 0.3]
)toml";

/// Numbers in [-1, 1] that need no memory.
Vec3 weight(Count step, std::size_t i, double salt) {
  const double k = 12.9898 * static_cast<double>(i) + 78.233 * static_cast<double>(step) + salt;
  return {std::sin(k), std::sin(2.1 * k + 1.0), std::sin(3.3 * k + 2.0)};
}

double square(const Vec3& a) {
  return dot(a, a);
}

}  // namespace

Assembly adjoint_scene(const std::string& method, const std::vector<std::string>& overrides) {
  std::vector<std::string> all{"integrator.method=" + method};
  all.insert(all.end(), overrides.begin(), overrides.end());
  Assembly assembly = load_scene_text(text, "adjoint.toml", "", all, read_regular_file);
  // Off the lattice: a spring exactly at rest, or a pair at equal distances, would hide a wrong term.
  for (std::size_t i = 0; i < assembly.masses.size(); ++i) {
    assembly.initial_positions[i] += 0.08 * weight(0, i, 0.5);
    assembly.masses[i] *= 1.0 + 0.3 * weight(1, i, 0.1).x;
    assembly.charges[i] *= weight(2, i, 0.2).y;
  }
  return assembly;
}

Assembly solid_adjoint_scene(const std::string& method, const std::string& element, const std::string& model,
                             const std::vector<std::string>& overrides) {
  std::vector<std::string> all{"integrator.method=" + method, "body.0.generate.element=" + element,
                               "body.0.material.1.model=" + model,
                               // Of explicit_euler motions grow with the step, and differences' errors.
                               method == "explicit_euler" ? "time.step=0.001" : "time.step=0.01"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  Assembly assembly = load_scene_text(solid_text, "adjoint.toml", "", all, read_regular_file);
  for (std::size_t i = 0; i < assembly.masses.size(); ++i)
    assembly.initial_positions[i] += 0.008 * weight(0, i, 0.5);
  return assembly;
}

Assembly obstacle_adjoint_scene(const std::string& method) {
  Assembly assembly =
      load_scene_text(obstacle_text, "adjoint.toml", "", {"integrator.method=" + method}, read_regular_file);
  for (std::size_t i = 0; i < assembly.masses.size(); ++i)
    assembly.initial_positions[i] += 0.04 * weight(0, i, 0.5);
  return assembly;
}

Assembly ball_adjoint_scene(const std::string& method) {
  Assembly assembly =
      load_scene_text(ball_text, "adjoint.toml", "", {"integrator.method=" + method}, read_regular_file);
  for (std::size_t i = 0; i < assembly.masses.size(); ++i)
    assembly.initial_positions[i] += 0.02 * weight(0, i, 0.5);
  return assembly;
}

bool MixedLoss::reads(Count step, Count last_step) const {
  return step % 3 == 0 || step == last_step;
}

void MixedLoss::observe(const LossPoint& at) {
  observed.push_back(at.state.step);
  for (std::size_t i = 0; i < at.state.positions.size(); ++i) {
    const Vec3 &x = at.state.positions[i], &v = at.state.velocities[i];
    value_ +=
        dot(weight(at.state.step, i, 0.3), x) + 0.5 * square(x) + 0.1 * dot(weight(at.state.step, i, 0.7), v);
    if (at.state.step == at.last_step) value_ += at.system.masses()[i] * x.z;
  }
}

void MixedLoss::add_derivatives(const LossPoint& at, double factor, const LossGradients& out) {
  for (std::size_t i = 0; i < at.state.positions.size(); ++i) {
    const Vec3& x = at.state.positions[i];
    out.positions[i] += factor * (weight(at.state.step, i, 0.3) + x);
    out.velocities[i] += factor * 0.1 * weight(at.state.step, i, 0.7);
    if (at.state.step != at.last_step) continue;
    out.positions[i].z += factor * at.system.masses()[i];
    out.parameters.masses[i] += factor * x.z;
  }
}

}  // namespace electret::test
