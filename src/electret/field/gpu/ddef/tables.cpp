#include <algorithm>
#include <array>
#include <bit>

#include <electret/field/gpu/ddef/tables.hpp>

namespace electret::gpu {
namespace {

constexpr int lanes = 128;
constexpr unsigned flag_shift = 27;
constexpr std::uint32_t both_ways = 1U << 31;

template <class I>
std::size_t at(I i) {
  return static_cast<std::size_t>(i);
}

/// The float32 nearest to a number. The call keeps optimisers from dropping the rounding.
[[gnu::noinline]] float rounded(double x) {
  return static_cast<float>(x);
}

void append_two_parts(const Vec3& x, std::vector<Float4>& to) {
  const Float4 high{rounded(x.x), rounded(x.y), rounded(x.z), 0.0F};
  to.push_back(high);
  to.push_back({rounded(x.x - static_cast<double>(high.x)), rounded(x.y - static_cast<double>(high.y)),
                rounded(x.z - static_cast<double>(high.z)), 0.0F});
}

}  // namespace

MeshTables::MeshTables(const ddef::Mesh& mesh)
    : grid_points(mesh.tessellation.grid_points), aspect(mesh.tessellation.aspect) {
  blocks = (static_cast<Index>(mesh.tessellation.grid.size()) + ddef_block - 1) / ddef_block;
  chunks = (static_cast<Index>(mesh.tessellation.size()) + ddef_chunk - 1) / ddef_chunk;
  order_vertices(mesh.tessellation);
  fill_near(mesh);
  fill_geometry(mesh);
  fill_masks(mesh);
}

void MeshTables::order_vertices(const ddef::Tessellation& tessellation) {
  std::vector<Index> place(tessellation.grid.size(), -1);
  for (const auto& t : tessellation.vertices_of)
    for (const Index v : t) {
      if (place[at(v)] < 0) {
        place[at(v)] = static_cast<Index>(vertices.size());
        vertices.push_back(v);
      }
      corners.push_back(place[at(v)]);
    }
}

void MeshTables::fill_near(const ddef::Mesh& mesh) {
  const auto& sets = mesh.sets;
  std::vector<std::uint32_t> near_corners(at(mesh.tessellation.size()), 0);  // bit k: near corner k
  std::vector<Index> seen_by(at(mesh.tessellation.size()), -1);
  near_begin.push_back(0);
  near.reserve(at(sets.near.total()));
  for (Index t = 0; t < static_cast<Index>(mesh.tessellation.size()); ++t) {
    const auto& own = mesh.tessellation.vertices_of[at(t)];
    for (std::size_t k = 0; k < 4; ++k)
      for (const Index s : sets.near_of[own[k]]) near_corners[at(s)] |= 1U << k;
    for (const Index s : sets.near_targets[t]) seen_by[at(s)] = t;
    for (const Index s : sets.near[t]) {
      near.push_back(static_cast<std::uint32_t>(s) | (~near_corners[at(s)] & 15U) << flag_shift |
                     (seen_by[at(s)] == t ? both_ways : 0));
      near_corners[at(s)] = 0;
    }
    near_begin.push_back(static_cast<std::uint32_t>(near.size()));
  }
}

void MeshTables::fill_geometry(const ddef::Mesh& mesh) {
  const auto& tessellation = mesh.tessellation;
  struct Bounds {
    Vec3 low, high;
  };
  std::vector<Bounds> bounds;
  for (const auto& t : tessellation.vertices_of) {
    Bounds b{tessellation.grid[at(t[0])], tessellation.grid[at(t[0])]};
    for (const Index v : t)
      for (int axis = 0; axis < 3; ++axis) {
        b.low[axis] = std::min(b.low[axis], tessellation.grid[at(v)][axis]);
        b.high[axis] = std::max(b.high[axis], tessellation.grid[at(v)][axis]);
      }
    bounds.push_back(b);
  }
  for (Index t = 0; t < static_cast<Index>(tessellation.size()); ++t) {
    for (const Vec3& gradient : tessellation.barycentric[at(t)].gradients)
      append_two_parts(gradient, geometry);
    Vec3 middle, half;
    for (const Index v : tessellation.vertices_of[at(t)]) middle += 0.25 * tessellation.grid[at(v)];
    for (const Index s : mesh.sets.near[t])
      for (int axis = 0; axis < 3; ++axis)
        half[axis] = std::max(
            {half[axis], middle[axis] - bounds[at(s)].low[axis], bounds[at(s)].high[axis] - middle[axis]});
    geometry.push_back({static_cast<float>(half.x), static_cast<float>(half.y), static_cast<float>(half.z),
                        tessellation.well_shaped[at(t)] ? 0.5F : 0.0F});
  }
}

void MeshTables::fill_masks(const ddef::Mesh& mesh) {
  std::vector<Index> place(vertices.size());
  for (std::size_t k = 0; k < vertices.size(); ++k) place[at(vertices[k])] = static_cast<Index>(k);
  mask_rows.assign(at(blocks) * at(chunks), -1);
  for (Index t = 0; t < static_cast<Index>(mesh.tessellation.size()); ++t)
    for (const Index v : mesh.sets.near_vertices[t]) {
      const Index k = place[at(v)];
      Index& row = mask_rows[at(k / ddef_block) * at(chunks) + at(t / ddef_chunk)];
      if (row < 0) {
        row = static_cast<Index>(masks.size() / at(ddef_block));
        masks.resize(masks.size() + at(ddef_block), 0);
      }
      masks[at(row) * at(ddef_block) + at(k % ddef_block)] |= 1U << (t % ddef_chunk);
    }
}

ProductTables::ProductTables(const ddef::Mesh& mesh, const MeshTables& tables) {
  const auto& sets = mesh.sets;
  const auto size = static_cast<Index>(mesh.tessellation.size());
  std::vector<Index> near_at(at(size), -1), vertex_at(mesh.tessellation.grid.size(), -1);
  seen_begin.push_back(0);
  for (Index s = 0; s < size; ++s) {
    for (const Index t : sets.near[s]) near_at[at(t)] = s;
    for (const Index v : sets.near_vertices[s]) vertex_at[at(v)] = s;
    for (const Index t : sets.near_targets[s]) {
      std::uint32_t entry = static_cast<std::uint32_t>(t) | (near_at[at(t)] == s ? both_ways : 0);
      for (unsigned k = 0; k < 4; ++k)
        if (vertex_at[at(mesh.tessellation.vertices_of[at(t)][k])] != s) entry |= 1U << (flag_shift + k);
      seen.push_back(entry);
    }
    seen_begin.push_back(static_cast<std::uint32_t>(seen.size()));
  }
  around_begin.assign(tables.vertices.size() + 1, 0);
  for (const Index v : tables.corners) ++around_begin[at(v) + 1];
  for (std::size_t v = 0; v < tables.vertices.size(); ++v) around_begin[v + 1] += around_begin[v];
  std::vector<Index> next(around_begin.begin(), around_begin.end() - 1);
  around.resize(tables.corners.size());
  for (std::size_t c = 0; c < tables.corners.size(); ++c)
    around[at(next[at(tables.corners[c])]++)] = static_cast<Index>(c);
}

void FarTiles::cut(const ddef::SortedPoints& sources, Index tetrahedra) {
  constexpr Count part_charges = 256;
  const Count n = sources.size(), parts = std::clamp<Count>(n / part_charges, 1, ddef_most_parts);
  tiles.clear();
  part_begin.clear();
  for (Index t = 0; t < tetrahedra; t += ddef_chunk) {
    const Count end = sources.end(std::min(t + ddef_chunk, tetrahedra) - 1);
    for (Count first = sources.begin(t); first < end; first += ddef_tile) {
      const auto part = static_cast<Count>(part_begin.size());
      if (part < parts && first * parts >= part * n) part_begin.push_back(static_cast<Index>(tiles.size()));
      tiles.push_back({static_cast<Index>(first), static_cast<Index>(std::min<Count>(ddef_tile, end - first)),
                       t / ddef_chunk, 0});
    }
  }
  part_begin.push_back(static_cast<Index>(tiles.size()));
}

void NearGroups::cut(const ddef::Discretisation& d, Threads& threads) {
  constexpr Count tetrahedra_per_task = 256;
  const auto& occupied = d.targets().occupied();
  near_.resize(occupied.size());
  threads.for_chunks(static_cast<Count>(occupied.size()), tetrahedra_per_task, [&](Count begin, Count end) {
    for (Count k = begin; k < end; ++k) {
      Count near = 0;
      for (const Index s : d.mesh().sets.near[occupied[at(k)]]) near += d.sources().count(s);
      near_[at(k)] = near;
    }
  });
  deal(d.targets());
  sort();
}

void NearGroups::deal(const ddef::SortedPoints& targets) {
  constexpr int vertices = 4;
  unsorted_.clear();
  unsorted_pairs_.clear();
  for (std::size_t place = 0; place < targets.occupied().size(); ++place) {
    const Index t = targets.occupied()[place];
    const auto count = static_cast<Index>(targets.count(t));
    // A row of sums has as many lanes as fit, so that a group takes a time of 1/lanes.
    Index best = 0, best_lanes = 1;
    const Index least = (count + ddef_most_targets - 1) / ddef_most_targets;
    for (Index number = least; number < least + 4; ++number) {
      const Index shared = lanes / (vertices + (count + number - 1) / number);
      if (best == 0 || number * best_lanes < best * shared) best = number, best_lanes = shared;
    }
    const Index size = (count + best - 1) / best;
    for (Index first = 0; first < count; first += size) {
      const Index number = std::min(size, count - first);
      unsorted_.push_back({t, static_cast<Index>(targets.begin(t)) + first, number, first == 0 ? 1 : 0});
      unsorted_pairs_.push_back(lanes * (near_[place] / (lanes / (vertices + number)) + 1));
    }
  }
}

/// By the number of their pairs' bits, else in their order.
void NearGroups::sort() {
  std::array<std::size_t, 65> next{};
  const auto key = [](Count size) { return 63 - at(std::bit_width(static_cast<std::uint64_t>(size))); };
  for (const Count size : unsorted_pairs_) ++next[key(size) + 1];
  for (std::size_t k = 1; k < next.size(); ++k) next[k] += next[k - 1];
  groups.resize(unsorted_.size());
  pairs.resize(unsorted_.size());
  for (std::size_t k = 0; k < unsorted_.size(); ++k) {
    const std::size_t place = next[key(unsorted_pairs_[k])]++;
    groups[place] = unsorted_[k];
    pairs[place] = unsorted_pairs_[k];
  }
}

}  // namespace electret::gpu
