#pragma once
/// Closed meshes with hollows, as OBJ files.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <electret/core/types.hpp>

namespace electret::test {

inline std::string obj_of(const VectorArray& vertices, const std::vector<std::vector<int>>& faces) {
  std::string text;
  for (const Vec3& x : vertices) text += fmt::format("v {} {} {}\n", x.x, x.y, x.z);
  for (const std::vector<int>& face : faces) {
    text += "f";
    for (const int v : face) text += fmt::format(" {}", v + 1);
    text += "\n";
  }
  return text;
}

/// A block with a groove of two planes of 45 degrees along x, which meet in the x-axis.
inline std::string groove_mesh() {
  VectorArray vertices;
  for (const double x : {-30.0, 30.0})
    for (const Vec3& at : {Vec3{0, -1, -0.5}, Vec3{0, 1, -0.5}, Vec3{0, 1, 1}, Vec3{0, 0, 0}, Vec3{0, -1, 1}})
      vertices.push_back({x, at.y, at.z});
  std::vector<std::vector<int>> faces{{0, 3, 1}, {1, 3, 2}, {0, 4, 3}, {5, 6, 8}, {6, 7, 8}, {5, 8, 9}};
  for (int k = 0; k < 5; ++k) faces.push_back({k, (k + 1) % 5, (k + 1) % 5 + 5, k + 5});
  return obj_of(vertices, faces);
}

/// Two roofs along y in one mesh, whose ridges are at x = ±`half` (m) in the height 0.
inline std::string two_roofs_mesh(double half) {
  VectorArray vertices;
  std::vector<std::vector<int>> faces;
  for (const double x : {-half, half}) {
    const int first = static_cast<int>(vertices.size());
    for (const double y : {-10.0, 10.0})
      for (const Vec3& at : {Vec3{-0.01, 0, -1}, Vec3{0.01, 0, -1}, Vec3{0, 0, 0}})
        vertices.push_back({x + at.x, y, at.z});
    for (const auto& face : {std::vector<int>{0, 1, 2}, {3, 5, 4}}) faces.push_back(face);
    for (int k = 0; k < 3; ++k) faces.push_back({k, k + 3, (k + 1) % 3 + 3, (k + 1) % 3});
    for (std::size_t f = faces.size() - 5; f < faces.size(); ++f)
      for (int& corner : faces[f]) corner += first;
  }
  return obj_of(vertices, faces);
}

/// A terrain of `cells`² squares of 0.15 m, two triangles each, with heights of 0 to 0.12 m and walls of 0.5
/// m more around them, on a block.
inline std::string terrain_mesh(int cells) {
  const int n = cells + 1;
  VectorArray vertices;
  std::uint32_t random = 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      random = 1664525U * random + 1013904223U;
      const bool is_border = i == 0 || j == 0 || i == cells || j == cells;
      vertices.push_back({0.15 * (i - 0.5 * cells), 0.15 * (j - 0.5 * cells),
                          0.12 * (random >> 8U) / 16777216.0 + (is_border ? 0.5 : 0.0)});
    }
  std::vector<std::vector<int>> faces;
  const auto add_squares = [&](int first, bool is_upwards) {
    for (int i = 0; i < cells; ++i)
      for (int j = 0; j < cells; ++j) {
        const int a = first + i * n + j, b = a + n, c = b + 1, d = a + 1;
        for (const auto& [p, q] : {std::pair{b, c}, std::pair{c, d}})
          faces.push_back(is_upwards ? std::vector<int>{a, p, q} : std::vector<int>{a, q, p});
      }
  };
  add_squares(0, true);
  const int below = n * n;
  for (int k = 0; k < below; ++k) {
    const Vec3 above = vertices[static_cast<std::size_t>(k)];
    vertices.push_back({above.x, above.y, -0.4});
  }
  add_squares(below, false);
  std::vector<int> border;
  for (int k = 0; k < cells; ++k) border.push_back(k * n);
  for (int k = 0; k < cells; ++k) border.push_back(cells * n + k);
  for (int k = cells; k > 0; --k) border.push_back(k * n + cells);
  for (int k = cells; k > 0; --k) border.push_back(k);
  for (std::size_t k = 0; k < border.size(); ++k) {
    const int a = border[k], b = border[(k + 1) % border.size()];
    faces.push_back({a + below, b + below, b, a});
  }
  return obj_of(vertices, faces);
}

/// A floor of 4 m in the height 0 on which a thin pyramid of 0.5 m stands.
inline std::string peak_mesh() {
  VectorArray vertices;
  for (const double z : {-1.0, 0.0})
    for (const Vec3& at : {Vec3{-2, -2, 0}, Vec3{2, -2, 0}, Vec3{2, 2, 0}, Vec3{-2, 2, 0}})
      vertices.push_back({at.x, at.y, z});
  for (const Vec3& at : {Vec3{-1, -1, 0}, Vec3{1, -1, 0}, Vec3{1, 1, 0}, Vec3{-1, 1, 0}})
    vertices.push_back({0.02 * at.x, 0.02 * at.y, 0.0});
  vertices.push_back({0, 0, 0.5});
  std::vector<std::vector<int>> faces{{0, 3, 2, 1}};
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    faces.push_back({k, next, next + 4, k + 4});
    faces.push_back({k + 4, next + 4, next + 8});
    faces.push_back({k + 4, next + 8, k + 8});
    faces.push_back({k + 8, next + 8, 12});
  }
  return obj_of(vertices, faces);
}

/// A cube of 2 m from which the eighth with x, y, z > 0 is cut out: three planes meet in a corner.
inline std::string notched_mesh() {
  const VectorArray vertices{{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1},
                             {1, -1, 1},   {-1, 1, 1},  {0, 0, 0},  {1, 0, 0},   {0, 1, 0},
                             {0, 0, 1},    {1, 1, 0},   {1, 0, 1},  {0, 1, 1}};
  const std::vector<std::vector<int>> faces{{0, 3, 2, 1},   {0, 1, 5, 4},  {0, 4, 6, 3},   {4, 5, 12, 10},
                                            {4, 10, 13, 6}, {1, 2, 11, 8}, {1, 8, 12, 5},  {3, 6, 13, 9},
                                            {3, 9, 11, 2},  {7, 8, 11, 9}, {7, 9, 13, 10}, {7, 10, 12, 8}};
  return obj_of(vertices, faces);
}

}  // namespace electret::test
