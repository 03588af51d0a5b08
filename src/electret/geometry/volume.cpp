#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <electret/geometry/volume.hpp>

namespace electret {
namespace {

constexpr int tetrahedron_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
constexpr int hexahedron_faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                        {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
constexpr int tetrahedron_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
constexpr int hexahedron_edges[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                         {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
/// The neighbours of each corner of a hexahedron, right-handed.
constexpr int hexahedron_corners[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                                          {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};
/// The corners of the cube (-1, 1)³ in Gmsh's order.
constexpr Vec3 cube[8] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                          {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

/// A face of an element: its different corners in order, and the same sorted for searching. A triangle's
/// fourth corner is -1. A quad with a repeated corner, as a wedge has it, is a triangle.
struct Face {
  std::array<Index, 4> corners{-1, -1, -1, -1};
  std::array<Index, 4> key{};
  std::size_t size = 0;
  Count number = 0;
};

/// Adds a face; none if it is collapsed to a line or a point.
template <std::size_t corners, class Element>
void add_face(std::vector<Face>& faces, const Element& element, const int (&local)[corners]) {
  Face face;
  for (const int corner : local) {
    const Index vertex = element[static_cast<std::size_t>(corner)];
    const auto end = face.corners.begin() + static_cast<std::ptrdiff_t>(face.size);
    if (std::find(face.corners.begin(), end, vertex) == end) face.corners[face.size++] = vertex;
  }
  if (face.size < 3) return;
  face.key = face.corners, face.number = static_cast<Count>(faces.size());
  std::sort(face.key.begin(), face.key.end());
  faces.push_back(face);
}

double determinant(const Vec3& a, const Vec3& b, const Vec3& c) {
  return dot(a, cross(b, c));
}

const Vec3& at(VectorView vertices, Index v) {
  return vertices[static_cast<std::size_t>(v)];
}

/// det ∂x/∂ξ at each Gauss point of a hexahedron.
std::array<double, 8> determinants(std::span<const Index> element, VectorView vertices) {
  static const std::array<Vec3, 8> points = gauss_points();
  std::array<double, 8> result{};
  for (std::size_t q = 0; q < 8; ++q) {
    const std::array<Vec3, 8> slopes = hexahedron_slopes(points[q]);
    Vec3 along[3];
    for (std::size_t a = 0; a < 8; ++a)
      for (int axis = 0; axis < 3; ++axis) along[axis] += slopes[a][axis] * at(vertices, element[a]);
    result[q] = determinant(along[0], along[1], along[2]);
  }
  return result;
}

double tetrahedron_determinant(std::span<const Index> t, VectorView x) {
  const Vec3& origin = at(x, t[0]);
  return determinant(at(x, t[1]) - origin, at(x, t[2]) - origin, at(x, t[3]) - origin);
}

template <class Visit>
void for_edges(std::span<const Index> element, Visit&& visit) {
  if (element.size() == 4)
    for (const auto& [a, b] : tetrahedron_edges)
      visit(element[static_cast<std::size_t>(a)], element[static_cast<std::size_t>(b)]);
  else
    for (const auto& [a, b] : hexahedron_edges)
      visit(element[static_cast<std::size_t>(a)], element[static_cast<std::size_t>(b)]);
}

double hexahedron_quality(std::span<const Index> element, VectorView vertices) {
  double worst = std::numeric_limits<double>::infinity();
  for (std::size_t corner = 0; corner < 8; ++corner) {
    Vec3 edges[3];
    double lengths = 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto other = static_cast<std::size_t>(hexahedron_corners[corner][k]);
      edges[k] = at(vertices, element[other]) - at(vertices, element[corner]);
      lengths *= norm(edges[k]);
    }
    worst = std::min(worst, lengths > 0.0 ? determinant(edges[0], edges[1], edges[2]) / lengths : 0.0);
  }
  return worst;
}

}  // namespace

Polygons boundary_of_elements(const Mesh& mesh) {
  std::vector<Face> faces;
  faces.reserve(4 * mesh.tetrahedra.size() + 6 * mesh.hexahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (const auto& local : tetrahedron_faces) add_face(faces, t, local);
  for (const Hexahedron& h : mesh.hexahedra)
    for (const auto& local : hexahedron_faces) add_face(faces, h, local);
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return a.key != b.key ? a.key < b.key : a.number < b.number;
  });
  std::vector<Face> alone;
  for (std::size_t first = 0, end = 0; first < faces.size(); first = end) {
    while (end < faces.size() && faces[end].key == faces[first].key) ++end;
    if (end - first == 1) alone.push_back(faces[first]);
  }
  std::sort(alone.begin(), alone.end(), [](const Face& a, const Face& b) { return a.number < b.number; });
  Polygons polygons;
  for (const Face& face : alone) polygons.add(std::span(face.corners).first(face.size));
  return polygons;
}

std::vector<Edge> volume_edges(const Mesh& mesh) {
  std::vector<Edge> edges;
  for (std::size_t e = 0; e < mesh.element_count(); ++e)
    for_edges(mesh.element(e), [&](Index a, Index b) {
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b)});
    });
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::array<Vec3, 8> gauss_points() {
  const double place = 1.0 / std::sqrt(3.0);
  std::array<Vec3, 8> points;
  for (std::size_t q = 0; q < 8; ++q)
    points[q] = {(q & 4) != 0 ? place : -place, (q & 2) != 0 ? place : -place, (q & 1) != 0 ? place : -place};
  return points;
}

std::array<double, 8> hexahedron_shapes(const Vec3& xi) {
  std::array<double, 8> shapes{};
  for (std::size_t a = 0; a < 8; ++a)
    shapes[a] = 0.125 * (1 + cube[a].x * xi.x) * (1 + cube[a].y * xi.y) * (1 + cube[a].z * xi.z);
  return shapes;
}

std::array<Vec3, 8> hexahedron_slopes(const Vec3& xi) {
  std::array<Vec3, 8> slopes;
  for (std::size_t a = 0; a < 8; ++a) {
    const Vec3 one{1 + cube[a].x * xi.x, 1 + cube[a].y * xi.y, 1 + cube[a].z * xi.z};
    slopes[a] = 0.125 * Vec3{cube[a].x * one.y * one.z, cube[a].y * one.z * one.x, cube[a].z * one.x * one.y};
  }
  return slopes;
}

double element_volume(const Mesh& mesh, VectorView vertices, std::size_t e) {
  const auto element = mesh.element(e);
  if (element.size() == 4) return tetrahedron_determinant(element, vertices) / 6.0;
  double volume = 0.0;
  for (const double d : determinants(element, vertices)) volume += d;
  return volume;
}

std::vector<double> lumped_volumes(const Mesh& mesh) {
  std::vector<double> volumes(mesh.vertices.size());
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const auto element = mesh.element(e);
    const double share = element_volume(mesh, mesh.vertices, e) / static_cast<double>(element.size());
    for (const Index vertex : element) volumes[static_cast<std::size_t>(vertex)] += share;
  }
  return volumes;
}

double element_flatness(const Mesh& mesh, VectorView vertices, std::size_t e) {
  const auto element = mesh.element(e);
  double longest = 0.0;
  for_edges(element,
            [&](Index a, Index b) { longest = std::max(longest, norm(at(vertices, b) - at(vertices, a))); });
  if (!(longest > 0.0)) return 0.0;
  const double cube_of_longest = longest * longest * longest;
  if (element.size() == 4) return tetrahedron_determinant(element, vertices) / cube_of_longest;
  const std::array<double, 8> all = determinants(element, vertices);
  return 8.0 * *std::min_element(all.begin(), all.end()) / cube_of_longest;
}

double element_quality(const Mesh& mesh, VectorView vertices, std::size_t e) {
  const auto element = mesh.element(e);
  if (element.size() == 8) return hexahedron_quality(element, vertices);
  double squares = 0.0;
  for_edges(element, [&](Index a, Index b) { squares += squared_norm(at(vertices, b) - at(vertices, a)); });
  const double half_determinant = tetrahedron_determinant(element, vertices) / 2.0;  // 3V
  if (!(squares > 0.0)) return 0.0;
  return std::copysign(12.0 * std::pow(std::abs(half_determinant), 2.0 / 3.0) / squares, half_determinant);
}

}  // namespace electret
