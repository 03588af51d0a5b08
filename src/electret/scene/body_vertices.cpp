#include <algorithm>
#include <cmath>

#include <electret/geometry/volume.hpp>
#include <electret/scene/body_parts.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// The mesh's own numbers that are called `name`, or null.
const std::vector<double>* mesh_numbers(const BodyContext& context, const std::string& name) {
  const auto found = context.mesh.attributes.find(name);
  return found == context.mesh.attributes.end() ? nullptr : &found->second;
}

/// Adds a finding about the mesh's numbers: in the mesh's file if there is one.
void add_in_mesh(BodyContext& context, const std::string& message, const std::string& allowed) {
  if (context.mesh_file.empty())
    context.add("mesh", message, allowed);
  else
    context.report.add_at({context.mesh_file, 0, 0}, context.key + ".mesh", message, allowed);
}

template <class T>
std::vector<T> per_vertex(BodyContext& context, const PerItem<T>& given, const char* name,
                          std::vector<T> otherwise) {
  auto values = per_item(context, given, context.key + "." + name, "body", context.size(),
                         "vertices of body " + in_quotes(context.body.name));
  return values ? std::move(*values) : std::move(otherwise);
}

std::vector<double> masses_of_density(BodyContext& context, double density) {
  const std::size_t n = context.size();
  if (context.mesh.element_count() == 0) {
    context.add("density", "body " + in_quotes(context.body.name) + " has a density, but no volume elements",
                "allowed: mass, total_mass or masses, or a mesh of tetrahedra or hexahedra");
    return std::vector<double>(n, 1.0);
  }
  const std::vector<double> volumes = lumped_volumes(context.mesh);
  std::vector<double> masses(n);
  std::vector<std::size_t> without;
  for (std::size_t i = 0; i < n; ++i) {
    masses[i] = density * volumes[i];
    if (!(volumes[i] > 0.0)) without.push_back(i), masses[i] = 1.0;
  }
  const bool is_upright = !context.report.is_bad(context.key + ".elements");
  if (!without.empty() && is_upright)
    context.add("density",
                "of the vertices of body " + in_quotes(context.body.name) + " " +
                    counted(without.size(), "is", "are") + " in no element (the first: " +
                    std::to_string(without.front()) + "): density gives them no mass",
                "take them out of the mesh, or give mass, total_mass or masses");
  return masses;
}

}  // namespace

std::vector<double> vertex_masses(BodyContext& context) {
  const std::size_t n = context.size();
  const Body& body = context.body;
  if (body.mass) return std::vector<double>(n, *body.mass);
  if (body.total_mass) return std::vector<double>(n, *body.total_mass / static_cast<double>(n));
  if (body.density) return masses_of_density(context, *body.density);
  if (body.masses.given()) return per_vertex(context, body.masses, "masses", std::vector<double>(n, 1.0));
  if (const auto* own = mesh_numbers(context, "mass")) {
    const auto bad =
        std::find_if(own->begin(), own->end(), [](double m) { return !(m > 0.0 && std::isfinite(m)); });
    if (bad != own->end())
      add_in_mesh(
          context,
          "property \"mass\" of vertex " + std::to_string(bad - own->begin()) + " is " + number_text(*bad),
          "allowed: number > 0, in kg");
    return *own;
  }
  const auto is_bad = [&](const char* name) { return context.report.is_bad(context.key + "." + name); };
  if (!is_bad("mass") && !is_bad("total_mass") && !is_bad("masses") && !is_bad("density"))
    context.add("mass",
                "body " + in_quotes(body.name) +
                    " has no mass: neither \"mass\" nor \"total_mass\" nor \"masses\" nor \"density\" is "
                    "written in [[body]], nor has its mesh a property \"mass\"",
                "exactly one of mass, total_mass, masses, density is required");
  return std::vector<double>(n, 1.0);
}

std::vector<double> vertex_charges(BodyContext& context) {
  const std::size_t n = context.size();
  const Body& body = context.body;
  if (body.charge) return std::vector<double>(n, *body.charge);
  if (body.total_charge) return std::vector<double>(n, *body.total_charge / static_cast<double>(n));
  if (body.charges.given()) return per_vertex(context, body.charges, "charges", std::vector<double>(n, 0.0));
  if (const auto* own = mesh_numbers(context, "charge")) return *own;
  return std::vector<double>(n, 0.0);
}

VectorArray vertex_velocities(BodyContext& context) {
  const std::size_t n = context.size();
  const Body& body = context.body;
  if (body.velocity) return VectorArray(n, *body.velocity);
  if (body.velocities.given()) return per_vertex(context, body.velocities, "velocities", VectorArray(n));
  const auto* x = mesh_numbers(context, "vx");
  const auto* y = mesh_numbers(context, "vy");
  const auto* z = mesh_numbers(context, "vz");
  VectorArray velocities(n);
  if (x != nullptr && y != nullptr && z != nullptr)
    for (std::size_t i = 0; i < n; ++i) velocities[i] = {(*x)[i], (*y)[i], (*z)[i]};
  else if (x != nullptr || y != nullptr || z != nullptr)
    add_in_mesh(context, "the mesh has some of the properties \"vx\", \"vy\", \"vz\", but not all",
                "allowed: all three or none, or velocity or velocities in [[body]]");
  return velocities;
}

VectorArray vertex_positions(BodyContext& context) {
  if (!context.body.initial_positions.given()) return context.mesh.vertices;
  return per_vertex(context, context.body.initial_positions, "initial_positions", context.mesh.vertices);
}

}  // namespace electret
