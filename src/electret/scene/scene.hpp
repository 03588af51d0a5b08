#pragma once
/// \file
/// What the user said: the scene as data, ignorant of solvers. Built by `read_scene` from TOML or by hand in
/// C++. Units are SI; defaults are the scene format's (docs/scene-format.md).

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/types.hpp>
#include <electret/dynamics/options.hpp>
#include <electret/field/options.hpp>
#include <electret/geometry/generators.hpp>
#include <electret/geometry/mesh.hpp>
#include <electret/record/options.hpp>
#include <electret/scene/keyframes.hpp>

namespace electret {

/// Numbers, one (or three) a vertex or a spring: inline, or a CSV file relative to the scene's folder.
template <class T>
struct PerItem {
  std::vector<T> values;
  std::string file;  ///< Used when not empty.
  [[nodiscard]] bool given() const { return !values.empty() || !file.empty(); }
};

struct TimeOptions {
  double step = 0.0;  ///< h, s; required, > 0.
  Count steps = 0;    ///< Number of steps (`duration` of the file is turned into steps by the reader).
};

/// `[[body.springs]]`: one table of springs.
struct SpringTable {
  std::string from = "edges";               ///< edges | diagonals | bending | nearest | pairs | volume.
  std::optional<double> stiffness;          ///< N/m; exactly one of stiffness, modulus, stiffnesses.
  std::optional<double> modulus;            ///< N; stiffness = modulus / rest length.
  PerItem<double> stiffnesses;              ///< N/m, one a spring.
  std::optional<double> rest_length_scale;  ///< × initial length; at most one of this and rest_lengths.
  PerItem<double> rest_lengths;             ///< m, one a spring.
  int neighbours = 6;                       ///< nearest only.
  std::vector<Edge> pairs;                  ///< pairs only; vertex indices of the body.
};

/// `[[body.group]]`: a named vertex set. Exactly one of box, indices, attribute.
struct VertexGroup {
  std::string name;
  std::optional<std::array<Vec3, 2>> box;  ///< World coordinates after placing, bounds included, m.
  std::vector<Index> indices;              ///< Of the body.
  std::string attribute;                   ///< A group (OBJ) or property (PLY) of the mesh.
};

/// `[[body.group_charge]]`: charge of a group over the body's own; later entries win.
struct GroupCharge {
  std::string group;
  KeyFrames<double> charge;  ///< C; one key when given by `value`.
  bool key_framed = false;   ///< Written with times + values.
};

/// `[[body.pin]]`: a group held in place or moved by offsets from the initial place.
struct Pin {
  std::string group;
  KeyFrames<Vec3> offsets;  ///< m, world axes; empty: unmoved.
};

/// `[[body.load]]`: forces on vertices, times a factor over time. Either `force` on each vertex of `group`,
/// or `forces`, one per vertex of the body. Several loads add up.
struct Load {
  std::string group;
  std::optional<Vec3> force;  ///< N, world axes.
  PerItem<Vec3> forces;       ///< N, world axes.
  KeyFrames<double> factor;   ///< Empty: 1 for all time.
};

/// `[[body.material]]`: what elements are made of. Several of the same elements add up.
struct Material {
  std::string model;            ///< One of `material_models` (elastic/options.hpp).
  double youngs_modulus = 0.0;  ///< Pa, > 0.
  double poissons_ratio = 0.0;  ///< In (-1, ½).
  std::string group;            ///< An element group; empty: all elements.
};

/// `[[body.muscle]]`: elements that pull towards a given stretch along a fibre. Exactly one of activation,
/// activations, keys.
struct Muscle {
  std::string group;                 ///< An element group; empty: all elements.
  Vec3 fibre;                        ///< At rest, world axes; of any length but 0.
  double stiffness = 0.0;            ///< Pa, > 0.
  std::optional<double> activation;  ///< Target stretch: 1 at rest.
  PerItem<double> activations;       ///< One for each element, in the group's order.
  KeyFrames<double> keys;            ///< Of all elements, over time.
};

/// `[[body.element_group]]`: a named element set. Exactly one of box, indices, attribute.
struct ElementGroup {
  std::string name;
  std::optional<std::array<Vec3, 2>> box;  ///< Of the elements' mean vertices, as for `VertexGroup`.
  std::vector<Index> indices;              ///< Of the body: tetrahedra first, each kind in the file's order.
  std::string attribute;                   ///< A physical group of the mesh.
};

struct Body {
  std::string name;
  std::string mesh;  ///< A mesh file, relative to the scene's folder; or
  std::optional<GeneratorSpec> generate;
  std::optional<Mesh> given_mesh;  ///< C++ and Python callers: a mesh in memory instead.
  double scale = 1.0;
  Vec3 rotate;                   ///< Degrees, about the fixed x, then y, then z axis.
  Vec3 translate;                ///< m.
  std::optional<Vec3> velocity;  ///< m/s, world axes; at most one of velocity, velocities.
  PerItem<Vec3> velocities;
  PerItem<Vec3> initial_positions;  ///< m, world axes: starts the body elsewhere than at rest.
  std::optional<double> mass,
      total_mass;  ///< kg; exactly one of mass, total_mass, masses, density (or the mesh's own).
  std::optional<double> density;  ///< kg/m³: each element's mass split evenly over its vertices.
  PerItem<double> masses;
  std::optional<double> charge, total_charge;  ///< C; at most one of charge, total_charge, charges.
  PerItem<double> charges;
  std::vector<SpringTable> springs;
  std::vector<VertexGroup> groups;
  std::vector<GroupCharge> group_charges;
  std::vector<Pin> pins;
  std::vector<Load> loads;
  std::vector<Material> materials;
  std::vector<ElementGroup> element_groups;
  std::vector<Muscle> muscles;
};

/// `[[external_charge]]`: fixed, key-framed, or the vertices of a mesh.
struct ExternalCharge {
  KeyFrames<double> charge;  ///< C; for a mesh the total, split evenly over its vertices.
  KeyFrames<Vec3> position;  ///< m; added to the mesh's coordinates.
  std::string mesh;          ///< Empty: a single charge.
  double width = 0.0;        ///< σ, m; 0: point charge, > 0: Gaussian ball.
};

/// `[[electric_field]]`: three expressions in x, y, z, t (m, s), N/C.
struct ElectricField {
  std::array<std::string, 3> expression;
  std::map<std::string, double> constants;
};

/// `[[obstacle]]`: a rigid surface that pushes vertices out. A plane has point and normal, a sphere centre
/// and radius.
struct Obstacle {
  std::string name;
  std::string shape;                         ///< One of `obstacle_shapes` (obstacle.hpp).
  std::optional<Vec3> point, normal;         ///< m; a normal of any length but 0, out of the obstacle.
  std::optional<Vec3> centre;                ///< m.
  std::optional<double> radius;              ///< m, > 0.
  std::string law;                           ///< One of `obstacle_laws`.
  double stiffness = 0.0;                    ///< N/m^(exponent - 1).
  double exponent = 3.0;                     ///< Of the energy over the depth, ≥ 2.
  double friction = 0.0;                     ///< Coulomb's coefficient.
  std::optional<double> friction_stiffness;  ///< N s/m, > 0; needed with friction.
};

/// Where each key of the file stands: "body.0.springs.1.stiffness" → location. Empty for scenes made in C++.
using SourceMap = std::map<std::string, Location>;

struct Scene {
  std::string name;
  TimeOptions time;
  IntegratorOptions integrator;
  std::optional<FieldOptions> coulomb;  ///< Absent: no Coulomb force.
  std::optional<Vec3> gravity;          ///< m/s².
  DampingOptions damping;
  std::vector<Body> bodies;
  std::vector<ExternalCharge> external_charges;
  std::vector<ElectricField> electric_fields;
  std::vector<Obstacle> obstacles;
  OutputOptions output;

  std::string folder = ".";            ///< What relative paths are relative to.
  std::string text;                    ///< The scene file's text, kept in the trajectory with
  std::vector<std::string> overrides;  ///< the "KEY=VALUE" put over it, in their order.
  SourceMap source;
};

}  // namespace electret
