#include <algorithm>
#include <cmath>
#include <numeric>

#include <electret/core/direction.hpp>
#include <electret/geometry/volume.hpp>
#include <electret/scene/body_parts.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// An element whose flatness is below this counts as flat, because its shape is mere rounding.
constexpr double flat = 1e-12;

Vec3 mean_vertex(const Mesh& mesh, std::size_t e) {
  Vec3 sum;
  for (const Index vertex : mesh.element(e)) sum += mesh.vertices[static_cast<std::size_t>(vertex)];
  return (1.0 / static_cast<double>(mesh.element(e).size())) * sum;
}

/// The body's element numbers as rows of the assembly.
ElementSet rows_of(const BodyContext& context, const std::vector<Index>& numbers) {
  const std::size_t tetrahedra = context.mesh.tetrahedra.size();
  ElementSet set;
  for (const Index number : numbers) {
    const auto e = static_cast<std::size_t>(number);
    if (e < tetrahedra)
      set.tetrahedra.push_back(static_cast<Index>(context.first_tetrahedron + e));
    else
      set.hexahedra.push_back(static_cast<Index>(context.first_hexahedron + e - tetrahedra));
  }
  return set;
}

std::vector<Index> by_box(const BodyContext& context, const std::array<Vec3, 2>& box) {
  std::vector<Index> members;
  for (std::size_t e = 0; e < context.mesh.element_count(); ++e)
    if (is_inside(mean_vertex(context.mesh, e), box)) members.push_back(static_cast<Index>(e));
  return members;
}

std::vector<Index> by_indices(BodyContext& context, const ElementGroup& group, const std::string& key) {
  std::vector<Index> members = group.indices;
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  const std::size_t count = context.mesh.element_count();
  if (members.front() >= 0 && static_cast<std::size_t>(members.back()) < count) return members;
  const Index bad = members.front() < 0 ? members.front() : members.back();
  context.report.add(context.scene.source, key + ".indices",
                     "element group " + in_quotes(group.name) + " names element " + std::to_string(bad) +
                         " of body " + in_quotes(context.body.name) + ", which has " + std::to_string(count),
                     "allowed: 0 … " + std::to_string(count - 1));
  return {};
}

std::vector<Index> by_attribute(BodyContext& context, const ElementGroup& group, const std::string& key) {
  const auto found = context.mesh.element_groups.find(group.attribute);
  if (found != context.mesh.element_groups.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, members] : context.mesh.element_groups) names.push_back(name);
  context.report.add(context.scene.source, key + ".attribute",
                     "the mesh of body " + in_quotes(context.body.name) + " has no physical group " +
                         in_quotes(group.attribute) + " of elements",
                     names.empty() ? "it has none at all" : suggestion(group.attribute, names));
  return {};
}

/// Whether the body has volume elements, as its `what` requires; if not, adds a finding at `key`.
bool has_elements(BodyContext& context, const std::string& key, const char* what, const char* allowed) {
  if (context.mesh.element_count() > 0) return true;
  context.report.add(context.scene.source, key,
                     "body " + in_quotes(context.body.name) + " has " + what + ", but no volume elements",
                     allowed);
  return false;
}

/// Adds a finding about one element that is inverted or flat, in the mesh's file if the line is known.
void report_bad_element(BodyContext& context, std::size_t e, double flatness) {
  const Mesh& mesh = context.mesh;
  const std::string message = std::string(e < mesh.tetrahedra.size() ? "tetrahedron " : "hexahedron ") +
                              std::to_string(e < mesh.tetrahedra.size() ? e : e - mesh.tetrahedra.size()) +
                              " of body " + in_quotes(context.body.name) + " is " +
                              (flatness < -flat ? "inverted" : "flat") + " at rest";
  const char* allowed =
      "allowed: elements of positive volume, their vertices in Gmsh's order, at every quadrature point";
  const std::string key = context.key + ".elements";
  if (e < mesh.element_lines.size())
    context.report.add_at({context.mesh_file, mesh.element_lines[e], 1}, key, message, allowed);
  else if (!context.mesh_file.empty())
    context.report.add_at({context.mesh_file, 0, 0}, key, message, allowed);
  else
    context.report.add(context.scene.source, key, message, allowed);
}

}  // namespace

std::vector<double> vertex_volumes(BodyContext& context) {
  const Mesh& mesh = context.mesh;
  constexpr std::size_t most_reported = 10;
  std::size_t bad = 0;
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const double flatness = element_flatness(mesh, mesh.vertices, e);
    if (flatness > flat) continue;
    if (++bad <= most_reported) report_bad_element(context, e, flatness);
  }
  if (bad > most_reported)
    context.add("elements", "and " + std::to_string(bad - most_reported) + " more elements like these", "");
  return lumped_volumes(mesh);
}

std::map<std::string, ElementSet> element_group_members(BodyContext& context) {
  std::map<std::string, ElementSet> result;
  for (std::size_t g = 0; g < context.body.element_groups.size(); ++g) {
    const ElementGroup& group = context.body.element_groups[g];
    const std::string key = context.key + ".element_group." + std::to_string(g);
    if (context.report.is_bad(key)) continue;
    if (!has_elements(context, key + ".name", "an element group",
                      "element groups are for meshes of tetrahedra or hexahedra"))
      continue;
    const std::vector<Index> members = group.box                ? by_box(context, *group.box)
                                       : !group.indices.empty() ? by_indices(context, group, key)
                                                                : by_attribute(context, group, key);
    if (members.empty() && !context.report.is_bad(key))
      context.report.add(context.scene.source, key + ".box",
                         "element group " + in_quotes(group.name) +
                             " is empty: the mean vertex of no element of body " +
                             in_quotes(context.body.name) + " is in its box",
                         "an element group needs at least one element; boxes are in world coordinates after "
                         "placing, in m");
    result[group.name] = rows_of(context, members);
  }
  return result;
}

namespace {

/// The elements of `group`; all elements if it is empty.
ElementSet elements_of(const BodyContext& context, const std::string& group,
                       const std::map<std::string, ElementSet>& groups) {
  if (const auto found = groups.find(group); found != groups.end()) return found->second;
  if (!group.empty()) return {};
  std::vector<Index> all(context.mesh.element_count());
  std::iota(all.begin(), all.end(), Index{0});
  return rows_of(context, all);
}

}  // namespace

std::optional<MaterialTrack> material_track(BodyContext& context, std::size_t number,
                                            const std::map<std::string, ElementSet>& groups) {
  const std::string key = context.key + ".material." + std::to_string(number);
  const Material& material = context.body.materials[number];
  if (context.report.is_bad(key)) return std::nullopt;
  if (!has_elements(context, key + ".model", "a material",
                    "materials are for meshes of tetrahedra or hexahedra; surfaces have springs"))
    return std::nullopt;
  MaterialTrack track;
  track.model = material.model;
  track.name = "body." + context.body.name;
  if (context.body.materials.size() > 1) track.name += ".material." + std::to_string(number);
  track.elements = elements_of(context, material.group, groups);
  track.youngs_modulus.assign(track.elements.size(), material.youngs_modulus);
  track.poissons_ratio.assign(track.elements.size(), material.poissons_ratio);
  return track;
}

std::optional<MuscleTrack> muscle_track(BodyContext& context, std::size_t number,
                                        const std::map<std::string, ElementSet>& groups) {
  const std::string key = context.key + ".muscle." + std::to_string(number);
  const Muscle& muscle = context.body.muscles[number];
  if (context.report.is_bad(key)) return std::nullopt;
  if (!has_elements(context, key + ".fibre", "a muscle", "muscles are for meshes of tetrahedra or hexahedra"))
    return std::nullopt;
  MuscleTrack track;
  track.name = "body." + context.body.name + ".muscle." + std::to_string(number);
  track.elements = elements_of(context, muscle.group, groups);
  track.fibre = direction_of(muscle.fibre);
  track.stiffness.assign(track.elements.size(), muscle.stiffness);
  track.keys = muscle.keys;
  if (muscle.activation) track.activations.assign(track.elements.size(), *muscle.activation);
  if (!muscle.activations.given()) return track;
  auto values = per_item(context, muscle.activations, key + ".activations", "body.muscle",
                         track.elements.size(), "elements of the muscle");
  if (!values) return std::nullopt;
  track.activations = std::move(*values);
  return track;
}

}  // namespace electret
