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
  PairConstants constants{c.pair, c.stiffness, thickness, c.threshold, c.friction, true, 0};
  TouchingPair t = touching_pair(constants, c.start);
  EXPECT_EQ(t.at.feature, c.feature);
  const PairAnchor anchor{c.pair, t.at.feature, frame_edge(c.pair.kind, t.at, c.start), c.anchor};
  PairFriction friction(surface, threads, [&](const SurfacePair&) { return c.stiffness; });
  friction.begin_step(start, {&t, 1}, {&anchor, 1});
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
    const FrictionDerivatives d = friction_derivatives(out.own[0], c.start, c.end, by);
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
        d.by_stiffness + d.by_normal * out.own[0].push, [](Case& o, double s) { o.stiffness += s; },
        "stiffness");
  }
  EXPECT_GE(tested, 10);
}

/// A pair that takes a slip over into its own frame, and the places of all vertices.
struct TakenOver {
  PairConstants constants;
  VectorArray places;
  PairAnchor from;
  double stiffness_from = 1.5;  ///< Another one than that of the pair.

  /// With the closest feature and the edge as they are at the places that are tested.
  [[nodiscard]] FrictionPair own() const {
    const std::vector<char> free(places.size(), 1);
    const ContactSurface surface(SurfaceParts{}, std::vector<Count>{0, 1, static_cast<Count>(places.size())},
                                 places, free);
    Threads threads(1);
    const TouchingPair t = touching_pair(constants, places_of(constants.pair, places));
    PairFriction friction(surface, threads, [&](const SurfacePair&) { return stiffness_from; });
    friction.begin_step(places, {&t, 1}, {&from, 1});
    return friction.pairs()[0];
  }
};

TakenOver taken_over(const PlacedPair& pair, const VectorArray& places, const PairAnchor& from) {
  PairConstants constants;
  constants.pair = {pair.kind, {0, 1, 2, 3}};
  constants.stiffness = 2.0;
  constants.reach = 9.0;
  constants.threshold = pair.kind == PairKind::edge_edge ? 1e-9 : 0.0;
  constants.friction = 0.5;
  constants.has_friction = true;
  return {constants, places, from};
}

/// The derivatives of g·a by all places and by the slip against differences.
void expect_transport(const TakenOver& taken, const std::string& name) {
  const InFrame g{0.7, -1.1};
  const auto value = [&](const TakenOver& t) {
    const InFrame a = t.own().anchor;
    return g[0] * a[0] + g[1] * a[1];
  };
  const FrictionPair own = taken.own();
  ASSERT_EQ(own.source, 0U) << name;
  const TransportDerivatives d =
      transport_derivatives(own, places_of(taken.constants.pair, taken.places), taken.from,
                            places_of(taken.from.pair, taken.places), g);
  VectorArray slopes(taken.places.size());
  for (std::size_t i = 0; i < 4; ++i) {
    slopes[static_cast<std::size_t>(taken.constants.pair.vertices[i])] += d.by_own[i];
    slopes[static_cast<std::size_t>(taken.from.pair.vertices[i])] += d.by_source[i];
  }
  for (std::size_t i = 0; i < slopes.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const double expected = derivative(
          [&](double s) {
            TakenOver moved = taken;
            moved.places[i][axis] += s;
            return value(moved);
          },
          1e-4);
      EXPECT_NEAR(slopes[i][axis], expected, 1e-9) << name << ", vertex " << i << ", axis " << axis;
    }
  for (std::size_t c = 0; c < 2; ++c) {
    TakenOver moved = taken;
    moved.from.slip[c] += 1.0;
    EXPECT_NEAR(d.by_slip[c], value(moved) - value(taken), 1e-12) << name;
  }
  if (taken.from.pair == taken.constants.pair) {
    EXPECT_EQ(own.share, 1.0) << name;
    return;
  }
  EXPECT_DOUBLE_EQ(own.share, std::sqrt(0.75)) << name;
  const auto with_stiffnesses = [&](double from, double to) {
    TakenOver other = taken;
    other.stiffness_from += from;
    other.constants.stiffness += to;
    return value(other);
  };
  EXPECT_NEAR(d.by_share / (2.0 * 1.5), derivative([&](double s) { return with_stiffnesses(s, 0.0); }, 1e-4),
              1e-9)
      << name;
  EXPECT_NEAR(-d.by_share / (2.0 * 2.0), derivative([&](double s) { return with_stiffnesses(0.0, s); }, 1e-4),
              1e-9)
      << name;
}

TEST(TransportDerivative, FromAnotherFeatureIsThatOfDifferences) {
  int tested = 0;
  for (const PlacedPair& pair : pairs_of_every_feature())
    for (unsigned char feature = 0; feature < 15; ++feature) {
      const auto old = static_cast<PairFeature>(feature);
      const bool is_of_triangle = old <= PairFeature::corner_2;
      if (old != PairFeature::inner && is_of_triangle != (pair.kind == PairKind::vertex_triangle)) continue;
      for (unsigned char edge = 0; edge < (pair.kind == PairKind::vertex_triangle ? 3 : 2); ++edge) {
        const VectorArray places(pair.places.begin(), pair.places.end());
        const TakenOver taken = taken_over(pair, places, {{pair.kind, {0, 1, 2, 3}}, old, edge, {0.3, -0.2}});
        expect_transport(taken,
                         pair.name + " from " + std::to_string(feature) + ", edge " + std::to_string(edge));
        tested += keeps_frame(taken.own(), taken.from) ? 0 : 1;
      }
    }
  EXPECT_GE(tested, 100);
}

TEST(TransportDerivative, FromAnotherTriangleIsThatOfDifferences) {
  for (const PlacedPair& pair : pairs_of_every_feature()) {
    if (pair.kind != PairKind::vertex_triangle) continue;
    VectorArray places(pair.places.begin(), pair.places.end());
    for (const Vec3& corner : {Vec3{3.1, -2.3, 0.8}, Vec3{4.2, -2.1, 1.1}, Vec3{3.3, -1.2, 0.6}})
      places.push_back(corner);
    for (const PairFeature old : {PairFeature::inner, PairFeature::edge_1_2, PairFeature::corner_0})
      expect_transport(taken_over(pair, places, {{pair.kind, {0, 4, 5, 6}}, old, 1, {0.3, -0.2}}), pair.name);
  }
}

INSTANTIATE_TEST_SUITE_P(StickAndSlip, FrictionDerivative, testing::Bool());

}  // namespace
}  // namespace electret::test
