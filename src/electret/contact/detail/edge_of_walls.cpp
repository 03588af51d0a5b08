#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/contact/detail/edge_of_walls.hpp>
#include <electret/core/transverse.hpp>

namespace electret::detail {
namespace {

/// Sides whose normals differ by less make no edge.
constexpr double parallel = 1e-7;
/// Of the sine of the normals. Where friction across the edge turns the pushes of both sides so far towards
/// each other, they would jam, and more than one place along the way would do.
constexpr double jammed = 0.1;
constexpr int most_bisections = 200;

double clipped(double value) {
  return std::max(value, 0.0);
}

}  // namespace

std::optional<EdgeOfWalls> EdgeOfWalls::between(const EdgeSide& first, const EdgeSide& second) {
  EdgeOfWalls edge;
  edge.sides_ = {first, second};
  const Vec3 normal = cross(first.normal, second.normal);
  edge.sine_ = norm(normal);
  if (!(edge.sine_ > parallel)) return std::nullopt;
  edge.along_ = (1.0 / edge.sine_) * normal;
  const std::array<double, 2> parts = [&] {
    const double cosine = dot(first.normal, second.normal), square = edge.sine_ * edge.sine_;
    return std::array<double, 2>{(-first.distance + cosine * second.distance) / square,
                                 (-second.distance + cosine * first.distance) / square};
  }();
  edge.foot_ = parts[0] * first.normal + parts[1] * second.normal;
  edge.tolerance_ = 16.0 * (first.rounding + second.rounding) / edge.sine_;
  bool is_jammed = false;
  for (std::size_t k = 0; k < 2; ++k) {
    const EdgeSide& side = edge.sides_[k];
    edge.across_[k] = cross(edge.along_, side.normal);
    edge.beside_[k] = dot(edge.across_[k], side.slide + edge.foot_);
    edge.rest_[k] = -dot(edge.along_, side.slide);
    if (std::abs(edge.beside_[k]) <= edge.tolerance_ || side.sticks) edge.beside_[k] = 0.0;
  }
  for (const double a : {0.0, 1.0})
    for (const double b : {0.0, 1.0}) {
      const Vec3 one =
          first.normal - (a * first.friction * std::copysign(1.0, edge.beside_[0])) * edge.across_[0];
      const Vec3 two =
          second.normal - (b * second.friction * std::copysign(1.0, edge.beside_[1])) * edge.across_[1];
      const bool counts = (a == 0.0 || edge.beside_[0] != 0.0) && (b == 0.0 || edge.beside_[1] != 0.0);
      if (counts && dot(edge.along_, cross(one, two)) < jammed * edge.sine_) is_jammed = true;
    }
  for (std::size_t k = 0; k < 2; ++k) {
    if (is_jammed) edge.beside_[k] = 0.0;
    edge.may_rest_[k] = edge.beside_[k] == 0.0 && (edge.sides_[k].friction > 0.0 || edge.sides_[k].sticks);
  }
  return edge;
}

std::array<double, 2> EdgeOfWalls::across_parts(const Vec3& v) const {
  const double a = dot(sides_[0].normal, v), b = dot(sides_[1].normal, v);
  const double cosine = dot(sides_[0].normal, sides_[1].normal), square = sine_ * sine_;
  return {(a - cosine * b) / square, (b - cosine * a) / square};
}

EdgeOfWalls::Direction EdgeOfWalls::direction(std::size_t k, double way) const {
  if (sides_[k].holds || sides_[k].sticks) return {};
  const double along = way - rest_[k], length = std::hypot(along, beside_[k]);
  if (length == 0.0) return {};
  return {along / length, beside_[k] / length};
}

/// λ with Σ λ_k (n_k - μ_k û_k) = `pull` across the edge.
std::array<double, 2> EdgeOfWalls::pressures(const Vec3& pull, const std::array<Direction, 2>& u) const {
  std::array<Vec3, 2> push;
  for (std::size_t k = 0; k < 2; ++k)
    push[k] = sides_[k].normal - (sides_[k].friction * u[k].across) * across_[k];
  const double whole = dot(along_, cross(push[0], push[1]));
  return {dot(along_, cross(pull, push[1])) / whole, dot(along_, cross(push[0], pull)) / whole};
}

/// The balance of forces along the edge as a function of the way.
struct EdgeOfWalls::Guide {
  const EdgeOfWalls& edge;
  Vec3 pull;                     ///< c w + f.
  double scale, way;             ///< c; the way without friction.
  std::array<double, 2> sign{};  ///< Of the slide on sides that may rest, where it is known.
  std::array<double, 2> pressure{};

  [[nodiscard]] Direction direction_at(std::size_t k, double at) const {
    if (!edge.may_rest_[k]) return edge.direction(k, at);
    return {sign[k], 0.0};
  }
  double excess(double at) {
    const std::array<Direction, 2> u{direction_at(0, at), direction_at(1, at)};
    pressure = edge.pressures(pull, u);
    double sum = scale * (at - way);
    for (std::size_t k = 0; k < 2; ++k) sum += clipped(pressure[k]) * edge.sides_[k].friction * u[k].along;
    return sum;
  }
  /// A place without friction's jumps between `low` and `high` where the forces balance.
  double root(double low, double high) {
    const bool is_linear = [&] {
      for (std::size_t k = 0; k < 2; ++k)
        if (!edge.may_rest_[k] && edge.sides_[k].friction > 0.0) return false;
      return true;
    }();
    if (is_linear) return std::clamp(way - excess(way) / scale, low, high);
    double reach = 1e-3 * std::abs(way);
    for (std::size_t k = 0; k < 2; ++k)
      reach += 100.0 * edge.sides_[k].friction * norm(pull) / (edge.sine_ * scale);
    double a = std::max(low, way - reach), b = std::min(high, way + reach);
    if (a >= b) return std::clamp(way, low, high);
    if (excess(a) >= 0.0) return a;
    if (excess(b) <= 0.0) return b;
    for (int k = 0; k < most_bisections; ++k) {
      const double middle = 0.5 * (a + b);
      if (middle <= a || middle >= b) break;
      (excess(middle) < 0.0 ? a : b) = middle;
    }
    return 0.5 * (a + b);
  }
};

EdgeMotion EdgeOfWalls::motion(const Vec3& force, double scale) const {
  Guide guide{*this, scale * foot_ + transverse(along_, force), scale, -dot(along_, force) / scale, {}, {}};
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  EdgeMotion result;
  const auto finish = [&](double way) {
    guide.excess(way);
    result.move = foot_ + way * along_;
    result.is_pushed = true;
    for (std::size_t k = 0; k < 2; ++k)
      if (!sides_[k].holds && guide.pressure[k] < -scale * sides_[k].rounding) result.is_pushed = false;
    return result;
  };
  for (std::size_t k = 0; k < 2; ++k) {
    if (!may_rest_[k]) continue;
    const std::size_t other = 1 - k;
    const bool both = may_rest_[other] && std::abs(rest_[other] - rest_[k]) <= tolerance_;
    guide.sign = {};
    if (may_rest_[other] && !both) guide.sign[other] = std::copysign(1.0, rest_[k] - rest_[other]);
    const double pull = guide.excess(rest_[k]);
    double hold = clipped(guide.pressure[k]) * sides_[k].friction;
    bool sticks = sides_[k].sticks && guide.pressure[k] > 0.0;
    if (both) {
      hold += clipped(guide.pressure[other]) * sides_[other].friction;
      sticks = sticks || (sides_[other].sticks && guide.pressure[other] > 0.0);
    }
    if (sticks || std::abs(pull) <= hold) {
      result.rests = true;
      result.rests_on = static_cast<int>(k);
      return finish(rest_[k]);
    }
    (pull > 0.0 ? high : low) = pull > 0.0 ? std::min(high, rest_[k]) : std::max(low, rest_[k]);
  }
  for (std::size_t k = 0; k < 2; ++k)
    if (may_rest_[k]) guide.sign[k] = rest_[k] >= high ? -1.0 : 1.0;
  return finish(low < high ? guide.root(low, high) : 0.5 * (low + high));
}

std::optional<Vec3> EdgeOfWalls::resting_place(int k) const {
  if (!may_rest_[static_cast<std::size_t>(k)]) return std::nullopt;
  return foot_ + rest_[static_cast<std::size_t>(k)] * along_;
}

bool EdgeOfWalls::rests(int k, const Vec3& w) const {
  const auto at = static_cast<std::size_t>(k);
  return may_rest_[at] && std::abs(dot(along_, w) - rest_[at]) <= tolerance_;
}

std::array<EdgeSlip, 2> EdgeOfWalls::slip(const Vec3& w, const Vec3& force) const {
  std::array<Direction, 2> u;
  std::array<EdgeSlip, 2> result;
  const double way = dot(along_, w);
  for (std::size_t k = 0; k < 2; ++k) {
    u[k] = direction(k, way);
    result[k].slide = u[k].along * along_ + u[k].across * across_[k];
    result[k].across = cross(sides_[k].normal, result[k].slide);
  }
  const std::array<double, 2> pressure = pressures(transverse(along_, force), u);
  for (std::size_t k = 0; k < 2; ++k) {
    result[k].pressure = clipped(pressure[k]);
    if (sides_[k].holds) result[k].pressure = pressure[k];
    const double length = std::hypot(way - rest_[k], beside_[k]);
    if (length > 0.0) result[k].resistance = result[k].pressure * sides_[k].friction / length;
  }
  return result;
}

}  // namespace electret::detail
