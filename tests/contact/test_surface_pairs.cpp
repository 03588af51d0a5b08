// Candidate pairs: the trees against all pairs, what they must hold, and their order.

#include <set>

#include <gtest/gtest.h>

#include <electret/contact/surface_pairs.hpp>

#include "contact/surfaces.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

constexpr double thickness = 0.01;

/// Every pair of parts that share no vertex and have a free one, of bodies that may touch.
std::vector<SurfacePair> all_pairs(const ContactSurface& surface, const BodyPairs& bodies) {
  std::vector<SurfacePair> pairs;
  const auto add = [&](const SurfacePair& pair) {
    const auto& v = pair.vertices;
    if (std::set<Index>(v.begin(), v.end()).size() < 4) return;
    if (std::none_of(v.begin(), v.end(), [&](Index i) { return surface.is_free(i); })) return;
    if (bodies.may_touch(surface.body(v[0]), surface.body(v[3]))) pairs.push_back(pair);
  };
  for (const Index v : surface.vertices())
    for (const Triangle& t : surface.triangles()) add({PairKind::vertex_triangle, {v, t[0], t[1], t[2]}});
  for (const Edge& a : surface.edges())
    for (const Edge& b : surface.edges())
      if (a < b) add({PairKind::edge_edge, {a[0], a[1], b[0], b[1]}});
  return pairs;
}

/// The boxes of vertices as the method defines them, and whether those of a pair's two parts overlap.
class Boxes {
 public:
  Boxes(const ContactSurface& surface, VectorView from, VectorView to)
      : surface_(surface),
        from_(from),
        to_(to),
        means_(surface.body_count()),
        own_(means_.size()),
        relative_(own_) {
    std::vector<double> counts(means_.size(), 0.0);
    for (const Index v : surface.vertices()) {
      means_[surface.body(v)] += motion(v);
      counts[surface.body(v)] += 1.0;
    }
    for (std::size_t b = 0; b < means_.size(); ++b) means_[b] *= 1.0 / counts[b];
    for (const Index v : surface.vertices()) {
      const std::size_t b = surface.body(v);
      own_[b] = std::max(own_[b], norm(motion(v)));
      relative_[b] = std::max(relative_[b], norm(motion(v) - means_[b]));
    }
  }

  [[nodiscard]] bool overlap(const SurfacePair& pair) const {
    const auto& v = pair.vertices;
    const bool is_within = surface_.body(v[0]) == surface_.body(v[3]);
    const std::size_t split = pair.kind == PairKind::edge_edge ? 2 : 1;
    const BoundingBox a = around({v.begin(), v.begin() + split}, is_within),
                      b = around({v.begin() + split, v.end()}, is_within);
    for (int axis = 0; axis < 3; ++axis)
      if (a.low[axis] > b.high[axis] || b.low[axis] > a.high[axis]) return false;
    return true;
  }

 private:
  [[nodiscard]] Vec3 motion(Index v) const {
    return to_[static_cast<std::size_t>(v)] - from_[static_cast<std::size_t>(v)];
  }
  [[nodiscard]] BoundingBox around(std::vector<Index> vertices, bool is_within) const {
    constexpr double far = 1e300;
    BoundingBox box{{far, far, far}, {-far, -far, -far}};
    for (const Index v : vertices) {
      const std::size_t b = surface_.body(v);
      const double margin = 1.5 * thickness + 0.1 * (is_within ? relative_[b] : own_[b]);
      const Vec3 x = from_[static_cast<std::size_t>(v)],
                 y = to_[static_cast<std::size_t>(v)] - (is_within ? means_[b] : Vec3{});
      for (int axis = 0; axis < 3; ++axis) {
        box.low[axis] = std::min({box.low[axis], x[axis] - margin, y[axis] - margin});
        box.high[axis] = std::max({box.high[axis], x[axis] + margin, y[axis] + margin});
      }
    }
    return box;
  }

  const ContactSurface& surface_;
  VectorView from_, to_;
  VectorArray means_;
  std::vector<double> own_, relative_;
};

BodyPairs all_bodies(std::size_t count) {
  BodyPairs bodies(count);
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b <= a; ++b) bodies.allow(a, b);
  return bodies;
}

VectorArray moved(VectorView places, std::uint64_t seed, double size) {
  Random random(seed);
  VectorArray result(places.begin(), places.end());
  for (Vec3& x : result) x += random.in_cube(size);
  return result;
}

/// Of a random point of each part.
double sampled_distance(const SurfacePair& pair, VectorView place, Random& random) {
  const auto at = [&](std::size_t k) { return place[static_cast<std::size_t>(pair.vertices[k])]; };
  const double s = random.uniform(0.0, 1.0), t = random.uniform(0.0, 1.0);
  if (pair.kind == PairKind::edge_edge)
    return norm(at(0) + s * (at(1) - at(0)) - at(2) - t * (at(3) - at(2)));
  return norm(at(0) - at(1) - s * (1.0 - t) * (at(2) - at(1)) - t * (at(3) - at(1)));
}

void expect_tree_as_all_pairs(const TestBodies& bodies, const BodyPairs& may_touch, VectorView from,
                              VectorView to) {
  const ContactSurface surface = bodies.surface();
  Threads threads(2);
  SurfacePairs pairs(surface, may_touch, thickness, threads);
  pairs.find(from, to);
  const Boxes boxes(surface, from, to);
  std::vector<SurfacePair> expected;
  for (const SurfacePair& pair : all_pairs(surface, may_touch))
    if (boxes.overlap(pair)) expected.push_back(pair);
  std::sort(expected.begin(), expected.end());
  EXPECT_GT(expected.size(), 100U);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), pairs.pairs().begin(), pairs.pairs().end()))
      << expected.size() << " and " << pairs.pairs().size();
}

TEST(SurfacePairs, AreThoseOfAllPairsWhoseBoxesOverlap) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const TestBodies bodies = crowded_bodies(seed);
    const VectorArray from = moved(bodies.places, seed + 10, 0.02), to = moved(from, seed + 20, 0.03);
    expect_tree_as_all_pairs(bodies, all_bodies(5), from, to);
  }
}

TEST(SurfacePairs, AreOfBodiesThatMayTouchAlone) {
  const TestBodies bodies = crowded_bodies(7);
  BodyPairs some(5);
  some.allow(1, 1), some.allow(0, 2), some.allow(3, 1), some.allow(4, 2);
  expect_tree_as_all_pairs(bodies, some, bodies.places, moved(bodies.places, 8, 0.05));
  BodyPairs others = all_bodies(5);
  others.allow(2, 1, false), others.allow(3, 3, false);
  expect_tree_as_all_pairs(bodies, others, bodies.places, moved(bodies.places, 9, 0.05));
}

TEST(SurfacePairs, OfABodyWithItselfAreThoseOfItsMotionRelativeToItsMean) {
  TestBodies bodies;
  Random random(3);
  bodies.add_sheet(12, [&](double u, double v) {
    return Vec3{u, v > 0.5 ? 1.0 - v : v, v > 0.5 ? 0.04 : 0.0} + random.in_cube(0.005);
  });
  const ContactSurface surface = bodies.surface();
  Threads threads(1);
  BodyPairs self(1);
  self.allow(0, 0);
  SurfacePairs pairs(surface, self, thickness, threads);
  pairs.find(bodies.places, bodies.places);
  const std::size_t at_rest = pairs.pairs().size();
  VectorArray far = bodies.places;
  for (Vec3& x : far) x += Vec3{2.0, 3.0, -4.0};
  pairs.find(bodies.places, far);
  EXPECT_EQ(pairs.pairs().size(), at_rest);
  EXPECT_TRUE(pairs.covers(far));
  far[5] += Vec3{0.0, 0.0, 0.05};
  EXPECT_FALSE(pairs.covers(far));
}

/// Places between the two ends and a little beside them are covered, and every pair that comes near there is
/// found. Distances are those of samples of both parts, which are no smaller than the parts' own.
TEST(SurfacePairs, HoldAllThatComesNearerThanTheThicknessAtCoveredPlaces) {
  const TestBodies bodies = crowded_bodies(11);
  const ContactSurface surface = bodies.surface();
  const BodyPairs may_touch = all_bodies(5);
  Threads threads(2);
  SurfacePairs pairs(surface, may_touch, thickness, threads);
  const VectorArray to = moved(bodies.places, 12, 0.03);
  pairs.find(bodies.places, to);
  const std::set<SurfacePair> found(pairs.pairs().begin(), pairs.pairs().end());
  const auto all = all_pairs(surface, may_touch);
  Random random(13);
  std::size_t near = 0;
  for (int trial = 0; trial < 10; ++trial) {
    VectorArray place = bodies.places;
    for (std::size_t v = 0; v < place.size(); ++v)
      place[v] += random.uniform(0.0, 1.0) * (to[v] - place[v]) + random.in_cube(0.6 * thickness);
    ASSERT_TRUE(pairs.covers(place));
    for (const SurfacePair& pair : all)
      for (int sample = 0; sample < 10; ++sample) {
        if (sampled_distance(pair, place, random) >= thickness) continue;
        ++near;
        ASSERT_TRUE(found.contains(pair));
      }
  }
  EXPECT_GT(near, 30U);
}

TEST(SurfacePairs, AreCompleteOnlyWhereEveryVertexIsInItsBox) {
  const TestBodies bodies = crowded_bodies(4);
  const ContactSurface surface = bodies.surface();
  Threads threads(1);
  SurfacePairs pairs(surface, all_bodies(5), thickness, threads);
  pairs.find(bodies.places, bodies.places);
  VectorArray place = bodies.places;
  EXPECT_TRUE(pairs.covers(place));
  place[40].x += 1.02 * thickness;
  EXPECT_FALSE(pairs.covers(place));
}

TEST(SurfacePairs, AreTheSameAtAnyNumberOfThreads) {
  const TestBodies bodies = crowded_bodies(21, 24);
  const ContactSurface surface = bodies.surface();
  const VectorArray to = moved(bodies.places, 22, 0.02);
  std::vector<SurfacePair> first;
  for (const int count : {1, 2, 3}) {
    Threads threads(count);
    SurfacePairs pairs(surface, all_bodies(5), thickness, threads);
    for (int repeat = 0; repeat < 3; ++repeat) {
      pairs.find(bodies.places, to);
      if (first.empty()) first.assign(pairs.pairs().begin(), pairs.pairs().end());
      EXPECT_TRUE(std::equal(first.begin(), first.end(), pairs.pairs().begin(), pairs.pairs().end()));
    }
  }
  EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
  EXPECT_EQ(std::adjacent_find(first.begin(), first.end()), first.end());
}

TEST(SurfacePairs, AreFoundAgainWithoutAllocations) {
  if (!AllocationCounter::works()) GTEST_SKIP();
  const TestBodies bodies = crowded_bodies(31);
  const ContactSurface surface = bodies.surface();
  Threads threads(1);
  SurfacePairs pairs(surface, all_bodies(5), thickness, threads);
  const VectorArray to = moved(bodies.places, 32, 0.02);
  pairs.find(bodies.places, to);
  const AllocationCounter counter;
  pairs.find(bodies.places, bodies.places);
  pairs.find(bodies.places, to);
  static_cast<void>(pairs.covers(to));
  EXPECT_EQ(counter.count(), 0);
}

TEST(SurfacePairs, OfNothingAreNone) {
  Threads threads(1);
  TestBodies bodies;
  bodies.add_points({{0, 0, 0}, {1, 0, 0}});
  bodies.add_chain(2, {0, 0, 0}, {1, 0, 0});
  const ContactSurface surface = bodies.surface();
  SurfacePairs none(surface, BodyPairs(2), thickness, threads);
  none.find(bodies.places, bodies.places);
  EXPECT_TRUE(none.pairs().empty());
  EXPECT_TRUE(none.covers(bodies.places));
  SurfacePairs all(surface, all_bodies(2), thickness, threads);
  all.find(bodies.places, bodies.places);
  EXPECT_TRUE(all.pairs().empty());
}

}  // namespace
}  // namespace electret::test
