#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include <electret/core/stop_scope.hpp>
#include <electret/geometry/generators/surface/implicit.hpp>

namespace electret::surface {
namespace {

/// The corners of a grid: the function at them, and the cut edges between them.
class Grid {
 public:
  Grid(const ImplicitSurface& surface, double cell) : cell_(cell), low_(surface.box.low) {
    const Vec3 size = surface.box.high - surface.box.low;
    for (int axis = 0; axis < 3; ++axis)
      cells_[static_cast<std::size_t>(axis)] = static_cast<Count>(std::ceil(size[axis] / cell)) + 1;
    for (Count k = 0; k <= cells_[2]; ++k)
      for (Count j = 0; j <= cells_[1]; ++j) {
        throw_if_stopped();
        for (Count i = 0; i <= cells_[0]; ++i) values_.push_back(surface.distance(place(i, j, k)));
      }
  }

  Mesh cut() {
    for (Count k = 0; k < cells_[2]; ++k)
      for (Count j = 0; j < cells_[1]; ++j) {
        throw_if_stopped();
        for (Count i = 0; i < cells_[0]; ++i) cut_cell(i, j, k);
      }
    return std::move(mesh_);
  }

 private:
  [[nodiscard]] Vec3 place(Count i, Count j, Count k) const {
    return low_ + cell_ * Vec3{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
  }
  [[nodiscard]] Count at(Count i, Count j, Count k) const {
    return (k * (cells_[1] + 1) + j) * (cells_[0] + 1) + i;
  }
  [[nodiscard]] Vec3 place(Count corner) const {
    const Count i = corner % (cells_[0] + 1), rest = corner / (cells_[0] + 1);
    return place(i, rest % (cells_[1] + 1), rest / (cells_[1] + 1));
  }
  [[nodiscard]] double value(Count corner) const { return values_[static_cast<std::size_t>(corner)]; }

  // Six tetrahedra around the cell's diagonal: the paths from corner 000 to 111 along the axes in each order.
  // Neighbouring cells cut their common face in the same way, so the surface closes.
  void cut_cell(Count i, Count j, Count k) {
    static constexpr std::array<std::array<int, 3>, 6> orders = {
        {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};
    for (std::size_t o = 0; o < orders.size(); ++o) {
      std::array<Count, 3> corner = {i, j, k};
      std::array<Count, 4> tetrahedron{};
      tetrahedron[0] = at(i, j, k);
      for (std::size_t step = 0; step < 3; ++step) {
        ++corner[static_cast<std::size_t>(orders[o][step])];
        tetrahedron[step + 1] = at(corner[0], corner[1], corner[2]);
      }
      if (o >= 3) std::swap(tetrahedron[0], tetrahedron[1]);  // All of one handedness.
      cut_tetrahedron(tetrahedron);
    }
  }

  void cut_tetrahedron(const std::array<Count, 4>& t) {
    std::vector<std::size_t> inside, outside;
    for (std::size_t k = 0; k < 4; ++k) (value(t[k]) < 0.0 ? inside : outside).push_back(k);
    if (inside.empty() || outside.empty()) return;
    if (inside.size() == 2) {
      const Index a = cut_edge(t[inside[0]], t[outside[0]]), b = cut_edge(t[inside[0]], t[outside[1]]);
      const Index c = cut_edge(t[inside[1]], t[outside[1]]), d = cut_edge(t[inside[1]], t[outside[0]]);
      const bool even = is_even({inside[0], inside[1], outside[0], outside[1]});
      add(a, b, c, even);
      add(a, c, d, even);
      return;
    }
    const bool one_inside = inside.size() == 1;
    const std::size_t lone = one_inside ? inside[0] : outside[0];
    const auto& rest = one_inside ? outside : inside;
    add(cut_edge(t[lone], t[rest[0]]), cut_edge(t[lone], t[rest[1]]), cut_edge(t[lone], t[rest[2]]),
        is_even({lone, rest[0], rest[1], rest[2]}) == one_inside);
  }

  static bool is_even(std::array<std::size_t, 4> order) {
    bool even = true;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b)
        if (order[a] > order[b]) even = !even;
    return even;
  }

  void add(Index a, Index b, Index c, bool forward) {
    mesh_.polygons.add(forward ? std::array{a, b, c} : std::array{a, c, b});
  }

  // One end is inside (negative), the other not.
  Index cut_edge(Count a, Count b) {
    if (a > b) std::swap(a, b);
    const auto [found, is_new] = cuts_.try_emplace(a * static_cast<Count>(values_.size()) + b,
                                                   static_cast<Index>(mesh_.vertices.size()));
    if (is_new) {
      // Cuts are kept away from the corners, because the cuts of several edges near one corner would be too
      // close together.
      const double share = std::clamp(value(a) / (value(a) - value(b)), 0.1, 0.9);
      mesh_.vertices.push_back(place(a) + share * (place(b) - place(a)));
    }
    return found->second;
  }

  double cell_;
  Vec3 low_;
  std::array<Count, 3> cells_{};
  std::vector<double> values_;
  std::unordered_map<Count, Index> cuts_;  ///< By the edge's corners; only looked up, never iterated over.
  Mesh mesh_;
};

}  // namespace

Mesh marched(const ImplicitSurface& surface, double cell) {
  return Grid(surface, cell).cut();
}

}  // namespace electret::surface
