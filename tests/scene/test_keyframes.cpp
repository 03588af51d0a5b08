#include <random>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/scene/keyframes.hpp>

namespace electret {
namespace {

/// Non-uniform Catmull-Rom by Barry and Goldman's pyramid (Neville-Aitken's scheme blended with linear
/// pieces): an independent form of the spline whose tangents are those of the parabolas.
double barry_goldman(const std::vector<double>& t, const std::vector<double>& v, std::size_t k, double time) {
  const auto mix = [&](double a, double ta, double b, double tb) {
    return (tb - time) / (tb - ta) * a + (time - ta) / (tb - ta) * b;
  };
  const double a1 = mix(v[k - 1], t[k - 1], v[k], t[k]);
  const double a2 = mix(v[k], t[k], v[k + 1], t[k + 1]);
  const double a3 = mix(v[k + 1], t[k + 1], v[k + 2], t[k + 2]);
  const double b1 = mix(a1, t[k - 1], a2, t[k + 1]);
  const double b2 = mix(a2, t[k], a3, t[k + 2]);
  return mix(b1, t[k], b2, t[k + 1]);
}

KeyFrames<double> keys(Interpolation interpolation) {
  return {{0.0, 0.5, 2.0, 2.25, 4.0}, {1.0, -2.0, 3.0, 3.5, -1.0}, interpolation};
}

TEST(KeyFrames, LinearByHand) {
  const auto k = keys(Interpolation::linear);
  EXPECT_DOUBLE_EQ(evaluate(k, 0.25, 0.1), -0.5);
  EXPECT_DOUBLE_EQ(evaluate(k, 1.25, 0.1), 0.5);
  EXPECT_DOUBLE_EQ(evaluate(k, 0.5, 0.1), -2.0);
}

TEST(KeyFrames, ConstantOutsideTheKeys) {
  for (const auto interpolation : {Interpolation::linear, Interpolation::step, Interpolation::cubic}) {
    EXPECT_EQ(evaluate(keys(interpolation), -3.0, 0.1), 1.0);
    EXPECT_EQ(evaluate(keys(interpolation), 0.0, 0.1), 1.0);
    EXPECT_EQ(evaluate(keys(interpolation), 4.0, 0.1), -1.0);
    EXPECT_EQ(evaluate(keys(interpolation), 9.0, 0.1), -1.0);
  }
}

TEST(KeyFrames, StepTakesTheLastKeyWithinABillionthOfAStep) {
  const auto k = keys(Interpolation::step);
  EXPECT_EQ(evaluate(k, 0.4999, 0.1), 1.0);
  EXPECT_EQ(evaluate(k, 0.5, 0.1), -2.0);
  EXPECT_EQ(evaluate(k, 0.5 - 0.9e-10, 0.1), -2.0);
  EXPECT_EQ(evaluate(k, 0.5 - 1.1e-10, 0.1), 1.0);
}

TEST(KeyFrames, CubicIsTheNonUniformCatmullRomSpline) {
  const auto k = keys(Interpolation::cubic);
  for (std::size_t piece = 1; piece <= 2; ++piece)
    for (double s = 0.05; s < 1.0; s += 0.1) {
      const double time = k.times[piece] + s * (k.times[piece + 1] - k.times[piece]);
      EXPECT_NEAR(evaluate(k, time, 0.1), barry_goldman(k.times, k.values, piece, time), 1e-13);
    }
}

TEST(KeyFrames, CubicEndsHaveOneSidedTangents) {
  const auto k = keys(Interpolation::cubic);
  const double d = 1e-6;
  EXPECT_NEAR((evaluate(k, d, 0.1) - 1.0) / d, -6.0, 1e-3);
  EXPECT_NEAR((-1.0 - evaluate(k, 4.0 - d, 0.1)) / d, -4.5 / 1.75, 1e-3);
}

TEST(KeyFrames, CubicKeepsAParabolaInside) {
  KeyFrames<double> k{{0.0, 1.0, 2.5, 3.0, 5.0}, {}, Interpolation::cubic};
  const auto parabola = [](double t) { return 2.0 - t + 0.5 * t * t; };
  for (const double t : k.times) k.values.push_back(parabola(t));
  for (double t = 1.0; t < 3.0; t += 0.07) EXPECT_NEAR(evaluate(k, t, 0.1), parabola(t), 1e-13);
}

TEST(KeyFrames, CubicOfTwoKeysIsALine) {
  const KeyFrames<double> k{{1.0, 3.0}, {2.0, 6.0}, Interpolation::cubic};
  EXPECT_NEAR(evaluate(k, 1.5, 0.1), 3.0, 1e-15);
}

TEST(KeyFrames, OneKeyIsAConstant) {
  const auto k = KeyFrames<Vec3>::constant({1, 2, 3});
  EXPECT_EQ(evaluate(k, -1.0, 0.1), (Vec3{1, 2, 3}));
  EXPECT_EQ(evaluate(k, 1.0, 0.1), (Vec3{1, 2, 3}));
}

TEST(KeyFrames, VectorsAreScalarsAxisByAxis) {
  const auto scalar = keys(Interpolation::cubic);
  KeyFrames<Vec3> vectors{scalar.times, {}, scalar.interpolation};
  for (const double v : scalar.values) vectors.values.push_back({v, 2 * v, -v});
  const double v = evaluate(scalar, 1.1, 0.1);
  const Vec3 w = evaluate(vectors, 1.1, 0.1);
  EXPECT_EQ(w.x, v);
  EXPECT_NEAR(w.y, 2 * v, 1e-15);
  EXPECT_EQ(w.z, -v);
}

TEST(KeyFrames, WeightsMakeTheValueAndSumToOne) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0.01, 1.0);
  for (const auto interpolation : {Interpolation::linear, Interpolation::step, Interpolation::cubic})
    for (std::size_t count = 1; count < 9; ++count) {
      KeyFrames<double> k{{}, {}, interpolation};
      double t = -0.5;
      for (std::size_t i = 0; i < count; ++i)
        k.times.push_back(t += uniform(random)), k.values.push_back(uniform(random) - 0.5);
      std::vector<double> weights(count, 99.0);
      for (double time = -1.0; time < t + 1.0; time += 0.037) {
        key_weights(k, time, 0.1, weights);
        double value = 0.0, sum = 0.0;
        int non_zero = 0;
        for (std::size_t i = 0; i < count; ++i)
          value += weights[i] * k.values[i], sum += weights[i], non_zero += weights[i] != 0.0;
        EXPECT_NEAR(value, evaluate(k, time, 0.1), 1e-14);
        EXPECT_NEAR(sum, 1.0, 1e-14);
        EXPECT_LE(non_zero, 4);
      }
    }
}

TEST(KeyFrames, WeightsNeedOnePlaceAKey) {
  std::vector<double> weights(2);
  EXPECT_THROW(key_weights(keys(Interpolation::linear), 0.0, 0.1, weights), InternalError);
  EXPECT_THROW(evaluate(KeyFrames<double>{}, 0.0, 0.1), InternalError);
}

}  // namespace
}  // namespace electret
