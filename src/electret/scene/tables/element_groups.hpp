#pragma once
/// \file
/// `[[body.element_group]]`: named sets of elements.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

struct SceneTable;

/// `[[body.element_group]]`: a named element set. Exactly one of box, indices, attribute.
struct ElementGroup {
  std::string name{};
  std::optional<std::array<Vec3, 2>> box{};  ///< Holds the means of elements' vertices; see `VertexGroup`.
  std::vector<Index> indices{};              ///< Element numbers, as in the body's Mesh.
  std::string attribute{};                   ///< An element group of the mesh.
};

/// A set of elements: rows of the assembly's tetrahedra and of its hexahedra, each in ascending order.
struct ElementSet {
  std::vector<Index> tetrahedra, hexahedra;
  [[nodiscard]] std::size_t size() const { return tetrahedra.size() + hexahedra.size(); }
};

/// A `[[body.element_group]]`.
struct NamedElementGroup {
  std::size_t body = 0;  ///< The body's number.
  std::string name;
  ElementSet elements;
};

/// The table itself.
SceneTable element_group_table();

}  // namespace electret
