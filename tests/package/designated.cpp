// Options and tables of a scene name what differs from the defaults, without a warning for what they leave
// out.
#include <electret/electret.hpp>

electret::ExportOptions every_tenth() {
  return {.every = 10};
}
electret::RunOptions resumed() {
  return {.resume = true};
}
electret::GradientOptions of_ten_steps() {
  return {.steps = 10};
}
electret::RolloutPlan of_two_steps() {
  return {.steps = 2};
}
electret::FitOptions of_three_threads() {
  return {.threads = 3};
}
electret::Control of_a_listener() {
  return {.progress = [](const electret::Progress&) {}};
}
electret::FieldOptions exact() {
  return {.solver = "direct"};
}
electret::GeneratorSpec a_sphere() {
  return {.shape = "sphere"};
}
electret::Mesh a_point() {
  return {.vertices = {{0.0, 0.0, 0.0}}};
}
electret::Polygons no_faces() {
  return {.offsets = {0}};
}
electret::TargetFrame first_frame() {
  return {.step = 1};
}
electret::ForceParameter a_weight() {
  return {.name = "weight"};
}
electret::KeyFrames<double> at_two_times() {
  return {.times = {0.0, 1.0}};
}

electret::Body a_body() {
  return {.name = "ball",
          .springs = {{.from = "nearest"}},
          .groups = {{.name = "top"}},
          .group_charges = {{.group = "top"}},
          .pins = {{.group = "top"}},
          .loads = {{.group = "top"}},
          .materials = {{.model = "neo_hookean"}},
          .element_groups = {{.name = "core"}},
          .muscles = {{.group = "core"}}};
}
electret::Scene a_scene() {
  return {.name = "scene",
          .external_charges = {{.mesh = "rod.obj"}},
          .electric_fields = {{.constants = {{"a", 1.0}}}},
          .obstacles = {{.name = "floor"}}};
}
electret::PerItem<double> in_a_file() {
  return {.values = {1.0}};
}
// The first member alone, so that a warning of any later one would show.
electret::ElectricField downwards() {
  return {.expression = {"0", "0", "-1"}};
}
electret::ExternalCharge a_charge() {
  return {.charge = electret::KeyFrames<double>::constant(1.0)};
}
