#include "plant_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "numpy_random.hpp"

namespace electret::experiments {
namespace {

using Cell = std::array<int, 3>;

constexpr double stem_radius = 0.045, stem_height = 0.55;  // m
constexpr int leaves = 6;

/// A leaf's middle line runs outwards from the stem, up and down again.
struct Leaf {
  double azimuth, base, length, rise, width;  // rad, m
  /// m, over the distance from the axis, ρ.
  [[nodiscard]] double height(double distance) const {
    const double t = distance / length;
    return base + rise * (2.6 * t - 2.1 * t * t);
  }
  [[nodiscard]] double half_width(double distance) const {
    const double t = std::clamp(distance / length, 0.0, 1.0);
    return 0.5 * width * std::pow(std::sin(std::numbers::pi * (0.12 + 0.86 * t)), 0.7);
  }
};

int floor_of(double number) {
  return static_cast<int>(std::floor(number));
}

class Plant {
 public:
  Plant(double cell, unsigned seed) : cell_(cell), random_(seed) {}

  std::set<Cell> cells() {
    add_stem();
    for (int k = 0; k < leaves; ++k) {
      const double up = static_cast<double>(k) / (leaves - 1);
      add_leaf({.azimuth = 2.0 * std::numbers::pi * (k * 0.382 + random_.uniform(-0.03, 0.03)),
                .base = 0.16 + 0.36 * up + random_.uniform(-0.02, 0.02),
                .length = 0.46 - 0.12 * up + random_.uniform(-0.03, 0.03),
                .rise = 0.22 + 0.08 * up + random_.uniform(-0.02, 0.02),
                .width = 0.13 + random_.uniform(-0.01, 0.01)});
    }
    return joined();
  }

 private:
  [[nodiscard]] double middle(int index) const { return (index + 0.5) * cell_; }

  void add_stem() {
    const int reach = floor_of(stem_radius / cell_) + 1;
    for (int i = -reach; i < reach; ++i)
      for (int j = -reach; j < reach; ++j) {
        const double distance = std::hypot(middle(i), middle(j));
        if (distance > stem_radius || distance < stem_radius - 1.5 * cell_) continue;
        for (int k = 0; middle(k) < stem_height; ++k) cells_.insert({i, j, k});
      }
  }

  /// Column by column; a steep one reaches up to its neighbours, so that they share faces.
  void add_leaf(const Leaf& leaf) {
    const double c = std::cos(leaf.azimuth), s = std::sin(leaf.azimuth);
    const int reach = floor_of((leaf.length + leaf.width) / cell_) + 1;
    for (int i = -reach; i < reach; ++i)
      for (int j = -reach; j < reach; ++j) {
        const double along = c * middle(i) + s * middle(j), across = -s * middle(i) + c * middle(j);
        if (along < stem_radius - cell_ || along > leaf.length || std::abs(across) > leaf.half_width(along))
          continue;
        const double inner = leaf.height(along - 0.5 * cell_), outer = leaf.height(along + 0.5 * cell_);
        for (int k = floor_of(std::min(inner, outer) / cell_); k <= floor_of(std::max(inner, outer) / cell_);
             ++k)
          if (k >= 0) cells_.insert({i, j, k});
      }
  }

  /// Those that hang together with the stem's foot.
  [[nodiscard]] std::set<Cell> joined() const {
    std::set<Cell> found;
    std::vector<Cell> waiting;
    const auto reach = [&](const Cell& cell) {
      if (cells_.contains(cell) && found.insert(cell).second) waiting.push_back(cell);
    };
    for (const Cell& cell : cells_)
      if (cell[2] == 0 && std::hypot(middle(cell[0]), middle(cell[1])) < stem_radius) reach(cell);
    while (!waiting.empty()) {
      const Cell cell = waiting.back();
      waiting.pop_back();
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (const int step : {-1, 1}) {
          Cell neighbour = cell;
          neighbour[axis] += step;
          reach(neighbour);
        }
    }
    return found;
  }

  double cell_;
  NumpyRandom random_;
  std::set<Cell> cells_;
};

}  // namespace

Mesh plant_mesh(double cell, unsigned seed) {
  constexpr std::array<Cell, 8> corners{
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
  Mesh mesh;
  std::map<Cell, Index> numbers;
  for (const Cell& at : Plant(cell, seed).cells()) {
    Hexahedron hexahedron{};
    for (std::size_t a = 0; a < corners.size(); ++a) {
      const Cell corner{at[0] + corners[a][0], at[1] + corners[a][1], at[2] + corners[a][2]};
      const auto [place, is_new] = numbers.try_emplace(corner, static_cast<Index>(numbers.size()));
      if (is_new) mesh.vertices.push_back({corner[0] * cell, corner[1] * cell, corner[2] * cell});
      hexahedron[a] = place->second;
    }
    mesh.hexahedra.push_back(hexahedron);
  }
  return mesh;
}

std::string medit_text(const Mesh& mesh) {
  std::string text = fmt::format("MeshVersionFormatted 2\nDimension 3\nVertices {}\n", mesh.vertices.size());
  for (const Vec3& x : mesh.vertices) fmt::format_to(std::back_inserter(text), "{} {} {} 0\n", x.x, x.y, x.z);
  text += fmt::format("Hexahedra {}\n", mesh.hexahedra.size());
  for (const Hexahedron& cell : mesh.hexahedra) {
    for (const Index vertex : cell) fmt::format_to(std::back_inserter(text), "{} ", vertex + 1);
    text += "0\n";
  }
  return text + "End\n";
}

}  // namespace electret::experiments
