#include <algorithm>
#include <numeric>

#include <electret/scene/charge_tracks.hpp>
#include <electret/scene/parameters.hpp>

namespace electret {
namespace {

using Found = std::vector<Parameter>;

constexpr NumberRange any{};
constexpr NumberRange positive{.minimum = 0.0, .minimum_excluded = true};
constexpr NumberRange not_negative{.minimum = 0.0};
constexpr NumberRange ratio{
    .minimum = -1.0, .maximum = 0.5, .minimum_excluded = true, .maximum_excluded = true};

Parameter make(std::string name, NumberSource source, std::size_t columns, std::vector<Index> members) {
  Parameter p;
  p.name = std::move(name), p.source = source, p.columns = columns, p.members = std::move(members);
  return p;
}

std::vector<Index> range(Count first, Count last) {
  std::vector<Index> members(static_cast<std::size_t>(last - first));
  std::iota(members.begin(), members.end(), static_cast<Index>(first));
  return members;
}

std::vector<Index> all_of(std::size_t count) {
  return range(0, static_cast<Count>(count));
}

/// "body.NAME" of body `b`. A body that was made without a scene has the name that the reader would give it.
std::string body_key(const Assembly& a, std::size_t b) {
  const auto& bodies = a.scene.bodies;
  return "body." + (b < bodies.size() ? bodies[b].name : "body" + std::to_string(b + 1));
}

/// One parameter per body, called by `suffix`, of its vertices or springs. `offsets` (bodies + 1) says which
/// ones they are.
Found of_bodies(const Assembly& a, const char* suffix, NumberKind kind, std::size_t columns, bool is_common,
                const std::vector<Count>& offsets) {
  Found found;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    found.push_back(make(body_key(a, b) + suffix, {kind}, columns, range(offsets[b], offsets[b + 1])));
    found.back().is_common = is_common;
  }
  return found;
}

/// The body's own charge: that of the vertices that no group charge overrides.
Found own_charges(const Assembly& a) {
  const std::vector<int> winner = winning_charge_tracks(a);
  Found found = of_bodies(a, ".charge", NumberKind::charges, 1, true, a.body_offsets);
  for (Parameter& p : found)
    std::erase_if(p.members, [&](Index i) { return winner[static_cast<std::size_t>(i)] >= 0; });
  return found;
}

/// Group charges, constant or key-framed. If a group is written twice, the later entry has all its vertices.
Found group_charges(const Assembly& a, bool key_framed) {
  Found found;
  for (std::size_t k = 0; k < a.charge_tracks.size(); ++k) {
    const ChargeTrack& track = a.charge_tracks[k];
    const bool is_last =
        std::none_of(a.charge_tracks.begin() + static_cast<std::ptrdiff_t>(k) + 1, a.charge_tracks.end(),
                     [&](const ChargeTrack& later) { return later.name == track.name; });
    if (track.key_framed != key_framed || !is_last) continue;
    found.push_back(make(track.name + (key_framed ? ".values" : ""), {NumberKind::charge_track, k}, 1,
                         all_of(track.charge.values.size())));
  }
  return found;
}

/// An external charge's value (`kind` external_charge) or position, by its only key or key by key.
template <class Keys>
Found externals(const Assembly& a, const char* suffix, NumberKind kind, Keys ExternalChargeTrack::*member,
                bool key_framed) {
  Found found;
  for (std::size_t e = 0; e < a.external_charges.size(); ++e) {
    const std::size_t keys = (a.external_charges[e].*member).values.size();
    if ((keys > 1) != key_framed) continue;
    found.push_back(make("external_charge." + std::to_string(e) + suffix, {kind, e},
                         kind == NumberKind::external_position ? 3 : 1, all_of(keys)));
  }
  return found;
}

Found field_constants(const Assembly& a) {
  Found found;
  for (std::size_t f = 0; f < a.fields.size(); ++f)
    for (std::size_t c = 0; c < a.fields[f].constant_names.size(); ++c)
      found.push_back(make("electric_field." + std::to_string(f) + "." + a.fields[f].constant_names[c],
                           {NumberKind::field_constants, f}, 1, {static_cast<Index>(c)}));
  return found;
}

/// A number of all obstacles, or of those with friction.
Found of_obstacles(const Assembly& a, const char* suffix, NumberKind kind, bool need_friction) {
  Found found;
  for (std::size_t o = 0; o < a.obstacles.size(); ++o)
    if (!need_friction || a.obstacles[o].friction_stiffness > 0.0)
      found.push_back(make(a.obstacles[o].name + suffix, {kind, o}, 1, {0}));
  return found;
}

Found pin_offsets(const Assembly& a) {
  Found found;
  for (std::size_t k = 0; k < a.pin_tracks.size(); ++k)
    found.push_back(make(a.pin_tracks[k].name + ".offsets", {NumberKind::pin_track, k}, 3,
                         all_of(a.pin_tracks[k].offsets.values.size())));
  return found;
}

/// Loads with one force for a whole group, or with one per vertex.
Found load_forces(const Assembly& a, bool of_each_vertex) {
  Found found;
  for (std::size_t k = 0; k < a.load_tracks.size(); ++k) {
    const LoadTrack& track = a.load_tracks[k];
    if ((track.forces.size() > 1) == of_each_vertex)
      found.push_back(make(track.name + (of_each_vertex ? ".forces" : ".force"), {NumberKind::load_forces, k},
                           3, all_of(track.forces.size())));
  }
  return found;
}

Found load_factors(const Assembly& a) {
  Found found;
  for (std::size_t k = 0; k < a.load_tracks.size(); ++k)
    found.push_back(make(a.load_tracks[k].name + ".values", {NumberKind::load_factor, k}, 1,
                         all_of(a.load_tracks[k].factor.values.size())));
  return found;
}

/// The number `suffix` of each material: one value for all its elements.
Found of_materials(const Assembly& a, const char* suffix, NumberKind kind) {
  Found found;
  for (std::size_t k = 0; k < a.materials.size(); ++k) {
    found.push_back(make(a.materials[k].name + suffix, {kind, k}, 1, all_of(a.materials[k].elements.size())));
    found.back().is_common = true;
  }
  return found;
}

/// The numbers `suffix` of each muscle: one value for all of them, or one each.
Found of_muscles(const Assembly& a, const char* suffix, NumberKind kind, bool is_common) {
  Found found;
  for (std::size_t k = 0; k < a.muscles.size(); ++k) {
    const std::size_t count = numbers(a, {kind, k}).count;
    found.push_back(make(a.muscles[k].name + suffix, {kind, k}, 1, all_of(count)));
    found.back().is_common = is_common;
  }
  return found;
}

/// For bodies with volume elements.
Found rest_positions(const Assembly& a) {
  Found found = of_bodies(a, ".rest_positions", NumberKind::rest_positions, 3, false, a.body_offsets);
  std::erase_if(found, [&](const Parameter& p) {
    return std::all_of(p.members.begin(), p.members.end(), [&](Index i) {
      return a.volumes.empty() || a.volumes[static_cast<std::size_t>(i)] == 0.0;
    });
  });
  return found;
}

/// For bodies that have a density; their masses are shares of it.
Found densities(const Assembly& a) {
  Found found;
  for (std::size_t b = 0; b < a.scene.bodies.size(); ++b) {
    if (!a.scene.bodies[b].density) continue;
    const Count first = a.body_offsets[b], last = a.body_offsets[b + 1];
    found.push_back(make(body_key(a, b) + ".density", {NumberKind::masses}, 1, range(first, last)));
    found.back().is_common = true;
    found.back().shares.assign(a.volumes.begin() + first, a.volumes.begin() + last);
  }
  return found;
}

/// A setting of the whole scene. A setting of 0 has a derivative, too: see `IdleForces`.
Found setting(const char* name, NumberKind kind, std::size_t columns) {
  return {make(name, {kind}, columns, {0})};
}

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
       .description = "Rest length, spring by spring; the stiffness stays.",
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
       .range = not_negative,
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
       .find =
           [](const Assembly& a) {
             return externals(a, ".charge", NumberKind::external_charge, &ExternalChargeTrack::charge, false);
           }},
      {.pattern = "external_charge.I.values",
       .unit = "C",
       .range = any,
       .description = "Key-framed external charge, key by key.",
       .is_list = true,
       .find =
           [](const Assembly& a) {
             return externals(a, ".values", NumberKind::external_charge, &ExternalChargeTrack::charge, true);
           }},
      {.pattern = "external_charge.I.position",
       .unit = "m",
       .range = any,
       .description =
           "Where a resting external charge is; with a mesh it is added to the mesh's coordinates.",
       .find =
           [](const Assembly& a) {
             return externals(a, ".position", NumberKind::external_position, &ExternalChargeTrack::position,
                              false);
           }},
      {.pattern = "external_charge.I.positions",
       .unit = "m",
       .range = any,
       .description = "Where a moving external charge is, key by key.",
       .is_list = true,
       .find =
           [](const Assembly& a) {
             return externals(a, ".positions", NumberKind::external_position, &ExternalChargeTrack::position,
                              true);
           }},
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
