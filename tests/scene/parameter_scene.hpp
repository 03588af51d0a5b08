#pragma once
/// A scene that has a parameter of every kind.

#include "scene_text.hpp"

namespace electret::test {

inline constexpr const char* parameter_scene = R"toml(
[time]
step = 0.5
steps = 4
[coulomb]
[gravity]
acceleration = [0.1, 0.2, -9.81]
[damping]
drag = 0.3
spring = 0.2
[[body]]
name = "a"
mesh = "square.obj"
mass = 2.0
charge = 1e-6
velocity = [1, 2, 3]
  [[body.springs]]
  stiffness = 10.0
  [[body.springs]]
  from = "bending"
  stiffness = 4.0
  [[body.group]]
  name = "left"
  indices = [0, 2]
  [[body.group]]
  name = "right"
  indices = [1, 2]
  [[body.group_charge]]
  group = "left"
  value = -3e-6
  [[body.group_charge]]
  group = "right"
  times = [0, 0.7, 2]
  values = [1e-6, 2e-6, -1e-6]
  interpolation = "cubic"
  [[body.pin]]
  group = "right"
  times = [0, 1, 2]
  offsets = [[0, 0, 0], [0, 0, 1], [0, 0, 2]]
  [[body.load]]
  group = "left"
  force = [0, 0, 1]
  times = [0, 1, 3]
  values = [0, 2, 1]
  interpolation = "step"
  [[body.load]]
  forces = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
[[body]]
name = "b"
mesh = "quad.obj"
translate = [0, 0, 5]
masses = [1, 2, 3, 4]
charges = [1e-6, 2e-6, 0, 4e-6]
velocities = [[1, 0, 0], [0, 2, 0], [0, 0, 3], [4, 0, 0]]
  [[body.springs]]
  stiffness = 7.0
  [[body.group]]
  name = "held"
  indices = [3]
  [[body.pin]]
  group = "held"
  [[body.load]]
  forces = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
  times = [0, 1, 1.5, 3]
  values = [0, 2, 1, 0.5]
  interpolation = "cubic"
[[external_charge]]
charge = -42e-6
position = [2.0, 0.0, 0.5]
[[external_charge]]
mesh = "quad.obj"
times = [0, 1, 2]
charges = [1e-6, 3e-6, 2e-6]
positions = [[0, 0, 9], [1, 0, 9], [1, 1, 9]]
[[electric_field]]
expression = ["-y", "b*x", "a*sin(t)"]
constants = { a = 2.0, b = 3.0 }
[[grab]]
body = "b"
vertices = [0, 2]
weights = [0.25, 0.75]
stiffness = 30.0
damping = 1.5
times = [0, 1, 2]
targets = [[0, 0, 5], [1, 0, 6], [1, 1, 6]]
until = 1.75
[[hydrodynamics]]
density = 2.0
velocity = [0.1, 0.0, 0.2]
bodies = ["b"]
[[ball_contact]]
bodies = ["b", "a"]
radius = 0.25
stiffnesses = [20.0, 30.0]
frictions = [0.5, 0.25]
[[camera]]
name = "desk"
position = [0, -5, 1]
towards = [0, 1, 0]
focal_length = 800.0
rotate = [1, 2, 3]
translate = [0.1, 0.2, 0.3]
zoom = 1.5
[[obstacle]]
name = "floor"
shape = "plane"
point = [0, 0, -1]
normal = [0, 0, 1]
law = "penalty"
stiffness = 100.0
friction = 0.4
friction_stiffness = 2.5
times = [0, 1, 2]
offsets = [[0, 0, 0], [0, 0, -1], [1, 0, -1]]
rotations = [[0, 0, 0], [0, 0, 10], [0, 5, 10]]
[[obstacle]]
name = "ball"
shape = "sphere"
centre = [5, 0, 0]
radius = 0.5
law = "penalty"
stiffness = 200.0
)toml";

}  // namespace electret::test
