#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/render/trace.hpp>

namespace electret {
namespace {

constexpr double pi = 3.14159265358979323846;
using Pixel = std::array<std::uint8_t, 3>;

Camera from_front(double distance) {
  return {.eye = {0, -distance, 0}, .target = {}, .up = {0, 0, 1}, .field_of_view = 40.0};
}

/// Pixels to a metre at 1 m from the eye.
double pixels_per_slope(const Camera& camera, int height) {
  return height / (2.0 * std::tan(camera.field_of_view * pi / 360.0));
}

Image traced(const Picture& picture, const Camera& camera, int width = 160, int height = 120,
             int threads = 2) {
  Threads team(threads);
  return trace(picture, camera, {.width = width, .height = height}, team);
}

Pixel backdrop(const Image& image) {
  return image.pixels.front();
}

/// How many pixels show something, counting half-covered ones as half, about.
double covered(const Image& image) {
  double sum = 0.0;
  for (const Pixel& pixel : image.pixels) sum += pixel == backdrop(image) ? 0.0 : 1.0;
  return sum;
}

int brightness(const Pixel& pixel) {
  return pixel[0] + pixel[1] + pixel[2];
}

Picture of_ball(const Vec3& centre, double radius, const Colour& colour) {
  Picture picture;
  picture.balls.push_back({centre, radius, colour});
  return picture;
}

TEST(Trace, ABallHasTheOutlineOfItsCone) {
  const Camera camera = from_front(4.0);
  const Image image = traced(of_ball({}, 1.0, {0.2, 0.4, 0.8}), camera, 320, 240);
  const double radius = std::tan(std::asin(1.0 / 4.0)) * pixels_per_slope(camera, 240);
  EXPECT_NEAR(covered(image), pi * radius * radius, 0.03 * pi * radius * radius);
  EXPECT_NE(image.at(160, 120), backdrop(image));
  EXPECT_EQ(image.at(3, 3), backdrop(image));
}

TEST(Trace, ARodIsAsLongAndThickAsItIs) {
  const Camera camera = from_front(10.0);
  Picture picture;
  picture.rods.push_back({{-1.5, 0, 0}, {1.5, 0, 0}, 0.1, 0.1, {0.3, 0.3, 0.3}});
  const Image image = traced(picture, camera, 640, 480);
  const double scale = pixels_per_slope(camera, 480) / 10.0;
  const double area = (3.0 * 0.2 + pi * 0.01) * scale * scale;
  // A row of half-covered pixels all around counts whole.
  EXPECT_NEAR(covered(image), area + 3.2 * scale, 0.06 * area);
}

TEST(Trace, ATriangleMeshAndItsSubdivisionLookTheSame) {
  const auto sheet = [](int n) {
    Surface surface;
    for (int i = 0; i <= n; ++i)
      for (int k = 0; k <= n; ++k) {
        surface.positions.push_back({2.0 * i / n - 1.0, 0.3, 2.0 * k / n - 1.0});
        surface.colours.push_back({0.4 + 0.2 * i / n, 0.5, 0.6 - 0.2 * k / n});
      }
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < n; ++k) {
        const Index a = i * (n + 1) + k, b = a + n + 1;
        surface.faces.push_back({a, b, b + 1});
        surface.faces.push_back({a, b + 1, a + 1});
      }
    Picture picture;
    picture.surfaces.push_back(std::move(surface));
    return picture;
  };
  const Image one = traced(sheet(1), from_front(4.0)), many = traced(sheet(7), from_front(4.0));
  int largest = 0;
  for (int y = 30; y < 90; ++y)
    for (int x = 50; x < 110; ++x)
      for (std::size_t c = 0; c < 3; ++c)
        largest = std::max(largest, std::abs(one.at(x, y)[c] - many.at(x, y)[c]));
  EXPECT_LE(largest, 6);  // colours are mixed as light, which is not linear to the eye
  // Red grows to the right, blue falls upwards.
  EXPECT_GT(many.at(110, 60)[0], many.at(50, 60)[0] + 15);
  EXPECT_GT(many.at(80, 90)[2], many.at(80, 30)[2] + 15);
}

TEST(Trace, TheNearerHidesTheFarther) {
  Picture picture = of_ball({0, -1, 0}, 0.3, {0.9, 0.1, 0.1});
  picture.balls.push_back({{0, 1, 0}, 0.5, {0.1, 0.1, 0.9}});
  const Image image = traced(picture, from_front(5.0));
  const Pixel middle = image.at(80, 60);
  EXPECT_GT(middle[0], middle[2] + 50);
}

TEST(Trace, MarksAreSeenThroughWhatHidesThem) {
  const auto with = [](double depth, bool is_marked) {
    Picture picture = of_ball({0, 0, 0}, 0.5, {0.5, 0.5, 0.5});
    if (is_marked) picture.marks.balls.push_back({{0, depth, 0}, 0.1, {0.1, 0.6, 0.1}});
    return traced(picture, from_front(5.0));
  };
  const Pixel bare = with(0.0, false).at(80, 60);
  EXPECT_NEAR(bare[1], bare[0], 3);
  for (const double depth : {-1.0, 1.0, 8.0}) {  // In front, behind, and far behind.
    const Image image = with(depth, true);
    const Pixel middle = image.at(80, 60);
    EXPECT_GT(middle[1], middle[0] + 30) << depth;
    EXPECT_EQ(image.at(80, 35), with(0.0, false).at(80, 35)) << "beside the mark: " << depth;
  }
  // Beside the ball marks are as balls are, and on the backdrop, too.
  Picture alone;
  alone.marks.balls.push_back({{0, 0, 0}, 0.5, {0.1, 0.6, 0.1}});
  EXPECT_NEAR(covered(traced(alone, from_front(5.0))),
              covered(traced(of_ball({}, 0.5, {0.1, 0.6, 0.1}), from_front(5.0))), 2.0);
}

TEST(Trace, AShadowFallsAwayFromTheLamp) {
  Picture picture = of_ball({0, 0, 0}, 0.4, {0.5, 0.5, 0.5});
  picture.ground = -1.0;
  picture.to_light = {-1, 0, 1};  // from the left: the shadow is one to the right
  const Camera camera{.eye = {0, -3, 4}, .target = {0, 0, -1}, .up = {0, 0, 1}, .field_of_view = 50.0};
  const Image image = traced(picture, camera, 320, 240);
  const CameraAxes view = axes(camera);
  const auto at = [&](const Vec3& x) {
    const Vec3 from_eye = x - camera.eye;
    const double slope = pixels_per_slope(camera, 240) / -dot(from_eye, view.backward);
    return image.at(static_cast<int>(160 + slope * dot(from_eye, view.right)),
                    static_cast<int>(120 - slope * dot(from_eye, view.up)));
  };
  EXPECT_LT(brightness(at({1, 0, -1})), brightness(at({-1, 0, -1})) - 60);
  // Far away the floor is the backdrop.
  EXPECT_NEAR(brightness(at({-1.9, -1.0, -1})), brightness(backdrop(image)), 20);
}

TEST(Trace, ABodyDarkensWhatItLiesOn) {
  Picture picture = of_ball({0, 0, 0.5}, 0.5, {0.8, 0.8, 0.8});
  picture.ground = 0.0;
  picture.to_light = {0, 0, 1};
  const Camera camera{.eye = {0, -4, 1}, .target = {0, 0, 0.3}, .up = {0, 0, 1}, .field_of_view = 40.0};
  const Image with = traced(picture, camera);
  picture.ground = 3.0;  // above the eye: not seen, and nothing under it is
  const Image without = traced(picture, camera);
  double darker = 0.0;
  for (std::size_t k = 0; k < with.pixels.size(); ++k)
    darker += brightness(without.pixels[k]) > brightness(with.pixels[k]) + 30 ? 1.0 : 0.0;
  EXPECT_GT(darker, 50.0);
}

Picture busy() {
  Picture picture;
  for (int k = 0; k < 30; ++k) {
    const double a = 0.7 * k, z = 0.05 * k - 0.7;
    picture.balls.push_back({{std::cos(a), std::sin(a), z}, 0.12, {0.5 + 0.5 * std::sin(a), 0.3, 0.6}});
    picture.rods.push_back({{std::cos(a), std::sin(a), z}, {0, 0, z}, 0.03, 0.01, {0.4, 0.6, 0.4}});
  }
  picture.surfaces.push_back({.positions = {{-1, -1, -0.8}, {1, -1, -0.8}, {0, 1, 0.9}},
                              .faces = {{0, 1, 2}},
                              .colours = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  picture.ground = -1.0;
  return picture;
}

TEST(Trace, SameBitsOnAnyNumberOfThreads) {
  const Image one = traced(busy(), from_front(4.0), 200, 150, 1);
  for (const int threads : {1, 2, 3, 7}) {
    const Image again = traced(busy(), from_front(4.0), 200, 150, threads);
    EXPECT_EQ(one.pixels, again.pixels) << threads;
  }
}

TEST(Trace, SizeAndPlaceOfTheWorldDoNotMatter) {
  const Image image = traced(busy(), from_front(4.0));
  for (const double scale : {1e-6, 1e7}) {
    const Vec3 shift{40.0 * scale, -7.0 * scale, 3.0 * scale};
    const auto moved = [&](Vec3& x) { x = scale * x + shift; };
    Picture picture = busy();
    for (Ball& ball : picture.balls) moved(ball.centre), ball.radius *= scale;
    for (Rod& rod : picture.rods)
      moved(rod.from), moved(rod.to), rod.from_radius *= scale, rod.to_radius *= scale;
    for (Vec3& x : picture.surfaces[0].positions) moved(x);
    picture.ground = -scale + shift.z;
    Camera camera = from_front(4.0);
    moved(camera.eye);
    moved(camera.target);
    const Image other = traced(picture, camera);
    double different = 0.0;
    for (std::size_t k = 0; k < image.pixels.size(); ++k)
      different += std::abs(brightness(image.pixels[k]) - brightness(other.pixels[k])) > 12 ? 1.0 : 0.0;
    EXPECT_LT(different, 0.01 * static_cast<double>(image.pixels.size())) << scale;
  }
}

TEST(Trace, NothingToSeeIsTheBackdrop) {
  const Image image = traced({}, from_front(4.0), 20, 10);
  ASSERT_EQ(image.pixels.size(), 200U);
  for (const Pixel& pixel : image.pixels) EXPECT_EQ(pixel, backdrop(image));
  EXPECT_NEAR(backdrop(image)[0], 255 * 0.975, 1.0);
}

TEST(Trace, LeavesOutWhatIsNotFinite) {
  Picture picture = busy();
  const Image image = traced(picture, from_front(4.0));
  const double nan = std::nan("");
  picture.balls.push_back({{nan, 0, 0}, 0.5, {1, 0, 0}});
  picture.rods.push_back({{0, 0, 0}, {INFINITY, 0, 0}, 0.1, 0.1, {1, 0, 0}});
  picture.surfaces.push_back({.positions = {{nan, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                              .faces = {{0, 1, 2}},
                              .colours = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}});
  EXPECT_EQ(traced(picture, from_front(4.0)).pixels, image.pixels);
}

TEST(Trace, CountsRowsAndStopsBetweenThem) {
  const Picture picture = of_ball({}, 1.0, {0.2, 0.4, 0.8});
  const TraceOptions size{.width = 32, .height = 200};
  Threads threads(1);
  std::vector<Count> rows;
  std::stop_source stop;
  Control control;
  control.stop = stop.get_token();
  control.progress = [&](const Progress& now) {
    EXPECT_EQ(now.total, 200);
    rows.push_back(now.done);
  };
  const Image image = trace(picture, from_front(4.0), size, threads, control);
  EXPECT_EQ(image.pixels, trace(picture, from_front(4.0), size, threads).pixels);
  ASSERT_GE(rows.size(), 2U);
  EXPECT_EQ(rows.front(), 0);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_LT(rows.back(), 200);
  rows.clear();
  control.progress = [&](const Progress& now) {
    rows.push_back(now.done);
    stop.request_stop();
  };
  EXPECT_THROW((void)trace(picture, from_front(4.0), size, threads, control), Cancelled);
  EXPECT_EQ(rows.size(), 1U);
  EXPECT_THROW((void)trace(picture, from_front(4.0), size, threads, control), Cancelled);
  EXPECT_EQ(rows.size(), 1U) << "stopped before it began";
}

TEST(Trace, RefusesACameraTooFarAway) {
  Threads threads(1);
  for (const double far : {1e19, 1e60, 1e300})
    EXPECT_THROW((void)trace(busy(), {.eye = {far, 0, 0}, .target = {}}, {.width = 8, .height = 8}, threads),
                 std::invalid_argument);
}

TEST(Trace, RefusesSizesOutOfRange) {
  Threads threads(1);
  for (const TraceOptions& options : {TraceOptions{.width = 0}, TraceOptions{.height = -3},
                                      TraceOptions{.width = 20000}, TraceOptions{.samples = 0}})
    EXPECT_THROW((void)trace({}, from_front(1.0), options, threads), std::invalid_argument);
}

}  // namespace
}  // namespace electret
