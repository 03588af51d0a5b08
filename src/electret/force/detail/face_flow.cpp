#include <cmath>
#include <numbers>

#include <electret/core/transverse.hpp>
#include <electret/force/detail/face_flow.hpp>

namespace electret::detail {
namespace {

using Four = std::array<double, 4>;

/// Of the cubic Bernstein polynomials.
Four bernstein(double s) {
  const double r = 1.0 - s;
  return {r * r * r, 3.0 * r * r * s, 3.0 * r * s * s, s * s * s};
}

double sum_of_products(const Four& a, const Four& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

double curve(const Four& ordinates, double s) {
  return sum_of_products(ordinates, bernstein(s));
}

double curve_slope(const Four& b, double s) {
  const double r = 1.0 - s;
  return 3.0 * (r * r * (b[1] - b[0]) + 2.0 * r * s * (b[2] - b[1]) + s * s * (b[3] - b[2]));
}

/// Below this sine of the angle between face and flow, the flow is head-on.
constexpr double head_on = 1e-9;

/// N = ½ a × b: a and b go from one corner to another.
struct Spans {
  std::array<std::size_t, 2> first, second;
};

constexpr Spans spans_of(int corners) {
  return corners == 3 ? Spans{{0, 1}, {1, 2}} : Spans{{0, 2}, {1, 3}};
}

/// The triangles whose areas give that of a quadrilateral, which need not be flat: A = ¼ Σ |cross products|.
constexpr std::array<std::array<std::size_t, 3>, 4> quarters{{{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {3, 1, 2}}};

/// a × b as a column product: Σ w·(da × b + a × db) goes to the ends of a and b.
void add_cross(const Vec3& w, const std::array<Vec3, 4>& x, const Spans& at, double factor,
               std::array<Vec3, 4>& out) {
  const Vec3 a = x[at.first[1]] - x[at.first[0]], b = x[at.second[1]] - x[at.second[0]];
  const Vec3 by_a = factor * cross(b, w), by_b = factor * cross(w, a);
  out[at.first[1]] += by_a;
  out[at.first[0]] -= by_a;
  out[at.second[1]] += by_b;
  out[at.second[0]] -= by_b;
}

}  // namespace

FaceFlow::FaceFlow(const WaterLaw& law, const FlowFace& face) : law_(law), face_(face) {
  flow_ = law.velocity - face.velocity;
  speed_ = norm(flow_);
  const auto& x = face.places;
  const Spans spans = spans_of(face.corners);
  const Vec3 area =
      0.5 * cross(x[spans.first[1]] - x[spans.first[0]], x[spans.second[1]] - x[spans.second[0]]);
  length_ = norm(area);
  if (!(speed_ > 0.0) || !(length_ > 0.0)) return;
  direction_ = (1.0 / speed_) * flow_;
  normal_ = (1.0 / length_) * area;
  double cosine = dot(normal_, direction_);
  if (face.has_two_sides && cosine > 0.0) side_ = -1.0;
  normal_ *= side_;
  cosine *= side_;
  if (cosine >= 0.0) return;
  acts_ = true;
  area_ = length_;
  if (face.corners == 4) {
    area_ = 0.0;
    for (const auto& [a, b, c] : quarters) area_ += 0.25 * norm(cross(x[b] - x[a], x[c] - x[b]));
  }
  // Near head-on flow arccos(n·d) and √(1 - (n·d)²) keep half of the digits, n × d keeps all of them.
  across_ = cross(normal_, direction_);
  sine_ = norm(across_);
  const double phi = std::atan2(-cosine, sine_);
  along_drag_ = 2.0 * phi / std::numbers::pi;
  along_thrust_ = phi / std::numbers::pi + 0.5;
  drag_ = curve(law.drag, along_drag_);
  thrust_ = curve(law.thrust, along_thrust_);
}

Vec3 FaceFlow::force() const {
  if (!acts_) return {};
  return (0.5 * law_.density * area_ * speed_ * speed_) * push();
}

FlowProducts FaceFlow::products(const Vec3& z) const {
  FlowProducts out;
  if (!acts_) return out;
  const double pressure = 0.5 * law_.density * speed_ * speed_;
  const double along_push = dot(push(), z);

  out.density = 0.5 * area_ * speed_ * speed_ * along_push;
  const Four at_drag = bernstein(along_drag_), at_thrust = bernstein(along_thrust_);
  for (std::size_t k = 0; k < 4; ++k) {
    out.drag[k] = pressure * area_ * at_drag[k] * dot(direction_, z);
    out.thrust[k] = -pressure * area_ * at_thrust[k] * dot(normal_, z);
  }

  // z·b' with b' = ∂(C_d d - C_t n)/∂φ at fixed d and n. φ falls if d turns towards n or n towards d.
  const double turn = (2.0 * curve_slope(law_.drag, along_drag_) * dot(direction_, z) -
                       curve_slope(law_.thrust, along_thrust_) * dot(normal_, z)) /
                      std::numbers::pi;
  const Vec3 pole = sine_ < head_on ? Vec3{} : (1.0 / sine_) * across_;
  out.flow = (0.5 * law_.density * area_) *
             (drag_ * (speed_ * z + dot(flow_, z) * direction_) - (2.0 * thrust_ * dot(normal_, z)) * flow_ -
              (speed_ * turn) * cross(direction_, pole));

  const Spans spans = spans_of(face_.corners);
  // Through n = side N/|N|.
  const Vec3 by_normal = transverse(normal_, thrust_ * z) + turn * cross(pole, normal_);
  add_cross(by_normal, face_.places, spans, -0.5 * side_ * pressure * area_ / length_, out.places);
  // Through A.
  if (face_.corners == 3) {
    add_cross(side_ * normal_, face_.places, spans, 0.5 * pressure * along_push, out.places);
    return out;
  }
  for (const auto& [a, b, c] : quarters) {
    const Vec3 area = cross(face_.places[b] - face_.places[a], face_.places[c] - face_.places[b]);
    const double size = norm(area);
    if (size > 0.0)
      add_cross((1.0 / size) * area, face_.places, {{a, b}, {b, c}}, 0.25 * pressure * along_push,
                out.places);
  }
  return out;
}

}  // namespace electret::detail
