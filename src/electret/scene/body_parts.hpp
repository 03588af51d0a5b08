#pragma once
/// \file
/// The parts of assembling one body, each in a file of its own.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <electret/geometry/mesh.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/report.hpp>

namespace electret {

/// One body on its way into the assembly.
struct BodyContext {
  const Scene& scene;
  const Body& body;
  std::string key;  ///< "body.0".
  const FileReader& read_file;
  Report& report;

  Mesh mesh;              ///< Vertices as placed.
  std::string mesh_file;  ///< The mesh's path; empty for a generated or given one.
  std::size_t first_tetrahedron = 0, first_hexahedron = 0;  ///< Their rows in the assembly.

  [[nodiscard]] std::size_t size() const { return mesh.vertices.size(); }
  void add(const std::string& name, std::string message, std::string allowed) {
    report.add(scene.source, key + "." + name, std::move(message), std::move(allowed));
  }
};

/// `file` as seen from the scene's folder.
std::string path_of(const Scene& scene, const std::string& file);

/// The mesh in `file`, named by `key`; nothing with findings.
std::optional<Mesh> load_mesh(const Scene& scene, const std::string& file, const std::string& key,
                              const FileReader& read_file, Report& report);

/// Numbers one by one, inline or of a CSV file, `wanted` of them; nothing with findings. `key` names them
/// ("body.0.masses"), `table` is their schema's, `items` what they belong to ("vertices of body "a"").
std::optional<std::vector<double>> per_item(BodyContext& context, const PerItem<double>& given,
                                            const std::string& key, const char* table, std::size_t wanted,
                                            const std::string& items);
std::optional<std::vector<Vec3>> per_item(BodyContext& context, const PerItem<Vec3>& given,
                                          const std::string& key, const char* table, std::size_t wanted,
                                          const std::string& items);

/// n masses, charges, velocities, initial positions of the body: its keys, else the mesh's own, else the
/// defaults.
std::vector<double> vertex_masses(BodyContext& context);
std::vector<double> vertex_charges(BodyContext& context);
VectorArray vertex_velocities(BodyContext& context);
VectorArray vertex_positions(BodyContext& context);

/// Whether x lies in the box from its lower corner to its upper one, sides included.
bool is_inside(const Vec3& x, const std::array<Vec3, 2>& box);

/// The members of each named group, sorted local indices. A group at fault has none.
std::map<std::string, std::vector<Index>> group_members(BodyContext& context);

/// n volumes, m³: the elements' split evenly over their vertices; 0 where a vertex has none. Elements that
/// are inverted or flat at rest are findings.
std::vector<double> vertex_volumes(BodyContext& context);

/// The members of each named element group. A group at fault has none.
std::map<std::string, ElementSet> element_group_members(BodyContext& context);

/// The body's material `number`; nothing with findings.
std::optional<MaterialTrack> material_track(BodyContext& context, std::size_t number,
                                            const std::map<std::string, ElementSet>& groups);

/// The body's muscle `number`; nothing with findings.
std::optional<MuscleTrack> muscle_track(BodyContext& context, std::size_t number,
                                        const std::map<std::string, ElementSet>& groups);

/// The springs of the body's table `number`, local indices, in the contract's order.
std::vector<Spring> table_springs(BodyContext& context, std::size_t number);

/// Charged vertices at one point and vertices on point charges, at time 0.
void check_coincidences(const Assembly& assembly, Report& report);

/// Masses so small, or springs so stiff, that an implicit step cannot be computed in float64.
void check_resolution(const Assembly& assembly, Report& report);

}  // namespace electret
