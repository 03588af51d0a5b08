// The transpose of a pair's friction against differences, for every closest feature, sticking and slipping.

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include <electret/contact/friction_derivative.hpp>

#include "contact/pair_places.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

constexpr double thickness = 0.5;

/// What a pair's friction is a function of.
struct Case {
  SurfacePair pair;
  double threshold = 0.0;
  PairFeature feature;
  PairPlaces start, end;
  InFrame anchor{0.003, -0.002};
  double friction = 0.5, stiffness = 2.0;
};

struct Outcome {
  std::vector<FrictionPair> own;
  PairPlaces force;  ///< On each vertex.
  InFrame kept{};
};

Outcome outcome_of(const Case& c) {
  const std::vector<char> free(4, 1);
  const VectorArray start(c.start.begin(), c.start.end());
  const ContactSurface surface(SurfaceParts{}, std::vector<Count>{0, 4}, start, free);
  Threads threads(1);
  PairConstants constants{c.pair, c.stiffness, c.threshold, c.friction, true, 0};
  TouchingPair t = touching_pair(constants, 0, c.start, thickness);
  EXPECT_EQ(t.at.feature, c.feature);
  const PairAnchor anchor{c.pair, t.at.feature, frame_edge(c.pair.kind, t.at, c.start), c.anchor};
  PairFriction friction(surface, threads);
  friction.begin_step(start, {&constants, 1}, {&t, 1}, {&anchor, 1});
  VectorArray moved(4), gradient(4);
  for (std::size_t i = 0; i < 4; ++i) moved[i] = c.end[i] - c.start[i];
  friction.evaluate(moved);
  friction.add_gradient(-1.0, gradient);
  Outcome out;
  out.own.assign(friction.pairs().begin(), friction.pairs().end());
  for (std::size_t i = 0; i < 4; ++i) out.force[i] = gradient[i];
  std::vector<PairAnchor> anchors;
  friction.keep(anchors);
  out.kept = anchors[0].slip;
  return out;
}

double loss(const Outcome& out, const FrictionAdjoint& by) {
  double sum = by.by_kept[0] * out.kept[0] + by.by_kept[1] * out.kept[1];
  for (std::size_t i = 0; i < 4; ++i) sum += dot(by.by_force[i], out.force[i]);
  return sum;
}

class FrictionDerivative : public testing::TestWithParam<bool> {};

TEST_P(FrictionDerivative, IsThatOfDifferences) {
  const bool slips = GetParam();
  Random random(11);
  int tested = 0;
  std::vector<PlacedPair> pairs = pairs_of_every_feature();
  pairs.push_back({"nearly parallel",
                   PairKind::edge_edge,
                   PairFeature::end_over_second,
                   {{{-1, 0, 0.2}, {1, 0.02, 0.21}, {-0.9, -0.01, 0}, {1.1, 0.02, 0}}}});
  for (const PlacedPair& pair : pairs) {
    Case c{{pair.kind, {0, 1, 2, 3}}, 0.0, pair_distance(pair.kind, pair.places).feature, pair.places, {}};
    if (pair_distance(pair.kind, pair.places).distance >= thickness) continue;
    if (pair.kind == PairKind::edge_edge)
      c.threshold = mollifier_threshold(c.start[1] - c.start[0], c.start[3] - c.start[2]);
    for (std::size_t i = 0; i < 4; ++i) c.end[i] = c.start[i] + random.in_cube(0.02);
    c.friction = slips ? 0.01 : 1.5;
    FrictionAdjoint by;
    for (Vec3& z : by.by_force) z = random.in_cube(1.0);
    by.by_kept = {random.uniform(-1, 1), random.uniform(-1, 1)};
    const Outcome out = outcome_of(c);
    if (out.own[0].map.slips != slips) continue;
    ++tested;
    const FrictionDerivatives d = friction_derivatives(out.own[0], c.start, c.end, by, thickness);
    const auto expect = [&](double slope, const std::function<void(Case&, double)>& move, const char* what) {
      const double expected = derivative(
          [&](double s) {
            Case other = c;
            move(other, s);
            return loss(outcome_of(other), by);
          },
          1e-4);
      EXPECT_NEAR(slope, expected, 1e-8 * (1.0 + std::abs(expected))) << pair.name << ", " << what;
    };
    for (std::size_t i = 0; i < 4; ++i)
      for (int axis = 0; axis < 3; ++axis)
        expect(
            d.by_start[i][axis], [&](Case& o, double s) { o.start[i][axis] += s; }, "start");
    for (std::size_t r = 0; r < 2; ++r)
      expect(
          d.by_anchor[r], [&](Case& o, double s) { o.anchor[r] += s; }, "anchor");
    expect(
        d.by_friction, [](Case& o, double s) { o.friction += s; }, "friction");
    expect(
        d.by_stiffness, [](Case& o, double s) { o.stiffness += s; }, "stiffness");
  }
  EXPECT_GE(tested, 10);
}

INSTANTIATE_TEST_SUITE_P(StickAndSlip, FrictionDerivative, testing::Bool());

}  // namespace
}  // namespace electret::test
