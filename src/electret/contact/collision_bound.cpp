#include <algorithm>
#include <atomic>
#include <limits>

#include <electret/contact/collision_bound.hpp>
#include <electret/contact/pair_distance.hpp>

namespace electret {
namespace {

constexpr double kept_distance = 0.2;  ///< Of that at the start.
constexpr double advance = 0.9;  ///< Of the distance: parts that approach at full speed then do not meet.
constexpr double shortened_way = 0.45;
/// Parts that pass each other closely without meeting take many steps; the bound is safe after any of them.
constexpr int most_steps = 10000;
constexpr Count pairs_per_chunk = 512;

PairPlaces corners_of(const SurfacePair& pair, VectorView x) {
  const auto at = [&](std::size_t k) { return x[static_cast<std::size_t>(pair.vertices[k])]; };
  return {at(0), at(1), at(2), at(3)};
}

/// The numbers of vertices of the first part.
std::size_t first_part(PairKind kind) {
  return kind == PairKind::edge_edge ? 2 : 1;
}

/// No more than the distance of the two parts.
double distance_of_boxes(PairKind kind, const PairPlaces& x) {
  const std::size_t split = first_part(kind);
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    double low = x[0][axis], high = low, other_low = x[3][axis], other_high = other_low;
    for (std::size_t k = 1; k < 3; ++k) {
      const double at = x[k][axis];
      if (k < split)
        low = std::min(low, at), high = std::max(high, at);
      else
        other_low = std::min(other_low, at), other_high = std::max(other_high, at);
    }
    const double off = std::max({other_low - high, low - other_high, 0.0});
    sum += off * off;
  }
  return std::sqrt(sum);
}

/// The longest ways of the two parts added.
double longest_ways(PairKind kind, const PairPlaces& way) {
  std::array<double, 2> longest{};
  for (std::size_t k = 0; k < 4; ++k) {
    double& part = longest[k < first_part(kind) ? 0 : 1];
    part = std::max(part, squared_norm(way[k]));
  }
  return std::sqrt(longest[0]) + std::sqrt(longest[1]);
}

void lower(double& value, double other) {
  std::atomic_ref<double> least(value);
  for (double old = least.load(std::memory_order_relaxed);
       other < old && !least.compare_exchange_weak(old, other, std::memory_order_relaxed);) {
  }
}

}  // namespace

double collision_bound(const SurfacePair& pair, VectorView x, VectorView way, double most) {
  const PairPlaces start = corners_of(pair, x);
  PairPlaces moved = corners_of(pair, way);
  const Vec3 mean = 0.25 * (moved[0] + moved[1] + moved[2] + moved[3]);
  for (Vec3& p : moved) p -= mean;
  const double length = longest_ways(pair.kind, moved);
  if (length * most <= (1.0 - kept_distance) * distance_of_boxes(pair.kind, start)) return most;
  const auto distance = [&](double t) {
    return pair_distance(pair.kind, {start[0] + t * moved[0], start[1] + t * moved[1],
                                     start[2] + t * moved[2], start[3] + t * moved[3]})
        .distance;
  };
  const double first = distance(0.0);
  double t = (1.0 - kept_distance) * first / length, d = t < most ? distance(t) : 0.0;
  for (int step = 0; step < most_steps && t < most; ++step) {
    // It does not depend on `most`, so that the minimum over pairs does not depend on their order.
    const double next = std::min(t + advance * d / length, 1.0);
    if (!(next > t)) return t;
    d = distance(next);
    if (d < kept_distance * first) return t;
    t = next;
  }
  return std::min(t, most);
}

double collision_bound(std::span<const SurfacePair> pairs, VectorView x, VectorView way, Threads& threads) {
  double least = 1.0;
  // A pair whose bound is cut at the least so far does not lower it: the minimum does not depend on the
  // order.
  threads.for_chunks(static_cast<Count>(pairs.size()), pairs_per_chunk, [&](Count begin, Count end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const double most = std::atomic_ref<double>(least).load(std::memory_order_relaxed);
      lower(least, collision_bound(pairs[k], x, way, most));
    }
  });
  return least;
}

void shorten_ways(std::span<const SurfacePair> pairs, VectorView x, VectorSpan way, ScalarSpan distances,
                  Threads& threads) {
  std::fill(distances.begin(), distances.end(), std::numeric_limits<double>::infinity());
  threads.for_chunks(static_cast<Count>(pairs.size()), pairs_per_chunk, [&](Count begin, Count end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const double distance = pair_distance(pairs[k].kind, corners_of(pairs[k], x)).distance;
      for (const Index v : pairs[k].vertices) lower(distances[static_cast<std::size_t>(v)], distance);
    }
  });
  threads.for_chunks(static_cast<Count>(way.size()), Threads::default_chunk, [&](Count begin, Count end) {
    for (auto v = static_cast<std::size_t>(begin); v < static_cast<std::size_t>(end); ++v) {
      const double length = norm(way[v]), longest = shortened_way * distances[v];
      if (length > longest) way[v] *= longest / length;
    }
  });
}

}  // namespace electret
