#include <electret/core/disjoint_sets.hpp>
#include <electret/geometry/polygon_sides.hpp>
#include <electret/geometry/surface_parts.hpp>

namespace electret {
namespace {

/// The sides of one edge.
using Sides = std::span<const PolygonSide>;

/// Calls visit(sides) for each edge of the polygons.
template <class Visit>
void for_edges(const std::vector<PolygonSide>& sides, Visit&& visit) {
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].edge() == sides[begin].edge()) ++end;
    visit(Sides(sides).subspan(begin, end - begin));
  }
}

/// The sets of so many polygons as parts of which nothing is known yet.
SurfaceParts parts_of_sets(DisjointSets& sets, std::size_t polygons) {
  SurfaceParts parts;
  for (std::size_t p = 0; p < polygons; ++p) parts.of.push_back(sets.of(static_cast<Index>(p)));
  parts.is_open.assign(polygons, 0);
  parts.has_rim.assign(polygons, 0);
  return parts;
}

/// Six times the volume of the tetrahedra that the polygon's fan spans with `from`.
double volume_below(std::span<const Index> polygon, VectorView vertices, const Vec3& from) {
  const auto at = [&](std::size_t k) { return vertices[static_cast<std::size_t>(polygon[k])] - from; };
  double volume = 0.0;
  for (std::size_t k = 2; k < polygon.size(); ++k) volume += dot(at(0), cross(at(k - 1), at(k)));
  return volume;
}

}  // namespace

std::vector<char> SurfaceParts::closed() const {
  std::vector<char> result;
  for (const char each : is_open) result.push_back(each == 0 ? 1 : 0);
  return result;
}

SurfaceParts parts_of_surface(const Polygons& polygons) {
  const std::vector<PolygonSide> sides = polygon_sides(polygons);
  DisjointSets sets(static_cast<Index>(polygons.size()));
  for_edges(sides, [&](Sides at) {
    for (const PolygonSide& side : at) sets.join(at[0].polygon, side.polygon);
  });
  SurfaceParts parts = parts_of_sets(sets, polygons.size());
  for_edges(sides, [&](Sides at) {
    const std::size_t part = parts.part(static_cast<std::size_t>(at[0].polygon));
    if (at.size() != 2) parts.has_rim[part] = 1;
    if (at.size() == 2 && at[0].from == at[1].to) return;
    parts.is_open[part] = 1;
    if (at.size() == 2) parts.turned.emplace_back(at[0].edge(), at[0].polygon);
  });
  return parts;
}

SurfaceParts parts_of_boundary(const Polygons& polygons) {
  const std::vector<PolygonSide> sides = polygon_sides(polygons);
  DisjointSets sets(static_cast<Index>(polygons.size()));
  for_edges(sides, [&](Sides at) {
    if (at.size() == 2) sets.join(at[0].polygon, at[1].polygon);
  });
  SurfaceParts parts = parts_of_sets(sets, polygons.size());
  for_edges(sides, [&](Sides at) {
    for (const PolygonSide& side : at) {
      const std::size_t part = parts.part(static_cast<std::size_t>(side.polygon));
      int passes = 0;
      for (const PolygonSide& other : at)
        if (parts.part(static_cast<std::size_t>(other.polygon)) == part)
          passes += other.from == side.from ? 1 : -1;
      if (passes != 0) parts.is_open[part] = 1;
      if (at.size() != 2) parts.has_rim[part] = 1;
    }
  });
  return parts;
}

std::vector<double> volumes_of(const SurfaceParts& parts, const Polygons& polygons, VectorView vertices) {
  std::vector<double> volumes(polygons.size(), 0.0);
  for (std::size_t p = 0; p < polygons.size(); ++p) {
    const std::size_t part = parts.part(p);
    volumes[part] +=
        volume_below(polygons[p], vertices, vertices[static_cast<std::size_t>(polygons[part][0])]);
  }
  return volumes;
}

}  // namespace electret
