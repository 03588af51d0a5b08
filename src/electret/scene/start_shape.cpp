#include <set>

#include <electret/geometry/volume.hpp>
#include <electret/scene/body_parts.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// The model whose energy is infinite for an inverted element (elastic/material.hpp), so that a run could not
/// begin.
constexpr std::string_view without_inversion = "neo_hookean";

/// The elements of the body that have this model, as the mesh numbers them.
std::set<std::size_t> elements_of(const BodyContext& context, const std::vector<MaterialTrack>& materials,
                                  std::size_t number) {
  std::set<std::size_t> elements;
  for (const MaterialTrack& track : materials) {
    if (track.body != number || track.model != without_inversion) continue;
    for (const Index row : track.elements.tetrahedra)
      elements.insert(static_cast<std::size_t>(row) - context.first_tetrahedron);
    for (const Index row : track.elements.hexahedra)
      elements.insert(context.mesh.tetrahedra.size() + static_cast<std::size_t>(row) -
                      context.first_hexahedron);
  }
  return elements;
}

}  // namespace

void check_start_shape(BodyContext& context, VectorView start, const std::vector<MaterialTrack>& materials,
                       std::size_t number) {
  if (!context.body.initial_positions.given() || start.size() != context.size()) return;
  const std::set<std::size_t> elements = elements_of(context, materials, number);
  std::vector<std::size_t> inverted;
  for (const std::size_t e : elements)
    if (!(element_flatness(context.mesh, start, e) > 0.0)) inverted.push_back(e);
  if (inverted.empty()) return;
  context.add(
      "initial_positions",
      std::to_string(inverted.size()) + " of the " + std::to_string(elements.size()) + " elements of " +
          std::string(without_inversion) + " in body " + in_quotes(context.body.name) +
          " start inverted or flat, where that material has no energy; the first is element " +
          std::to_string(inverted.front()),
      "allowed: positions that leave every element its orientation, or model = \"stable_neo_hookean\"");
}

}  // namespace electret
