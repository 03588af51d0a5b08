#pragma once
/// \file
/// `[[body]]`.

#include <optional>
#include <string>
#include <vector>

#include <electret/geometry/generators.hpp>
#include <electret/geometry/mesh.hpp>
#include <electret/scene/tables/contact.hpp>
#include <electret/scene/tables/element_groups.hpp>
#include <electret/scene/tables/group_charges.hpp>
#include <electret/scene/tables/groups.hpp>
#include <electret/scene/tables/loads.hpp>
#include <electret/scene/tables/materials.hpp>
#include <electret/scene/tables/muscles.hpp>
#include <electret/scene/tables/pins.hpp>
#include <electret/scene/tables/springs.hpp>

namespace electret {

struct SceneTable;

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
  std::vector<ContactVertices> contacts{};
  std::vector<Load> loads{};
  std::vector<Material> materials{};
  std::vector<ElementGroup> element_groups{};
  std::vector<Muscle> muscles{};
};

/// Its kinds of numbers.
namespace number {
extern const NumberKind rest_positions, initial_positions, initial_velocities, masses, charges;
}

/// The table itself.
SceneTable body_table();

}  // namespace electret
