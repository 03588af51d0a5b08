#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <electret/core/stop_scope.hpp>
#include <electret/geometry/generators/parameters.hpp>
#include <electret/geometry/generators/tshirt.hpp>

namespace electret {
namespace {

// The cut of a shirt of height 1, its right half as seen from the front; x from the middle, z from the hem.
constexpr double half_width = 0.36;
constexpr double armpit = 0.62;  // z.
constexpr double neck_half_width = 0.14;
constexpr Vec3 shoulder{0.38, 0.0, 0.95};
constexpr Vec3 cuff_bottom{0.60, 0.0, 0.47};
constexpr Vec3 cuff_top{0.71, 0.0, 0.68};
constexpr double front_neck_depth = 0.14;
constexpr double back_neck_depth = 0.04;
constexpr double bulge = 0.10;  // y of the front's and the back's farthest point.

Vec3 between(const Vec3& a, const Vec3& b, double share) {
  return a + share * (b - a);
}

/// The number of cells along each part of the half's outline.
struct Cells {
  Count neck = 1, shoulder = 1, lower = 1, upper = 1, sleeve = 1;

  [[nodiscard]] Count columns() const { return neck + shoulder; }
  [[nodiscard]] Count rows() const { return lower + upper; }
  [[nodiscard]] Count seam_vertices() const { return 2 * (lower + 1) + 4 * sleeve + 2 * (shoulder + 1); }
  [[nodiscard]] Count vertices() const {
    return 2 * ((2 * columns() + 1) * (rows() + 1) + 2 * sleeve * (upper + 1)) - seam_vertices();
  }
};

/// The lengths that the cells of each part divide among themselves.
constexpr std::array<double, 5> part_lengths = {half_width * neck_half_width / shoulder.x,
                                                half_width*(1.0 - neck_half_width / shoulder.x), armpit, 0.33,
                                                0.29};

/// The numbers of cells, within 2 % of the requested number of vertices, that are nearest to squares of one
/// size.
Cells best_cells(Count vertices) {
  constexpr double area = 1.36;  // Of both layers, about.
  double side = std::sqrt(area / static_cast<double>(vertices));
  std::array<Count, 5> ideal{};
  constexpr int corrections = 8;
  for (int k = 0; k < corrections; ++k) {
    for (std::size_t part = 0; part < 5; ++part)
      ideal[part] = std::max<Count>(1, std::lround(part_lengths[part] / side));
    const Cells cells{ideal[0], ideal[1], ideal[2], ideal[3], ideal[4]};
    if (parameters::is_near(cells.vertices(), vertices)) break;
    side *= std::sqrt(static_cast<double>(cells.vertices()) / static_cast<double>(vertices));
  }
  Cells best;
  double best_cost = parameters::unbounded;
  constexpr Count span = 2, choices = 2 * span + 1;
  for (Count code = 0; code < choices * choices * choices * choices * choices; ++code) {
    std::array<Count, 5> counts{};
    double cost = 0.0;
    Count digits = code;
    for (std::size_t k = 0; k < 5; ++k, digits /= choices) {
      counts[k] = std::max<Count>(1, ideal[k] + digits % choices - span);
      cost += std::abs(std::log(part_lengths[k] / (static_cast<double>(counts[k]) * side)));
    }
    const Cells cells{counts[0], counts[1], counts[2], counts[3], counts[4]};
    const Count off = std::abs(cells.vertices() - vertices);
    cost += parameters::is_near(cells.vertices(), vertices) ? 0.0 : 10.0 + static_cast<double>(off);
    if (cost < best_cost) {
      best = cells;
      best_cost = cost;
    }
  }
  return best;
}

/// The pattern of one layer: a lattice in the shape of a T, with column 0 in the middle and row 0 at the hem.
/// Front and back have the same pattern.
class Pattern {
 public:
  explicit Pattern(const Cells& cells) : cells_(cells), half_(cells.columns() + cells.sleeve) {}

  [[nodiscard]] Count half_columns() const { return half_; }
  [[nodiscard]] Count rows() const { return cells_.rows(); }
  [[nodiscard]] bool has(Count row, Count column) const {
    return row >= 0 && row <= rows() && std::abs(column) <= half_ &&
           (std::abs(column) <= cells_.columns() || row >= cells_.lower);
  }
  /// The seams: sides, undersides of the sleeves, their tops and the shoulders.
  [[nodiscard]] bool is_seam(Count row, Count column) const {
    const Count away = std::abs(column);
    return (away == cells_.columns() && row <= cells_.lower) ||
           (away > cells_.columns() && row == cells_.lower) || (row == rows() && away >= cells_.neck);
  }
  [[nodiscard]] bool is_neck(Count row, Count column) const {
    return row == rows() && std::abs(column) <= cells_.neck;
  }
  [[nodiscard]] bool is_shoulder(Count row, Count column) const {
    return row == rows() && std::abs(column) >= cells_.neck && std::abs(column) <= cells_.columns();
  }
  [[nodiscard]] bool is_sleeve(Count row, Count column) const {
    return std::abs(column) >= cells_.columns() && row >= cells_.lower;
  }
  [[nodiscard]] std::size_t slot(Count row, Count column) const {
    return static_cast<std::size_t>(row * (2 * half_ + 1) + column + half_);
  }
  [[nodiscard]] std::size_t slots() const { return static_cast<std::size_t>((rows() + 1) * (2 * half_ + 1)); }

  /// The place in the plane y = 0.
  [[nodiscard]] Vec3 place(Count row, Count column, double neck_depth) const {
    Vec3 point = right_half(row, std::abs(column), neck_depth);
    if (column < 0) point.x = -point.x;
    return point;
  }

 private:
  static double share(Count part, Count whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  }

  [[nodiscard]] Vec3 right_half(Count row, Count column, double neck_depth) const {
    const Vec3 low{half_width, 0.0, armpit};
    if (column > cells_.columns()) {
      const double up = share(row - cells_.lower, cells_.upper);
      return between(between(low, shoulder, up), between(cuff_bottom, cuff_top, up),
                     share(column - cells_.columns(), cells_.sleeve));
    }
    const Vec3 top = collar(column, neck_depth);
    const double neck_share = neck_half_width / shoulder.x;
    const double across =
        column <= cells_.neck
            ? neck_share * share(column, cells_.neck)
            : neck_share + (1.0 - neck_share) * share(column - cells_.neck, cells_.shoulder);
    const Vec3 under{half_width * across, 0.0, armpit};
    if (row >= cells_.lower) return between(under, top, share(row - cells_.lower, cells_.upper));
    return {under.x, 0.0, armpit * share(row, cells_.lower)};
  }

  // The upper rim of the body: a quarter of an ellipse about the neck, then straight to the shoulder's end.
  [[nodiscard]] Vec3 collar(Count column, double neck_depth) const {
    const Vec3 neck{neck_half_width, 0.0, 1.0};
    if (column >= cells_.neck) return between(neck, shoulder, share(column - cells_.neck, cells_.shoulder));
    const double turn = 0.5 * std::numbers::pi * share(column, cells_.neck);
    return {neck_half_width * std::sin(turn), 0.0, 1.0 - neck_depth * std::cos(turn)};
  }

  Cells cells_;
  Count half_;
};

/// How far each place of the pattern stands off the seams' plane: 0 at the seams, 1 at most. It is the shape
/// of a membrane that is held at the seams under even pressure (Δφ = -1 by successive over-relaxation), made
/// rounder.
std::vector<double> puffed(const Pattern& pattern) {
  std::vector<double> height(pattern.slots(), 0.0);
  const auto size = static_cast<double>(std::max(pattern.rows(), 2 * pattern.half_columns()));
  const double over = 2.0 / (1.0 + std::numbers::pi / size);
  const auto sweeps = static_cast<int>(2.0 * size) + 20;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (Count row = 0; row <= pattern.rows(); ++row) {
      throw_if_stopped();
      for (Count column = -pattern.half_columns(); column <= pattern.half_columns(); ++column) {
        if (!pattern.has(row, column) || pattern.is_seam(row, column)) continue;
        double sum = 1.0;
        int count = 0;
        const std::array<std::array<Count, 2>, 4> beside = {
            {{row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}}};
        for (const auto& [r, c] : beside) {
          if (!pattern.has(r, c)) continue;  // An open rim: nothing pulls here.
          sum += height[pattern.slot(r, c)];
          ++count;
        }
        double& here = height[pattern.slot(row, column)];
        here += over * (sum / count - here);
      }
    }
  const double highest = *std::max_element(height.begin(), height.end());
  // A power below 1 rounds the middle; the offset keeps the slope at the seams finite.
  constexpr double roundness = 0.6, offset = 0.03;
  const auto rounded = [](double share) {
    return std::pow(share + offset, roundness) - std::pow(offset, roundness);
  };
  for (double& value : height)
    value = highest > 0.0 ? rounded(std::max(value, 0.0) / highest) / rounded(1.0) : 0.0;
  return height;
}

/// Lowers `height` (in shirt heights) until no edge of the pattern is steeper than `steepest`. This is needed
/// because a membrane's slope is unbounded at the corners of the armpits.
void limit_slopes(const Pattern& pattern, double steepest, std::vector<double>& height) {
  const auto lower = [&](Count row, Count column) {
    double& here = height[pattern.slot(row, column)];
    const Vec3 at = pattern.place(row, column, front_neck_depth);
    const std::array<std::array<Count, 2>, 4> beside = {
        {{row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}}};
    for (const auto& [r, c] : beside)
      if (pattern.has(r, c))
        here = std::min(
            here, height[pattern.slot(r, c)] + steepest * norm(pattern.place(r, c, front_neck_depth) - at));
  };
  // Sweeps twice in all four directions, because limits may have to turn a corner.
  const Count rows = pattern.rows(), half = pattern.half_columns();
  for (int sweep = 0; sweep < 8; ++sweep)
    for (Count i = 0; i <= rows; ++i)
      for (Count j = -half; j <= half; ++j) {
        const Count row = sweep % 2 == 0 ? i : rows - i, column = sweep / 2 % 2 == 0 ? j : -j;
        if (pattern.has(row, column)) lower(row, column);
      }
}

/// Both layers, sewn.
class Tailor {
 public:
  Tailor(const Cells& cells, double height) : pattern_(cells), height_(height), puff_(puffed(pattern_)) {
    for (double& value : puff_) value *= bulge;
    constexpr double steepest = 1.0;
    limit_slopes(pattern_, steepest, puff_);
  }

  Mesh sewn() {
    const std::vector<Index> front = layer(front_neck_depth, -1.0, nullptr);
    const std::vector<Index> back = layer(back_neck_depth, 1.0, &front);
    add_quads(front, false);
    add_quads(back, true);
    add_layer_group("front", front);
    add_layer_group("back", back);
    add_groups(front);
    add_groups(back);
    for (auto& [name, members] : mesh_.groups) {
      std::sort(members.begin(), members.end());
      members.erase(std::unique(members.begin(), members.end()), members.end());
    }
    return std::move(mesh_);
  }

 private:
  template <class Visit>
  void each(Visit&& visit) const {
    for (Count row = 0; row <= pattern_.rows(); ++row)
      for (Count column = -pattern_.half_columns(); column <= pattern_.half_columns(); ++column)
        if (pattern_.has(row, column)) visit(row, column);
  }

  // The vertices of a layer by slot; those on the seams are taken from `other`.
  std::vector<Index> layer(double neck_depth, double side, const std::vector<Index>* other) {
    std::vector<Index> vertices(pattern_.slots(), -1);
    each([&](Count row, Count column) {
      const std::size_t slot = pattern_.slot(row, column);
      if (other != nullptr && pattern_.is_seam(row, column)) {
        vertices[slot] = (*other)[slot];
        return;
      }
      Vec3 point = pattern_.place(row, column, neck_depth);
      point.y = side * puff_[slot];
      vertices[slot] = static_cast<Index>(mesh_.vertices.size());
      mesh_.vertices.push_back(height_ * point);
    });
    return vertices;
  }

  void add_quads(const std::vector<Index>& vertices, bool mirrored) {
    each([&](Count row, Count column) {
      if (!pattern_.has(row + 1, column) || !pattern_.has(row, column + 1) ||
          !pattern_.has(row + 1, column + 1))
        return;
      std::array<Index, 4> quad = {
          vertices[pattern_.slot(row, column)], vertices[pattern_.slot(row, column + 1)],
          vertices[pattern_.slot(row + 1, column + 1)], vertices[pattern_.slot(row + 1, column)]};
      if (mirrored) std::swap(quad[1], quad[3]);
      mesh_.polygons.add(quad);
    });
  }

  void add_layer_group(const std::string& name, const std::vector<Index>& vertices) {
    for (const Index vertex : vertices)
      if (vertex >= 0) mesh_.groups[name].push_back(vertex);
  }

  void add_groups(const std::vector<Index>& vertices) {
    each([&](Count row, Count column) {
      const Index vertex = vertices[pattern_.slot(row, column)];
      const auto add = [&](bool belongs, const std::string& name) {
        if (belongs) mesh_.groups[name].push_back(vertex);
      };
      const std::string side = column > 0 ? "left_" : "right_";
      add(pattern_.is_seam(row, column), "seams");
      add(pattern_.is_neck(row, column), "neck");
      add(row == 0, "hem");
      add(pattern_.is_shoulder(row, column), side + "shoulder");
      add(pattern_.is_sleeve(row, column), side + "sleeve");
      add(std::abs(column) == pattern_.half_columns(), side + "cuff");
    });
  }

  Pattern pattern_;
  double height_;
  std::vector<double> puff_;  ///< |y| by slot, for a shirt of height 1.
  Mesh mesh_;
};

}  // namespace

Mesh tshirt(const TshirtOptions& options) {
  return Tailor(best_cells(options.vertices), options.height).sewn();
}

const Shape& tshirt_shape() {
  static const TshirtOptions defaults;
  static const Shape shape = {
      "tshirt",
      "a T-shirt of two layers of quads, open at neck, hem and cuffs",
      {parameters::length("height", defaults.height, "from the hem to the highest point of the shoulders"),
       parameters::integer("vertices", defaults.vertices, 100, 100'000, "within 2 %")},
      {"front", "back", "seams", "neck", "hem", "left_sleeve", "right_sleeve", "left_shoulder",
       "right_shoulder", "left_cuff", "right_cuff"},
      [](const ParameterValues& values) {
        TshirtOptions options;
        options.height = parameters::value(values, "height", options.height);
        options.vertices = parameters::value(values, "vertices", options.vertices);
        return tshirt(options);
      }};
  return shape;
}

}  // namespace electret
