#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <electret/contact/contact_set.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/transverse.hpp>
#include <electret/core/vertex_loops.hpp>

namespace electret {
namespace {

double rounding_at(const PlacedSurface& surface, const Vec3& place) {
  return 4.0 * std::numeric_limits<double>::epsilon() * (norm(place) + norm(surface.origin()));
}

/// The entry of `vertex` in a list that ascends by vertex, or null.
template <class Entry>
const Entry* find_vertex(const std::vector<Entry>& list, std::size_t vertex) {
  const auto found = std::lower_bound(list.begin(), list.end(), vertex,
                                      [](const Entry& entry, std::size_t k) { return entry.vertex < k; });
  return found != list.end() && found->vertex == vertex ? &*found : nullptr;
}

/// Of a shape with corners, the wall that is nearest to being passed, however far beyond others `place` is.
SurfaceView first_wall(const PlacedSurface& surface, const Vec3& place) {
  if (!surface.has_corners()) return surface.view(place);
  std::array<SurfaceView, most_walls> views;
  surface.walls(place, views);
  return views[0];
}

}  // namespace

ContactSet::ContactSet(std::vector<Index> vertices, std::vector<ContactObstacle> obstacles, Threads& threads,
                       double thickness, std::vector<std::size_t> kinds)
    : vertices_(std::move(vertices)),
      obstacles_(std::move(obstacles)),
      threads_(threads),
      thickness_(thickness),
      kinds_(std::move(kinds)) {
  require(kinds_.empty() || kinds_.size() == vertices_.size(), "contacts: a vertex without a kind");
  at_start_.reserve(obstacles_.size());
  at_end_.reserve(obstacles_.size());
  sights_.resize(vertices_.size());
  further_.resize(vertices_.size());
  seen_from_.resize(vertices_.size());
  forces_.resize(vertices_.size());
  states_.resize(vertices_.size());
}

void ContactSet::begin_step(std::span<const Placement> at_start, std::span<const Placement> at_end,
                            VectorView start) {
  start_ = start;
  at_start_.clear();
  at_end_.clear();
  for (ContactSight& sight : sights_) sight.obstacle = ContactSight::none;
  has_corners_ = obstacles_.size() > 1;
  for (const ContactObstacle& obstacle : obstacles_) {
    require(obstacle.number < at_start.size() && obstacle.number < at_end.size(),
            "contacts: an obstacle without a placement");
    at_start_.emplace_back(obstacle.surface, at_start[obstacle.number]);
    at_end_.emplace_back(obstacle.surface, at_end[obstacle.number]);
    has_corners_ = has_corners_ || at_end_.back().has_corners();
  }
}

/// x̃ depends on the obstacle alone, and is kept while the vertex sees the same one.
void ContactSet::see(const Vec3& place, const Vec3& start, ContactSight& sight) const {
  const std::size_t before = sight.obstacle;
  sight.view.distance = std::numeric_limits<double>::infinity();
  sight.obstacle = ContactSight::none;
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    if (at_end_[o].least_distance(place) > sight.view.distance) continue;
    const SurfaceView view = first_wall(at_end_[o], place);
    if (view.distance < sight.view.distance || sight.obstacle == ContactSight::none)
      sight.obstacle = o, sight.view = view;
  }
  sight.view.distance -= thickness_;
  if (sight.obstacle != before) carry(start, sight);
}

void ContactSet::carry(const Vec3& start, ContactSight& sight) const {
  sight.carried = at_end_[sight.obstacle].carried(at_start_[sight.obstacle], start);
}

/// A vertex may go as far again as it has come in this step. In doubt a wall is left out: it is seen from the
/// next place, if the vertex is beyond it there.
void ContactSet::see_further(const Vec3& place, const Vec3& start, const ContactSight& nearest,
                             FurtherSights& further) const {
  further.count = 0;
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    const bool is_nearest = o == nearest.obstacle;
    if (is_nearest && !at_end_[o].has_corners()) continue;
    const double reach = norm(place - start) + 16.0 * rounding_at(at_end_[o], place);
    if (at_end_[o].least_distance(place) - thickness_ > reach) continue;
    std::array<SurfaceView, most_walls> views;
    const int count = at_end_[o].walls(place, views);
    for (int w = is_nearest ? 1 : 0; w < count; ++w) {
      ContactSight sight{o, views[static_cast<std::size_t>(w)], {}};
      sight.view.distance -= thickness_;
      if (sight.view.distance > reach || sight.view.normal == Vec3{}) continue;
      carry(start, sight);
      std::size_t at = further.count;
      while (at > 0 && sight.view.distance < further.sights[at - 1].view.distance) --at;
      if (at == further.sights.size()) continue;
      further.count = std::min(further.count + 1, further.sights.size());
      for (std::size_t k = further.count - 1; k > at; --k) further.sights[k] = further.sights[k - 1];
      further.sights[at] = sight;
    }
  }
}

void ContactSet::look(VectorView place) {
  for_vertices(threads_, vertices_.size(), [&](std::size_t k) {
    const auto i = static_cast<std::size_t>(vertices_[k]);
    if (sights_[k].obstacle != ContactSight::none && place[i] == seen_from_[k]) return;
    seen_from_[k] = place[i];
    see(place[i], start_[i], sights_[k]);
    if (has_corners_) see_further(place[i], start_[i], sights_[k], further_[k]);
  });
}

std::optional<ContactPassage> ContactSet::passage(VectorView place) const {
  if (!(thickness_ > 0.0)) return std::nullopt;
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    const auto i = static_cast<std::size_t>(vertices_[k]);
    for (std::size_t o = 0; o < obstacles_.size(); ++o) {
      const std::optional<WayThrough> through =
          way_through(at_start_[o], at_end_[o], start_[i], place[i], thickness_);
      if (!through) continue;
      const Vec3 carried = at_end_[o].carried(at_start_[o], start_[i]);
      return ContactPassage{vertices_[k], o, norm(place[i] - carried), *through};
    }
  }
  return std::nullopt;
}

void ContactSet::collect(std::vector<ContactForce>& out) const {
  out.clear();
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    for_pushes(k, [&](const ContactSight& seen, const Vec3& force, ContactState state) {
      const Vec3& n = seen.view.normal;
      const double normal = dot(n, force);
      out.push_back({vertices_[k], static_cast<Index>(obstacles_[seen.obstacle].number), state, normal,
                     force - normal * n, n});
    });
  }
}

void ContactSet::set_parts(std::size_t k, const std::array<Vec3, most_walls>& forces,
                           const std::array<ContactState, most_walls>& states) {
  require(parts_.empty() || parts_.back().vertex < k, "contacts: parts of vertices out of order");
  parts_.push_back({k, forces, states});
}

const ContactSet::Parts* ContactSet::parts_of(std::size_t k) const {
  return find_vertex(parts_, k);
}

const ContactSet::Held* ContactSet::held_of(std::size_t k) const {
  return find_vertex(held_, k);
}

void ContactSet::hold(std::size_t k, const Mat3& held) {
  require(held_.empty() || held_.back().vertex < k, "contacts: held vertices out of order");
  const std::optional<VertexConstraint> rest = constraint_within(vertices_[k], held);
  require(rest.has_value(), "contacts: a vertex that is held in all directions");
  Held& entry = held_.emplace_back();
  entry.vertex = k;
  const auto& free = rest->trial;
  if (rest->columns == 2) {
    entry.directions[0] = cross(free[0], free[1]);
    entry.count = 1;
  } else {
    const std::optional<VertexConstraint> across = constraint_within(vertices_[k], outer(free[0], free[0]));
    entry.directions = {across->trial[0], across->trial[1]};
    entry.count = 2;
  }
}

Vec3 ContactSet::free_part(std::size_t k, const Vec3& v) const {
  Vec3 part = v;
  if (const Held* held = held_of(k))
    for (int d = 0; d < held->count; ++d)
      part = transverse(held->directions[static_cast<std::size_t>(d)], part);
  return part;
}

bool ContactSet::gives_way(std::size_t k) const {
  return norm(free_part(k, sights_[k].view.normal)) > rounded_sine;
}

bool ContactSet::sticks(std::size_t k) const {
  for (std::size_t wall = 0; wall < sight_count(k); ++wall)
    if (std::isinf(obstacles_[sight(k, wall).obstacle].friction[kind(k)])) return true;
  return false;
}

Vec3 ContactSet::push_on(Index vertex) const {
  Vec3 sum;
  const auto found = std::lower_bound(vertices_.begin(), vertices_.end(), vertex);
  if (found == vertices_.end() || *found != vertex) return sum;
  for_pushes(static_cast<std::size_t>(found - vertices_.begin()),
             [&](const ContactSight&, const Vec3& force, ContactState) { sum += force; });
  return sum;
}

CornerPoint ContactSet::corner(std::size_t k, const Vec3& place, const Vec3& move, const Vec3& force,
                               double scale, bool is_flat) const {
  CornerPoint corner;
  corner.count = static_cast<int>(sight_count(k));
  for (std::size_t w = 0; w < sight_count(k); ++w)
    corner.walls[w] = point(sight(k, w), k, place, move, force, scale, is_flat);
  if (const Held* held = held_of(k)) corner.held = held->directions, corner.held_count = held->count;
  return corner;
}

ContactPoint ContactSet::point(const ContactSight& seen, std::size_t k, const Vec3& place, const Vec3& move,
                               const Vec3& force, double scale, bool is_flat) const {
  const ContactObstacle& obstacle = obstacles_[seen.obstacle];
  ContactPoint point;
  point.rounding = rounding_at(at_end_[seen.obstacle], place);
  point.force = force;
  point.slide = (place - seen.carried) + move;
  point.distance = seen.view.distance + dot(seen.view.normal, move);
  if (std::abs(point.distance) <= point.rounding) point.distance = 0.0;
  point.normal = seen.view.normal;
  if (!is_flat) point.curvature = seen.view.curvature;
  point.scale = scale;
  point.friction = obstacle.friction[kind(k)];
  point.sticks = std::isinf(point.friction);
  if (point.sticks) point.friction = 0.0;
  return point;
}

}  // namespace electret
