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

}  // namespace electret
