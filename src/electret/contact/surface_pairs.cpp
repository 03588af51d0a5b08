#include <algorithm>
#include <atomic>

#include <electret/contact/leaf_search.hpp>
#include <electret/contact/motion_boxes.hpp>
#include <electret/contact/surface_pairs.hpp>

namespace electret {
namespace {

/// Leaves per chunk of a search.
constexpr Count leaves_per_chunk = 32;

std::vector<std::array<Index, 1>> points_of(const ContactSurface& surface) {
  std::vector<std::array<Index, 1>> points;
  for (const Index v : surface.vertices()) points.push_back({v});
  return points;
}

}  // namespace

struct SurfacePairs::Trees {
  Trees(const ContactSurface& surface, const BodyPairs& bodies, double thickness, Threads& threads)
      : points(points_of(surface), surface),
        edges(surface.edges(), surface),
        triangles(surface.triangles(), surface),
        frames{MotionBoxes(surface, false, thickness, threads),
               MotionBoxes(surface, true, thickness, threads)},
        is_used{bodies.is_other_allowed(), bodies.is_self_allowed()} {
    const auto chunks = [](const BodyTree& tree) {
      return (static_cast<Count>(tree.leaves().size()) + leaves_per_chunk - 1) / leaves_per_chunk;
    };
    of_vertices.resize(static_cast<std::size_t>(chunks(points.tree())));
    of_edges.resize(static_cast<std::size_t>(chunks(edges.tree())));
  }

  SurfacePoints points;
  SurfaceEdges edges;
  SurfaceTriangles triangles;
  std::array<MotionBoxes, 2> frames;
  std::array<bool, 2> is_used;
  Found of_vertices, of_edges;  ///< One list per chunk of leaves.
  std::vector<Count> ends;      ///< Of the candidates of each first part.
  std::vector<Index> seconds;
};

SurfacePairs::SurfacePairs(const ContactSurface& surface, BodyPairs bodies, double thickness,
                           Threads& threads)
    : surface_(surface),
      bodies_(std::move(bodies)),
      thickness_(thickness),
      threads_(threads),
      trees_(std::make_unique<Trees>(surface, bodies_, thickness, threads)) {}

SurfacePairs::~SurfacePairs() = default;

bool SurfacePairs::covers(VectorView place) const {
  for (std::size_t frame = 0; frame < trees_->frames.size(); ++frame)
    if (trees_->is_used[frame] && !trees_->frames[frame].covers(place)) return false;
  return true;
}

void SurfacePairs::find(VectorView from, VectorView to) {
  Trees& trees = *trees_;
  for (std::size_t frame = 0; frame < trees.frames.size(); ++frame) {
    if (!trees.is_used[frame]) continue;
    trees.frames[frame].place(from, to);
    const auto boxes = trees.frames[frame].boxes();
    trees.points.refit(frame, boxes, threads_);
    trees.edges.refit(frame, boxes, threads_);
    trees.triangles.refit(frame, boxes, threads_);
  }
  const auto search = [&](const auto& queries, const auto& targets, bool is_sorted, Found& found) {
    const LeafSearch leaves(queries, targets, bodies_);
    const auto numbers = queries.tree().leaves();
    if (targets.tree().nodes().empty()) return;
    threads_.for_chunks(static_cast<Count>(numbers.size()), leaves_per_chunk, [&](Count begin, Count end) {
      std::vector<Couple>& out = found[static_cast<std::size_t>(begin / leaves_per_chunk)];
      out.clear();
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
        leaves.run(numbers[k], [&](std::size_t p, std::size_t q) {
          auto first = static_cast<Index>(queries.number(p)), second = static_cast<Index>(targets.number(q));
          if (is_sorted && first > second) std::swap(first, second);
          out.push_back({first, second});
        });
    });
  };
  search(trees.points, trees.triangles, false, trees.of_vertices);
  search(trees.edges, trees.edges, true, trees.of_edges);
  pairs_.clear();
  add_sorted(trees.of_vertices, surface_.vertices().size(), [&](std::size_t v, std::size_t t) {
    const Triangle& corners = surface_.triangles()[t];
    return SurfacePair{PairKind::vertex_triangle,
                       {surface_.vertices()[v], corners[0], corners[1], corners[2]}};
  });
  add_sorted(trees.of_edges, surface_.edges().size(), [&](std::size_t a, std::size_t b) {
    const Edge &first = surface_.edges()[a], &second = surface_.edges()[b];
    return SurfacePair{PairKind::edge_edge, {first[0], first[1], second[0], second[1]}};
  });
}

/// Counts the candidates of each first part, puts their second parts side by side, and sorts those: parts are
/// numbered in the order of their vertices.
template <class Make>
void SurfacePairs::add_sorted(const Found& found, std::size_t firsts, const Make& make) {
  std::vector<Count>& ends = trees_->ends;
  std::vector<Index>& seconds = trees_->seconds;
  const auto for_couples = [&](const auto& body) {
    threads_.for_chunks(static_cast<Count>(found.size()), 1, [&](Count begin, Count end) {
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
        for (const Couple& couple : found[k]) body(couple);
    });
  };
  // The number of each part's candidates stands one place later, so that the sums are where they begin.
  ends.assign(firsts + 1, 0);
  for_couples([&](const Couple& couple) {
    std::atomic_ref<Count>(ends[static_cast<std::size_t>(couple.first) + 1])
        .fetch_add(1, std::memory_order_relaxed);
  });
  for (std::size_t k = 0; k < firsts; ++k) ends[k + 1] += ends[k];
  const Count count = ends[firsts];
  seconds.resize(static_cast<std::size_t>(count));
  for_couples([&](const Couple& couple) {
    const Count at = std::atomic_ref<Count>(ends[static_cast<std::size_t>(couple.first)])
                         .fetch_add(1, std::memory_order_relaxed);
    seconds[static_cast<std::size_t>(at)] = couple.second;
  });
  const std::size_t earlier = pairs_.size();
  pairs_.resize(earlier + static_cast<std::size_t>(count));
  threads_.for_chunks(static_cast<Count>(firsts), 1024, [&](Count first, Count last) {
    for (auto k = static_cast<std::size_t>(first); k < static_cast<std::size_t>(last); ++k) {
      const Count begin = k == 0 ? 0 : ends[k - 1], end = ends[k];
      std::sort(seconds.begin() + begin, seconds.begin() + end);
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        pairs_[earlier + i] = make(k, static_cast<std::size_t>(seconds[i]));
    }
  });
}

}  // namespace electret
