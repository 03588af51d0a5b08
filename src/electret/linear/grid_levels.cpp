#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <electret/core/errors.hpp>
#include <electret/linear/detail/subscript.hpp>
#include <electret/linear/grid_levels.hpp>

namespace electret {
namespace {

using detail::at;

/// The first cell in edge lengths is the first of these whose matrix is small enough.
constexpr double cell_edges[] = {2.5, 3.0, 4.0, 5.0, 6.0, 8.0};
constexpr double largest_share_of_blocks = 0.25;
/// A coarse level is left out if it has more than this fraction of the finer level's nodes.
constexpr double largest_share_of_nodes = 0.7;
/// Weights below this count as 0, so that a point on a cell's face belongs to the face.
constexpr double smallest_weight = 1e-6;
constexpr Count most_cells = 1 << 20;  ///< Along an axis.

/// A node's place in its body's grid.
struct Node {
  Index body = 0;
  std::array<std::int32_t, 3> step{};
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a pointer in what is compared with.
  friend auto operator<=>(const Node&, const Node&) = default;
};

/// The two grid lines beside a point along one axis, and their weights; one line if the other has weight 0.
struct Lines {
  int count = 1;
  std::int32_t step[2] = {0, 0};
  double weight[2] = {1.0, 0.0};
};

Lines lines_beside(double place, Count cells) {
  Lines lines;
  if (cells == 0) return lines;
  const double t = std::clamp(place, 0.0, 1.0) * static_cast<double>(cells);
  const double cell = std::min(std::floor(t), static_cast<double>(cells - 1));
  const double share = t - cell;
  lines.step[0] = static_cast<std::int32_t>(cell);
  if (share <= smallest_weight) return lines;
  if (share >= 1.0 - smallest_weight) {
    ++lines.step[0];
    return lines;
  }
  lines.count = 2;
  lines.step[1] = lines.step[0] + 1;
  lines.weight[0] = 1.0 - share;
  lines.weight[1] = share;
  return lines;
}

/// Calls visit(node, weight) for each node around a point.
template <class Visit>
void for_nodes(const GridPoints& points, Index point, std::span<const GridCells> cells, Visit&& visit) {
  const Index body = points.bodies[at(point)];
  if (body < 0) return;
  const Vec3& place = points.places[at(point)];
  Lines lines[3];
  for (int axis = 0; axis < 3; ++axis)
    lines[axis] = lines_beside(place[axis], cells[at(body)][static_cast<std::size_t>(axis)]);
  for (int i = 0; i < lines[0].count; ++i)
    for (int j = 0; j < lines[1].count; ++j)
      for (int k = 0; k < lines[2].count; ++k)
        visit(Node{body, {lines[0].step[i], lines[1].step[j], lines[2].step[k]}},
              lines[0].weight[i] * lines[1].weight[j] * lines[2].weight[k]);
}

/// The boxes of bodies, within which points of level 0 are placed.
struct Box {
  Vec3 low, size;
  double edge = 0.0;  ///< The mean over the body's vertices of the shortest edge; 0: no edges.
};

bool has_neighbours(const BlockPattern& pattern, Index vertex) {
  return pattern.offsets()[at(vertex) + 1] - pattern.offsets()[at(vertex)] > 1;
}

/// The distance to the nearest neighbour at another place; infinite if there is none.
double shortest_edge(const BlockPattern& pattern, VectorView rest, Index vertex) {
  double shortest = std::numeric_limits<double>::infinity();
  for (Count k = pattern.offsets()[at(vertex)]; k < pattern.offsets()[at(vertex) + 1]; ++k) {
    const Index other = pattern.columns()[static_cast<std::size_t>(k)];
    const double length = norm(rest[at(other)] - rest[at(vertex)]);
    if (length > 0.0) shortest = std::min(shortest, length);
  }
  return shortest;
}

Box box_of(const BlockPattern& pattern, VectorView rest, std::span<const Index> vertices) {
  Box box;
  if (vertices.empty()) return box;
  Vec3 high = box.low = rest[at(vertices.front())];
  double sum = 0.0;
  Count edges = 0;
  for (const Index v : vertices) {
    for (int axis = 0; axis < 3; ++axis) {
      box.low[axis] = std::min(box.low[axis], rest[at(v)][axis]);
      high[axis] = std::max(high[axis], rest[at(v)][axis]);
    }
    const double edge = shortest_edge(pattern, rest, v);
    if (std::isfinite(edge)) sum += edge, ++edges;
  }
  box.size = high - box.low;
  if (edges > 0) box.edge = sum / static_cast<double>(edges);
  return box;
}

/// The numbers of whole cells along each axis, so that nodes lie on the box; 0 along an axis on which the
/// body is flat to a thousandth of an edge.
GridCells cells_of(const Box& box, double edges) {
  GridCells cells{};
  for (int axis = 0; axis < 3; ++axis) {
    const double size = box.size[axis];
    if (!(size > 1e-3 * box.edge)) continue;
    const double count = box.edge > 0.0 ? std::round(size / (edges * box.edge)) : 1.0;
    cells[static_cast<std::size_t>(axis)] =
        static_cast<Count>(std::clamp(count, 1.0, static_cast<double>(most_cells)));
  }
  return cells;
}

GridCells doubled(GridCells cells) {
  for (Count& count : cells) count = (count + 1) / 2;
  return cells;
}

/// The vertices that take part, in unit coordinates, and their bodies' boxes.
std::pair<GridPoints, std::vector<Box>> place_vertices(const BlockPattern& pattern, VectorView rest,
                                                       std::span<const Index> body_offsets,
                                                       std::span<const char> held) {
  GridPoints points{VectorArray(rest.size()), std::vector<Index>(rest.size(), -1)};
  std::vector<Box> boxes;
  std::vector<Index> vertices;
  for (std::size_t body = 0; body + 1 < body_offsets.size(); ++body) {
    vertices.clear();
    for (Index v = body_offsets[body]; v < body_offsets[body + 1]; ++v)
      if (has_neighbours(pattern, v) && (held.empty() || !held[at(v)])) vertices.push_back(v);
    const Box box = box_of(pattern, rest, vertices);
    for (const Index v : vertices) {
      points.bodies[at(v)] = static_cast<Index>(body);
      for (int axis = 0; axis < 3; ++axis)
        if (box.size[axis] > 0.0)
          points.places[at(v)][axis] = (rest[at(v)][axis] - box.low[axis]) / box.size[axis];
    }
    boxes.push_back(box);
  }
  return {std::move(points), std::move(boxes)};
}

}  // namespace

Grid make_grid(const GridPoints& points, std::span<const GridCells> cells) {
  std::vector<Node> nodes;
  for (Index i = 0; i < points.size(); ++i)
    for_nodes(points, i, cells, [&](const Node& node, double) { nodes.push_back(node); });
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  require(nodes.size() < at(std::numeric_limits<Index>::max()), "a grid has too many nodes");

  Grid grid;
  for (const Node& node : nodes) {
    Vec3 place;
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const Count count = cells[at(node.body)][a];
      if (count > 0) place[axis] = static_cast<double>(node.step[a]) / static_cast<double>(count);
    }
    grid.nodes.places.push_back(place);
    grid.nodes.bodies.push_back(node.body);
  }
  GridInterpolation& p = grid.interpolation;
  p.rows = points.size();
  p.columns = grid.nodes.size();
  for (Index i = 0; i < p.rows; ++i) {
    for_nodes(points, i, cells, [&](const Node& node, double weight) {
      p.nodes.push_back(
          static_cast<Index>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin()));
      p.weights.push_back(static_cast<float>(weight));
    });
    p.offsets.push_back(static_cast<Count>(p.nodes.size()));
  }
  p.transpose();
  return grid;
}

GridLevels::GridLevels(const BlockPattern& pattern, VectorView rest, std::span<const Index> body_offsets,
                       std::span<const char> held)
    : fine_(&pattern) {
  const auto n = static_cast<std::size_t>(pattern.rows());
  require(rest.size() == n && (held.empty() || held.size() == n),
          "grids: not one place and one mark per row");
  require(!body_offsets.empty() && body_offsets.front() == 0 && body_offsets.back() == pattern.rows() &&
              std::is_sorted(body_offsets.begin(), body_offsets.end()),
          "grids: the bodies do not cover the rows");
  if (pattern.rows() <= coarsest_nodes) return;
  auto [points, boxes] = place_vertices(pattern, rest, body_offsets, held);
  std::vector<GridCells> cells(boxes.size());
  const double most_blocks = largest_share_of_blocks * static_cast<double>(pattern.blocks());
  for (const double edges : cell_edges) {
    for (std::size_t body = 0; body < boxes.size(); ++body) cells[body] = cells_of(boxes[body], edges);
    Grid grid = make_grid(points, cells);
    auto product = std::make_unique<GalerkinProduct>(pattern, std::move(grid.interpolation));
    cell_ = edges;
    if (static_cast<double>(product->pattern().blocks()) > most_blocks && edges != std::end(cell_edges)[-1])
      continue;
    points = std::move(grid.nodes);
    products_.push_back(std::move(product));
    break;
  }
  while (points.size() > coarsest_nodes) {
    for (GridCells& body : cells) body = doubled(body);
    Grid grid = make_grid(points, cells);
    if (grid.nodes.size() > largest_share_of_nodes * points.size()) break;
    products_.push_back(
        std::make_unique<GalerkinProduct>(this->pattern(levels() - 1), std::move(grid.interpolation)));
    points = std::move(grid.nodes);
  }
}

}  // namespace electret
