#include <cmath>

#include <gtest/gtest.h>

#include <electret/render/detail/normals.hpp>

namespace electret::render {
namespace {

/// Two triangles that share the edge (0, 1), `bend` degrees away from a plane.
std::vector<Float3> roof(double bend) {
  const auto a = static_cast<float>(bend * 3.14159265358979323846 / 180.0);
  return {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {-std::cos(a), 0, std::sin(a)}};
}
const std::vector<Triangle> faces{{0, 2, 1}, {0, 1, 3}};

TEST(CornerNormals, SmoothBelowTheCreaseAndSharpAbove) {
  const auto smooth = corner_normals(roof(30.0), faces, 40.0),
             sharp = corner_normals(roof(50.0), faces, 40.0);
  // At the shared corners half way between both faces; at the others the face's own.
  EXPECT_NEAR(std::asin(smooth[0][0].x) * 180.0 / 3.14159265358979, 15.0, 1e-3);
  EXPECT_NEAR(smooth[0][1].z, 1.0, 1e-6);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(sharp[0][k].z, 1.0, 1e-6);
}

TEST(CornerNormals, OfAFaceWithoutAreaAreZero) {
  const auto normals = corner_normals(std::vector<Float3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
                                      std::vector<Triangle>{{0, 1, 2}}, 40.0);
  for (const Float3& normal : normals[0]) EXPECT_EQ(dot(normal, normal), 0.0F);
}

}  // namespace
}  // namespace electret::render
