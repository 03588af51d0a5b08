#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <string>

#include <electret/core/errors.hpp>
#include <electret/render/detail/embree.inl>
#include <electret/render/detail/normals.hpp>
#include <electret/render/detail/traced_scene.hpp>

namespace electret::render {
namespace {

constexpr float off_surface = 2e-5F;
constexpr double most_pieces = 12.0;

float linear(double part) {
  const double p = std::clamp(part, 0.0, 1.0);
  return static_cast<float>(p <= 0.04045 ? p / 12.92 : std::pow((p + 0.055) / 1.055, 2.4));
}

struct Extent {
  Vec3 low{inf, inf, inf}, high{-inf, -inf, -inf};
  static constexpr double inf = std::numeric_limits<double>::infinity();

  void add(const Vec3& x, double radius = 0.0) {
    if (!is_finite(x)) return;
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], x[axis] - radius);
      high[axis] = std::max(high[axis], x[axis] + radius);
    }
  }
};

Extent extent(const Picture& picture) {
  Extent extent;
  for (const Surface& surface : picture.surfaces)
    for (const Vec3& x : surface.positions) extent.add(x);
  for (const Ball& ball : picture.balls) extent.add(ball.centre, ball.radius);
  for (const Rod& rod : picture.rods)
    extent.add(rod.from, rod.from_radius), extent.add(rod.to, rod.to_radius);
  if (!(extent.low.x <= extent.high.x)) extent.low = extent.high = {};
  return extent;
}

/// The geometry of a surface, and what its shading needs.
struct TracedSurface {
  std::vector<Float3> positions, colours;
  std::vector<Triangle> faces;
  std::vector<std::array<Float3, 3>> normals;
};

/// How many pieces a rod is cut into. The bounding box of a long rod would be met by many rays that miss the
/// rod.
double pieces(const Rod& rod) {
  const double thick = std::max(rod.from_radius, rod.to_radius);
  return thick > 0.0 ? std::clamp(std::ceil(norm(rod.to - rod.from) / (10.0 * thick)), 1.0, most_pieces)
                     : 1.0;
}

struct Point4 {
  float x, y, z, radius;
};

[[noreturn]] void fail(RTCError error) {
  if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  throw InternalError("ray tracing: Embree reports error " + std::to_string(static_cast<int>(error)));
}

}  // namespace

Float3 linear(const Colour& colour) {
  return {linear(colour.red), linear(colour.green), linear(colour.blue)};
}

struct TracedScene::Impl {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  std::vector<TracedSurface> surfaces;
  std::vector<Float3> ball_colours, rod_colours;
  unsigned balls = RTC_INVALID_GEOMETRY_ID, rods = RTC_INVALID_GEOMETRY_ID;

  Impl() {
    // A number of threads given here would limit the whole process.
    device = rtcNewDevice(nullptr);
    if (device == nullptr) fail(rtcGetDeviceError(nullptr));
    scene = rtcNewScene(device);
    check();
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  }
  ~Impl() {
    if (scene != nullptr) rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void check() const {
    if (const RTCError error = rtcGetDeviceError(device); error != RTC_ERROR_NONE) fail(error);
  }

  template <class Item>
  Item* buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t count) const {
    void* memory = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(Item), count);
    check();
    return static_cast<Item*>(memory);
  }

  unsigned attach(RTCGeometry geometry) const {
    rtcCommitGeometry(geometry);
    const unsigned number = rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    check();
    return number;
  }

  void add_surface(TracedSurface surface) {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    std::copy(surface.positions.begin(), surface.positions.end(),
              buffer<Float3>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, surface.positions.size()));
    std::copy(surface.faces.begin(), surface.faces.end(),
              buffer<Triangle>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, surface.faces.size()));
    attach(geometry);  // its number is its index among the surfaces, which come first
    surfaces.push_back(std::move(surface));
  }

  void add_balls(const std::vector<Point4>& points) {
    if (points.empty()) return;
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    std::copy(points.begin(), points.end(),
              buffer<Point4>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, points.size()));
    balls = attach(geometry);
  }

  /// Two points each.
  void add_rods(const std::vector<Point4>& points) {
    if (points.empty()) return;
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    std::copy(points.begin(), points.end(),
              buffer<Point4>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, points.size()));
    const std::size_t count = points.size() / 2;
    auto* index = buffer<unsigned>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, count);
    for (std::size_t k = 0; k < count; ++k) index[k] = static_cast<unsigned>(2 * k);
    rods = attach(geometry);
  }
};

TracedScene::TracedScene(const Picture& picture) : impl_(std::make_unique<Impl>()) {
  const Extent around = extent(picture);
  const Vec3 size = around.high - around.low;
  centre_ = 0.5 * (around.low + around.high);
  const double largest = std::max({size.x, size.y, size.z});
  scale_ = largest > 0.0 ? 1.0 / std::max(largest, 1e-300) : 1.0;
  for (const Surface& surface : picture.surfaces) {
    TracedSurface traced;
    for (const Vec3& x : surface.positions) traced.positions.push_back(to_scene(x));
    for (const Colour& colour : surface.colours) traced.colours.push_back(linear(colour));
    const auto finite = [&](Index i) { return is_finite(surface.positions[static_cast<std::size_t>(i)]); };
    for (const Triangle& face : surface.faces)
      if (finite(face[0]) && finite(face[1]) && finite(face[2])) traced.faces.push_back(face);
    traced.normals = corner_normals(traced.positions, traced.faces, surface.crease);
    if (!traced.faces.empty()) impl_->add_surface(std::move(traced));
  }
  const auto point = [&](const Vec3& x, double radius) {
    const Float3 at = to_scene(x);
    return Point4{at.x, at.y, at.z, static_cast<float>(radius * scale_)};
  };
  std::vector<Point4> points;
  for (const Ball& ball : picture.balls) {
    if (!is_finite(ball.centre)) continue;
    points.push_back(point(ball.centre, ball.radius));
    impl_->ball_colours.push_back(linear(ball.colour));
  }
  impl_->add_balls(points);
  points.clear();
  for (const Rod& rod : picture.rods) {
    if (!is_finite(rod.from) || !is_finite(rod.to)) continue;
    const double parts = pieces(rod);
    for (double k = 0; k < parts; ++k) {
      for (const double t : {k / parts, (k + 1) / parts})
        points.push_back(point(rod.from + t * (rod.to - rod.from),
                               rod.from_radius + t * (rod.to_radius - rod.from_radius)));
      impl_->rod_colours.push_back(linear(rod.colour));
    }
  }
  impl_->add_rods(points);
  rtcCommitScene(impl_->scene);
  impl_->check();
}

TracedScene::~TracedScene() = default;

RTCSceneTy* TracedScene::embree() const {
  return impl_->scene;
}

Spot TracedScene::spot(const Meeting& meeting) const {
  Spot spot;
  const Float3 flat = unit(meeting.normal);
  spot.flat = dot(flat, meeting.from) < 0.0F ? -flat : flat;
  spot.normal = spot.flat;
  spot.place = meeting.place;
  if (meeting.part == impl_->balls) {
    spot.colour = impl_->ball_colours[meeting.piece];
  } else if (meeting.part == impl_->rods) {
    spot.colour = impl_->rod_colours[meeting.piece];
  } else {
    const TracedSurface& surface = impl_->surfaces[meeting.part];
    const Triangle& face = surface.faces[meeting.piece];
    const std::array<float, 3> weight{1.0F - meeting.u - meeting.v, meeting.u, meeting.v};
    const float side = dot(flat, meeting.from) < 0.0F ? -1.0F : 1.0F;
    Float3 smooth, shift;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(face[k]);
      const Float3 normal = side * surface.normals[meeting.piece][k];
      spot.colour = spot.colour + weight[k] * surface.colours[i];
      smooth = smooth + weight[k] * normal;
      // Rays start from the round surface that the corners' normals describe. Otherwise edges of coarse faces
      // would cast shadows on themselves.
      const float below = std::min(0.0F, dot(meeting.place - surface.positions[i], normal));
      shift = shift - (weight[k] * below) * normal;
    }
    if (dot(smooth, smooth) > 0.0F) spot.normal = unit(smooth);
    spot.place = spot.place + shift;
  }
  spot.place = spot.place + off_surface * spot.flat;
  return spot;
}

}  // namespace electret::render
