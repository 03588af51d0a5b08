// Friction of surface pairs: the return map, derivatives against differences, and anchors from step to step.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <electret/contact/pair_friction.hpp>

#include "contact/pair_clusters.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

constexpr double thickness = 0.5;

double size_of(const InFrame& a) {
  return std::hypot(a[0], a[1]);
}

/// κ of the pairs whose stiffnesses do not matter.
double alike(const SurfacePair&) {
  return 2.0;
}

TEST(ReturnMap, NeverExceedsTheLimitAndKeepsTheSlipsDirection) {
  Random random(1);
  for (int k = 0; k < 200; ++k) {
    const InFrame s{random.uniform(-1, 1), random.uniform(-1, 1)};
    const double stiffness = random.uniform(0.5, 3.0), limit = random.uniform(0.0, 2.0);
    const ReturnMap map = return_map(s, stiffness, limit);
    EXPECT_EQ(map.slips, stiffness * size_of(s) > limit);
    EXPECT_NEAR(size_of(map.force), std::min(limit, stiffness * size_of(s)), 1e-14);
    EXPECT_NEAR(map.force[0] * s[1] - map.force[1] * s[0], 0.0, 1e-14);
    // The anchor that is left, φ/k, is where the force comes from without slipping.
    const ReturnMap again =
        return_map({map.force[0] / stiffness, map.force[1] / stiffness}, stiffness, limit * (1 + 1e-12));
    EXPECT_FALSE(again.slips);
    EXPECT_NEAR(size_of(again.force), size_of(map.force), 1e-14);
  }
  EXPECT_EQ(size_of(return_map({0.0, 0.0}, 1.0, 0.0).force), 0.0);
}

TEST(ReturnMap, ForceIsThePotentialsSlopeAndItsSlopeThatOfDifferences) {
  Random random(2);
  for (int k = 0; k < 50; ++k) {
    const InFrame s{random.uniform(-1, 1), random.uniform(-1, 1)},
        z{random.uniform(-1, 1), random.uniform(-1, 1)};
    const double stiffness = 2.0, limit = k % 2 == 0 ? 0.2 : 5.0;
    if (std::abs(stiffness * size_of(s) - limit) < 0.05) continue;
    const auto at = [&](double t) {
      return return_map({s[0] + t * z[0], s[1] + t * z[1]}, stiffness, limit);
    };
    const ReturnMap map = at(0.0);
    EXPECT_NEAR(map.force[0] * z[0] + map.force[1] * z[1],
                derivative([&](double t) { return at(t).potential; }, 1e-4), 1e-9);
    const auto slope = return_map_slope(s, stiffness, limit);
    for (std::size_t r = 0; r < 2; ++r)
      EXPECT_NEAR(slope[r][0] * z[0] + slope[r][1] * z[1],
                  derivative([&](double t) { return at(t).force[r]; }, 1e-4), 1e-8);
  }
}

TEST(FrictionFrame, IsOrthonormalAcrossTheNormalForEveryFeature) {
  for (const PlacedPair& pair : pairs_of_every_feature()) {
    const PairDistance at = pair_distance(pair.kind, pair.places);
    const FrameEdge edge = frame_edge_vertices(pair.kind, frame_edge(pair.kind, at, pair.places));
    const FrictionFrame q = friction_frame(edge, at.normal, pair.places);
    for (const Vec3& axis : q) {
      EXPECT_NEAR(norm(axis), 1.0, 1e-15) << pair.name;
      EXPECT_NEAR(dot(axis, at.normal), 0.0, 1e-15) << pair.name;
    }
    EXPECT_NEAR(dot(q[0], q[1]), 0.0, 1e-15) << pair.name;
    EXPECT_LT(norm(cross(q[0], q[1]) - at.normal), 1e-15) << pair.name;
  }
}

TEST(FrictionFrame, TakesAnEdgeAcrossTheNormalWhereOneLiesAlongIt) {
  // The vertex is beyond a corner in the direction of the first edge.
  const PairPlaces x{{{-0.1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0.1, 1, 0}}};
  const PairDistance at = pair_distance(PairKind::vertex_triangle, x);
  ASSERT_EQ(at.feature, PairFeature::corner_0);
  const unsigned char edge = frame_edge(PairKind::vertex_triangle, at, x);
  EXPECT_NE(edge, 0);
  const FrictionFrame flat = friction_frame({1, 1}, at.normal, x);
  EXPECT_NEAR(norm(flat[0]), 1.0, 1e-15);
  EXPECT_NEAR(dot(flat[0], at.normal), 0.0, 1e-15);
}

/// The surface of a cluster: each vertex a body of its own, which is all that anchors ask for, unless given.
ContactSurface surface_of(const VectorArray& positions, const std::vector<Count>& bodies) {
  const std::vector<char> free(positions.size(), 1);
  return {SurfaceParts{}, bodies, positions, free};
}

/// The pairs of every feature with three frictions.
PairCluster rubbing_cluster() {
  PairCluster cluster = pair_cluster();
  for (std::size_t k = 0; k < cluster.pairs.size(); ++k) {
    cluster.pairs[k].has_friction = true;
    cluster.pairs[k].friction = k % 3 == 0 ? 0.0 : k % 3 == 1 ? 0.1 : 1.9;
  }
  return cluster;
}

class PairFrictionTest : public testing::Test {
 protected:
  PairFrictionTest() { begin({}); }

  void begin(std::span<const PairAnchor> anchors) {
    potential_.evaluate(cluster_.positions);
    friction_.begin_step(cluster_.positions, potential_.touching(), anchors);
  }
  [[nodiscard]] VectorArray moved(double s, const VectorArray& z) const {
    VectorArray x = moves_;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += s * z[i];
    return x;
  }
  VectorArray gradient(const VectorArray& moves) {
    VectorArray g(moves.size());
    friction_.evaluate(moves);
    friction_.add_gradient(1.0, g);
    return g;
  }

  PairCluster cluster_ = rubbing_cluster();
  ContactSurface surface_ =
      surface_of(cluster_.positions, {0, static_cast<Count>(cluster_.positions.size())});
  Threads threads_{1};
  ListedPairs listed_{cluster_.pairs, thickness, threads_};
  PairPotential& potential_ = listed_.potential;
  PairFriction friction_{surface_, threads_, alike};
  VectorArray moves_ = random_vectors(cluster_.positions.size(), 21, 0.05);
};

TEST_F(PairFrictionTest, HasTheNormalForcesOfTheStart) {
  ASSERT_GT(friction_.pairs().size(), 10U);
  for (const FrictionPair& own : friction_.pairs()) {
    const PairConstants& pair = own.constants;
    const TouchingPair t = touching_pair(pair, places_of(pair.pair, cluster_.positions));
    EXPECT_NEAR(own.normal, pair.stiffness * t.mollifier.value * t.repulsion.pressure, 1e-15);
    EXPECT_NEAR(own.limit, pair.friction * own.normal, 1e-15);
  }
  // Some stick and some slip.
  friction_.evaluate(moves_);
  const auto slips = std::count_if(friction_.pairs().begin(), friction_.pairs().end(),
                                   [](const FrictionPair& own) { return own.map.slips; });
  EXPECT_GT(slips, 3);
  EXPECT_LT(slips, static_cast<std::ptrdiff_t>(friction_.pairs().size()) - 3);
}

TEST_F(PairFrictionTest, DerivativesAreThoseOfDifferences) {
  std::vector<StencilVertices> vertices;
  std::vector<StencilBlocks> blocks;
  friction_.evaluate(moves_);
  friction_.append_hessian(1.0, vertices, blocks);
  for (unsigned seed = 0; seed < 4; ++seed) {
    const VectorArray z = random_vectors(moves_.size(), seed), w = random_vectors(moves_.size(), 10 + seed);
    EXPECT_NEAR(dot(gradient(moves_), z),
                derivative([&](double s) { return friction_.evaluate(moved(s, z)); }, 1e-5), 1e-9);
    const VectorArray product = stencil_product(moves_.size(), vertices, blocks, z);
    EXPECT_NEAR(dot(product, w), derivative([&](double s) { return dot(gradient(moved(s, z)), w); }, 1e-6),
                1e-7 * (1.0 + norm(product)));
    EXPECT_GE(dot(product, z), 0.0);
  }
}

TEST_F(PairFrictionTest, ConservesMomentum) {
  Vec3 force;
  const VectorArray g = gradient(moves_);
  for (const Vec3& f : g) force += f;
  EXPECT_GT(norm(g), 0.01);
  EXPECT_LT(norm(force), 1e-14);
}

TEST_F(PairFrictionTest, RigidMotionOfAllPairsCostsNothing) {
  EXPECT_NEAR(friction_.evaluate(VectorArray(moves_.size(), Vec3{1, -2, 3})), 0.0, 1e-25);
}

TEST_F(PairFrictionTest, AnchorsKeepTheForceWhileNothingMoves) {
  friction_.evaluate(moves_);
  const std::vector<FrictionPair> before(friction_.pairs().begin(), friction_.pairs().end());
  std::vector<PairAnchor> anchors;
  friction_.keep(anchors);
  ASSERT_EQ(anchors.size(), before.size());
  begin(anchors);
  friction_.evaluate(VectorArray(moves_.size()));
  for (std::size_t k = 0; k < before.size(); ++k) {
    const FrictionPair& own = friction_.pairs()[k];
    EXPECT_EQ(own.source, k);
    EXPECT_EQ(own.anchor, anchors[k].slip);
    for (std::size_t r = 0; r < 2; ++r) EXPECT_NEAR(own.map.force[r], before[k].map.force[r], 1e-15);
  }
  std::vector<PairAnchor> again;
  friction_.keep(again);
  for (std::size_t k = 0; k < before.size(); ++k)
    for (std::size_t r = 0; r < 2; ++r) EXPECT_NEAR(again[k].slip[r], anchors[k].slip[r], 1e-16);
}

TEST_F(PairFrictionTest, TurnsWithThePairs) {
  friction_.evaluate(moves_);
  const VectorArray g = rotated(gradient(moves_));
  cluster_.positions = rotated(cluster_.positions);
  begin({});
  EXPECT_LT(distance(gradient(rotated(moves_)), g), 1e-12 * norm(g));
}

/// A vertex over two triangles that share an edge, both of one body.
struct TwoTriangles {
  VectorArray positions{{0.4, 0.3, 0.1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  std::vector<PairConstants> pairs{pair_of({0, 1, 2, 3}), pair_of({0, 2, 4, 3})};
  static PairConstants pair_of(const std::array<Index, 4>& vertices) {
    PairConstants pair;
    pair.pair.vertices = vertices;
    pair.stiffness = 2.0;
    pair.friction = 1.0;
    pair.has_friction = true;
    return pair;
  }
};

TEST(PairAnchors, TurnIntoTheFrameOfANewFeature) {
  TwoTriangles scene;
  scene.pairs.resize(1);
  const ContactSurface surface = surface_of(scene.positions, {0, 1, 5});
  Threads threads(1);
  ListedPairs listed(scene.pairs, 0.3, threads);
  PairPotential& potential = listed.potential;
  PairFriction friction(surface, threads, alike);
  // Held over the face with a slip of (0.01, 0.02, 0) in space, then over the edge that faces it.
  const PairAnchor anchor{scene.pairs[0].pair, PairFeature::inner, 0, {0.01, 0.02}};
  scene.positions[0] = {0.55, 0.55, 0.1};
  potential.evaluate(scene.positions);
  friction.begin_step(scene.positions, potential.touching(), {&anchor, 1});
  ASSERT_EQ(friction.pairs().size(), 1U);
  const FrictionPair& own = friction.pairs()[0];
  ASSERT_EQ(own.at.feature, PairFeature::edge_1_2);
  const PairDistance old = pair_distance(PairFeature::inner, PairKind::vertex_triangle,
                                         places_of(scene.pairs[0].pair, scene.positions));
  const FrictionFrame frame =
      friction_frame({1, 2}, old.normal, places_of(scene.pairs[0].pair, scene.positions));
  const Vec3 before = 0.01 * frame[0] + 0.02 * frame[1];
  const Vec3 after = own.anchor[0] * own.frame[0] + own.anchor[1] * own.frame[1];
  // What is across the new normal stays.
  EXPECT_LT(norm(after - (before - dot(before, own.at.normal) * own.at.normal)), 1e-15);
  EXPECT_GT(norm(after), 0.01);
}

TEST(PairAnchors, GoWithAVertexToTheNextTriangle) {
  TwoTriangles scene;
  const ContactSurface surface = surface_of(scene.positions, {0, 1, 5});
  Threads threads(1);
  ListedPairs listed(scene.pairs, 0.15, threads);
  PairPotential& potential = listed.potential;
  PairFriction friction(surface, threads, alike);
  const auto begin = [&](std::span<const PairAnchor> anchors) {
    potential.evaluate(scene.positions);
    friction.begin_step(scene.positions, potential.touching(), anchors);
  };
  begin({});
  ASSERT_EQ(friction.pairs().size(), 1U);
  VectorArray moves(5);
  moves[0] = {0.003, 0.001, 0};
  friction.evaluate(moves);
  std::vector<PairAnchor> anchors;
  friction.keep(anchors);
  scene.positions[0] = {0.7, 0.6, 0.1};
  begin(anchors);
  ASSERT_EQ(friction.pairs().size(), 1U);
  const FrictionPair& own = friction.pairs()[0];
  EXPECT_EQ(own.constants.pair, scene.pairs[1].pair);
  EXPECT_LT(norm(own.anchor[0] * own.frame[0] + own.anchor[1] * own.frame[1] - moves[0]), 1e-15);
  // Not to a triangle of another body.
  const ContactSurface others = surface_of(scene.positions, {0, 1, 2, 3, 4, 5});
  PairFriction apart(others, threads, alike);
  apart.begin_step(scene.positions, potential.touching(), anchors);
  EXPECT_EQ(size_of(apart.pairs()[0].anchor), 0.0);
}

TEST(PairAnchors, GoOnWhereTheVertexIsStillNearToTheTriangleThatItHasLeft) {
  TwoTriangles scene;
  const ContactSurface surface = surface_of(scene.positions, {0, 1, 5});
  Threads threads(1);
  ListedPairs listed(scene.pairs, 0.15, threads);
  PairPotential& potential = listed.potential;
  PairFriction friction(surface, threads, alike);
  const PairAnchor anchor{scene.pairs[0].pair, PairFeature::inner, 0, {0.003, 0.001}};
  scene.positions[0] = {0.52, 0.5, 0.1};  // Over the second one, near to the first, which so bears nothing.
  potential.evaluate(scene.positions);
  friction.begin_step(scene.positions, potential.touching(), {&anchor, 1}, potential.parts());
  ASSERT_EQ(friction.pairs().size(), 1U);
  EXPECT_EQ(friction.pairs()[0].constants.pair, scene.pairs[1].pair);
  EXPECT_NEAR(size_of(friction.pairs()[0].anchor), std::hypot(0.003, 0.001), 1e-15);
  EXPECT_EQ(friction.pairs()[0].share, 1.0);
}

/// Where two faces of a hollow are touched, each has a slip of its own.
TEST(PairAnchors, StayWithATriangleThatTheVertexStillTouches) {
  TwoTriangles scene;
  scene.positions[4] = {1, 1, 0.5};
  const ContactSurface surface = surface_of(scene.positions, {0, 1, 5});
  Threads threads(1);
  ListedPairs listed(scene.pairs, 0.15, threads);
  PairPotential& potential = listed.potential;
  PairFriction friction(surface, threads, alike);
  const PairAnchor anchor{scene.pairs[0].pair, PairFeature::inner, 0, {0.003, 0.001}};
  scene.positions[0] = {0.49, 0.49, 0.1};
  potential.evaluate(scene.positions);
  friction.begin_step(scene.positions, potential.touching(), {&anchor, 1}, potential.parts());
  ASSERT_EQ(friction.pairs().size(), 2U);
  EXPECT_GT(size_of(friction.pairs()[0].anchor), 0.003);
  EXPECT_EQ(size_of(friction.pairs()[1].anchor), 0.0);
}

/// A vertex over a fan of triangles whose pairs have stiffnesses of their own.
class Fan {
 public:
  static constexpr int count = 7;
  void begin(const Vec3& place, std::span<const PairAnchor> anchors) {
    positions_[0] = place;
    listed_.potential.evaluate(positions_);
    friction_.begin_step(positions_, listed_.potential.touching(), anchors);
  }
  /// What the slips hold that the pairs have taken over, J.
  [[nodiscard]] double stored() const {
    double sum = 0.0;
    for (const FrictionPair& own : friction_.pairs())
      sum += 0.5 * own.constants.stiffness * (own.anchor[0] * own.anchor[0] + own.anchor[1] * own.anchor[1]);
    return sum;
  }
  static double stored(std::span<const PairAnchor> anchors) {
    double sum = 0.0;
    for (const PairAnchor& a : anchors)
      sum += 0.5 * stiffness_of(a.pair) * (a.slip[0] * a.slip[0] + a.slip[1] * a.slip[1]);
    return sum;
  }
  /// Moves the vertex by `move`; returns the work that friction takes, J.
  double move(const Vec3& move, std::vector<PairAnchor>& kept) {
    VectorArray moves(positions_.size());
    moves[0] = move;
    friction_.evaluate(moves);
    friction_.keep(kept);
    double work = 0.0;
    for (const FrictionPair& own : friction_.pairs())
      for (std::size_t r = 0; r < 2; ++r) work += own.map.force[r] * (own.slip[r] - own.anchor[r]);
    return work;
  }
  [[nodiscard]] std::span<const FrictionPair> pairs() const { return friction_.pairs(); }
  [[nodiscard]] std::span<const TouchingPair> touching() const { return listed_.potential.touching(); }

 private:
  /// The vertex, the middle of the fan, and its border.
  static VectorArray places() {
    VectorArray places(2);
    for (int k = 0; k < count; ++k) {
      const double turn = 2.0 * std::numbers::pi * k / count;
      places.push_back({std::cos(turn), std::sin(turn), k % 2 == 0 ? 0.0 : 0.05});
    }
    return places;
  }
  static std::vector<PairConstants> pairs_around() {
    std::vector<PairConstants> pairs;
    for (Index k = 0; k < count; ++k) {
      PairConstants& pair = pairs.emplace_back();
      pair.pair.vertices = {0, 1, 2 + k, 2 + (k + 1) % count};
      pair.stiffness = stiffness_of(pair.pair);
      pair.friction = 1.0;
      pair.has_friction = true;
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const PairConstants& a, const PairConstants& b) { return a.pair < b.pair; });
    return pairs;
  }
  static double stiffness_of(const SurfacePair& pair) {
    return 1.0 + static_cast<double>(pair.vertices[2] % 4);
  }

  VectorArray positions_ = places();
  Threads threads_{1};
  ListedPairs listed_{pairs_around(), 0.2, threads_};
  ContactSurface surface_ = surface_of(positions_, {0, 1, 2 + count});
  PairFriction friction_{surface_, threads_, stiffness_of};
};

/// Over triangles of different stiffness, where terms at their edges push and pull, too, friction has the
/// whole push for its normal force.
TEST(PairFriction, HasTheWholePushOfAVertexForItsNormalForce) {
  Fan fan;
  Random random(8);
  int spread = 0;
  for (int k = 0; k < 500; ++k) {
    fan.begin({random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(0.1, 0.2)}, {});
    double normal = 0.0, push = 0.0;
    for (const FrictionPair& own : fan.pairs()) {
      normal += own.normal;
      spread += std::abs(own.spread - 1.0) > 0.01 ? 1 : 0;
      EXPECT_NEAR(own.limit, own.constants.friction * own.normal, 1e-15);
    }
    for (const TouchingPair& t : fan.touching()) push += t.normal_push();
    if (fan.pairs().empty()) continue;
    EXPECT_NEAR(normal, push, 1e-14);
  }
  EXPECT_GT(spread, 50);
}

/// Whatever pairs touch, one after the other: what slips hold grows by no more than the work that friction
/// takes.
TEST(PairAnchors, BringNoEnergy) {
  Fan fan;
  Random random(7);
  std::vector<PairAnchor> anchors;
  int taken = 0, shared = 0;
  for (int step = 0; step < 4000; ++step) {
    const double radius = step % 3 == 0 ? 0.02 : 0.4;
    fan.begin({random.uniform(-radius, radius), random.uniform(-radius, radius), random.uniform(0.1, 0.22)},
              anchors);
    for (const FrictionPair& own : fan.pairs()) {
      const bool is_new = own.source != FrictionPair::none && anchors[own.source].pair != own.constants.pair;
      taken += is_new ? 1 : 0;
      shared += is_new && own.share < 0.5 ? 1 : 0;
    }
    const double before = Fan::stored(anchors);
    EXPECT_LE(fan.stored(), before * (1 + 1e-12));
    const double work = fan.move(random.in_cube(step % 2 == 0 ? 0.01 : 0.3), anchors);
    EXPECT_LE(Fan::stored(anchors), before + work + 1e-15);
  }
  EXPECT_GT(taken, 200);
  EXPECT_GT(shared, 50);
}

TEST(PairFriction, IsBitwiseTheSameAtAnyNumberOfThreads) {
  PairCluster cluster = pair_cluster();
  const PairCluster one = cluster;
  for (Index k = 1; k < 300; ++k)
    for (PairConstants pair : one.pairs) {
      for (Index& v : pair.pair.vertices) v += k * static_cast<Index>(one.positions.size()) - k;
      cluster.pairs.push_back(pair);
    }
  std::sort(cluster.pairs.begin(), cluster.pairs.end(),
            [](const auto& a, const auto& b) { return a.pair < b.pair; });
  Random random(3);
  while (cluster.positions.size() < 300 * one.positions.size())
    cluster.positions.push_back(one.positions[cluster.positions.size() % one.positions.size()] +
                                random.in_cube(0.05));
  for (PairConstants& pair : cluster.pairs) pair.has_friction = true;
  const ContactSurface surface =
      surface_of(cluster.positions, {0, static_cast<Count>(cluster.positions.size())});
  std::vector<VectorArray> gradients;
  std::vector<double> values;
  for (const int count : {1, 2, 3}) {
    Threads threads(count);
    ListedPairs listed(cluster.pairs, 5.0, threads);
    PairPotential& potential = listed.potential;
    PairFriction friction(surface, threads, alike);
    potential.evaluate(cluster.positions);
    friction.begin_step(cluster.positions, potential.touching(), {});
    values.push_back(friction.evaluate(random_vectors(cluster.positions.size(), 4)));
    gradients.emplace_back(cluster.positions.size());
    friction.add_gradient(2.0, gradients.back());
  }
  EXPECT_GT(values[0], 0.0);
  for (std::size_t k = 1; k < 3; ++k) {
    EXPECT_EQ(values[k], values[0]);
    EXPECT_EQ(gradients[k], gradients[0]);
  }
}

}  // namespace
}  // namespace electret::test
