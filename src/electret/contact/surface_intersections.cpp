#include <algorithm>
#include <tuple>

#include <electret/contact/leaf_search.hpp>
#include <electret/contact/surface_intersections.hpp>
#include <electret/geometry/orientation.hpp>

namespace electret {
namespace {

/// Leaves per chunk.
constexpr Count edge_leaves_per_chunk = 64;

/// Where the segment meets the triangle's plane; its middle if it lies in the plane.
Vec3 crossing_place(const Vec3& from, const Vec3& to, const std::array<Vec3, 3>& t) {
  const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
  const double a = dot(normal, from - t[0]), b = dot(normal, to - t[0]);
  const double share = a != b ? std::clamp(a / (a - b), 0.0, 1.0) : 0.5;
  return from + share * (to - from);
}

}  // namespace

std::vector<SurfaceIntersection> surface_intersections(const ContactSurface& surface, const BodyPairs& bodies,
                                                       VectorView place, Threads& threads) {
  SurfaceEdges edges(surface.edges(), surface);
  SurfaceTriangles triangles(surface.triangles(), surface);
  if (triangles.tree().nodes().empty()) return {};
  std::vector<BoundingBox> boxes;
  for (const Index v : surface.vertices()) {
    const Vec3& x = place[static_cast<std::size_t>(v)];
    boxes.push_back({x, x});
  }
  for (const std::size_t frame : {between_frame, within_frame}) {
    edges.refit(frame, boxes, threads);
    triangles.refit(frame, boxes, threads);
  }
  const auto leaves = edges.tree().leaves();
  const auto count = static_cast<Count>(leaves.size());
  std::vector<std::vector<SurfaceIntersection>> found(
      static_cast<std::size_t>((count + edge_leaves_per_chunk - 1) / edge_leaves_per_chunk));
  const LeafSearch search(edges, triangles, bodies);
  const auto at = [&](Index v) { return place[static_cast<std::size_t>(v)]; };
  threads.for_chunks(count, edge_leaves_per_chunk, [&](Count begin, Count end) {
    auto& out = found[static_cast<std::size_t>(begin / edge_leaves_per_chunk)];
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
      search.run(leaves[k], [&](std::size_t p, std::size_t q) {
        const Edge& e = edges.part(p);
        const Triangle& t = triangles.part(q);
        const std::array<Vec3, 3> corners{at(t[0]), at(t[1]), at(t[2])};
        if (segment_meets_triangle(at(e[0]), at(e[1]), corners))
          out.push_back({e, t, crossing_place(at(e[0]), at(e[1]), corners)});
      });
  });
  std::vector<SurfaceIntersection> all;
  for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end(), [](const SurfaceIntersection& a, const SurfaceIntersection& b) {
    return std::tie(a.edge, a.triangle) < std::tie(b.edge, b.triangle);
  });
  return all;
}

}  // namespace electret
