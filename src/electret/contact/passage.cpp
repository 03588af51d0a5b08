#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <electret/contact/passage.hpp>

namespace electret {
namespace {

/// How deep a way round an edge may cut it, in thicknesses.
constexpr double deepest_cut = 4.0;
/// Of the depth that a trace finds, whose steps may be as long as that depth: the thickness at which the way
/// may go. The deepest place is at most half as deep again.
constexpr double thickness_of_depth = 1.6 / deepest_cut;
/// The cosine of the angle between the normals at which a way enters and leaves, if the sides are opposite:
/// those of boxes that share an edge are not.
constexpr double opposite = -0.1;
/// The shortest step of the trace, in thicknesses.
constexpr double shortest_step = 0.05;

/// Of shapes without a thickness: the cosine of the angle between opposite sides, how far a vertex must go to
/// be looked at, in sizes of the shape, and what counts as rounding, in sizes of places.
constexpr double opposite_sides = -0.5, least_way = 1e-3, thin_rounding = 1e-12;
/// The shortest step of such a trace, in lengths of the way, and how often a step is divided in which a sheet
/// may hide.
constexpr double thin_part = 1.0 / 64.0;
constexpr int most_divisions = 40;
/// How deep in the shape, in lengths of the way, its ends may be by the tolerance of a step.
constexpr double deepest_end = 0.01;

/// A turn about a unit axis by an angle in [0, π].
struct Turn {
  Vec3 axis;
  double angle = 0.0;  ///< rad.

  /// The turn of `after` relative to `before`.
  Turn(const PlacedSurface& before, const PlacedSurface& after) {
    constexpr std::array<Vec3, 3> units{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    std::array<Vec3, 3> turned;
    Vec3 sine;  // Times the axis.
    double trace = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      turned[k] = after.carried(before, before.origin() + units[k]) - after.origin();
      sine += 0.5 * cross(units[k], turned[k]);
      trace += dot(units[k], turned[k]);
    }
    const double length = norm(sine), rounding = 1e-9;
    angle = std::atan2(length, 0.5 * (trace - 1.0));
    if (length > rounding) {
      axis = (1.0 / length) * sine;
    } else if (trace > 0.0) {
      angle = 0.0;
    } else {  // By π: R + I = 2 a aᵀ.
      for (std::size_t k = 0; k < 3; ++k)
        if (const Vec3 column = turned[k] + units[k]; norm(column) > norm(axis)) axis = column;
      axis *= 1.0 / norm(axis);
    }
  }

  /// `x` turned by a part of the angle.
  [[nodiscard]] Vec3 part(double share, const Vec3& x) const {
    if (angle == 0.0) return x;
    const double c = std::cos(share * angle), s = std::sin(share * angle);
    return c * x + s * cross(axis, x) + ((1.0 - c) * dot(axis, x)) * axis;
  }
};

/// A vertex's way, carried to where the surface is at the end.
class SeenWay {
 public:
  SeenWay(const PlacedSurface& before, const PlacedSurface& after, const Vec3& from, const Vec3& to)
      : turn_(before, after), from_(from - before.origin()), to_(to - after.origin()), end_(after.origin()) {}

  /// A bound of its length, m.
  [[nodiscard]] double length() const {
    return norm(to_ - from_) + turn_.angle * std::max(norm(from_), norm(to_));
  }
  /// The place after `share` of the step.
  [[nodiscard]] Vec3 at(double share) const {
    return end_ + turn_.part(1.0 - share, from_ + share * (to_ - from_));
  }

 private:
  Turn turn_;
  Vec3 from_, to_, end_;
};

/// The least signed distance between two places that see opposite sides of a sheet, m.
template <class Seen>
double least_between(const Seen& seen, double low, double high) {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_divisions; ++k) {
    const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
    const double at_a = seen(a).distance, at_b = seen(b).distance;
    least = std::min({least, at_a, at_b});
    (at_a < at_b ? high : low) = at_a < at_b ? b : a;
  }
  return least;
}

/// The least signed distance on a way of the length `length` (m) of which `seen` gives the views, m.
template <class Seen>
double least_on_way(const Seen& seen, double length) {
  SurfaceView last = seen(0.0);
  double least = last.distance;
  for (double share = 0.0; share < 1.0;) {
    const double before = share;
    share = std::min(1.0, share + std::max(std::abs(last.distance) / length, thin_part));
    const SurfaceView now = seen(share);
    least = std::min(least, now.distance);
    if (dot(last.normal, now.normal) < opposite_sides)
      least = std::min(least, least_between(seen, before, share));
    last = now;
  }
  return least;
}

/// What a trace has met so far.
class Trace {
 public:
  explicit Trace(double thickness) : shortest_(shortest_step * thickness) {}

  /// Adds what is seen a step farther on; returns whether the way has come to the other side.
  bool add(const SurfaceView& seen) {
    depth_ = std::max(depth_, -seen.distance);
    const bool is_inside = seen.distance < 0.0;
    // A sheet may be thinner than a step: the side changes from one place to the next.
    const bool has_left = !is_inside && (was_inside_ || last_step_ <= shortest_);
    if (has_left && dot(side_, seen.normal) < opposite) return true;
    if (!is_inside || side_ == Vec3{}) side_ = seen.normal;
    was_inside_ = is_inside;
    last_step_ = std::max(std::abs(seen.distance), shortest_);
    return false;
  }
  [[nodiscard]] double step() const { return last_step_; }
  [[nodiscard]] double depth() const { return depth_; }

 private:
  double shortest_;         ///< m.
  double last_step_ = 0.0;  ///< m.
  double depth_ = 0.0;      ///< m.
  bool was_inside_ = false;
  Vec3 side_;  ///< The normal at the last place outside.
};

}  // namespace

std::optional<WayThrough> way_through(const PlacedSurface& before, const PlacedSurface& after,
                                      const Vec3& from, const Vec3& to, double thickness) {
  const SeenWay way(before, after, from, to);
  const double length = way.length();
  if (!(length > thickness)) return std::nullopt;
  Trace trace(thickness);
  bool is_to_other_side = false;
  for (double gone = 0.0; gone < length && !is_to_other_side; gone += trace.step())
    is_to_other_side = trace.add(after.view(way.at(gone / length)));
  is_to_other_side = is_to_other_side || trace.add(after.view(to));
  if (!is_to_other_side && !(trace.depth() > deepest_cut * thickness)) return std::nullopt;
  return WayThrough{is_to_other_side, trace.depth()};
}

std::optional<WayThrough> way_through_thin(const PlacedSurface& before, const PlacedSurface& after,
                                           const Vec3& from, const Vec3& to, double size) {
  const double length = norm(to - after.carried(before, from));
  if (!std::isfinite(size) || !(length > least_way * size) || after.least_distance(to) > length)
    return std::nullopt;
  const SurfaceView at_end = after.view(to);
  if (at_end.distance > length) return std::nullopt;
  const SurfaceView at_start = before.view(from);
  const double shallowest = std::min({at_start.distance, at_end.distance, 0.0});
  if (at_start.distance + at_end.distance > length || shallowest < -deepest_end * length) return std::nullopt;
  const SeenWay way(before, after, from, to);
  const auto seen = [&](double share) { return after.view(way.at(share)); };
  if (dot(seen(0.0).normal, at_end.normal) > opposite_sides) return std::nullopt;
  const double depth = -least_on_way(seen, way.length());
  const double rounding = thin_rounding * (size + norm(from) + norm(to));
  if (!(depth > rounding - 2.0 * shallowest)) return std::nullopt;
  return WayThrough{true, depth};
}

double sufficient_thickness(const WayThrough& through, double way) {
  return through.is_to_other_side ? way : std::min(way, thickness_of_depth * through.depth);
}

}  // namespace electret
