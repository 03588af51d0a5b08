#include <algorithm>
#include <cmath>
#include <numeric>

#include <electret/core/direction.hpp>
#include <electret/geometry/repeated_elements.hpp>
#include <electret/geometry/volume.hpp>
#include <electret/scene/body_parts.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// An element whose flatness is below this counts as flat, because its shape is mere rounding.
constexpr double flat = 1e-12;

constexpr std::size_t most_reported = 10;

/// "tetrahedron 3": counted within its kind.
std::string name_of(const Mesh& mesh, std::size_t e) {
  const bool is_tetrahedron = e < mesh.tetrahedra.size();
  return (is_tetrahedron ? "tetrahedron " : "hexahedron ") +
         std::to_string(is_tetrahedron ? e : e - mesh.tetrahedra.size());
}

/// Adds a finding about one element, in the mesh's file if the line is known.
void report_element(BodyContext& context, std::size_t e, const std::string& wrong, const char* allowed) {
  const Mesh& mesh = context.mesh;
  const std::string message = name_of(mesh, e) + " of body " + in_quotes(context.body.name) + " " + wrong;
  const std::string key = context.key + ".elements";
  if (e < mesh.element_lines.size())
    context.report.add_at({context.mesh_file, mesh.element_lines[e], 1}, key, message, allowed);
  else if (!context.mesh_file.empty())
    context.report.add_at({context.mesh_file, 0, 0}, key, message, allowed);
  else
    context.report.add(context.scene.source, key, message, allowed);
}

void report_bad_element(BodyContext& context, std::size_t e, double flatness) {
  report_element(context, e, std::string("is ") + (flatness < -flat ? "inverted" : "flat") + " at rest",
                 "allowed: elements of positive volume, their vertices in Gmsh's order, at every quadrature "
                 "point");
}

/// An element that is written twice would weigh and resist twice.
void check_repeated_elements(BodyContext& context) {
  const Mesh& mesh = context.mesh;
  std::vector<RepeatedElement> all = repeated_elements(mesh.tetrahedra);
  for (const auto& [element, first] : repeated_elements(mesh.hexahedra))
    all.push_back({mesh.tetrahedra.size() + element, mesh.tetrahedra.size() + first});
  for (std::size_t k = 0; k < std::min(all.size(), most_reported); ++k) {
    const std::size_t first = all[k].first;
    std::string where;
    if (first < mesh.element_lines.size())
      where = " (line " + std::to_string(mesh.element_lines[first]) + ")";
    report_element(context, all[k].element, "has the vertices of " + name_of(mesh, first) + where,
                   "allowed: each element once");
  }
  if (all.size() > most_reported)
    context.add("elements", "and " + std::to_string(all.size() - most_reported) + " more elements like these",
                "");
}

}  // namespace

std::vector<double> vertex_volumes(BodyContext& context) {
  const Mesh& mesh = context.mesh;
  check_repeated_elements(context);
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

}  // namespace electret
