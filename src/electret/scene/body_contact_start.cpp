#include <algorithm>
#include <map>

#include <electret/contact/pair_distance.hpp>
#include <electret/contact/surface_pairs.hpp>
#include <electret/scene/body_contact_start.hpp>

namespace electret {
namespace {

std::array<std::size_t, 2> ordered(std::size_t a, std::size_t b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

BodySurfaces::BodySurfaces(const Assembly& assembly)
    : surface_(body_surface(assembly)), pairs_(body_pairs(assembly)) {}

bool BodySurfaces::may_touch(std::size_t body) const {
  for (std::size_t b = 0; b < pairs_.bodies(); ++b)
    if (pairs_.may_touch(body, b)) return true;
  return false;
}

BodyPairs BodySurfaces::selves() const {
  BodyPairs selves(pairs_.bodies());
  for (std::size_t b = 0; b < pairs_.bodies(); ++b) selves.allow(b, b, pairs_.may_touch(b, b));
  return selves;
}

std::vector<NearestPair> BodySurfaces::nearest(const BodyPairs& which, VectorView place, double below) {
  SurfacePairs candidates(surface_, which, below, threads_);
  candidates.find(place, place);
  std::map<std::array<std::size_t, 2>, NearestPair> nearest;
  for (const SurfacePair& pair : candidates.pairs()) {
    const auto at = [&](std::size_t k) { return place[static_cast<std::size_t>(pair.vertices[k])]; };
    const double distance = pair_distance(pair.kind, {at(0), at(1), at(2), at(3)}).distance;
    if (!(distance < below)) continue;
    const auto bodies = ordered(surface_.body(pair.vertices[0]), surface_.body(pair.vertices[3]));
    const auto known = nearest.find(bodies);
    if (known == nearest.end() || distance < known->second.distance)
      nearest[bodies] = {bodies, pair, distance};
  }
  std::vector<NearestPair> all;
  for (const auto& [bodies, pair] : nearest) all.push_back(pair);
  return all;
}

std::vector<BodyIntersection> BodySurfaces::intersections(VectorView place) {
  std::map<std::array<std::size_t, 2>, BodyIntersection> found;
  for (const SurfaceIntersection& each : surface_intersections(surface_, pairs_, place, threads_)) {
    const auto bodies = ordered(surface_.body(each.edge[0]), surface_.body(each.triangle[0]));
    BodyIntersection& of_bodies = found.try_emplace(bodies, BodyIntersection{bodies, each, 0}).first->second;
    ++of_bodies.count;
  }
  std::vector<BodyIntersection> all;
  for (const auto& [bodies, intersection] : found) all.push_back(intersection);
  return all;
}

}  // namespace electret
