#pragma once
/// \file
/// A mesh of polygons or volume elements, read from a file or generated. A mesh may also consist of vertices
/// alone.

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// Polygons as one flat list of vertex indices. Polygon p is `indices[offsets[p]] … indices[offsets[p+1]-1]`.
struct Polygons {
  std::vector<Count> offsets{0};
  std::vector<Index> indices{};

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  [[nodiscard]] std::span<const Index> operator[](std::size_t p) const {
    return std::span(indices).subspan(static_cast<std::size_t>(offsets[p]),
                                      static_cast<std::size_t>(offsets[p + 1] - offsets[p]));
  }
  void add(std::span<const Index> polygon) {
    indices.insert(indices.end(), polygon.begin(), polygon.end());
    offsets.push_back(static_cast<Count>(indices.size()));
  }
};

/// Points that are tied to volume elements (embedding.hpp).
struct Embedding {
  std::vector<Index> elements{};                 ///< The element of each point, numbered as in the mesh.
  std::vector<std::array<double, 8>> weights{};  ///< Of the element's corners; a tetrahedron uses 4.
};

/// The surface that a solid was filled from, and how well the solid fits it.
struct FilledSurface {
  Polygons polygons{};
  Embedding embedding{};      ///< Ties the surface's vertices to the solid.
  bool is_closed = true;      ///< Whether it has no rim.
  double volume = 0.0;        ///< Enclosed volume, in the mesh's unit cubed; if closed.
  double volume_error = 0.0;  ///< (Solid's volume - surface's) / surface's; if closed.
  double outside = 0.0;       ///< Largest distance of the solid's boundary vertices from the surface.
  double inside = 0.0;        ///< Largest distance of the surface's vertices from the solid's boundary.
};

struct Mesh {
  VectorArray vertices{};     ///< n×3, in the file's order and unit; none merged or dropped.
  Polygons polygons{};        ///< Faces of 3 or more vertices.
  std::vector<Edge> lines{};  ///< Segments, such as OBJ's `l` and a chain's links.
  std::map<std::string, std::vector<Index>> groups{};  ///< Named vertex sets, sorted, no repeats.
  std::map<std::string, std::vector<double>>
      attributes{};  ///< n numbers per name, such as PLY properties other than x, y, z.

  /// Volume elements are numbered: first the tetrahedra, then the hexahedra, each kind in the file's order.
  /// If a mesh has any, its polygons are their boundary (volume.hpp).
  std::vector<Tetrahedron> tetrahedra{};
  std::vector<Hexahedron> hexahedra{};
  std::map<std::string, std::vector<Index>> element_groups{};  ///< Named element sets, sorted, no repeats.
  std::vector<Count> element_lines{};      ///< Each element's line in the file; empty if there is none.
  std::optional<FilledSurface> surface{};  ///< If the mesh was filled from one.

  [[nodiscard]] std::size_t element_count() const { return tetrahedra.size() + hexahedra.size(); }
  /// The vertices of element `e`, in its order.
  [[nodiscard]] std::span<const Index> element(std::size_t e) const {
    if (e < tetrahedra.size()) return tetrahedra[e];
    return hexahedra[e - tetrahedra.size()];
  }
};

/// The vertices called `name`, sorted: the group of that name, else the vertices whose attribute of that name
/// is not 0. Nothing if the mesh has neither.
std::optional<std::vector<Index>> vertex_set(const Mesh& mesh, std::string_view name);

/// The polygons cut into triangles. Each polygon becomes a fan from its first vertex.
std::vector<Triangle> triangulated(const Polygons& polygons);

}  // namespace electret
