#include <algorithm>
#include <cmath>

#include <electret/geometry/measure.hpp>
#include <electret/scene/contact_start.hpp>
#include <electret/scene/obstacle.hpp>

namespace electret {
namespace {

/// m; for bodies without a size.
constexpr double least_depth = 1e-9;

double thickness_of(const Assembly& assembly) {
  return assembly.scene.contact ? assembly.scene.contact->thickness : 0.0;
}

/// Vertices of one body and the obstacle in which some of them start.
class Escape {
 public:
  Escape(const Assembly& assembly, const StartInside& inside)
      : surface_(assembly.obstacles[inside.obstacle].sized()),
        placed_(surface_, assembly.obstacles[inside.obstacle].placement(0.0, assembly.scene.time.step)),
        thickness_(thickness_of(assembly)) {
    const Count first = assembly.body_offsets[inside.body], end = assembly.body_offsets[inside.body + 1];
    for (const Index v : touching_vertices(assembly))
      if (v >= first && v < end) places_.push_back(assembly.initial_positions[static_cast<std::size_t>(v)]);
    const double reach = surface_.shape->reach();
    longest_ = 4.0 * (inside.size + inside.depth) + (std::isfinite(reach) ? 2.0 * reach : 0.0);
    best_ = longest_;
    finest_ = 1e-12 * (longest_ + norm(placed_.origin()));
  }

  /// Whether no vertex is deeper than `depth` (m) after the move `way`.
  [[nodiscard]] bool frees(const Vec3& way, double depth) const {
    return std::all_of(places_.begin(), places_.end(),
                       [&](const Vec3& x) { return thickness_ - placed_.view(x + way).distance <= depth; });
  }

  std::optional<Vec3> find() {
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1.0, -1.0}) {
        Vec3 direction;
        direction[axis] = sign;
        try_along(direction);
      }
    for (const Vec3& x : places_) {
      const SurfaceView seen = placed_.view(x);
      if (seen.distance < thickness_) try_along(seen.normal);
    }
    for (double turn = 0.5; turn > 1e-4 && best_ < longest_; turn *= 0.5) try_around(turn);
    if (best_ >= longest_) return std::nullopt;
    return best_ * best_direction_;
  }

 private:
  /// Goes on along `direction` by the depth of the deepest vertex, which is no more than what is left to the
  /// first free place, because distances change by no more than the way.
  void try_along(const Vec3& direction) {
    const double length = norm(direction);
    if (!(length > 0.0) || views_left_ < 0) return;
    const Vec3 d = (1.0 / length) * direction;
    double way = 0.0;
    while (way < best_) {
      double depth = 0.0;
      for (const Vec3& x : places_) depth = std::max(depth, thickness_ - placed_.view(x + way * d).distance);
      views_left_ -= static_cast<Count>(places_.size());
      if (depth <= finest_) {
        best_ = way, best_direction_ = d;
        return;
      }
      if (views_left_ < 0) return;
      way += depth;
    }
  }

  void try_around(double turn) {
    const Vec3 centre = best_direction_;
    const Vec3 axis = std::abs(centre.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 a = cross(centre, axis), b = cross(centre, a);
    for (const Vec3& side : {a, -a, b, -b}) try_along(centre + (turn / norm(side)) * side);
  }

  RigidSurface surface_;
  PlacedSurface placed_;
  double thickness_;
  VectorArray places_;
  double longest_ = 0.0, finest_ = 0.0;  ///< m.
  Count views_left_ = 20'000'000;        ///< A bound on the work for large bodies.
  double best_ = 0.0;                    ///< m.
  Vec3 best_direction_{0, 0, 1};
};

double size_of_body(const Assembly& assembly, std::size_t body) {
  const VectorView all = assembly.initial_positions;
  const auto first = static_cast<std::size_t>(assembly.body_offsets[body]);
  const VectorView own =
      all.subspan(first, static_cast<std::size_t>(assembly.body_offsets[body + 1]) - first);
  if (own.empty()) return 0.0;
  const BoundingBox box = bounding_box(own);
  return norm(box.high - box.low);
}

}  // namespace

std::vector<StartInside> bodies_inside(const Assembly& assembly, double share) {
  std::vector<StartInside> found;
  // What sticks may start inside, and is held there.
  if (obstacles_stick(assembly.scene)) return found;
  if (std::none_of(assembly.obstacles.begin(), assembly.obstacles.end(),
                   [](const ObstacleTrack& track) { return track.is_exact; }))
    return found;
  const std::vector<Index> vertices = touching_vertices(assembly);
  for (std::size_t o = 0; o < assembly.obstacles.size(); ++o) {
    const ObstacleTrack& track = assembly.obstacles[o];
    if (!track.is_exact) continue;
    const RigidSurface surface = track.sized();
    const PlacedSurface placed(surface, track.placement(0.0, assembly.scene.time.step));
    auto vertex = vertices.begin();
    for (std::size_t b = 0; b + 1 < assembly.body_offsets.size(); ++b) {
      StartInside inside{b, o, 0, 0.0, 0, size_of_body(assembly, b)};
      const double most = std::max(least_depth, share * inside.size);
      for (; vertex != vertices.end() && *vertex < assembly.body_offsets[b + 1]; ++vertex) {
        const Vec3& x = assembly.initial_positions[static_cast<std::size_t>(*vertex)];
        const double depth = thickness_of(assembly) - placed.view(x).distance;
        if (!(depth > most)) continue;
        ++inside.count;
        if (depth > inside.depth) inside.depth = depth, inside.vertex = *vertex;
      }
      if (inside.count > 0) found.push_back(inside);
    }
  }
  return found;
}

bool frees(const Assembly& assembly, const StartInside& inside, const Vec3& way) {
  return Escape(assembly, inside).frees(way, 0.5 * std::max(least_depth, rounded_depth * inside.size));
}

std::optional<Vec3> way_out(const Assembly& assembly, const StartInside& inside) {
  return Escape(assembly, inside).find();
}

}  // namespace electret
