#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <electret/contact/body_contacts.hpp>
#include <electret/contact/body_passage.hpp>
#include <electret/contact/collision_bound.hpp>
#include <electret/contact/pair_distance.hpp>

namespace electret {
namespace {

constexpr double least_depth = 4.0;      ///< In thicknesses.
constexpr double met = 0.01;             ///< The distance of parts that meet, in thicknesses.
constexpr double passage_advance = 0.9;  ///< Of the distance, as in collision_bound.
/// Parts that pass each other closely take many steps. They do not go through each other.
constexpr int most_advances = 200;
constexpr Count passages_per_chunk = 512;

double longest_difference(const PairPlaces& way) {
  double squared = 0.0;
  for (const Vec3& a : way)
    for (const Vec3& b : way) squared = std::max(squared, squared_norm(a - b));
  return std::sqrt(squared);
}

/// How thick a body is along `normal`, m.
double extent(const ContactSurface& surface, std::size_t body, const Vec3& normal, VectorView x) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Index v : surface.vertices()) {
    if (surface.body(v) != body) continue;
    const double at = dot(normal, x[static_cast<std::size_t>(v)]);
    low = std::min(low, at);
    high = std::max(high, at);
  }
  return high - low;
}

/// Whether any vertex moves against another one by as much as the least depth.
bool is_fast(const ContactSurface& surface, VectorView from, VectorView to, double thickness) {
  Vec3 low, high;
  bool is_first = true;
  for (const Index v : surface.vertices()) {
    const Vec3 w = to[static_cast<std::size_t>(v)] - from[static_cast<std::size_t>(v)];
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = is_first ? w[axis] : std::min(low[axis], w[axis]);
      high[axis] = is_first ? w[axis] : std::max(high[axis], w[axis]);
    }
    is_first = false;
  }
  return norm(high - low) >= least_depth * thickness;
}

}  // namespace

std::optional<BodyPassages::Meeting> BodyPassages::meeting_of(const SurfacePair& pair, VectorView from,
                                                              VectorView way, double thickness) {
  const PairPlaces start = places_of(pair, from), moved = places_of(pair, way);
  const double length = longest_difference(moved);
  if (length < least_depth * thickness || collision_bound(pair, from, way) >= 1.0) return std::nullopt;
  double t = 0.0;
  for (int k = 0; k < most_advances && t < 1.0; ++k) {
    PairPlaces now = start;
    for (std::size_t i = 0; i < 4; ++i) now[i] += t * moved[i];
    const PairDistance at = pair_distance(pair.kind, now);
    if (at.distance > met * thickness) {
      t += passage_advance * at.distance / length;
      continue;
    }
    Vec3 apart;
    for (std::size_t i = 0; i < 4; ++i) apart += at.weights[i] * moved[i];
    return Meeting{{pair, -(1.0 - t) * dot(apart, at.normal), norm(apart), 0.0}, at.normal};
  }
  return std::nullopt;
}

std::optional<BodyPassage> BodyPassages::find(SurfacePairs& pairs, VectorView from, VectorView to,
                                              Threads& threads) {
  const ContactSurface& surface = pairs.surface();
  if (!pairs.bodies().is_other_allowed() || !is_fast(surface, from, to, pairs.thickness()))
    return std::nullopt;
  way_.resize(from.size());
  for (std::size_t i = 0; i < way_.size(); ++i) way_[i] = to[i] - from[i];
  if (!pairs.covers(from) || !pairs.covers(to)) pairs.find(from, to);
  const auto candidates = pairs.pairs();
  const auto count = static_cast<Count>(candidates.size());
  const auto chunks = static_cast<std::size_t>((count + passages_per_chunk - 1) / passages_per_chunk);
  if (met_.size() < chunks) met_.resize(chunks);
  for (std::vector<Meeting>& found : met_) found.clear();
  threads.for_chunks(count, passages_per_chunk, [&](Count begin, Count end) {
    std::vector<Meeting>& found = met_[static_cast<std::size_t>(begin / passages_per_chunk)];
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      const SurfacePair& pair = candidates[k];
      if (surface.body(pair.vertices[0]) == surface.body(pair.vertices[second_side(pair.kind)])) continue;
      const auto meeting = meeting_of(pair, from, way_, pairs.thickness());
      if (meeting && meeting->passage.depth > least_depth * pairs.thickness()) found.push_back(*meeting);
    }
  });
  std::map<std::pair<std::size_t, std::size_t>, Meeting> deepest;
  for (const std::vector<Meeting>& found : met_)
    for (const Meeting& one : found) {
      const SurfacePair& pair = one.passage.pair;
      const std::size_t first = surface.body(pair.vertices[0]),
                        second = surface.body(pair.vertices[second_side(pair.kind)]);
      const std::pair bodies(std::min(first, second), std::max(first, second));
      const auto [at, is_new] = deepest.emplace(bodies, one);
      if (!is_new && one.passage.depth > at->second.passage.depth) at->second = one;
    }
  std::optional<BodyPassage> result;
  for (const auto& [bodies, one] : deepest) {
    const double thinner = std::min(extent(surface, bodies.first, one.normal, from),
                                    extent(surface, bodies.second, one.normal, from));
    if (one.passage.depth <= thinner || (result && one.passage.depth <= result->depth)) continue;
    result = one.passage;
    result->extent = thinner;
  }
  return result;
}

}  // namespace electret
