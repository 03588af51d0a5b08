// Exact signs: against integers of 128 bits where rounded determinants are wrong, and segments against
// triangles in all degenerate positions.

#include <algorithm>

#include <gtest/gtest.h>

#include <electret/geometry/orientation.hpp>

#include "support/random.hpp"

namespace electret::test {
namespace {

__extension__ using Wide = __int128;
using Integers = std::array<std::int64_t, 3>;

int exact_sign(const std::array<Integers, 4>& p) {
  std::array<std::array<Wide, 3>, 3> d{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) d[i][k] = p[i + 1][k] - p[0][k];
  Wide sum = 0;
  for (std::size_t k = 0; k < 3; ++k)
    sum += d[0][k] * (d[1][(k + 1) % 3] * d[2][(k + 2) % 3] - d[1][(k + 2) % 3] * d[2][(k + 1) % 3]);
  return sum > 0 ? 1 : sum < 0 ? -1 : 0;
}

Vec3 as_point(const Integers& p, double unit) {
  return {static_cast<double>(p[0]) * unit, static_cast<double>(p[1]) * unit,
          static_cast<double>(p[2]) * unit};
}

double rounded_determinant(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(b - a, cross(c - a, d - a));
}

std::int64_t integer(Random& random, double size) {
  return static_cast<std::int64_t>(random.uniform(-size, size));
}

/// Four points that are in one plane but for a few units.
TEST(Orientation, HasTheSignOfExactIntegers) {
  Random random(1);
  int wrong = 0, zero = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const double size = trial % 2 == 0 ? 0x1p38 : 0x1p20;
    std::array<Integers, 4> p{};
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < 3; ++i) p[i][k] = integer(random, size);
      const std::int64_t along = trial % 3 - 1;
      p[3][k] = p[0][k] + along * ((p[1][k] - p[0][k]) - (p[2][k] - p[0][k])) / 2 + trial % 5 / 4;
    }
    const double unit = trial % 4 < 2 ? 1.0 : 0x1p-60;
    const Vec3 a = as_point(p[0], unit), b = as_point(p[1], unit), c = as_point(p[2], unit),
               d = as_point(p[3], unit);
    const int sign = exact_sign(p);
    ASSERT_EQ(orientation(a, b, c, d), sign);
    const double rounded = rounded_determinant(a, b, c, d);
    wrong += (rounded > 0.0 ? 1 : rounded < 0.0 ? -1 : 0) != sign ? 1 : 0;
    zero += sign == 0 ? 1 : 0;
  }
  EXPECT_GT(wrong, 400);
  EXPECT_GT(zero, 1000);
}

/// The signs of rounded coordinates far apart in size agree however the points are named.
TEST(Orientation, ChangesItsSignWithEverySwap) {
  Random random(2);
  for (int trial = 0; trial < 5000; ++trial) {
    const Vec3 a = random.in_cube(1.0), b = random.in_cube(1e-3), c = random.in_cube(1e3);
    const double s = random.uniform(-1.0, 2.0), t = random.uniform(-1.0, 2.0);
    const Vec3 d = a + s * (b - a) + t * (c - a);
    const int sign = orientation(a, b, c, d);
    EXPECT_EQ(orientation(b, a, c, d), -sign);
    EXPECT_EQ(orientation(d, b, c, a), -sign);
    EXPECT_EQ(orientation(b, c, a, d), sign);
    EXPECT_EQ(orientation(c, d, a, b), sign);
    const PlanePoint e{a.x, a.y}, f{b.x, b.y}, g{a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)};
    EXPECT_EQ(orientation(e, f, g), orientation(f, g, e));
    EXPECT_EQ(orientation(e, f, g), -orientation(f, e, g));
  }
}

TEST(Orientation, IsZeroOnLinesAndPlanesAlone) {
  const double next = std::nextafter(0.5, 1.0);
  EXPECT_EQ(orientation(PlanePoint{0.5, 0.5}, PlanePoint{12, 12}, PlanePoint{24, 24}), 0);
  EXPECT_EQ(orientation(PlanePoint{next, 0.5}, PlanePoint{12, 12}, PlanePoint{24, 24}),
            orientation(PlanePoint{1.0, 0.5}, PlanePoint{12, 12}, PlanePoint{24, 24}));
  EXPECT_EQ(orientation({0, 0, 0.5}, {12, 0, 12}, {0, 12, 12}, {24, 24, 46.5}), 0);
  EXPECT_NE(orientation({0, 0, 0.5}, {12, 0, 12}, {0, 12, 12}, {24, 24, std::nextafter(46.5, 47.0)}), 0);
  EXPECT_EQ(orientation(Vec3{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 1);
  EXPECT_EQ(orientation(PlanePoint{0, 0}, PlanePoint{1, 0}, PlanePoint{0, 1}), 1);
}

struct Place {
  Vec3 from, to;
  bool meets;
};

/// The triangle (0,0), (4,0), (0,4) in the plane z = 0, in every naming and turned onto every axis.
TEST(SegmentAndTriangle, MeetInTheTriangleItsSidesAndItsCorners) {
  const std::vector<Place> places{{{1, 1, -1}, {1, 1, 1}, true},
                                  {{1, 1, 1}, {1, 1, 3}, false},
                                  {{3, 3, -1}, {3, 3, 1}, false},
                                  {{1, 1, 0}, {5, 5, 2}, true},
                                  {{2, 2, 1}, {2, 2, -1}, true},
                                  {{0, 0, -1}, {0, 0, 1}, true},
                                  {{4, 0, 0}, {9, 9, 9}, true},
                                  {{-1, 0, -1}, {-1, 0, 1}, false},
                                  {{5, 0, -1}, {5, 0, 1}, false},
                                  {{-1, 2, 0}, {1, 2, 0}, true},
                                  {{-1, -1, 0}, {5, 5, 0}, true},
                                  {{1, 1, 0}, {1.5, 1, 0}, true},
                                  {{-2, 0, 0}, {6, 0, 0}, true},
                                  {{1, 0, 0}, {2, 0, 0}, true},
                                  {{5, 0, 0}, {6, 0, 0}, false},
                                  {{-1, 4, 0}, {1, 4, 0}, true},
                                  {{-1, 5, 0}, {1, 4, 0}, false},
                                  {{3, 3, 0}, {4, 4, 0}, false},
                                  {{5, -1, 0}, {-1, 5, 0}, true},
                                  {{6, -2, 0}, {5, -1, 0}, false},
                                  {{1, 1, 0}, {1, 1, 0}, true},
                                  {{3, 3, 0}, {3, 3, 0}, false},
                                  {{1, 1, 1}, {2, 1, 1}, false},
                                  {{2, 2, 0}, {2, 2, 5}, true},
                                  {{2.0000001, 2, -1}, {2.0000001, 2, 1}, false}};
  const std::array<Vec3, 3> triangle{Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 4, 0}};
  const auto turned = [](const Vec3& p, int turn) {
    return Vec3{p[turn % 3], p[(turn + 1) % 3], p[(turn + 2) % 3]} + Vec3{0.25, -8.0, 3.0};
  };
  for (const Place& place : places)
    for (int turn = 0; turn < 3; ++turn) {
      std::array<std::size_t, 3> names{0, 1, 2};
      do {
        std::array<Vec3, 3> corners;
        for (std::size_t k = 0; k < 3; ++k) corners[k] = turned(triangle[names[k]], turn);
        const Vec3 from = turned(place.from, turn), to = turned(place.to, turn);
        EXPECT_EQ(segment_meets_triangle(from, to, corners), place.meets) << &place - places.data();
        EXPECT_EQ(segment_meets_triangle(to, from, corners), place.meets) << &place - places.data();
      } while (std::next_permutation(names.begin(), names.end()));
    }
  const std::array<Vec3, 3> flat{Vec3{0, 0, 0}, Vec3{1, 1, 1}, Vec3{2, 2, 2}};
  EXPECT_FALSE(segment_meets_triangle({-1, 0, 0}, {3, 2, 2}, flat));
}

/// Rays through a closed fan of thin triangles meet one of them at least, wherever they go.
TEST(SegmentAndTriangle, LeaveNoGapBetweenNeighbours) {
  Random random(3);
  std::vector<Vec3> rim;
  for (int k = 0; k < 40; ++k)
    rim.push_back(
        {std::cos(0.05 * 3.14159 * k), std::sin(0.05 * 3.14159 * k), 0.1 * random.uniform(-1.0, 1.0)});
  const Vec3 hub{0.1, 0.05, 0.03};
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t k = static_cast<std::size_t>(random.uniform(0.0, 40.0));
    const double s = random.uniform(0.1, 0.9);
    const Vec3 on_side = hub + s * (rim[k] - hub), away = Vec3{0, 0, 1} + random.in_cube(0.01);
    int met = 0;
    for (std::size_t t = 0; t < rim.size(); ++t)
      met += segment_meets_triangle(on_side - away, on_side + away, {hub, rim[t], rim[(t + 1) % rim.size()]})
                 ? 1
                 : 0;
    EXPECT_GE(met, 1);
  }
}

}  // namespace
}  // namespace electret::test
