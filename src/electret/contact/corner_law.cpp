#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include <electret/contact/corner_law.hpp>
#include <electret/contact/detail/corner_planes.hpp>
#include <electret/core/small_matrices.hpp>
#include <electret/core/transverse.hpp>

namespace electret {
namespace {

using detail::CornerPlanes;
using detail::EdgeMotion;
using detail::EdgeOfWalls;
using detail::EdgeSlip;

/// Three planes meet in a point if the determinant of their normals is more.
constexpr double flat_corner = 1e-6;

/// Of the scale. Friction that turns with a slide which is nearly 0 resists the more, up to this.
constexpr double most_resistance = 1e8;

bool slides_on(const ContactPoint& wall, const Vec3& w) {
  return !wall.sticks && norm(transverse(wall.normal, wall.slide + w)) > 64.0 * wall.rounding;
}

/// Where the wall pushes after the move `w`: along n - μ û, or along n if the vertex does not slide on it.
Vec3 push_after(const ContactPoint& wall, const Vec3& w) {
  if (!slides_on(wall, w)) return wall.normal;
  const Vec3 slide = transverse(wall.normal, wall.slide + w);
  return wall.normal - (wall.friction / norm(slide)) * slide;
}

/// Where three planes push after the move `w`, one a row. Friction that makes them nearly dependent is left
/// out.
Mat3 pushes_after(const CornerPoint& point, const CornerPlanes& planes, const Vec3& w) {
  Mat3 rows = planes.normals();
  const double without = determinant(rows);
  for (std::size_t k = 0; k < most_walls; ++k)
    if (planes.walls[k] >= 0)
      rows.rows[k] = push_after(point.walls[static_cast<std::size_t>(planes.walls[k])], w);
  return determinant(rows) / without > 0.1 ? rows : planes.normals();
}

/// Bit k: the vertex can give way to wall k.
unsigned walls_in_the_way(const CornerPoint& point) {
  unsigned walls = 0;
  for (int k = 0; k < point.count; ++k)
    if (!(point.way_from(static_cast<std::size_t>(k)) == Vec3{})) walls |= 1U << k;
  return walls;
}

double gap_after(const ContactPoint& wall, const Vec3& w) {
  return wall.distance + dot(wall.normal, w);
}

/// Looks for y in the order of the number of walls that push.
class Search {
 public:
  explicit Search(const CornerPoint& point)
      : point_(point),
        force_(point.walls[0].force),
        scale_(point.walls[0].scale),
        walls_(walls_in_the_way(point)) {}

  CornerResidual find() {
    if (!free() && !on_one() && !on_edges() && !in_corner()) guess();
    return found_;
  }

 private:
  [[nodiscard]] std::size_t held() const { return static_cast<std::size_t>(point_.held_count); }
  [[nodiscard]] unsigned masks() const { return 1U << point_.count; }
  /// Whether those walls and what is held make `planes` planes together, all of which count.
  [[nodiscard]] bool makes(unsigned closed, std::size_t planes) const {
    return (closed & ~walls_) == 0 && held() + static_cast<std::size_t>(std::popcount(closed)) == planes;
  }

  /// Whether no wall but those of `closed` is in the way of the move `w`.
  [[nodiscard]] bool clears(unsigned closed, const Vec3& w) const {
    for (int k = 0; k < point_.count; ++k) {
      const ContactPoint& wall = point_.walls[static_cast<std::size_t>(k)];
      if (((walls_ & ~closed) >> k & 1U) != 0 && gap_after(wall, w) < -wall.rounding) return false;
    }
    return true;
  }
  bool take(ContactState state, unsigned closed, const Vec3& w, int rests_on = 0) {
    found_.mode = {state, closed, rests_on};
    found_.value = -scale_ * w;
    return true;
  }

  /// Without a wall. A vertex that is held moves on.
  bool free() {
    Vec3 f = force_;
    for (std::size_t k = 0; k < held(); ++k) f = transverse(point_.held[k], f);
    for (int k = 0; k < point_.count; ++k) {
      const ContactPoint& wall = point_.walls[static_cast<std::size_t>(k)];
      if ((walls_ >> k & 1U) != 0 && dot(wall.normal, f) - scale_ * wall.distance > 0.0) return false;
    }
    take(ContactState::free, 0, (-1.0 / scale_) * f);
    found_.value = f;
    return true;
  }

  /// On one wall, by the law of one.
  bool on_one() {
    if (held() > 0) return false;
    for (int k = 0; k < point_.count; ++k) {
      const ContactResidual residual = contact_residual(point_.walls[static_cast<std::size_t>(k)]);
      if (residual.state == ContactState::free) continue;
      if (!clears(1U << k, (-1.0 / scale_) * residual.value)) continue;
      take(residual.state, 1U << k, {});
      found_.value = residual.value;
      found_.one = residual;
      return true;
    }
    return false;
  }

  /// Calls body(closed, edge) for the edges of what is held and walls until it returns true.
  template <class Body>
  bool any_edge(Body&& body) {
    for (unsigned closed = 1; closed < masks(); ++closed) {
      if (!makes(closed, 2)) continue;
      const CornerPlanes planes(point_, closed);
      const std::optional<EdgeOfWalls> edge = EdgeOfWalls::between(planes.sides[0], planes.sides[1]);
      if (edge && body(closed, *edge)) return true;
    }
    return false;
  }

  /// Along an edge, or resting on it by the friction along it.
  bool on_edges() {
    return any_edge([&](unsigned closed, const EdgeOfWalls& edge) {
      const EdgeMotion motion = edge.motion(force_, scale_);
      if (!motion.is_pushed || !clears(closed, motion.move)) return false;
      return take(motion.rests ? ContactState::stick : ContactState::slip, closed, motion.move,
                  motion.rests_on);
    });
  }

  /// Where three planes meet and all push.
  bool in_corner() {
    return any_corner([&](unsigned closed, const CornerPlanes& planes, const Vec3& move) {
      if (!clears(closed, move)) return false;
      const Vec3 pressures = solve_transposed(pushes_after(point_, planes, move), force_ + scale_ * move);
      for (std::size_t k = 0; k < most_walls; ++k)
        if (planes.walls[k] >= 0 && pressures[static_cast<int>(k)] < -scale_ * planes.sides[k].rounding)
          return false;
      return take(ContactState::stick, closed, move);
    });
  }
  template <class Body>
  bool any_corner(Body&& body) {
    for (unsigned closed = 1; closed < masks(); ++closed) {
      if (!makes(closed, 3)) continue;
      const CornerPlanes planes(point_, closed);
      const Mat3 normals = planes.normals();
      if (!(std::abs(determinant(normals)) > flat_corner)) continue;
      const auto& sides = planes.sides;
      const Vec3 move = solve(normals, {-sides[0].distance, -sides[1].distance, -sides[2].distance});
      if (body(closed, planes, move)) return true;
    }
    return false;
  }

  /// Where walls slide against each other, or friction would jam, no answer may be left. The vertex goes to
  /// the nearest place on edges and in corners, and if there is none onto the first wall that it presses. One
  /// that is held goes to the nearest place on any of its walls.
  void guess() {
    if (take_nearest(false)) return;
    if (held() > 0)
      take_nearest(true);
    else
      take_pressed();
    const Vec3 move = (-1.0 / scale_) * found_.value;
    for (int k = 0; k < point_.count; ++k)
      if ((walls_ >> k & 1U) != 0)
        found_.excess = std::max(found_.excess, -gap_after(point_.walls[static_cast<std::size_t>(k)], move));
  }
  void take_pressed() {
    for (int k = 0; k < point_.count; ++k) {
      const ContactResidual residual = contact_residual(point_.walls[static_cast<std::size_t>(k)]);
      if (residual.state == ContactState::free) continue;
      take(residual.state, 1U << k, {});
      found_.value = residual.value;
      found_.one = residual;
      return;
    }
  }
  /// Of the places on edges and in corners that lie beyond no wall, or of all, if `is_any`.
  bool take_nearest(bool is_any) {
    double least = std::numeric_limits<double>::infinity();
    const auto offer = [&](ContactState state, unsigned closed, const Vec3& move, int rests_on) {
      if (!(is_any || clears(closed, move)) || !(norm(move) < least)) return false;
      least = norm(move);
      take(state, closed, move, rests_on);
      return false;
    };
    any_edge([&](unsigned closed, const EdgeOfWalls& edge) {
      const EdgeMotion motion = edge.motion(force_, scale_);
      return offer(motion.rests ? ContactState::stick : ContactState::slip, closed, motion.move,
                   motion.rests_on);
    });
    any_corner([&](unsigned closed, const CornerPlanes&, const Vec3& move) {
      return offer(ContactState::stick, closed, move, 0);
    });
    return std::isfinite(least);
  }

  const CornerPoint& point_;
  Vec3 force_;
  double scale_;
  unsigned walls_;  ///< Bit k: wall k counts.
  CornerResidual found_;
};

/// Parts of `whole` within two bounds, as equal as they allow.
std::array<double, 2> shared(double whole, double first_bound, double second_bound) {
  const double first = std::clamp(0.5 * whole, -first_bound, first_bound);
  const double second = std::clamp(whole - first, -second_bound, second_bound);
  return {whole - second, second};
}

/// Resting on an edge: no friction across it, and along it as much on one side as on the other, if they can.
/// Returns false if a side would have to pull, or friction along the edge is too little.
bool share_on_edge(const CornerPoint& point, const CornerPlanes& planes,
                   std::array<Vec3, most_walls>& forces) {
  const std::optional<EdgeOfWalls> edge = EdgeOfWalls::between(planes.sides[0], planes.sides[1]);
  if (!edge) return false;
  const Vec3& force = point.walls[0].force;
  const auto slip = edge->slip({}, force);
  double along = dot(edge->along(), force);
  std::array<double, 2> bounds{};
  std::array<Vec3, 2> parts;
  for (std::size_t k = 0; k < 2; ++k) {
    const detail::EdgeSide& side = planes.sides[k];
    if (slip[k].pressure == 0.0 && !side.holds) return false;
    const bool rests = edge->rests(static_cast<int>(k), {});
    parts[k] = slip[k].pressure * (rests ? side.normal : slip[k].push(side));
    if (rests)
      bounds[k] = side.sticks ? std::numeric_limits<double>::infinity() : side.friction * slip[k].pressure;
    else
      along -= dot(edge->along(), parts[k]);
  }
  if (std::abs(along) > (bounds[0] + bounds[1]) * (1.0 + 1e-9)) return false;
  const std::array<double, 2> friction = shared(along, bounds[0], bounds[1]);
  for (std::size_t k = 0; k < 2; ++k)
    if (planes.walls[k] >= 0)
      forces[static_cast<std::size_t>(planes.walls[k])] = parts[k] + friction[k] * edge->along();
  return true;
}

/// In a corner of three planes: walls on which the vertex does not slide push without friction.
bool share_in_corner(const CornerPoint& point, const CornerPlanes& planes,
                     std::array<Vec3, most_walls>& forces) {
  if (!(std::abs(determinant(planes.normals())) > flat_corner)) return false;
  const Mat3 pushes = pushes_after(point, planes, {});
  const Vec3 pressures = solve_transposed(pushes, point.walls[0].force);
  for (std::size_t k = 0; k < most_walls; ++k)
    if (planes.walls[k] >= 0 && pressures[static_cast<int>(k)] < 0.0) return false;
  for (std::size_t k = 0; k < most_walls; ++k)
    if (planes.walls[k] >= 0)
      forces[static_cast<std::size_t>(planes.walls[k])] = pressures[static_cast<int>(k)] * pushes.rows[k];
  return true;
}

/// Bit k: the vertex touches wall k, and can give way to it.
unsigned touched(const CornerPoint& point) {
  unsigned walls = 0;
  for (int k = 0; k < point.count; ++k) {
    const ContactPoint& wall = point.walls[static_cast<std::size_t>(k)];
    if (std::abs(wall.distance) <= wall.rounding) walls |= 1U << k;
  }
  return walls & walls_in_the_way(point);
}

bool share(const CornerPoint& point, unsigned closed, std::array<Vec3, most_walls>& forces) {
  const CornerPlanes planes(point, closed);
  if (planes.count == 2) return share_on_edge(point, planes, forces);
  return planes.count == 3 && share_in_corner(point, planes, forces);
}

}  // namespace

Vec3 CornerPoint::way_from(std::size_t k) const {
  Vec3 way = walls[k].normal;
  for (int h = 0; h < held_count; ++h) way = transverse(held[static_cast<std::size_t>(h)], way);
  return norm(way) > rounded_sine ? way : Vec3{};
}

CornerResidual corner_residual(const CornerPoint& point) {
  return Search(point).find();
}

std::array<Vec3, most_walls> corner_forces(const CornerPoint& point, const CornerMode& mode) {
  std::array<Vec3, most_walls> forces{};
  const Vec3& force = point.walls[0].force;
  if (mode.state == ContactState::free) return forces;
  const CornerPlanes planes(point, mode.closed);
  if (mode.state == ContactState::slip && planes.count == 2) {
    const std::optional<EdgeOfWalls> edge = EdgeOfWalls::between(planes.sides[0], planes.sides[1]);
    const auto slip = edge->slip({}, force);
    for (std::size_t k = 0; k < 2; ++k)
      if (planes.walls[k] >= 0)
        forces[static_cast<std::size_t>(planes.walls[k])] = slip[k].pressure * slip[k].push(planes.sides[k]);
    return forces;
  }
  // Walls that the vertex touches bear what they can, whichever are enough to hold it.
  const unsigned walls = mode.closed | touched(point);
  if (walls != mode.closed && share(point, walls, forces)) return forces;
  for (int k = 0; k < point.count; ++k)
    if (std::popcount(mode.closed) == 1 && (walls & ~mode.closed & 1U << k) != 0 &&
        share(point, mode.closed | 1U << k, forces))
      return forces;
  if (share(point, mode.closed, forces)) return forces;
  forces[first_wall(mode)] = force;
  return forces;
}

ContactState state_on_wall(const CornerPoint& point, std::size_t k, const Vec3& push) {
  if (push == Vec3{}) return ContactState::free;
  return slides_on(point.walls[k], {}) ? ContactState::slip : ContactState::stick;
}

ReducedContact reduce_corner(Index vertex, const CornerPoint& point, const CornerResidual& residual) {
  const CornerMode& mode = residual.mode;
  if (is_of_one_wall(point, mode)) {
    const ContactPoint& wall = point.walls[first_wall(mode)];
    return reduce_contact(vertex, wall, residual.one, contact_jacobian(wall, residual.one));
  }
  const double scale = point.walls[0].scale;
  const Vec3 move = (-1.0 / scale) * residual.value;
  ReducedContact reduced;
  reduced.constraint.vertex = vertex;
  const CornerPlanes planes(point, mode.closed);
  if (mode.state == ContactState::stick || planes.count > 2) {
    reduced.prescribed = move;
    return reduced;
  }
  if (planes.count < 2) {
    const Vec3 held = point.held_count > 0 ? point.held[0] : Vec3{};
    reduced.constraint = *constraint_within(vertex, outer(held, held));
    for (int k = 0; k < reduced.constraint.columns; ++k)
      reduced.right_hand_side[static_cast<std::size_t>(k)] =
          -dot(reduced.constraint.test[static_cast<std::size_t>(k)], residual.value);
    return reduced;
  }
  const EdgeOfWalls edge = *EdgeOfWalls::between(planes.sides[0], planes.sides[1]);
  const auto slip = edge.slip(move, point.walls[0].force + scale * move);
  reduced.prescribed = edge.foot();
  const Vec3 along = edge.along();
  const Vec3 across = cross(slip[0].push(planes.sides[0]), slip[1].push(planes.sides[1]));
  const Vec3 test = (1.0 / dot(along, across)) * across;
  reduced.constraint.columns = 1;
  reduced.constraint.trial[0] = along;
  reduced.constraint.test[0] = test;
  double& right = reduced.right_hand_side[0];
  right = -dot(test, residual.value);
  for (const EdgeSlip& side : slip) {
    const double resistance = std::min(side.resistance, most_resistance * scale) * dot(test, side.across);
    reduced.constraint.diagonal[0] += resistance * dot(side.across, along);
    right -= resistance * dot(side.across, reduced.prescribed - move);
  }
  return reduced;
}

}  // namespace electret
