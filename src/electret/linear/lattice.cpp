#include <algorithm>
#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/linear/detail/subscript.hpp>
#include <electret/linear/lattice.hpp>

namespace electret {
namespace {

using detail::at;

constexpr double largest_distance = 0.2;      ///< Of a vertex from its node, in steps.
constexpr double largest_emptiness = 2.0;     ///< Nodes a vertex.
constexpr double smallest_volume = 0.1;       ///< Of three axes, of the product of their lengths.
constexpr std::int32_t most_nodes = 1 << 20;  ///< Along an axis.

using Place = std::array<std::int32_t, 3>;

double determinant(const std::array<Vec3, 3>& axes) {
  return dot(axes[0], cross(axes[1], axes[2]));
}

/// The three shortest of an element's edges and diagonals that span space; all 0 where there are none.
std::array<Vec3, 3> axes_of(VectorView rest, std::span<const Index> element) {
  std::vector<Vec3> all;
  for (std::size_t a = 0; a < element.size(); ++a)
    for (std::size_t b = a + 1; b < element.size(); ++b)
      all.push_back(rest[at(element[b])] - rest[at(element[a])]);
  std::stable_sort(all.begin(), all.end(), [](const Vec3& a, const Vec3& b) {
    return squared_norm(a) < (1.0 - 1e-9) * squared_norm(b);
  });
  std::array<Vec3, 3> axes{};
  std::size_t count = 0;
  for (const Vec3& edge : all) {
    const double area = count == 1 ? norm(cross(axes[0], edge)) / (norm(axes[0]) * norm(edge)) : 1.0;
    const double volume = count == 2 ? std::abs(dot(edge, cross(axes[0], axes[1]))) /
                                           (norm(axes[0]) * norm(axes[1]) * norm(edge))
                                     : 1.0;
    if (!(norm(edge) > 0.0 && area > smallest_volume && volume > smallest_volume)) continue;
    axes[count++] = edge;
    if (count == 3) return axes;
  }
  return {};
}

/// Each vertex' steps along the axes, from 0 on; nothing where one is too far from its node.
std::optional<std::vector<Place>> places_of(VectorView rest, const std::array<Vec3, 3>& axes) {
  const double volume = determinant(axes);
  const std::array<Vec3, 3> dual = {(1.0 / volume) * cross(axes[1], axes[2]),
                                    (1.0 / volume) * cross(axes[2], axes[0]),
                                    (1.0 / volume) * cross(axes[0], axes[1])};
  std::vector<Place> places;
  Place lowest{};
  for (const Vec3& x : rest) {
    Place& place = places.emplace_back();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double steps = dot(dual[axis], x - rest[0]), whole = std::round(steps);
      if (!(std::abs(steps - whole) <= largest_distance && std::abs(whole) < most_nodes)) return {};
      place[axis] = static_cast<std::int32_t>(whole);
      lowest[axis] = std::min(lowest[axis], place[axis]);
    }
  }
  for (Place& place : places)
    for (std::size_t axis = 0; axis < 3; ++axis) place[axis] -= lowest[axis];
  return places;
}

/// Which axis becomes z, y and x: lines along z are the best cut into eights, planes across x the smallest.
std::array<std::size_t, 3> order_of(const Place& nodes) {
  std::array<std::size_t, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return nodes[a] > nodes[b]; });
  const auto in_eights = [&](std::size_t axis) {
    const int cells = nodes[axis] - 1;
    const int cut = cells / 8 * 8;
    return cells > 0 ? static_cast<double>(cut) / cells : 0.0;
  };
  // The middle one is z, unless another is cut better.
  std::swap(order[1], order[2]);
  for (const std::size_t other : {1U, 0U})
    if (in_eights(order[other]) > in_eights(order[2])) std::swap(order[other], order[2]);
  return order;
}

bool are_neighbours(const LatticeShape& shape, Index a, Index b) {
  const int code = shape.code(a, b);
  return code >= -13 && code <= 13 && a + shape.offset(code) == b;
}

}  // namespace

std::vector<Index> LatticeShape::numbers() const {
  std::vector<Index> result;
  for (Index x = 0; x < nodes_[0]; ++x)
    for (Index y = 0; y < nodes_[1]; ++y)
      for (Index z = 0; z < nodes_[2]; ++z) result.push_back(x * stride(0) + y * stride(1) + z);
  return result;
}

LatticeShape LatticeShape::coarser() const {
  LatticeShape result = *this;
  for (Index& count : result.nodes_)
    if (count > 2) count = count / 2 + 1;
  return result;
}

Index LatticeShape::offset(int code) const {
  const int all = code + 13;
  return (all / 9 - 1) * stride(0) + (all / 3 % 3 - 1) * stride(1) + (all % 3 - 1);
}

int LatticeShape::code(Index from, Index to) const {
  const auto steps = [](Index way, Index stride) {
    return way > stride / 2 ? (way + stride / 2) / stride : -((stride / 2 - way) / stride);
  };
  Index way = to - from;
  const Index dx = steps(way, stride(0));
  way -= dx * stride(0);
  const Index dy = steps(way, stride(1));
  return 9 * dx + 3 * dy + (way - dy * stride(1));
}

std::optional<Lattice> find_lattice(VectorView rest, std::span<const ElementList> lists) {
  if (lists.empty() || rest.empty()) return {};
  const auto corners = static_cast<std::size_t>(lists[0].vertices_per_element);
  if (lists[0].connectivity.size() < corners) return {};
  const std::array<Vec3, 3> axes = axes_of(rest, lists[0].connectivity.first(corners));
  if (determinant(axes) == 0.0) return {};
  const auto places = places_of(rest, axes);
  if (!places) return {};

  Place nodes{};
  for (const Place& place : *places)
    for (std::size_t axis = 0; axis < 3; ++axis) nodes[axis] = std::max(nodes[axis], place[axis] + 1);
  const double all = static_cast<double>(nodes[0]) * nodes[1] * nodes[2];
  if (all > largest_emptiness * static_cast<double>(rest.size())) return {};
  const std::array<std::size_t, 3> order = order_of(nodes);
  Lattice lattice;
  lattice.shape = LatticeShape({nodes[order[0]], nodes[order[1]], nodes[order[2]]});
  const LatticeShape& shape = lattice.shape;
  std::vector<char> taken(static_cast<std::size_t>(shape.size()), 0);
  for (const Place& place : *places) {
    Index number = 0;
    for (int axis = 0; axis < 3; ++axis)
      number += place[order[static_cast<std::size_t>(axis)]] * shape.stride(axis);
    if (taken[at(number)] != 0) return {};
    taken[at(number)] = 1;
    lattice.numbers.push_back(number);
  }
  for (const ElementList& list : lists) {
    const auto count = static_cast<std::size_t>(list.vertices_per_element);
    for (std::size_t first = 0; first < list.connectivity.size(); first += count)
      for (std::size_t a = first; a < first + count; ++a)
        for (std::size_t b = a + 1; b < first + count; ++b)
          if (!are_neighbours(shape, lattice.numbers[at(list.connectivity[a])],
                              lattice.numbers[at(list.connectivity[b])]))
            return {};
  }
  return lattice;
}

}  // namespace electret
