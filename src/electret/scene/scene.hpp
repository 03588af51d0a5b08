#pragma once
/// \file
/// The scene as data, as the user wrote it. It knows nothing of solvers. `read_scene` makes it from TOML; C++
/// code can build it by hand. Units are SI. The defaults are those of the scene format
/// (docs/scene-format.md).

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

/// One number (or three) per vertex or spring, inline or in a CSV file. The file's path is relative to the
/// scene's folder.
template <class T>
struct PerItem {
  std::vector<T> values{};
  std::string file{};  ///< Used when not empty.
  [[nodiscard]] bool given() const { return !values.empty() || !file.empty(); }
};

struct TimeOptions {
  double step = 0.0;  ///< h, s; required, > 0.
  Count steps = 0;    ///< Number of steps; the reader converts `duration` into it.
};

/// `[[body.springs]]`: one table of springs.
struct SpringTable {
  std::string from = "edges";                 ///< edges | diagonals | bending | nearest | pairs | volume.
  std::optional<double> stiffness{};          ///< N/m; exactly one of stiffness, modulus, stiffnesses.
  std::optional<double> modulus{};            ///< N; stiffness = modulus / rest length.
  PerItem<double> stiffnesses{};              ///< N/m, one per spring.
  std::optional<double> rest_length_scale{};  ///< × initial length; not together with rest_lengths.
  PerItem<double> rest_lengths{};             ///< m, one per spring.
  int neighbours = 6;                         ///< For `nearest` only.
  std::vector<Edge> pairs{};                  ///< For `pairs` only; vertex indices of the body.
};

/// `[[body.group]]`: a named vertex set. Exactly one of box, indices, attribute.
struct VertexGroup {
  std::string name{};
  std::optional<std::array<Vec3, 2>> box{};  ///< World coordinates after placing, m; includes its bounds.
  std::vector<Index> indices{};              ///< Of the body.
  std::string attribute{};                   ///< A group or an attribute of the mesh (see `vertex_set`).
};

/// `[[body.group_charge]]`: the charge of a group. It replaces the body's own charge. Later entries win.
struct GroupCharge {
  std::string group{};
  KeyFrames<double> charge{};  ///< C; one key when given by `value`.
  bool key_framed = false;     ///< Written with times + values.
};

/// `[[body.pin]]`: a group that is held in place, or moved by offsets from its initial place.
struct Pin {
  std::string group{};
  KeyFrames<Vec3> offsets{};  ///< m, world axes; empty: held in place.
};

/// `[[body.load]]`: forces on vertices, times a factor over time. Either `force` acts on each vertex of
/// `group`, or `forces` has one force per vertex of the body. Several loads add up.
struct Load {
  std::string group{};
  std::optional<Vec3> force{};  ///< N, world axes.
  PerItem<Vec3> forces{};       ///< N, world axes.
  KeyFrames<double> factor{};   ///< Empty: 1 for all time.
};

/// `[[body.material]]`: what elements are made of. Several materials on the same elements add up.
struct Material {
  std::string model{};          ///< One of `material_models` (elastic/options.hpp).
  double youngs_modulus = 0.0;  ///< Pa, > 0.
  double poissons_ratio = 0.0;  ///< In (-1, ½).
  std::string group{};          ///< An element group; empty: all elements.
};

/// `[[body.muscle]]`: elements that pull towards a target stretch along a fibre. Exactly one of activation,
/// activations, keys.
struct Muscle {
  std::string group{};                 ///< An element group; empty: all elements.
  Vec3 fibre{};                        ///< At rest, world axes; any length but 0.
  double stiffness = 0.0;              ///< Pa, > 0.
  std::optional<double> activation{};  ///< Target stretch: 1 at rest.
  PerItem<double> activations{};       ///< One per element, in the group's order.
  KeyFrames<double> keys{};            ///< The same for all elements, over time.
};

/// `[[body.element_group]]`: a named element set. Exactly one of box, indices, attribute.
struct ElementGroup {
  std::string name{};
  std::optional<std::array<Vec3, 2>> box{};  ///< Holds the means of elements' vertices; see `VertexGroup`.
  std::vector<Index> indices{};              ///< Element numbers, as in the body's Mesh.
  std::string attribute{};                   ///< An element group of the mesh.
};

struct Body {
  std::string name{};
  std::string mesh{};  ///< A mesh file, relative to the scene's folder; or `generate`.
  std::optional<GeneratorSpec> generate{};
  std::optional<Mesh> given_mesh{};  ///< For C++ and Python callers: a mesh in memory instead.
  double scale = 1.0;
  Vec3 rotate{};                   ///< Degrees, about the fixed x, then y, then z axis.
  Vec3 translate{};                ///< m.
  std::optional<Vec3> velocity{};  ///< m/s, world axes; at most one of velocity, velocities.
  PerItem<Vec3> velocities{};
  PerItem<Vec3> initial_positions{};  ///< m, world axes: the start, if not the rest positions.
  std::optional<double> mass{},
      total_mass{};  ///< kg; exactly one of mass, total_mass, masses, density (or the mesh's own).
  std::optional<double> density{};  ///< kg/m³: each element's mass split evenly over its vertices.
  PerItem<double> masses{};
  std::optional<double> charge{}, total_charge{};  ///< C; at most one of charge, total_charge, charges.
  PerItem<double> charges{};
  std::vector<SpringTable> springs{};
  std::vector<VertexGroup> groups{};
  std::vector<GroupCharge> group_charges{};
  std::vector<Pin> pins{};
  std::vector<Load> loads{};
  std::vector<Material> materials{};
  std::vector<ElementGroup> element_groups{};
  std::vector<Muscle> muscles{};
};

/// `[[external_charge]]`: fixed, key-framed, or the vertices of a mesh.
struct ExternalCharge {
  KeyFrames<double> charge{};  ///< C; for a mesh the total, split evenly over its vertices.
  KeyFrames<Vec3> position{};  ///< m; for a mesh, added to its coordinates.
  std::string mesh{};          ///< Empty: a single charge.
  double width = 0.0;          ///< σ, m; 0: point charge, > 0: Gaussian ball.
};

/// `[[electric_field]]`: three expressions in x, y, z, t (m, s), N/C.
struct ElectricField {
  std::array<std::string, 3> expression{};
  std::map<std::string, double> constants{};
};

/// `[[obstacle]]`: a rigid surface that pushes vertices out. A plane has a point and a normal, a sphere a
/// centre and a radius.
struct Obstacle {
  std::string name{};
  std::string shape{};                         ///< One of `obstacle_shapes` (obstacle.hpp).
  std::optional<Vec3> point{}, normal{};       ///< m; the normal points out and is not 0.
  std::optional<Vec3> centre{};                ///< m.
  std::optional<double> radius{};              ///< m, > 0.
  std::string law{};                           ///< One of `obstacle_laws`.
  double stiffness = 0.0;                      ///< N/m^(exponent - 1).
  double exponent = 3.0;                       ///< Exponent of the depth in the energy, ≥ 2.
  double friction = 0.0;                       ///< Coulomb's coefficient.
  std::optional<double> friction_stiffness{};  ///< N s/m, > 0; needed with friction.
};

/// The place of each key in the file: "body.0.springs.1.stiffness" → location. Empty for scenes made in C++.
using SourceMap = std::map<std::string, Location>;

struct Scene {
  std::string name{};
  TimeOptions time{};
  IntegratorOptions integrator{};
  std::optional<FieldOptions> coulomb{};  ///< Absent: no Coulomb force.
  std::optional<Vec3> gravity{};          ///< m/s².
  DampingOptions damping{};
  std::vector<Body> bodies{};
  std::vector<ExternalCharge> external_charges{};
  std::vector<ElectricField> electric_fields{};
  std::vector<Obstacle> obstacles{};
  OutputOptions output{};

  std::string folder = ".";              ///< The folder that relative paths start from.
  std::string text{};                    ///< The scene file's text, kept in the trajectory.
  std::vector<std::string> overrides{};  ///< The "KEY=VALUE" applied to it, in order; also kept.
  SourceMap source{};
};

}  // namespace electret
