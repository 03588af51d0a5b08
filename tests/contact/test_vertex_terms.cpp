// A vertex over a surface: each face, edge and corner counts once, whatever the triangles are.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <gtest/gtest.h>

#include <electret/contact/pair_hessian.hpp>

#include "contact/pair_clusters.hpp"
#include "contact/surfaces.hpp"
#include "support/differences.hpp"

namespace electret::test {
namespace {

constexpr double reach = 0.1;

/// A vertex and a mesh, all of whose triangles it may touch.
class VertexOverMesh {
 public:
  using Stiffness = std::function<double(const SurfacePair&)>;

  VertexOverMesh(VectorArray mesh, const std::vector<Triangle>& triangles, const Stiffness& stiffness)
      : x_(std::move(mesh)) {
    x_.insert(x_.begin(), Vec3{});
    for (const Triangle& t : triangles) {
      PairConstants& pair = constants_.emplace_back();
      pair.pair.vertices = {0, t[0] + 1, t[1] + 1, t[2] + 1};
      pair.stiffness = stiffness(pair.pair);
    }
    std::sort(constants_.begin(), constants_.end(),
              [](const PairConstants& a, const PairConstants& b) { return a.pair < b.pair; });
    listed_.emplace(constants_, reach, threads_);
  }

  double energy(const Vec3& place) {
    x_[0] = place;
    return listed_->potential.evaluate(x_);
  }
  double energy(const VectorArray& x) { return listed_->potential.evaluate(x); }
  VectorArray gradient(const VectorArray& x) {
    VectorArray g(x.size());
    listed_->potential.evaluate(x);
    listed_->potential.add_gradient(1.0, g);
    return g;
  }
  VectorArray product(const VectorArray& x, const VectorArray& z, PairHessian kind) {
    std::vector<StencilVertices> vertices;
    std::vector<StencilBlocks> blocks;
    listed_->potential.evaluate(x);
    listed_->potential.append_hessian(kind, 1.0, vertices, blocks);
    return stencil_product(x.size(), vertices, blocks, z);
  }
  [[nodiscard]] VectorArray places(const Vec3& place) const {
    VectorArray x = x_;
    x[0] = place;
    return x;
  }
  [[nodiscard]] const std::vector<PairConstants>& constants() const { return constants_; }
  [[nodiscard]] const PairPotential& potential() const { return listed_->potential; }
  [[nodiscard]] std::size_t terms_left() const {
    const auto all = potential().touching();
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [](const TouchingPair& t) { return t.share != 0.0; }));
  }

 private:
  VectorArray x_;
  std::vector<PairConstants> constants_;
  Threads threads_{1};
  std::optional<ListedPairs> listed_;
};

double alike_stiffness(const SurfacePair&) {
  return 3.0;
}

/// Of three sizes.
double other_stiffness(const SurfacePair& pair) {
  return 2.0 + static_cast<double>((pair.vertices[1] + 2 * pair.vertices[2] + pair.vertices[3]) % 3);
}

VertexOverMesh over_sheet(double height, const VertexOverMesh::Stiffness& stiffness) {
  TestBodies bodies;
  bodies.add_sheet(4, [&](double u, double v) {
    return Vec3{u, v, height * std::sin(8.0 * u + 1.0) * std::cos(9.0 * v)};
  });
  return {bodies.places, bodies.triangles, stiffness};
}

/// A place over the inside of the wavy sheet, near to it.
Vec3 place_near(Random& random, const VertexOverMesh& mesh) {
  const VectorArray x = mesh.places({});
  for (;;) {
    const Vec3 place{random.uniform(0.1, 0.9), random.uniform(0.1, 0.9), random.uniform(-0.2, 0.2)};
    double nearest = reach;
    for (const PairConstants& pair : mesh.constants()) {
      PairPlaces p = places_of(pair.pair, x);
      p[0] = place;
      nearest = std::min(nearest, pair_distance(PairKind::vertex_triangle, p).distance);
    }
    if (nearest < 0.9 * reach && nearest > 0.05 * reach) return place;
  }
}

/// The distance from a segment, and from a point.
double distance_from(const Vec3& x, const Vec3& a, const Vec3& b) {
  const double length = squared_norm(b - a);
  const double along = std::clamp(dot(x - a, b - a) / length, 0.0, 1.0);
  return norm(x - a - along * (b - a));
}

/// The energy by its definition, over all triangles, edges and corners.
double energy_by_definition(const VertexOverMesh& mesh, const Vec3& place) {
  const VectorArray x = mesh.places(place);
  const auto at = [&](Index v) { return x[static_cast<std::size_t>(v)]; };
  std::map<Edge, std::vector<double>> edges;
  std::map<Index, std::vector<double>> corners;
  double sum = 0.0;
  for (const PairConstants& pair : mesh.constants()) {
    const auto& v = pair.pair.vertices;
    const double k = pair.stiffness;
    sum +=
        k * pair_repulsion(pair_distance(PairKind::vertex_triangle, places_of(pair.pair, x)).distance, reach)
                .value;
    for (std::size_t i = 0; i < 3; ++i) {
      const Index a = v[1 + i], b = v[1 + (i + 1) % 3];
      edges[{std::min(a, b), std::max(a, b)}].push_back(k);
      corners[a].push_back(k);
    }
  }
  const auto total = [](const std::vector<double>& all) {
    double of_all = 0.0;
    for (const double one : all) of_all += one;
    return of_all;
  };
  for (const auto& [p, around] : corners) {
    const auto count = static_cast<double>(around.size());
    double own = (1.0 / count - 1.0) * total(around);
    for (const auto& [edge, sides] : edges)
      if (edge[0] == p || edge[1] == p)
        own += (static_cast<double>(sides.size()) - 1.0) * total(sides) / static_cast<double>(sides.size());
    sum += own * pair_repulsion(norm(place - at(p)), reach).value;
  }
  for (const auto& [edge, sides] : edges) {
    const auto count = static_cast<double>(sides.size());
    sum -= (count - 1.0) / count * total(sides) *
           pair_repulsion(distance_from(place, at(edge[0]), at(edge[1])), reach).value;
  }
  return sum;
}

TEST(VertexTerms, OverAFlatFaceAreOne) {
  VertexOverMesh mesh = over_sheet(0.0, alike_stiffness);
  Random random(3);
  for (int k = 0; k < 300; ++k) {
    // Over faces, edges and corners.
    Vec3 place{random.uniform(0.1, 0.9), random.uniform(0.1, 0.9), random.uniform(0.02, 0.09)};
    if (k % 3 == 1) place.x = 0.25 * std::round(4.0 * place.x);
    if (k % 6 == 4) place.y = 0.25 * std::round(4.0 * place.y);
    const double expected = 3.0 * pair_repulsion(place.z, reach).value;
    EXPECT_NEAR(mesh.energy(place), expected, 1e-12 * expected);
    EXPECT_EQ(mesh.terms_left(), 1U);
    const Vec3 push = mesh.gradient(mesh.places(place))[0];
    EXPECT_LT(std::hypot(push.x, push.y), 1e-12 * norm(push));
  }
}

TEST(VertexTerms, AddUpToTheDefinition) {
  Random random(5);
  for (const double height : {0.0, 0.05, 0.2})
    for (const auto& stiffness : {alike_stiffness, other_stiffness}) {
      VertexOverMesh mesh = over_sheet(height, stiffness);
      for (int k = 0; k < 100; ++k) {
        const Vec3 place = place_near(random, mesh);
        const double expected = energy_by_definition(mesh, place);
        EXPECT_NEAR(mesh.energy(place), expected, 1e-11 * expected) << height;
      }
    }
}

/// As of a vertex of the same surface, which has no pairs with its own triangles, and of triangles that share
/// an edge with two others.
TEST(VertexTerms, AddUpToTheDefinitionOnMeshesWithHolesAndBranches) {
  Random random(6);
  TestBodies bodies;
  bodies.add_sheet(4, [&](double u, double v) { return Vec3{u, v, 0.02 * std::sin(8.0 * u)}; });
  std::vector<Triangle> some;
  for (std::size_t k = 0; k < bodies.triangles.size(); ++k)
    if (k % 5 != 2) some.push_back(bodies.triangles[k]);
  bodies.places.push_back({0.5, 0.5, 0.3});
  const auto top = static_cast<Index>(bodies.places.size() - 1);
  for (std::size_t k = 0; k < 10; ++k) some.push_back({some[k][0], some[k][1], top});
  VertexOverMesh mesh(bodies.places, some, other_stiffness);
  for (int k = 0; k < 300; ++k) {
    const Vec3 place = place_near(random, mesh);
    const double expected = energy_by_definition(mesh, place);
    EXPECT_NEAR(mesh.energy(place), expected, 1e-11 * expected);
  }
}

class VertexTermsOnWaves : public testing::TestWithParam<double> {
 protected:
  VertexOverMesh mesh_ = over_sheet(GetParam(), other_stiffness);
  Random random_{8};
};

TEST_P(VertexTermsOnWaves, HaveDerivativesLikeThoseOfDifferences) {
  for (unsigned k = 0; k < 40; ++k) {
    const VectorArray x = mesh_.places(place_near(random_, mesh_));
    const VectorArray z = random_vectors(x.size(), k), w = random_vectors(x.size(), 100 + k);
    const auto moved = [&](double s) {
      VectorArray there = x;
      for (std::size_t i = 0; i < x.size(); ++i) there[i] += s * z[i];
      return there;
    };
    const VectorArray g = mesh_.gradient(x);
    const double size = norm(g) * norm(z);
    EXPECT_NEAR(dot(g, z), derivative([&](double s) { return mesh_.energy(moved(s)); }, 1e-6), 1e-6 * size);
    const VectorArray h = mesh_.product(x, z, PairHessian::exact);
    EXPECT_NEAR(dot(h, w), derivative([&](double s) { return dot(mesh_.gradient(moved(s)), w); }, 1e-7),
                1e-5 * norm(h) * norm(w));
  }
}

TEST_P(VertexTermsOnWaves, HaveAClampedHessianThatIsNeverBelowZero) {
  for (unsigned k = 0; k < 100; ++k) {
    const VectorArray x = mesh_.places(place_near(random_, mesh_)), z = random_vectors(x.size(), k);
    EXPECT_GE(dot(mesh_.product(x, z, PairHessian::clamped), z), -1e-12);
  }
}

/// From face to face, over edges and corners, in hollows and on ridges.
TEST_P(VertexTermsOnWaves, PushWithoutJumps) {
  for (int k = 0; k < 60; ++k) {
    const Vec3 from = place_near(random_, mesh_), way = 2e-5 * random_.in_cube(1.0);
    Vec3 before = mesh_.gradient(mesh_.places(from))[0];
    for (int step = 1; step < 1000; ++step) {
      const Vec3 place = from + static_cast<double>(step) * way,
                 push = mesh_.gradient(mesh_.places(place))[0];
      // The largest second derivative: κ b'' of some terms, and κ p/d.
      double nearest = reach;
      for (const TouchingPair& t : mesh_.potential().touching()) nearest = std::min(nearest, t.at.distance);
      const double stiffest = 60.0 * (1.0 + 0.25 * reach * reach / (nearest * nearest));
      ASSERT_LE(norm(push - before), 1.5 * stiffest * norm(way)) << k << ", " << step;
      before = push;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Heights, VertexTermsOnWaves, testing::Values(0.005, 0.05, 0.2));

/// Nothing is lost beside what a vertex is next to, in hollows and on ridges: the surface lets nothing
/// through.
TEST(VertexTerms, PushAtLeastLikeTheNearestFace) {
  Random random(9);
  for (const double height : {0.01, 0.05, 0.2}) {
    VertexOverMesh mesh = over_sheet(height, alike_stiffness);
    for (int k = 0; k < 300; ++k) {
      const Vec3 far = place_near(random, mesh);
      const VectorArray x = mesh.places(far);
      double least = reach;
      Vec3 to = far;
      for (const PairConstants& pair : mesh.constants()) {
        const PairDistance at = pair_distance(PairKind::vertex_triangle, places_of(pair.pair, x));
        if (at.distance < least) least = at.distance, to = far - at.gap;
      }
      for (const double part : {1.0, 0.1, 1e-3, 1e-6}) {
        const Vec3 place = to + part * (far - to);
        // In a narrow hollow the walls around take a little off.
        const double narrow = height < 0.1 ? 1.0 - 1e-9 : 0.99;
        EXPECT_GE(mesh.energy(place), 3.0 * pair_repulsion(part * least, reach).value * narrow);
      }
      EXPECT_GT(mesh.energy(to + 1e-9 * (far - to)), 3.0 * reach * reach);
    }
  }
}

TEST(VertexTerms, TellOfWhichStiffnessesTheyConsist) {
  Random random(10);
  VertexOverMesh mesh = over_sheet(0.05, other_stiffness);
  for (int k = 0; k < 50; ++k) {
    const Vec3 place = place_near(random, mesh);
    const double before = mesh.energy(place);
    std::map<SurfacePair, double> slopes;
    for (const TouchingPair& t : mesh.potential().touching()) {
      const auto parts = parts_of(t, mesh.potential().parts());
      if (parts.empty()) slopes[t.constants.pair] += t.repulsion.value;
      for (const StiffnessPart& part : parts) slopes[part.pair] += part.factor * t.repulsion.value;
    }
    for (const auto& [pair, slope] : slopes) {
      VertexOverMesh other = over_sheet(
          0.05, [&, of = pair](const SurfacePair& p) { return other_stiffness(p) + (p == of ? 1.0 : 0.0); });
      EXPECT_NEAR(other.energy(place) - before, slope, 1e-12);
    }
  }
}

/// Pairs ascend, the first of each is at its closest feature, and that alone has friction: over a flat face
/// the one whose face the vertex is over, of all stiffnesses.
TEST(VertexTerms, LetOneOfThePairsRub) {
  Random random(11);
  VertexOverMesh flat = over_sheet(0.0, other_stiffness), wavy = over_sheet(0.1, other_stiffness);
  for (int k = 0; k < 200; ++k) {
    for (VertexOverMesh* mesh : {&flat, &wavy}) {
      const Vec3 place = place_near(random, *mesh);
      const VectorArray x = mesh->places(place);
      mesh->energy(place);
      const auto all = mesh->potential().touching();
      int rubbing = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const SurfacePair& pair = all[i].constants.pair;
        const bool is_first = i == 0 || all[i - 1].constants.pair < pair;
        EXPECT_TRUE(is_first || all[i - 1].constants.pair == pair);
        if (!all[i].rubs) continue;
        ++rubbing;
        EXPECT_TRUE(is_first);
        EXPECT_EQ(all[i].at.feature, pair_distance(pair.kind, places_of(pair, x)).feature);
      }
      EXPECT_GE(rubbing, 1);
      EXPECT_LE(rubbing, mesh == &flat ? 1 : 9);
    }
  }
}

}  // namespace
}  // namespace electret::test
