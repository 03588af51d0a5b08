#include <algorithm>
#include <cmath>
#include <optional>

#include <electret/contact/edge_ends.hpp>
#include <electret/contact/pair_distance.hpp>

namespace electret {
namespace {

/// Of squared sines: below the first, directions are nothing but rounding; below the second, rounding puts
/// closest points off by more than parts that are pressed hard are apart.
constexpr double flat = 1e-28, nearly_flat = 1e-6;

/// The two vertices whose weights β moves, from the first to the second.
struct Slide {
  std::size_t from, to;
};

/// The weights at β = 0, and what each β moves.
struct FeatureForm {
  PairWeights weights;
  int free;
  std::array<Slide, 2> slides;
};

/// Of a vertex and the triangle of vertices 1, 2, 3.
FeatureForm triangle_form(PairFeature feature) {
  const auto corner = [](std::size_t i) {
    PairWeights w{1.0, 0.0, 0.0, 0.0};
    w[i] = -1.0;
    return w;
  };
  switch (feature) {
    case PairFeature::inner:
      return {corner(1), 2, {{{1, 2}, {1, 3}}}};
    case PairFeature::edge_0_1:
      return {corner(1), 1, {{{1, 2}, {}}}};
    case PairFeature::edge_1_2:
      return {corner(2), 1, {{{2, 3}, {}}}};
    case PairFeature::edge_2_0:
      return {corner(3), 1, {{{3, 1}, {}}}};
    case PairFeature::corner_1:
      return {corner(2), 0, {}};
    case PairFeature::corner_2:
      return {corner(3), 0, {}};
    default:
      return {corner(1), 0, {}};
  }
}

/// Of the edges 0-1 and 2-3.
FeatureForm edges_form(PairFeature feature) {
  const auto ends = [](std::size_t first, std::size_t second) {
    PairWeights w{};
    w[first] = 1.0;
    w[2 + second] = -1.0;
    return w;
  };
  constexpr Slide along_first{0, 1}, along_second{2, 3};
  switch (feature) {
    case PairFeature::inner:
      return {ends(0, 0), 2, {along_first, along_second}};
    case PairFeature::start_over_second:
      return {ends(0, 0), 1, {along_second}};
    case PairFeature::end_over_second:
      return {ends(1, 0), 1, {along_second}};
    case PairFeature::start_over_first:
      return {ends(0, 0), 1, {along_first}};
    case PairFeature::end_over_first:
      return {ends(0, 1), 1, {along_first}};
    case PairFeature::end_start:
      return {ends(1, 0), 0, {}};
    case PairFeature::start_end:
      return {ends(0, 1), 0, {}};
    case PairFeature::end_end:
      return {ends(1, 1), 0, {}};
    default:
      return {ends(0, 0), 0, {}};
  }
}

Vec3 weighted(const PairWeights& w, const PairPlaces& x) {
  return w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3];
}

/// -F⁻¹(q·r₀), by cross products, which keep their digits where the q are nearly parallel. There the closest
/// points still are off along both q, by the rounding divided by their sine; |r| is the least along one q
/// after the other then, which leaves them off across the q alone, by far less.
std::array<double, 2> minimiser(int free, const std::array<Vec3, 2>& q, const Vec3& r) {
  const double f = squared_norm(q[0]);
  if (free == 1) return {f > 0.0 ? -dot(q[0], r) / f : 0.0, 0.0};
  const Vec3 area = cross(q[0], q[1]);
  const double c = squared_norm(area);
  if (!(c > 0.0)) return {0.0, 0.0};
  std::array beta{-dot(cross(r, q[1]), area) / c, -dot(cross(q[0], r), area) / c};
  const double other = squared_norm(q[1]);
  if (c > nearly_flat * f * other) return beta;
  beta[1] = -dot(q[1], r + beta[0] * q[0]) / other;
  beta[0] = -dot(q[0], r + beta[1] * q[1]) / f;
  return beta;
}

PairDistance distance_of(const FeatureForm& form, PairFeature feature, const PairPlaces& x) {
  PairDistance at;
  at.feature = feature;
  at.weights = form.weights;
  at.free = form.free;
  std::array<Vec3, 2> q;
  for (int a = 0; a < form.free; ++a) {
    const auto k = static_cast<std::size_t>(a);
    const Slide& slide = form.slides[k];
    // Both vertices are of one part, whose weights have one sign.
    const double sign = form.weights[slide.from];
    at.slopes[k][slide.from] = -sign;
    at.slopes[k][slide.to] = sign;
    q[k] = sign * (x[slide.to] - x[slide.from]);
  }
  const auto beta = form.free > 0 ? minimiser(form.free, q, weighted(form.weights, x)) : std::array{0.0, 0.0};
  for (std::size_t a = 0; a < static_cast<std::size_t>(form.free); ++a)
    for (std::size_t i = 0; i < 4; ++i) at.weights[i] += beta[a] * at.slopes[a][i];
  // From a vertex of the pair, so that the place of the pair in the world costs no digits.
  for (std::size_t i = 1; i < 4; ++i) at.gap += at.weights[i] * (x[i] - x[0]);
  at.distance = norm(at.gap);
  if (at.distance > 0.0) at.normal = (1.0 / at.distance) * at.gap;
  return at;
}

/// The nearest of several features; of equal ones the first.
class Nearest {
 public:
  Nearest(PairKind kind, const PairPlaces& x) : kind_(kind), x_(x) {}
  void offer(PairFeature feature) {
    const PairDistance other = pair_distance(feature, kind_, x_);
    if (is_empty_ || other.distance < best_.distance) best_ = other;
    is_empty_ = false;
  }
  [[nodiscard]] const PairDistance& best() const { return best_; }

 private:
  PairKind kind_;
  const PairPlaces& x_;
  PairDistance best_;
  bool is_empty_ = true;
};

/// The inside of both parts; nothing if rounding has taken a point for one of it that is outside.
std::optional<PairDistance> inner_distance(PairKind kind, const PairPlaces& x) {
  PairDistance at = pair_distance(PairFeature::inner, kind, x);
  const bool is_inside =
      kind == PairKind::vertex_triangle
          ? std::max({at.weights[1], at.weights[2], at.weights[3]}) <= 0.0
          : std::min(at.weights[0], at.weights[1]) >= 0.0 && std::max(at.weights[2], at.weights[3]) <= 0.0;
  if (!is_inside) return std::nullopt;
  return at;
}

PairDistance over_triangle(const PairPlaces& x) {
  const Vec3 u = x[2] - x[1], v = x[3] - x[1], r = x[0] - x[1];
  const Vec3 area = cross(u, v);
  const double c = squared_norm(area);
  if (c > flat * squared_norm(u) * squared_norm(v)) {
    const double first = dot(cross(r, v), area), second = dot(cross(u, r), area);
    if (first > 0.0 && second > 0.0 && first + second < c)
      if (const auto inner = inner_distance(PairKind::vertex_triangle, x)) return *inner;
  }
  constexpr std::array segments{
      SegmentFeatures{PairFeature::edge_0_1, PairFeature::corner_0, PairFeature::corner_1},
      SegmentFeatures{PairFeature::edge_1_2, PairFeature::corner_1, PairFeature::corner_2},
      SegmentFeatures{PairFeature::edge_2_0, PairFeature::corner_2, PairFeature::corner_0}};
  Nearest nearest(PairKind::vertex_triangle, x);
  for (std::size_t k = 0; k < 3; ++k)
    nearest.offer(closest_on(segments[k], x[0], x[1 + k], x[1 + (k + 1) % 3]));
  return nearest.best();
}

PairDistance between_edges(const PairPlaces& x) {
  const Vec3 u = x[1] - x[0], v = x[3] - x[2], r = x[2] - x[0];
  const Vec3 area = cross(u, v);
  const double c = squared_norm(area);
  if (c > flat * squared_norm(u) * squared_norm(v)) {
    const double first = dot(cross(r, v), area), second = dot(cross(r, u), area);
    if (first > 0.0 && first < c && second > 0.0 && second < c)
      if (const auto inner = inner_distance(PairKind::edge_edge, x)) return *inner;
  }
  Nearest nearest(PairKind::edge_edge, x);
  for (const EdgeEnd& end : edge_ends) nearest.offer(closest_feature(end, x));
  return nearest.best();
}

}  // namespace

PairFeature closest_on(const SegmentFeatures& segment, const Vec3& point, const Vec3& from, const Vec3& to) {
  const Vec3 along = to - from;
  const double length = squared_norm(along), at = dot(along, point - from);
  if (!(at > 0.0)) return segment.start;
  return at < length ? segment.inside : segment.end;
}

PairDistance pair_distance(PairKind kind, const PairPlaces& places) {
  return kind == PairKind::vertex_triangle ? over_triangle(places) : between_edges(places);
}

PairDistance pair_distance(PairFeature feature, PairKind kind, const PairPlaces& places) {
  return distance_of(kind == PairKind::vertex_triangle ? triangle_form(feature) : edges_form(feature),
                     feature, places);
}

ClosestPointSlopes closest_point_slopes(const PairDistance& at, const PairPlaces& x) {
  ClosestPointSlopes slopes;
  std::array<Vec3, 2> q;
  const auto free = static_cast<std::size_t>(at.free);
  for (std::size_t a = 0; a < free; ++a) {
    for (std::size_t i = 1; i < 4; ++i) q[a] += at.slopes[a][i] * (x[i] - x[0]);
    for (std::size_t i = 0; i < 4; ++i)
      slopes.moments[a][i] = at.slopes[a][i] * at.gap + at.weights[i] * q[a];
  }
  if (free == 1) slopes.inverse[0][0] = 1.0 / squared_norm(q[0]);
  if (free == 2) {
    const double scale = 1.0 / squared_norm(cross(q[0], q[1])), mixed = -scale * dot(q[0], q[1]);
    slopes.inverse = {{{scale * squared_norm(q[1]), mixed}, {mixed, scale * squared_norm(q[0])}}};
  }
  return slopes;
}

PairBlocks distance_hessian(const PairDistance& at, const ClosestPointSlopes& slopes) {
  PairBlocks blocks;
  const Mat3 across = Mat3::identity() + (-1.0) * outer(at.normal, at.normal);
  const double scale = 1.0 / at.distance;
  const auto free = static_cast<std::size_t>(at.free);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      Mat3& block = blocks[i][j];
      block = (at.weights[i] * at.weights[j]) * across;
      for (std::size_t a = 0; a < free; ++a)
        for (std::size_t b = 0; b < free; ++b)
          block += outer((-slopes.inverse[a][b]) * slopes.moments[a][i], slopes.moments[b][j]);
      block *= scale;
    }
  return blocks;
}

double mollifier_threshold(const Vec3& first, const Vec3& second) {
  return 1e-3 * squared_norm(first) * squared_norm(second);
}

/// c = |u × v|²: ∇_u c = 2(|v|²u - (u·v)v), ∂²c/∂u∂u = 2|v|²I - 2vvᵀ, ∂²c/∂u∂v = 4uvᵀ - 2vuᵀ - 2(u·v)I.
EdgeMollifier edge_mollifier(const Vec3& u, const Vec3& v, double threshold) {
  EdgeMollifier m;
  const double c = squared_norm(cross(u, v));
  if (!(c < threshold)) return m;
  m.is_one = false;
  const double ratio = c / threshold;
  if (ratio < 1e-8) {
    m.value = 0.0;
    return m;
  }
  m.value = ratio * (2.0 - ratio);
  const double slope = 2.0 * (1.0 - ratio) / threshold, bend = -2.0 / (threshold * threshold);
  const Vec3 by_u = 2.0 * (squared_norm(v) * u - dot(u, v) * v),
             by_v = 2.0 * (squared_norm(u) * v - dot(u, v) * u);
  const Mat3 unit = Mat3::identity();
  m.by_first = slope * by_u;
  m.by_second = slope * by_v;
  m.first_first = (2.0 * slope) * (squared_norm(v) * unit + (-1.0) * outer(v, v)) + bend * outer(by_u, by_u);
  m.second_second =
      (2.0 * slope) * (squared_norm(u) * unit + (-1.0) * outer(u, u)) + bend * outer(by_v, by_v);
  m.first_second = (2.0 * slope) * (2.0 * outer(u, v) + (-1.0) * outer(v, u) + (-dot(u, v)) * unit) +
                   bend * outer(by_u, by_v);
  return m;
}

}  // namespace electret
