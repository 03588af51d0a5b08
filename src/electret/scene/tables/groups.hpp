#pragma once
/// \file
/// `[[body.group]]`: named sets of vertices.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

struct SceneTable;

/// `[[body.group]]`: a named vertex set. Exactly one of box, indices, attribute.
struct VertexGroup {
  std::string name{};
  std::optional<std::array<Vec3, 2>> box{};  ///< World coordinates after placing, m; includes its bounds.
  std::vector<Index> indices{};              ///< Of the body.
  std::string attribute{};                   ///< A group or an attribute of the mesh (see `vertex_set`).
};

/// A `[[body.group]]`.
struct NamedGroup {
  std::size_t body = 0;  ///< The body's number.
  std::string name;
  std::vector<Index> vertices;  ///< Global indices, sorted.
};

/// The table itself.
SceneTable group_table();

}  // namespace electret
