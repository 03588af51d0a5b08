#include <cmath>
#include <limits>
#include <utility>

#include <electret/contact/contact_set.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/vertex_loops.hpp>

namespace electret {

ContactSet::ContactSet(std::vector<Index> vertices, std::vector<ContactObstacle> obstacles, Threads& threads)
    : vertices_(std::move(vertices)), obstacles_(std::move(obstacles)), threads_(threads) {
  at_start_.reserve(obstacles_.size());
  at_end_.reserve(obstacles_.size());
  sights_.resize(vertices_.size());
  forces_.resize(vertices_.size());
}

void ContactSet::begin_step(std::span<const Placement> at_start, std::span<const Placement> at_end,
                            VectorView start) {
  start_ = start;
  at_start_.clear();
  at_end_.clear();
  for (const ContactObstacle& obstacle : obstacles_) {
    require(obstacle.number < at_start.size() && obstacle.number < at_end.size(),
            "contacts: an obstacle without a placement");
    at_start_.emplace_back(obstacle.surface, at_start[obstacle.number]);
    at_end_.emplace_back(obstacle.surface, at_end[obstacle.number]);
  }
}

ContactSight ContactSet::sight(const Vec3& place, const Vec3& start) const {
  ContactSight nearest;
  nearest.view.distance = std::numeric_limits<double>::infinity();
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    const SurfaceView view = at_end_[o].view(place);
    if (view.distance < nearest.view.distance) nearest = {o, view, {}};
  }
  const std::size_t o = nearest.obstacle;
  nearest.carried = at_end_[o].carried(at_start_[o], start);
  return nearest;
}

void ContactSet::look(VectorView place) {
  for_vertices(threads_, vertices_.size(), [&](std::size_t k) {
    const auto i = static_cast<std::size_t>(vertices_[k]);
    sights_[k] = sight(place[i], start_[i]);
  });
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
  point.friction = obstacle.friction;
  point.sticks = obstacle.sticks;
  return point;
}

}  // namespace electret
