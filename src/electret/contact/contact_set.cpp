#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <electret/contact/contact_set.hpp>
#include <electret/contact/passage.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>

namespace electret {

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
  for (const ContactObstacle& obstacle : obstacles_) {
    require(obstacle.number < at_start.size() && obstacle.number < at_end.size(),
            "contacts: an obstacle without a placement");
    at_start_.emplace_back(obstacle.surface, at_start[obstacle.number]);
    at_end_.emplace_back(obstacle.surface, at_end[obstacle.number]);
  }
}

/// x̃ depends on the obstacle alone, and is kept while the vertex sees the same one.
void ContactSet::see(const Vec3& place, const Vec3& start, ContactSight& sight) const {
  const std::size_t before = sight.obstacle;
  sight.view.distance = std::numeric_limits<double>::infinity();
  sight.obstacle = ContactSight::none;
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    if (at_end_[o].least_distance(place) > sight.view.distance) continue;
    const SurfaceView view = at_end_[o].view(place);
    if (view.distance < sight.view.distance || sight.obstacle == ContactSight::none)
      sight.obstacle = o, sight.view = view;
  }
  sight.view.distance -= thickness_;
  if (sight.obstacle != before)
    sight.carried = at_end_[sight.obstacle].carried(at_start_[sight.obstacle], start);
}

void ContactSet::look(VectorView place) {
  for_vertices(threads_, vertices_.size(), [&](std::size_t k) {
    const auto i = static_cast<std::size_t>(vertices_[k]);
    if (sights_[k].obstacle != ContactSight::none && place[i] == seen_from_[k]) return;
    seen_from_[k] = place[i];
    see(place[i], start_[i], sights_[k]);
  });
}

std::optional<ContactPassage> ContactSet::passage(VectorView place) const {
  if (!(thickness_ > 0.0)) return std::nullopt;
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    const auto i = static_cast<std::size_t>(vertices_[k]);
    for (std::size_t o = 0; o < obstacles_.size(); ++o) {
      if (!goes_through(at_start_[o], at_end_[o], start_[i], place[i], thickness_)) continue;
      const Vec3 carried = at_end_[o].carried(at_start_[o], start_[i]);
      return ContactPassage{vertices_[k], o, norm(place[i] - carried)};
    }
  }
  return std::nullopt;
}

void ContactSet::collect(std::vector<ContactForce>& out) const {
  out.clear();
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    if (states_[k] == ContactState::free) continue;
    const ContactSight& seen = sights_[k];
    const Vec3& n = seen.view.normal;
    const double normal = dot(n, forces_[k]);
    out.push_back({vertices_[k], static_cast<Index>(obstacles_[seen.obstacle].number), states_[k], normal,
                   forces_[k] - normal * n, n});
  }
}

ContactPoint ContactSet::point(std::size_t k, const Vec3& place, const Vec3& move, const Vec3& force,
                               double scale, bool is_flat) const {
  const ContactSight& seen = sights_[k];
  const ContactObstacle& obstacle = obstacles_[seen.obstacle];
  const double rounding =
      4.0 * std::numeric_limits<double>::epsilon() * (norm(place) + norm(at_end_[seen.obstacle].origin()));
  ContactPoint point;
  point.force = force;
  point.slide = (place - seen.carried) + move;
  point.distance = seen.view.distance + dot(seen.view.normal, move);
  if (std::abs(point.distance) <= rounding) point.distance = 0.0;
  point.normal = seen.view.normal;
  if (!is_flat) point.curvature = seen.view.curvature;
  point.scale = scale;
  point.friction = obstacle.friction[kind(k)];
  point.sticks = obstacle.sticks;
  return point;
}

}  // namespace electret
