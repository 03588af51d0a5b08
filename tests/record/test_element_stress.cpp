#include <cmath>

#include <gtest/gtest.h>

#include <electret/record/element_stress.hpp>

#include "support/random.hpp"

namespace electret {
namespace {

constexpr Lame lame_numbers{3000.0, 2000.0};

/// A quarter turn about z, which is exact.
Vec3 turned(const Vec3& x) {
  return {-x.y, x.x, x.z};
}

VectorArray turned(VectorArray points) {
  for (Vec3& x : points) x = turned(x);
  return points;
}

/// The stress of one tetrahedron.
ElementStress stress_of(MaterialModel model, const VectorArray& rest, const VectorArray& now) {
  return ElementStresses({{0, 1, 2, 3}}, {}, rest, {{model, lame_numbers, {0}}}).at(now).front();
}

/// A scene that is turned has the turned stress, and the same von Mises stress.
TEST(ElementStress, IsTurnedWithItsScene) {
  test::Random random(8);
  const VectorArray rest{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  VectorArray now = rest;
  for (Vec3& x : now)
    for (int axis = 0; axis < 3; ++axis) x[axis] += random.uniform(-0.2, 0.2);
  for (const MaterialModel model :
       {MaterialModel::corotated, MaterialModel::fixed_corotated, MaterialModel::projective,
        MaterialModel::neo_hookean, MaterialModel::stable_neo_hookean, MaterialModel::linear}) {
    const ElementStress plain = stress_of(model, rest, now);
    const ElementStress other = stress_of(model, turned(rest), turned(now));
    const auto& [xx, yy, zz, xy, yz, xz] = plain.cauchy;
    const std::array<double, 6> expected{yy, xx, zz, -xy, xz, -yz};
    const double size = plain.von_mises;
    EXPECT_GT(size, 100.0);
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_NEAR(other.cauchy[k], expected[k], 1e-12 * size) << static_cast<int>(model) << " " << k;
    EXPECT_NEAR(other.von_mises, plain.von_mises, 1e-12 * size) << static_cast<int>(model);
  }
}

/// 2 μ ε + λ tr ε I, by the formula.
TEST(ElementStress, OfTheLinearLawIsThatOfSmallStrains) {
  const VectorArray rest{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const VectorArray now{{0, 0, 0}, {1.1, 0.02, 0.04}, {0.2, 0.95, -0.06}, {0.0, 0.1, 1.3}};
  const ElementStress stress = stress_of(MaterialModel::linear, rest, now);
  const double trace = 0.1 - 0.05 + 0.3, two_mu = 2.0 * lame_numbers.mu, part = lame_numbers.lambda * trace;
  const std::array<double, 6> expected{two_mu * 0.1 + part, two_mu * -0.05 + part, two_mu * 0.3 + part,
                                       two_mu * 0.11,       two_mu * 0.02,         two_mu * 0.02};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(stress.cauchy[k], expected[k], 1e-9) << k;
}

}  // namespace
}  // namespace electret
