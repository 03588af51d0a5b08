#include <electret/scene/parameter_finders.hpp>

namespace electret {
namespace {

using namespace detail;

constexpr NumberRange any{};
constexpr NumberRange positive{.minimum = 0.0, .minimum_excluded = true};
constexpr NumberRange not_negative{.minimum = 0.0};
constexpr NumberRange ratio{
    .minimum = -1.0, .maximum = 0.5, .minimum_excluded = true, .maximum_excluded = true};

std::vector<ParameterRow> charge_rows() {
  return {
      {.pattern = "body.NAME.charge",
       .unit = "C",
       .range = any,
       .description = "Charge of each vertex that no group charge overrides.",
       .find = own_charges},
      {.pattern = "body.NAME.charge[GROUP]",
       .unit = "C",
       .range = any,
       .description = "Constant charge of each vertex of a group.",
       .find = [](const Assembly& a) { return group_charges(a, false); }},
      {.pattern = "body.NAME.charge[GROUP].values",
       .unit = "C",
       .range = any,
       .description = "Key-framed charge of a group, key by key.",
       .is_list = true,
       .find = [](const Assembly& a) { return group_charges(a, true); }},
      {.pattern = "body.NAME.charges",
       .unit = "C",
       .range = any,
       .description = "The body's own charge, vertex by vertex.",
       .is_list = true,
       .find =
           [](const Assembly& a) {
             return of_bodies(a, ".charges", NumberKind::charges, 1, false, a.body_offsets);
           }},
  };
}

std::vector<ParameterRow> spring_rows() {
  return {
      {.pattern = "body.NAME.stiffness",
       .unit = "N/m",
       .range = not_negative,
       .description = "Stiffness common to the body's springs.",
       .find =
           [](const Assembly& a) {
             return of_bodies(a, ".stiffness", NumberKind::stiffnesses, 1, true, a.body_spring_offsets);
           }},
      {.pattern = "body.NAME.stiffnesses",
       .unit = "N/m",
       .range = not_negative,
       .description = "Stiffness, spring by spring.",
       .is_list = true,
       .find =
           [](const Assembly& a) {
             return of_bodies(a, ".stiffnesses", NumberKind::stiffnesses, 1, false, a.body_spring_offsets);
           }},
      {.pattern = "body.NAME.rest_lengths",
       .unit = "m",
       .range = not_negative,
       .description = "Rest length, spring by spring; a change leaves the stiffness as it is.",
       .is_list = true,
       .find =
           [](const Assembly& a) {
             return of_bodies(a, ".rest_lengths", NumberKind::rest_lengths, 1, false, a.body_spring_offsets);
           }},
  };
}

std::vector<ParameterRow> element_rows() {
  return {
      {.pattern = "body.NAME.youngs_modulus",
       .unit = "Pa",
       .range = positive,
       .description = "Young's modulus of the body's material; with several materials "
                      "`body.NAME.material.I.youngs_modulus`.",
       .find =
           [](const Assembly& a) { return of_materials(a, ".youngs_modulus", NumberKind::youngs_modulus); }},
      {.pattern = "body.NAME.poissons_ratio",
       .unit = "",
       .range = ratio,
       .description = "Poisson's ratio of the body's material; with several materials "
                      "`body.NAME.material.I.poissons_ratio`.",
       .find =
           [](const Assembly& a) { return of_materials(a, ".poissons_ratio", NumberKind::poissons_ratio); }},
      {.pattern = "body.NAME.density",
       .unit = "kg/m³",
       .range = positive,
       .description = "Density, if the body's masses come from it.",
       .find = densities},
      {.pattern = "body.NAME.rest_positions",
       .unit = "m",
       .range = any,
       .description =
           "Rest positions of a solid body, which also change its masses if it has a density. Initial "
           "positions and the rest lengths of springs stay. Not for fits.",
       .is_list = true,
       .find = rest_positions},
  };
}

std::vector<ParameterRow> muscle_rows() {
  return {
      {.pattern = "body.NAME.muscle.I.activation",
       .unit = "",
       .range = not_negative,
       .description =
           "Activation common to the muscle's elements: the stretch along the fibre that it pulls towards.",
       .find = [](const Assembly& a) { return of_muscles(a, ".activation", NumberKind::activations, true); }},
      {.pattern = "body.NAME.muscle.I.activations",
       .unit = "",
       .range = not_negative,
       .description = "Activation, element by element.",
       .is_list = true,
       .find =
           [](const Assembly& a) { return of_muscles(a, ".activations", NumberKind::activations, false); }},
      {.pattern = "body.NAME.muscle.I.values",
       .unit = "",
       .range = not_negative,
       .description = "Key-framed activation, key by key.",
       .is_list = true,
       .find =
           [](const Assembly& a) { return of_muscles(a, ".values", NumberKind::activation_keys, false); }},
      {.pattern = "body.NAME.muscle.I.stiffness",
       .unit = "Pa",
       .range = positive,
       .description = "Stiffness of the muscle along its fibre.",
       .find =
           [](const Assembly& a) { return of_muscles(a, ".stiffness", NumberKind::muscle_stiffness, true); }},
  };
}

std::vector<ParameterRow> vertex_rows() {
  return {
      {.pattern = "body.NAME.mass",
       .unit = "kg",
       .range = positive,
       .description = "Mass common to the body's vertices.",
       .find =
           [](const Assembly& a) {
             return of_bodies(a, ".mass", NumberKind::masses, 1, true, a.body_offsets);
           }},
      {.pattern = "body.NAME.masses",
       .unit = "kg",
       .range = positive,
       .description = "Mass, vertex by vertex.",
       .is_list = true,
       .find =
           [](const Assembly& a) {
             return of_bodies(a, ".masses", NumberKind::masses, 1, false, a.body_offsets);
           }},
      {.pattern = "body.NAME.positions",
       .unit = "m",
       .range = any,
       .description = "Initial positions; rest lengths stay.",
       .is_list = true,
       .find =
           [](const Assembly& a) {
             return of_bodies(a, ".positions", NumberKind::initial_positions, 3, false, a.body_offsets);
           }},
      {.pattern = "body.NAME.velocity",
       .unit = "m/s",
       .range = any,
       .description = "Initial velocity common to the body's vertices.",
       .find =
           [](const Assembly& a) {
             return of_bodies(a, ".velocity", NumberKind::initial_velocities, 3, true, a.body_offsets);
           }},
      {.pattern = "body.NAME.velocities",
       .unit = "m/s",
       .range = any,
       .description = "Initial velocities, vertex by vertex.",
       .is_list = true,
       .find =
           [](const Assembly& a) {
             return of_bodies(a, ".velocities", NumberKind::initial_velocities, 3, false, a.body_offsets);
           }},
  };
}

std::vector<ParameterRow> held_and_loaded_rows() {
  return {
      {.pattern = "body.NAME.pin[GROUP].offsets",
       .unit = "m",
       .range = any,
       .description = "Offsets of a moved pin, key by key.",
       .is_list = true,
       .find = pin_offsets},
      {.pattern = "body.NAME.load.I.force",
       .unit = "N",
       .range = any,
       .description = "Force on each vertex of the load's group.",
       .find = [](const Assembly& a) { return load_forces(a, false); }},
      {.pattern = "body.NAME.load.I.forces",
       .unit = "N",
       .range = any,
       .description = "Force, vertex by vertex.",
       .is_list = true,
       .find = [](const Assembly& a) { return load_forces(a, true); }},
      {.pattern = "body.NAME.load.I.values",
       .unit = "",
       .range = any,
       .description = "Factor on a key-framed load, key by key.",
       .is_list = true,
       .find = load_factors},
  };
}

std::vector<ParameterRow> gravity_rows() {
  return {
      {.pattern = "gravity",
       .unit = "m/s²",
       .range = any,
       .description = "Acceleration.",
       .find = [](const Assembly&) { return setting("gravity", NumberKind::gravity, 3); }},
  };
}

std::vector<ParameterRow> external_charge_rows() {
  return {
      {.pattern = "external_charge.I.charge",
       .unit = "C",
       .range = any,
       .description = "Constant external charge; with a mesh the whole charge.",
       .find = [](const Assembly& a) { return external_charges(a, ".charge", false); }},
      {.pattern = "external_charge.I.values",
       .unit = "C",
       .range = any,
       .description = "Key-framed external charge, key by key.",
       .is_list = true,
       .find = [](const Assembly& a) { return external_charges(a, ".values", true); }},
      {.pattern = "external_charge.I.position",
       .unit = "m",
       .range = any,
       .description =
           "Where a resting external charge is; with a mesh it is added to the mesh's coordinates.",
       .find = [](const Assembly& a) { return external_positions(a, ".position", false); }},
      {.pattern = "external_charge.I.positions",
       .unit = "m",
       .range = any,
       .description = "Where a moving external charge is, key by key.",
       .is_list = true,
       .find = [](const Assembly& a) { return external_positions(a, ".positions", true); }},
  };
}

std::vector<ParameterRow> field_and_damping_rows() {
  return {
      {.pattern = "electric_field.I.NAME",
       .unit = "",
       .range = any,
       .description = "Named constant of an electric field.",
       .find = field_constants},
      {.pattern = "damping.drag",
       .unit = "1/s",
       .range = not_negative,
       .description = "Drag.",
       .find = [](const Assembly&) { return setting("damping.drag", NumberKind::drag, 1); }},
      {.pattern = "damping.spring",
       .unit = "N s/m",
       .range = not_negative,
       .description = "Damping along springs, if there are any.",
       .find =
           [](const Assembly& a) {
             return a.springs.empty() ? Found{} : setting("damping.spring", NumberKind::spring_damping, 1);
           }},
  };
}

std::vector<ParameterRow> obstacle_rows() {
  return {
      {.pattern = "obstacle.NAME.stiffness",
       .unit = "",
       .range = not_negative,
       .description = "Stiffness of the obstacle's push, N/m^(exponent - 1).",
       .find =
           [](const Assembly& a) {
             return of_obstacles(a, ".stiffness", NumberKind::obstacle_stiffness, false);
           }},
      {.pattern = "obstacle.NAME.friction",
       .unit = "",
       .range = not_negative,
       .description = "The obstacle's coefficient of friction, if it has a friction_stiffness.",
       .find =
           [](const Assembly& a) {
             return of_obstacles(a, ".friction", NumberKind::obstacle_friction, true);
           }},
      {.pattern = "obstacle.NAME.friction_stiffness",
       .unit = "N s/m",
       .range = positive,
       .description = "The obstacle's friction divided by speed, for slow vertices.",
       .find =
           [](const Assembly& a) {
             return of_obstacles(a, ".friction_stiffness", NumberKind::obstacle_friction_stiffness, true);
           }},
  };
}

}  // namespace

const std::vector<ParameterRow>& parameter_rows() {
  static const std::vector<ParameterRow> all = [] {
    std::vector<ParameterRow> rows;
    for (const auto part :
         {charge_rows, spring_rows, element_rows, muscle_rows, vertex_rows, held_and_loaded_rows,
          gravity_rows, external_charge_rows, field_and_damping_rows, obstacle_rows})
      for (const ParameterRow& row : part()) rows.push_back(row);
    return rows;
  }();
  return all;
}

}  // namespace electret
