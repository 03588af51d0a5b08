/// float64 numbers as unevaluated sums of two float32: high + low. Every place that splits so is held here,
/// since a compiler that folds `v - double(float(v))` to 0 costs half the digits and no test of a field at
/// 1e-3 sees it.

#include <cmath>

#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/field/direct/arrays.hpp>
#include <electret/field/fmm/passes/charges.hpp>

namespace electret::test {
namespace {

/// What is left of `value` beside high + low, against |value|: float32 rounds to 2⁻²⁵ at most, so twice to
/// 2⁻⁴⁹.
constexpr double twice_the_digits = 0x1p-48;

void expect_split(double value, float high, float low, const char* where) {
  EXPECT_EQ(high, static_cast<float>(value)) << where;
  EXPECT_LE(std::abs(value - (static_cast<double>(high) + static_cast<double>(low))),
            twice_the_digits * std::abs(value))
      << where;
}

/// How many of the low parts are not 0: nearly all, of numbers with 53 digits.
int used(const float* low, std::size_t n) {
  int count = 0;
  for (std::size_t i = 0; i < n; ++i) count += low[i] != 0.0F ? 1 : 0;
  return count;
}

TEST(Float32Pairs, OfTheDirectSolversCoordinates) {
  const VectorArray x = random_vectors(200, 1);
  const Vec3 centre{0.1, -0.2, 0.3};
  for (const double scale : {0x1p-9, 1.0, 0x1p7}) {
    direct::CoordinateArrays<float> arrays;
    arrays.assign(x, centre, scale, 256, 4.0F, true);
    const direct::Coordinates<float> split = arrays.view();
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3 v = scale * (x[i] - centre);
      expect_split(v.x, split.x[i], split.x_low[i], "x");
      expect_split(v.y, split.y[i], split.y_low[i], "y");
      expect_split(v.z, split.z[i], split.z_low[i], "z");
    }
    for (const float* low : {split.x_low, split.y_low, split.z_low}) {
      EXPECT_GT(used(low, x.size()), 190);
      EXPECT_EQ(used(low + x.size(), 56), 0) << "padding";
    }
  }
}

TEST(Float32Pairs, OfTheTreesPointsAndCentres) {
  Threads threads(2);
  const Cloud cloud = make_cloud("torus", 3000, true);
  fmm::Tree tree;
  tree.build(cloud.positions, 0x1p-1, fmm::bounds(cloud.positions, threads), 30, threads);
  const Vec3 origin{0.013, -0.7, 0.21};
  fmm::PlacedPoints<float> placed;
  placed.assign(tree, origin, threads);
  const auto points = placed.points(0);
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    const Vec3 v = tree.points()[i] - origin;
    expect_split(v.x, points.x[i], points.x_low[i], "x");
    expect_split(v.y, points.y[i], points.y_low[i], "y");
    expect_split(v.z, points.z[i], points.z_low[i], "z");
  }
  for (const float* low : {points.x_low, points.y_low, points.z_low}) EXPECT_GT(used(low, 3000), 2800);
  int low_centres = 0;
  for (std::size_t c = 0; c < tree.cells().size(); ++c)
    for (int axis = 0; axis < 3; ++axis) {
      const fmm::CellFrame<float>& frame = placed.frame(static_cast<Index>(c));
      const double centre = tree.cells()[c].centre[axis] - origin[axis];
      expect_split(centre, frame.centre[axis], frame.centre_low[axis], "centre");
      low_centres += frame.centre_low[axis] != 0.0F ? 1 : 0;
    }
  EXPECT_GT(low_centres, static_cast<int>(tree.cells().size()));
}

}  // namespace
}  // namespace electret::test
