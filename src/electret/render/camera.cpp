#include <algorithm>
#include <cmath>
#include <limits>

#include <electret/render/camera.hpp>

namespace electret {
namespace {

constexpr double radians = 3.14159265358979323846 / 180.0;
constexpr double infinite = std::numeric_limits<double>::infinity();

Vec3 unit(const Vec3& a) {
  return (1.0 / norm(a)) * a;
}

/// A unit vector at right angles to the unit vector `a`.
Vec3 any_normal(const Vec3& a) {
  const Vec3 axis = std::abs(a.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  return unit(cross(a, axis));
}

}  // namespace

CameraAxes axes(const Camera& camera) {
  const Vec3 view = camera.eye - camera.target;
  const Vec3 backward = norm(view) > 0.0 ? unit(view) : Vec3{0, -1, 0};
  const Vec3 sideways = cross(camera.up, backward);
  const Vec3 right = norm(sideways) > 1e-9 * norm(camera.up) ? unit(sideways) : any_normal(backward);
  return {right, cross(backward, right), backward};
}

void Framing::Wedge::add(double sideways, double towards, double radius) {
  // A ball touches the line if its centre is `reach` away from it sideways.
  const double reach = radius * std::sqrt(1.0 + slope * slope);
  low = std::min(low, sideways - towards * slope - reach);
  high = std::max(high, sideways + towards * slope + reach);
  left = std::min(left, sideways - radius);
  right = std::max(right, sideways + radius);
}

Framing::Framing(const Vec3& up, const ViewDirection& direction, double shape, double margin)
    : across_{.low = infinite, .high = -infinite},
      along_{.low = infinite, .high = -infinite},
      nearest_(-infinite),
      farthest_(infinite) {
  const Vec3 upwards = unit(up);
  const Vec3 wanted = std::abs(upwards.z) > 0.5 ? Vec3{0, -1, 0} : Vec3{0, 0, 1};
  const Vec3 level = wanted - dot(wanted, upwards) * upwards;
  const Vec3 front = norm(level) > 1e-6 ? unit(level) : any_normal(upwards);
  const Vec3 beside = cross(upwards, front);
  const double a = direction.azimuth * radians, e = direction.elevation * radians;
  camera_.up = upwards;
  camera_.eye = std::cos(e) * (std::cos(a) * front + std::sin(a) * beside) + std::sin(e) * upwards;
  view_ = axes(camera_);
  along_.slope = (1.0 - 2.0 * margin) * std::tan(0.5 * camera_.field_of_view * radians);
  across_.slope = along_.slope * shape;
}

void Framing::add(const Vec3& x, double radius) {
  if (!is_finite(x)) return;
  const double towards = dot(x, view_.backward);
  across_.add(dot(x, view_.right), towards, radius);
  along_.add(dot(x, view_.up), towards, radius);
  nearest_ = std::max(nearest_, towards + radius);
  farthest_ = std::min(farthest_, towards - radius);
}

void Framing::add(VectorView points) {
  for (const Vec3& x : points) add(x);
}

Camera Framing::camera() const {
  Camera camera = camera_;
  if (!(farthest_ <= nearest_)) return camera;
  const double size = std::max({across_.size(), along_.size(), nearest_ - farthest_});
  const double far = std::abs(across_.middle()) + std::abs(along_.middle()) + std::abs(nearest_);
  const double clear = size > 0.0 ? 0.05 * size : 1e-9 * std::max(1.0, far);
  const double towards = std::max({across_.distance(), along_.distance(), nearest_ + clear});
  camera.eye = across_.middle() * view_.right + along_.middle() * view_.up + towards * view_.backward;
  camera.target = camera.eye - (towards - 0.5 * (nearest_ + farthest_)) * view_.backward;
  return camera;
}

double Framing::shape() const {
  const double middle = 0.5 * (nearest_ + farthest_);
  const double wide = across_.width(middle), tall = along_.width(middle);
  return farthest_ <= nearest_ && tall > 0.0 ? wide / tall : 1.0;
}

}  // namespace electret
