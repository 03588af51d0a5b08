#pragma once
// What the forces between an obstacle and vertices have in common: loops over the vertices that touch it, and
// sums over them for derivatives by the placement, the origin and the radius.

#include <array>
#include <vector>

#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>
#include <electret/force/explicit_force.hpp>
#include <electret/force/obstacle.hpp>
#include <electret/geometry/placement.hpp>

namespace electret::detail {

/// The placement of the obstacle at the time of evaluation.
inline PlacedSurface placed(const ForceObstacle& obstacle, const ForcePoint& at) {
  require(at.inputs.placements.size() == obstacle.count, "obstacles: not one placement per obstacle");
  return {obstacle.penalty.surface, at.inputs.placements[obstacle.number]};
}

/// The last parameters of a force of an obstacle: "placements", "origin", and "radius" if it has one.
inline std::vector<ForceParameter> with_surface_parameters(std::vector<ForceParameter> own,
                                                           const ForceObstacle& obstacle) {
  own.push_back({"placements", "", 12 * obstacle.count, ParameterOwner::placements});
  own.push_back({"origin", "m", 3});
  if (obstacle.penalty.surface.shape->radius()) own.push_back({"radius", "m", 1});
  return own;
}

/// Sums over the vertices that touch an obstacle, with the same bits for any number of threads.
class ObstacleSums {
 public:
  static constexpr std::size_t own_count = 3;
  /// One chunk's part, or the whole.
  struct Sums {
    SurfaceCotangent surface;
    std::array<double, own_count> own{};  ///< By the force's own parameters.
  };

  /// vertex(i, view, sums) for each vertex inside `surface`.
  template <class Vertex>
  Sums over_touching(Threads& threads, VectorView x, const PlacedSurface& surface, Vertex&& vertex) {
    constexpr Count chunk = Threads::default_chunk;
    const auto n = static_cast<Count>(x.size());
    parts_.resize(static_cast<std::size_t>((n + chunk - 1) / chunk));
    threads.for_chunks(n, chunk, [&](Count begin, Count end) {
      Sums sums;
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        if (!surface.may_hold(x[i])) continue;
        if (const SurfaceView seen = surface.view(x[i]); seen.distance < 0.0) vertex(i, seen, sums);
      }
      parts_[static_cast<std::size_t>(begin / chunk)] = flat(sums);
    });
    std::array<TreeSum, values> totals;
    for (const auto& part : parts_)
      for (std::size_t k = 0; k < values; ++k) totals[k].add(part[k]);
    Sums whole;
    std::array<double, of_surface> of;
    for (std::size_t k = 0; k < of_surface; ++k) of[k] = totals[k].total();
    whole.surface = SurfaceCotangent::of(of);
    for (std::size_t k = 0; k < own_count; ++k) whole.own[k] = totals[of_surface + k].total();
    return whole;
  }

 private:
  static constexpr std::size_t of_surface = std::tuple_size_v<decltype(SurfaceCotangent{}.values())>;
  static constexpr std::size_t values = of_surface + own_count;

  static std::array<double, values> flat(const Sums& sums) {
    std::array<double, values> all{};
    const auto of = sums.surface.values();
    std::copy(of.begin(), of.end(), all.begin());
    std::copy(sums.own.begin(), sums.own.end(), all.begin() + of_surface);
    return all;
  }

  std::vector<std::array<double, values>> parts_;
};

/// Adds the derivatives to the spans, which are the force's parameters: `own` ones, then the surface's.
inline void add_sums(const ObstacleSums::Sums& sums, const PlacedSurface& surface,
                     const ForceObstacle& obstacle, std::size_t own, std::span<const ScalarSpan> out) {
  for (std::size_t p = 0; p < std::min(own, out.size()); ++p)
    if (!out[p].empty()) out[p][0] += sums.own[p];
  const auto wanted = [&](std::size_t p) { return p < out.size() && !out[p].empty(); };
  if (wanted(own)) {
    const Placement by = surface.by_placement(sums.surface);
    const ScalarSpan to = out[own].subspan(12 * obstacle.number, 12);
    const std::array vectors{by.offset, by.rotation, by.velocity, by.turning};
    for (std::size_t k = 0; k < 12; ++k) to[k] += vectors[k / 3][static_cast<int>(k % 3)];
  }
  if (wanted(own + 1)) {
    const Vec3 by = surface.by_origin(sums.surface);
    for (int axis = 0; axis < 3; ++axis) out[own + 1][static_cast<std::size_t>(axis)] += by[axis];
  }
  if (wanted(own + 2)) out[own + 2][0] += sums.surface.by_radius;
}

}  // namespace electret::detail
