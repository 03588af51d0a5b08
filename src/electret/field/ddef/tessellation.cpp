#include <algorithm>
#include <cmath>
#include <numeric>

#include <electret/field/ddef/tessellation.hpp>

namespace electret::ddef {
namespace {

constexpr int morton_bits = 16;

/// The bits of `value`, spread so that two zero bits lie between neighbours.
std::uint64_t spread(std::uint64_t value) {
  std::uint64_t result = 0;
  for (int bit = 0; bit < morton_bits; ++bit) result |= (value >> bit & 1U) << (3 * bit);
  return result;
}

/// The Morton code of a point of the unit cube. Equal steps are equal lengths of the box with these sides.
std::uint64_t morton_key(const Vec3& unit, const Vec3& sides) {
  const auto key = [](double at) {
    return spread(static_cast<std::uint64_t>(std::clamp(at, 0.0, 0.999999) * (1 << morton_bits)));
  };
  return key(unit.x * sides.x) | key(unit.y * sides.y) << 1 | key(unit.z * sides.z) << 2;
}

Vec3 multiplied(const Vec3& a, const Vec3& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

void sort_in_morton_order(std::vector<TetrahedronVertices>& tetrahedra, VectorView unit, const Vec3& sides) {
  std::vector<std::pair<std::uint64_t, TetrahedronVertices>> keyed;
  for (const auto& t : tetrahedra) {
    Vec3 sum;
    for (const Index v : t) sum += unit[static_cast<std::size_t>(v)];
    keyed.emplace_back(morton_key(0.25 * sum, sides), t);
  }
  std::sort(keyed.begin(), keyed.end());
  std::transform(keyed.begin(), keyed.end(), tetrahedra.begin(), [](const auto& k) { return k.second; });
}

Barycentric barycentric_of(const std::array<Vec3, 4>& p) {
  const Vec3 a = p[1] - p[0], b = p[2] - p[0], c = p[3] - p[0];
  const double inverse = 1.0 / dot(a, cross(b, c));
  return {p[0], {inverse * cross(b, c), inverse * cross(c, a), inverse * cross(a, b)}};
}

/// Whether no edge is longer than a few times the shortest altitude. Around flat tetrahedra, charges that
/// count as far come close to vertices, and the Taylor term carries their gradients along the edges.
bool is_well_shaped(const std::array<Vec3, 4>& p) {
  constexpr double most = 6.0;
  const Barycentric b = barycentric_of(p);
  double longest = 0.0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j) longest = std::max(longest, norm(p[i] - p[j]));
  // An altitude is 1/|∇ψ|.
  const auto& g = b.gradients;
  const double steepest = std::max({norm(g[0]), norm(g[1]), norm(g[2]), norm(g[0] + g[1] + g[2])});
  return longest * steepest <= most;
}

}  // namespace

Tessellation::Tessellation(Count m, const Aspect& a) : grid_points(m), aspect(a), grid(unit_grid(m)) {
  const Vec3 sides = aspect.sides();
  VectorArray stretched(grid.size());
  std::transform(grid.begin(), grid.end(), stretched.begin(),
                 [&](const Vec3& unit) { return multiplied(unit, sides); });
  vertices_of = delaunay_tetrahedra(stretched);
  sort_in_morton_order(vertices_of, grid, sides);
  neighbours = face_neighbours(vertices_of);
  for (const auto& t : vertices_of) {
    std::array<Vec3, 4> unit, shape;
    bool at_corner = false;
    for (std::size_t k = 0; k < 4; ++k) {
      unit[k] = grid[static_cast<std::size_t>(t[k])];
      shape[k] = stretched[static_cast<std::size_t>(t[k])];
      at_corner |= t[k] >= m;
    }
    barycentric.push_back(barycentric_of(unit));
    well_shaped.push_back(at_corner || is_well_shaped(shape) ? 1 : 0);
  }
}

}  // namespace electret::ddef
