#pragma once
/// \file
/// A mesh of polygons or of volume elements as read from a file or generated; vertices alone are a mesh too.

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/types.hpp>

namespace electret {

/// Polygons as one flat list of vertex indices: polygon p is `indices[offsets[p]] … indices[offsets[p+1]-1]`.
struct Polygons {
  std::vector<Count> offsets{0};
  std::vector<Index> indices;

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

/// Points tied to volume elements (embedding.hpp).
struct Embedding {
  std::vector<Index> elements;                 ///< Of each point, numbered as in its mesh.
  std::vector<std::array<double, 8>> weights;  ///< Of that element's corners; a tetrahedron has the first 4.
};

/// The surface that a solid was filled from, and how well the solid fits it.
struct FilledSurface {
  Polygons polygons;
  Embedding embedding;        ///< Of its vertices.
  bool is_closed = true;      ///< Without a rim.
  double volume = 0.0;        ///< Enclosed, in the mesh's unit cubed; of a closed surface.
  double volume_error = 0.0;  ///< (Solid's volume - surface's) / surface's; of a closed surface.
  double outside = 0.0;       ///< Largest distance of the solid's boundary vertices from the surface.
  double inside = 0.0;        ///< Largest distance of the surface's vertices from the solid's boundary.
};

struct Mesh {
  VectorArray vertices;     ///< n×3, in the file's order and unit; none merged or dropped.
  Polygons polygons;        ///< Faces of 3 or more vertices.
  std::vector<Edge> lines;  ///< OBJ `l` segments, a chain's links.
  std::map<std::string, std::vector<Index>> groups;  ///< Named vertex sets, each sorted, without repeats.
  std::map<std::string, std::vector<double>>
      attributes;  ///< Per-vertex numbers (PLY properties other than x, y, z), n each.

  /// Volume elements are numbered tetrahedra first, each kind in the file's order. A mesh that has any has
  /// their boundary as its polygons (volume.hpp).
  std::vector<Tetrahedron> tetrahedra;
  std::vector<Hexahedron> hexahedra;
  std::map<std::string, std::vector<Index>> element_groups;  ///< Named element sets, sorted, no repeats.
  std::vector<Count> element_lines;      ///< The file's line of each element; empty where there are none.
  std::optional<FilledSurface> surface;  ///< Of solids made from one.

  [[nodiscard]] std::size_t element_count() const { return tetrahedra.size() + hexahedra.size(); }
  /// The vertices of element `e`, in its order.
  [[nodiscard]] std::span<const Index> element(std::size_t e) const {
    if (e < tetrahedra.size()) return tetrahedra[e];
    return hexahedra[e - tetrahedra.size()];
  }
};

/// The vertices called `name`: the group of that name, else those whose attribute of that name is not 0;
/// sorted. Nothing where the mesh has neither.
std::optional<std::vector<Index>> vertex_set(const Mesh& mesh, std::string_view name);

/// The polygons cut into triangles as fans from each polygon's first vertex.
std::vector<Triangle> triangulated(const Polygons& polygons);

}  // namespace electret
