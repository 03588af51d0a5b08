/// The parts of ddef against their definitions: grid, tessellation, near sets, location, interpolation.

#include <algorithm>
#include <cmath>

#include <field/ddef_oracle.hpp>
#include <gtest/gtest.h>
#include <support/point_clouds.hpp>

#include <electret/field/ddef/ddef.hpp>
#include <electret/field/ddef/interpolation.hpp>

namespace electret::test {
namespace {

using ddef::Aspect;
using ddef::Tessellation;

const Aspect aspects[] = {{{0, 0, 0}}, {{0, 1, 3}}, {{5, 0, 2}}, {{36, 0, 36}}, {{0, 36, 0}}, {{7, 35, 0}}};

TEST(DdefGrid, HasHaltonsPoints) {
  EXPECT_EQ(ddef::halton_point(1), (Vec3{1.0 / 2, 1.0 / 3, 1.0 / 5}));
  const Vec3 sixth = ddef::halton_point(6);  // 110, 20, 11 in bases 2, 3, 5, mirrored
  EXPECT_DOUBLE_EQ(sixth.x, 3.0 / 8);
  EXPECT_DOUBLE_EQ(sixth.y, 2.0 / 9);
  EXPECT_DOUBLE_EQ(sixth.z, 6.0 / 25);
  const VectorArray grid = ddef::unit_grid(100);
  EXPECT_EQ(grid.size(), 108U);
  EXPECT_EQ(grid[5], sixth);
  EXPECT_EQ(grid[100], (Vec3{0, 0, 0}));
  EXPECT_EQ(grid[107], (Vec3{1, 1, 1}));
}

TEST(DdefGrid, BoxHoldsAllPointsInside) {
  for (const double length : {1e-12, 1e-3, 1.0, 1e6})
    for (const double origin : {0.0, 1e6, -1e9})
      for (const auto& kind : cloud_kinds()) {
        VectorArray points = make_cloud(kind, 50, true).positions, targets = random_vectors(20, 3);
        for (auto* array : {&points, &targets})
          for (auto& x : *array) x = length * x + Vec3{origin, origin, origin};
        const ddef::Box box = ddef::bounding_box(points, targets, 1.0);
        for (const auto* array : {&points, &targets})
          for (const Vec3& x : *array) {
            const Vec3 unit = box.unit(x);
            for (int axis = 0; axis < 3; ++axis) {
              EXPECT_GT(unit[axis], 0.0) << kind;
              EXPECT_LT(unit[axis], 1.0) << kind;
            }
          }
      }
  // 1e-3 of the longest side all around, 1 m where that is 0.
  const ddef::Box box = ddef::bounding_box(VectorArray{{0, 0, 0}, {10, 2, 0}}, {}, 1.0);
  EXPECT_EQ(box.low, (Vec3{-0.01, -0.01, -0.01}));
  EXPECT_NEAR(box.size.x, 10.02, 1e-12);
  EXPECT_NEAR(box.size.z, 0.02, 1e-12);
  EXPECT_EQ(ddef::bounding_box(VectorArray{{3, 3, 3}, {3, 3, 3}}, {}, 1.0).size, (Vec3{2, 2, 2}));
}

TEST(DdefGrid, AspectIsWithinHalfAStep) {
  for (const Vec3& size : random_vectors(500, 11)) {
    const ddef::Box box{{}, {std::abs(size.x), std::abs(size.y), std::abs(size.z)}};
    const double longest = std::max({box.size.x, box.size.y, box.size.z});
    const Vec3 sides = ddef::aspect_of(box).sides();
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_LE(std::abs(std::log2(box.size[axis] / longest / sides[axis])), 0.125 + 1e-12);
  }
}

TEST(DdefTessellation, IsDelaunay) {
  for (const Aspect& aspect : aspects) {
    const Tessellation tessellation(60, aspect);
    const Vec3 sides = aspect.sides();
    VectorArray points;
    for (const Vec3& u : tessellation.grid) points.push_back({u.x * sides.x, u.y * sides.y, u.z * sides.z});
    for (const auto& t : tessellation.vertices_of) {
      std::array<Vec3, 4> p;
      for (std::size_t k = 0; k < 4; ++k) p[k] = points[static_cast<std::size_t>(t[k])];
      const double volume = dot(p[1] - p[0], cross(p[2] - p[0], p[3] - p[0]));
      EXPECT_GT(volume, 0.0);
      // The insphere determinant, by lifting relative to p[0], is positive for points inside the sphere.
      for (const Vec3& x : points) {
        const Vec3 a = p[1] - p[0], b = p[2] - p[0], c = p[3] - p[0], d = x - p[0];
        const double inside = squared_norm(a) * dot(b, cross(c, d)) - squared_norm(b) * dot(a, cross(c, d)) +
                              squared_norm(c) * dot(a, cross(b, d)) - squared_norm(d) * dot(a, cross(b, c));
        EXPECT_LE(inside, 1e-12);
      }
    }
  }
}

/// Construction checks that the tetrahedra fill the box once; here, that it succeeds for many grids.
TEST(DdefTessellation, ExistsForManyGrids) {
  for (const Count m : {1, 2, 3, 5, 8, 13, 20, 21, 50, 100, 333})
    for (const Aspect& aspect : aspects) {
      const Tessellation tessellation(m, aspect);
      double volume = 0.0;
      for (const auto& t : tessellation.vertices_of) volume += ddef::six_volumes(tessellation.grid, t) / 6.0;
      EXPECT_NEAR(volume, 1.0, 1e-9) << m;
    }
  for (int y = 0; y <= 36; y += 3)
    for (int z = 0; z <= 36; z += 4) EXPECT_GT(Tessellation(40, {{0, y, z}}).size(), 100);
}

TEST(DdefNearSets, AreTheirDefinitions) {
  for (const Aspect& aspect : aspects) {
    const Tessellation tessellation(40, aspect);
    const ddef::NearSets sets(tessellation);
    const OracleSets oracle(tessellation.vertices_of);
    const auto size = static_cast<std::size_t>(tessellation.size());
    for (std::size_t t = 0; t < size; ++t) {
      const auto list = [&](const ddef::IndexLists& lists) { return lists[static_cast<Index>(t)]; };
      for (Index v = 0; v < static_cast<Index>(tessellation.grid.size()); ++v) {
        const bool in = oracle.in_near_vertices(t, v);
        EXPECT_EQ(std::binary_search(list(sets.near_vertices).begin(), list(sets.near_vertices).end(), v),
                  in);
        EXPECT_EQ(std::binary_search(sets.near_of[v].begin(), sets.near_of[v].end(), static_cast<Index>(t)),
                  in);
        EXPECT_EQ(std::binary_search(sets.around[v].begin(), sets.around[v].end(), static_cast<Index>(t)),
                  oracle.has_vertex(t, v));
      }
      for (std::size_t s = 0; s < size; ++s) {
        const auto index = static_cast<Index>(s);
        EXPECT_EQ(std::binary_search(list(sets.near).begin(), list(sets.near).end(), index),
                  oracle.is_near(s, t));
        EXPECT_EQ(std::binary_search(list(sets.near_targets).begin(), list(sets.near_targets).end(), index),
                  oracle.is_near(t, s));
      }
    }
  }
}

bool holds(const Tessellation& tessellation, Index t, const Vec3& unit) {
  const auto psi = tessellation.barycentric[static_cast<std::size_t>(t)](unit);
  return *std::min_element(psi.begin(), psi.end()) >= -1e-9;
}

TEST(DdefLocation, FindsTheTetrahedronThatHoldsAPoint) {
  for (const Aspect& aspect : aspects)
    for (const Count m : {1, 20, 300}) {
      const Tessellation tessellation(m, aspect);
      const ddef::Locator locator(tessellation);
      for (Vec3 unit : random_vectors(300, 5)) {
        unit = 0.5 * (unit + Vec3{1, 1, 1});
        EXPECT_TRUE(holds(tessellation, locator.find(unit), unit));
        EXPECT_TRUE(holds(tessellation, locator.search(unit), unit));
      }
      // On vertices, and on faces between two tetrahedra.
      for (const Vec3& vertex : tessellation.grid)
        EXPECT_TRUE(holds(tessellation, locator.find(vertex), vertex));
      for (std::size_t t = 0; t < tessellation.vertices_of.size(); t += 7) {
        const auto& v = tessellation.vertices_of[t];
        Vec3 middle;
        for (std::size_t k = 0; k < 3; ++k)
          middle += (1.0 / 3.0) * tessellation.grid[static_cast<std::size_t>(v[k])];
        EXPECT_TRUE(holds(tessellation, locator.find(middle), middle));
      }
    }
}

TEST(DdefLocation, AnswersOutsideToo) {
  const Tessellation tessellation(50, {});
  const ddef::Locator locator(tessellation);
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const Vec3& unit : {Vec3{-1, 0.5, 0.5}, Vec3{2, 2, 2}, Vec3{1 + 1e-15, 1, 0}, Vec3{nan, 0, 0},
                           Vec3{0.1, infinity, -infinity}}) {
    const Index t = locator.find(unit);
    EXPECT_GE(t, 0);
    EXPECT_LT(t, tessellation.size());
  }
  EXPECT_TRUE(holds(tessellation, locator.find({-1e-12, 0.5, 0.5}), {0, 0.5, 0.5}));
}

/// A field with potential Φ = a·x + ½ x·B x + c x y z and what the solver would know of it at the vertices.
struct Polynomial {
  Vec3 a{0.3, -0.2, 0.7};
  double b[6] = {0.5, -1.1, 0.4, 0.3, -0.6, 0.2};
  double cubic = 0.9;

  [[nodiscard]] ddef::VertexSums at(const Vec3& x) const {
    ddef::VertexSums sums;
    const Vec3 bx = ddef::symmetric_product(b, x);
    sums.scalar = dot(a, x) + 0.5 * dot(x, bx) + cubic * x.x * x.y * x.z;
    sums.vector = -(a + bx + cubic * Vec3{x.y * x.z, x.x * x.z, x.x * x.y});
    for (int k = 0; k < 3; ++k) sums.gradient[k] = -b[k];
    sums.gradient[3] = -(b[3] + cubic * x.z);
    sums.gradient[4] = -(b[4] + cubic * x.y);
    sums.gradient[5] = -(b[5] + cubic * x.x);
    return sums;
  }
};

TEST(DdefInterpolation, IsExactForPolynomials) {
  Threads threads(1);
  const VectorArray points = random_vectors(500, 31);
  ddef::Discretisation discretisation(0.0, false);
  discretisation.prepare(points, {}, true, 30, false, threads);
  for (const bool half_taylor : {false, true})
    for (const double cubic : {0.0, 0.9}) {
      Polynomial polynomial;
      polynomial.cubic = cubic;
      double field_error = 0.0, potential_error = 0.0;
      for (const Index t : discretisation.sources().occupied()) {
        ddef::Interpolation interpolation(discretisation, t, half_taylor);
        if (half_taylor && interpolation.taylor == 0.0) continue;
        for (std::size_t k = 0; k < 4; ++k) interpolation.far[k] = polynomial.at(interpolation.vertices[k]);
        for (Count i = discretisation.sources().begin(t); i < discretisation.sources().end(t); ++i) {
          const Vec3 x = discretisation.sources().coordinates().at(i);
          const auto sums = interpolation.at(x), expected = polynomial.at(x);
          field_error = std::max(field_error, norm(sums.vector - expected.vector));
          potential_error = std::max(potential_error, std::abs(sums.scalar - expected.scalar));
        }
      }
      // Linear: exact for linear fields. Half-Taylor: for quadratic fields (cubic potentials), and
      // potentials.
      EXPECT_EQ(field_error < 1e-13, half_taylor || cubic == 0.0) << half_taylor << cubic;
      EXPECT_EQ(potential_error < 1e-13, half_taylor && cubic == 0.0) << half_taylor << cubic;
    }
}

TEST(DdefRule, GrowsWithTheCharges) {
  for (const Count n : {0, 1, 999}) EXPECT_EQ(default_ddef_grid_points(n), 1);
  for (const Count n : {1000, 2000, 2099}) EXPECT_EQ(default_ddef_grid_points(n), 20);
  EXPECT_EQ(default_ddef_grid_points(200000), 2000);
  EXPECT_EQ(default_ddef_grid_points(1'000'000'000), most_ddef_grid_points);
}

TEST(DdefRule, LeavesNothingFarFromFewCharges) {
  for (const Aspect& aspect : aspects) {
    const Tessellation tessellation(1, aspect);
    const ddef::NearSets sets(tessellation);
    for (Index t = 0; t < tessellation.size(); ++t)
      EXPECT_EQ(static_cast<Count>(sets.near[t].size()), tessellation.size());
  }
}

}  // namespace
}  // namespace electret::test
