#pragma once
/// \file
/// The steps that assemble one body. Each has a file of its own.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <electret/geometry/mesh.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/report.hpp>

namespace electret {

/// One body that is being assembled.
struct BodyContext {
  const Scene& scene;
  const Body& body;
  std::string key;  ///< "body.0".
  const FileReader& read_file;
  Report& report;
  std::size_t number = 0;  ///< The body's.

  Index first = 0;          ///< The body's first vertex in the assembly.
  Mesh mesh{};              ///< Vertices as placed.
  std::string mesh_file{};  ///< The mesh's path; empty for a generated or given one.
  std::size_t first_tetrahedron = 0, first_hexahedron = 0;  ///< Their rows in the assembly.

  /// The members of named groups: sorted local vertices, and elements as rows of the assembly. A group at
  /// fault has none.
  std::map<std::string, std::vector<Index>> groups{};
  std::map<std::string, ElementSet> element_groups{};

  [[nodiscard]] std::size_t size() const { return mesh.vertices.size(); }
  /// What tracks are called: "body.NAME.load.1" from the key "body.0.load.1".
  [[nodiscard]] std::string name_of(const std::string& item_key) const {
    return "body." + body.name + item_key.substr(key.size());
  }
  /// The members of a group of vertices, as global indices.
  [[nodiscard]] std::vector<Index> members(const std::string& group) const;
  void add(const std::string& name, std::string message, std::string allowed) {
    report.add(scene.source, key + "." + name, std::move(message), std::move(allowed));
  }
};

/// What tables add to.
struct Assembling {
  Assembly& result;
  const FileReader& read_file;
  Report& report;
  BodyContext* body = nullptr;  ///< The body whose tables add, if the scene's own do not.
};

/// The path of `file`, which is relative to the scene's folder.
std::string path_of(const Scene& scene, const std::string& file);

/// The mesh in `file`, which the scene names at `key`; nothing if there are findings.
std::optional<Mesh> load_mesh(const Scene& scene, const std::string& file, const std::string& key,
                              const FileReader& read_file, Report& report);

/// The mesh that the body was given in memory; nothing if there are findings, which name each array at fault.
std::optional<Mesh> given_mesh(BodyContext& context);

/// The `wanted` numbers that `given` holds inline or in a CSV file; nothing if there are findings. `key` is
/// their key ("body.0.masses"), `table` their schema's table, and `items` says what they belong to ("vertices
/// of body "a"").
template <class T>
std::optional<std::vector<T>> per_item(BodyContext& context, const PerItem<T>& given, const std::string& key,
                                       const char* table, std::size_t wanted, const std::string& items);

/// The n masses, charges, velocities and initial positions of the body. They come from its keys, else from
/// its mesh, else from the defaults.
std::vector<double> vertex_masses(BodyContext& context);
std::vector<double> vertex_charges(BodyContext& context);
VectorArray vertex_velocities(BodyContext& context);
VectorArray vertex_positions(BodyContext& context);

/// Whether x lies in the box that its lower and upper corners span; its sides belong to it.
bool is_inside(const Vec3& x, const std::array<Vec3, 2>& box);

/// `members`, sorted and each once. None, and a finding that begins with `names`, if one of them is not below
/// `count`.
std::vector<Index> written_members(BodyContext& context, std::vector<Index> members, std::size_t count,
                                   const std::string& names, const std::string& key);

/// The members of each named group, as sorted local indices. A group at fault has none.
std::map<std::string, std::vector<Index>> group_members(BodyContext& context);

/// n volumes, m³: each element's volume split evenly over its vertices; 0 for a vertex without elements.
/// Elements that are inverted or flat at rest are findings.
std::vector<double> vertex_volumes(BodyContext& context);

/// The members of each named element group. A group at fault has none.
std::map<std::string, ElementSet> element_group_members(BodyContext& context);

/// The elements of `group`; all elements if it is empty.
ElementSet elements_of(const BodyContext& context, const std::string& group);

/// Whether the body has volume elements, as its `what` requires; if not, adds a finding at `key`.
bool has_elements(BodyContext& context, const std::string& key, const char* what, const char* allowed);

/// Finds elements of body `number` that start inverted or flat at `start` (n×3, m), although their material
/// has no energy there.
void check_start_shape(BodyContext& context, VectorView start, const std::vector<MaterialTrack>& materials,
                       std::size_t number);

/// Finds charged vertices that coincide, and vertices on point charges, at time 0.
void check_coincidences(const Assembly& assembly, Report& report);

/// Finds bodies that start inside exact obstacles, obstacles that are too fast for the thickness, and pins
/// that are swept into obstacles.
void check_contact(const Assembly& assembly, Report& report);

/// Finds bodies that may touch each other or themselves and that start within each other or too near, and a
/// thickness that is too large for their surfaces.
void check_body_contact(const Assembly& assembly, Report& report);

/// Finds masses so small, or springs so stiff, that an implicit step cannot be computed in float64.
void check_resolution(const Assembly& assembly, Report& report);

}  // namespace electret
