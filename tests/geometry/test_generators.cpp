#include <algorithm>
#include <cmath>
#include <numbers>
#include <ostream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/geometry/generators.hpp>
#include <electret/geometry/generators/grid.hpp>
#include <electret/geometry/generators/surface/refined.hpp>
#include <electret/geometry/generators/torus.hpp>
#include <electret/geometry/measure.hpp>
#include <electret/geometry/springs.hpp>

#include "geometry/mesh_checks.hpp"

namespace electret {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Mesh made(const std::string& shape, ParameterValues parameters = {}) {
  return generate({shape, std::move(parameters)});
}

double count(std::size_t n) {
  return static_cast<double>(n);
}

struct Surface {
  std::string shape;
  std::vector<double> counts;
  Count euler_characteristic;
  Count boundary_loops;

  friend void PrintTo(const Surface& surface, std::ostream* out) {
    *out << surface.shape;
    for (const double count : surface.counts) *out << " " << count;
  }
};

class Surfaces : public ::testing::TestWithParam<Surface> {};
INSTANTIATE_TEST_SUITE_P(
    Shapes, Surfaces,
    ::testing::Values(
        Surface{"torus", {9, 12, 15, 17, 23, 31, 47, 50, 97, 145, 500, 1009, 5000, 10000}, 0, 0},
        Surface{"sphere", {12, 13, 15, 20, 33, 50, 97, 145, 162, 500, 1009, 5000}, 2, 0},
        Surface{"grid", {4, 9, 16, 25, 50, 97, 100, 145, 500, 1009, 10000}, 1, 1},
        Surface{"blob", {100, 113, 145, 200, 301, 500, 1000, 3001}, 2, 0},
        Surface{"duck", {100, 113, 145, 200, 301, 500, 1000, 3001}, 2, 0},
        Surface{"tshirt", {100, 101, 145, 200, 301, 500, 1000, 3001, 10000}, -2, 4}),
    [](const auto& surface) { return surface.param.shape; });

TEST_P(Surfaces, AreManifoldEvenAndFreeOfSelfIntersection) {
  for (const double asked : GetParam().counts) {
    SCOPED_TRACE(asked);
    const Mesh mesh = made(GetParam().shape, {{"vertices", asked}});
    EXPECT_LE(std::abs(count(mesh.vertices.size()) - asked), 0.02 * asked);
    const Topology shape = topology(mesh);
    EXPECT_TRUE(shape.manifold);
    EXPECT_TRUE(shape.oriented);
    EXPECT_EQ(shape.closed, GetParam().boundary_loops == 0);
    EXPECT_EQ(shape.euler_characteristic, GetParam().euler_characteristic);
    EXPECT_EQ(shape.boundary_loops, GetParam().boundary_loops);
    EXPECT_EQ(shape.components, 1);
    EXPECT_EQ(shape.unused_vertices, 0);
    if (shape.closed) {
      EXPECT_GT(enclosed_volume(mesh), 0.0);  // The polygons face outwards.
    }
    const EdgeLengths lengths = edge_lengths(mesh);
    EXPECT_LE(lengths.longest, 3.0 * lengths.median);
    EXPECT_GE(lengths.shortest, 0.2 * lengths.median);
    EXPECT_TRUE(self_intersections(mesh).empty());
  }
}

TEST_P(Surfaces, ManyCountsAreNear) {
  for (double asked = 103.0; asked < 700.0; asked += 41.0) {
    SCOPED_TRACE(asked);
    const Mesh mesh = made(GetParam().shape, {{"vertices", asked}});
    EXPECT_LE(std::abs(count(mesh.vertices.size()) - asked), 0.02 * asked);
    EXPECT_TRUE(self_intersections(mesh).empty());
    const EdgeLengths lengths = edge_lengths(mesh);
    EXPECT_LE(lengths.longest, 3.0 * lengths.median);
  }
}

TEST(RefinedSurfaces, HaveTheAskedVerticesEvenlyOnTheSurface) {
  for (const auto* shape : {"sphere", "blob", "duck"}) {
    SCOPED_TRACE(shape);
    constexpr double asked = 25'003;  // One round; the second case below takes two.
    const Mesh mesh = made(shape, {{"vertices", asked}});
    EXPECT_EQ(count(mesh.vertices.size()), asked);
    const Topology topological = topology(mesh);
    EXPECT_TRUE(topological.manifold && topological.oriented && topological.closed);
    EXPECT_EQ(topological.euler_characteristic, 2);
    EXPECT_EQ(topological.unused_vertices, 0);
    const EdgeLengths lengths = edge_lengths(mesh);
    EXPECT_LE(lengths.longest, 3.0 * lengths.median);
    EXPECT_GE(lengths.shortest, 0.2 * lengths.median);
    EXPECT_TRUE(self_intersections(mesh).empty());
  }
  const Mesh sphere = made("sphere", {{"vertices", 60'001.0}, {"radius", 2.0}});
  EXPECT_EQ(sphere.vertices.size(), 60'001U);
  for (const Vec3& x : sphere.vertices) ASSERT_NEAR(norm(x), 2.0, 1e-12);
  EXPECT_NEAR(enclosed_volume(sphere), 32.0 / 3.0 * std::numbers::pi, 0.01);
}

TEST(RefinedSurfaces, EveryNumberIsReached) {
  for (Count vertices = 5; vertices < 2000; ++vertices) {
    const surface::Refinement refinement = surface::refinement_to(vertices, 12);
    EXPECT_LE(refinement.start, 12);
    Count reached = refinement.start;
    for (int round = 0; round < refinement.rounds; ++round) reached = 4 * (reached - 2) + 2;
    EXPECT_LE(reached, vertices);
    EXPECT_LT(vertices - reached, Count{1} << (2 * refinement.rounds));
  }
  const auto octahedron = [] {
    Mesh mesh;
    mesh.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (const Triangle& t :
         {Triangle{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}})
      mesh.polygons.add(t);
    return mesh;
  }();
  surface::ImplicitSurface ball;
  ball.distance = [](const Vec3& x) { return norm(x) - 1.0; };
  ball.detail = 0.5;
  for (Count vertices = 66; vertices < 82; ++vertices) {  // 16·(6 - 2) + 2 and up to 15 more.
    const Mesh mesh = surface::refined(ball, octahedron, vertices, 2);
    EXPECT_EQ(mesh.vertices.size(), static_cast<std::size_t>(vertices));
    const Topology topological = topology(mesh);
    EXPECT_TRUE(topological.manifold && topological.oriented && topological.closed);
    EXPECT_EQ(topological.euler_characteristic, 2);
    EXPECT_TRUE(self_intersections(mesh).empty());
  }
}

class EveryShape : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Shapes, EveryShape,
                         ::testing::Values("torus", "sphere", "grid", "lattice", "chain", "blob", "duck",
                                           "tshirt", "box", "icosphere_fan"),
                         [](const auto& shape) { return shape.param; });

TEST_P(EveryShape, IsTheSameEachTime) {
  const Mesh one = made(GetParam()), two = made(GetParam());
  EXPECT_EQ(one.vertices, two.vertices);
  EXPECT_EQ(one.polygons.indices, two.polygons.indices);
  EXPECT_EQ(one.lines, two.lines);
  EXPECT_EQ(one.groups, two.groups);
}

TEST_P(EveryShape, HasTheGroupsItsTableSays) {
  const Mesh mesh = made(GetParam());
  std::set<std::string> wanted, got;
  for (const std::string_view name : find_shape(GetParam())->groups) wanted.emplace(name);
  for (const auto& [name, members] : mesh.groups) {
    got.insert(name);
    EXPECT_FALSE(members.empty()) << name;
    EXPECT_TRUE(std::is_sorted(members.begin(), members.end())) << name;
    EXPECT_EQ(std::adjacent_find(members.begin(), members.end()), members.end()) << name;
    EXPECT_GE(members.front(), 0);
    EXPECT_LT(members.back(), static_cast<Index>(mesh.vertices.size()));
  }
  EXPECT_EQ(got, wanted);
}

TEST_P(EveryShape, ScalesWithItsLengths) {
  ParameterValues doubled;
  for (const ShapeParameter& row : find_shape(GetParam())->parameters)
    if (row.unit == "m") doubled[std::string(row.name)] = 2.0 * std::get<double>(*row.default_value);
  ASSERT_FALSE(doubled.empty());
  const Mesh small = made(GetParam()), large = made(GetParam(), doubled);
  ASSERT_EQ(small.vertices.size(), large.vertices.size());
  for (std::size_t i = 0; i < small.vertices.size(); ++i)
    EXPECT_NEAR(norm(large.vertices[i] - 2.0 * small.vertices[i]), 0.0, 1e-12);
  EXPECT_EQ(small.polygons.indices, large.polygons.indices);
}

TEST_P(EveryShape, HasTheSameGroupsAtEverySize) {
  const Mesh usual = made(GetParam());
  for (const double factor : {0.2, 3.0}) {
    ParameterValues scaled;
    for (const ShapeParameter& row : find_shape(GetParam())->parameters)
      if (row.unit == "m") scaled[std::string(row.name)] = factor * std::get<double>(*row.default_value);
    const Mesh mesh = made(GetParam(), scaled);
    for (const auto& [name, members] : usual.groups) {
      // A vertex on a group's bound may round to either side.
      ASSERT_TRUE(mesh.groups.contains(name));
      EXPECT_NEAR(count(mesh.groups.at(name).size()), count(members.size()), 2.0) << name << ", " << factor;
    }
  }
}

TEST_P(EveryShape, SaysWhatIsOutOfRange) {
  for (const ShapeParameter& row : find_shape(GetParam())->parameters) {
    EXPECT_FALSE(row.description.empty()) << row.name;
    std::vector<ParameterValue> wrong = {std::string("nonsense"), std::nan(""), HUGE_VAL, -1.0};
    if (row.kind == ParameterKind::integer) {
      wrong.insert(wrong.end(), {row.minimum - 1.0, row.maximum + 1000.0, row.minimum + 0.5});
    } else if (row.kind == ParameterKind::number) {
      wrong.emplace_back(0.0);
    } else if (row.kind == ParameterKind::triple) {
      using List = std::vector<double>;
      for (const List& list : {List{}, List{1, 2}, List{1, 2, 3, 4}, List{1, 0, 3}, List{1, 2.5, 3}})
        wrong.emplace_back(list);
    }
    for (const ParameterValue& value : wrong) {
      const GeneratorSpec spec{GetParam(), {{std::string(row.name), value}}};
      const auto findings = generator_findings(spec);
      ASSERT_EQ(findings.size(), 1U) << row.name;
      EXPECT_EQ(findings[0].parameter, row.name);
      EXPECT_THAT(findings[0].message, HasSubstr(std::string(row.name)));
      EXPECT_FALSE(findings[0].allowed.empty());
      EXPECT_THROW(generate(spec), InputError);
    }
    if (row.default_value) {
      EXPECT_TRUE(generator_findings({GetParam(), {{std::string(row.name), *row.default_value}}}).empty());
    }
  }
}

TEST(Generate, NamesUnknownShapesAndParameters) {
  const auto shape = generator_findings({"cube", {}});
  ASSERT_EQ(shape.size(), 1U);
  EXPECT_EQ(shape[0].parameter, "shape");
  EXPECT_THAT(shape[0].message, HasSubstr("\"cube\""));
  EXPECT_THAT(shape[0].allowed, HasSubstr("torus, sphere, grid, lattice, chain, blob, duck, tshirt, box"));
  const auto parameters =
      generator_findings({"chain", {{"radius", 1.0}, {"lenght", 1.0}, {"vertices", 1.0}}});
  ASSERT_EQ(parameters.size(), 3U);
  EXPECT_THAT(parameters[0].message, HasSubstr("\"lenght\""));
  EXPECT_THAT(parameters[0].allowed, HasSubstr("vertices, length"));
}

TEST(Generate, FindsContradictions) {
  const auto finding = [](const std::string& shape, const ParameterValues& values) {
    const auto findings = generator_findings({shape, values});
    return findings.size() == 1 ? findings[0].parameter : std::to_string(findings.size());
  };
  EXPECT_EQ(finding("torus", {{"minor_radius", 1.0}}), "minor_radius");
  EXPECT_EQ(finding("torus", {{"major_radius", 0.4}}), "major_radius");
  EXPECT_EQ(finding("torus", {{"vertices", 8.0}}), "vertices");
  EXPECT_EQ(finding("torus", {{"vertices", 14.0}}), "vertices");
  EXPECT_EQ(finding("torus", {{"vertices", 1.0}, {"sampling", std::string("best_candidate")}}), "0");
  EXPECT_EQ(finding("grid", {{"vertices", 100.0}, {"rows", 10.0}}), "vertices");
  EXPECT_EQ(finding("grid", {{"vertices", 7.0}}), "vertices");
  EXPECT_EQ(finding("grid", {{"vertices", 100.0}, {"width", 1e6}}), "vertices");
  EXPECT_EQ(finding("grid", {{"rows", 1e7}}), "rows");
  EXPECT_EQ(finding("lattice", {{"nx", 1e7}}), "nx");
  EXPECT_EQ(finding("box", {{"cells", std::vector<double>{1e3, 1e3, 1e3}}}), "cells");
}

TEST(Torus, Of145IsTwentyNineRingsOfFive) {
  const Mesh mesh = torus({});
  ASSERT_EQ(mesh.vertices.size(), 145U);
  EXPECT_EQ(mesh.polygons.size(), 145U);
  const double turn = 2.0 * std::acos(-1.0);
  for (int ring = 0; ring < 29; ++ring)
    for (int k = 0; k < 5; ++k) {
      const double around = turn * ring / 29, along = turn * k / 5, distance = 1.0 + 0.4 * std::cos(along);
      const Vec3 wanted{distance * std::cos(around), distance * std::sin(around), 0.4 * std::sin(along)};
      EXPECT_NEAR(norm(mesh.vertices[static_cast<std::size_t>(5 * ring + k)] - wanted), 0.0, 1e-14);
    }
  for (std::size_t p = 0; p < mesh.polygons.size(); ++p) EXPECT_EQ(mesh.polygons[p].size(), 4U);
}

TEST(Torus, IsOnItsSurfaceWhateverTheSampling) {
  for (const TorusSampling sampling : {TorusSampling::grid, TorusSampling::best_candidate})
    for (const Count n : {23, 145, 600}) {
      const Mesh mesh =
          torus({.major_radius = 2.0, .minor_radius = 0.3, .vertices = n, .sampling = sampling});
      for (const Vec3& x : mesh.vertices)
        EXPECT_NEAR(std::hypot(std::hypot(x.x, x.y) - 2.0, x.z), 0.3, 1e-12);
    }
}

TEST(Torus, ThinAndThickOnesAreSoundToo) {
  for (const double minor : {0.15, 0.7, 0.9})
    for (const Count n : {145, 300, 1000}) {
      const Mesh mesh = torus({.minor_radius = minor, .vertices = n});
      const EdgeLengths lengths = edge_lengths(mesh);
      EXPECT_TRUE(topology(mesh).manifold);
      EXPECT_TRUE(self_intersections(mesh).empty()) << minor << " " << n;
      EXPECT_LE(lengths.longest, 3.0 * lengths.median) << minor << " " << n;
    }
}

/// Mitchell's algorithm as it is written down: distances to all points so far.
TEST(Torus, BestCandidatesKeepApart) {
  const Mesh mesh = torus({.sampling = TorusSampling::best_candidate});
  ASSERT_EQ(mesh.vertices.size(), 145U);
  EXPECT_EQ(mesh.polygons.size(), 0U);
  const auto closest = [](const Mesh& of) {
    double least = HUGE_VAL;
    for (const auto& [a, b] : nearest(of.vertices, 1))
      least = std::min(
          least, norm(of.vertices[static_cast<std::size_t>(a)] - of.vertices[static_cast<std::size_t>(b)]));
    return least;
  };
  const Mesh random = torus({.sampling = TorusSampling::best_candidate, .candidates = 1});
  EXPECT_GT(closest(mesh), 0.5 * std::sqrt(4.0 * std::pow(std::acos(-1.0), 2) * 0.4 / 145.0));
  EXPECT_LT(closest(random), 0.5 * closest(mesh));
  EXPECT_NE(torus({.sampling = TorusSampling::best_candidate, .seed = 2}).vertices, mesh.vertices);
}

TEST(Torus, BestCandidatesAreSpreadEvenlyByArea) {
  // The outer half of the tube has the share ½ + (r/R)/π of the area.
  const Mesh mesh = torus({.vertices = 4000, .sampling = TorusSampling::best_candidate, .candidates = 5});
  const double outer = count(mesh.groups.at("outer").size()) / 4000.0;
  EXPECT_NEAR(outer, 0.5 + 0.4 / std::acos(-1.0), 0.01);
}

TEST(Sphere, IsRound) {
  for (const Vec3& x : made("sphere", {{"vertices", 300.0}, {"radius", 3.0}}).vertices)
    EXPECT_NEAR(norm(x), 3.0, 1e-14 * 10);
}

/// 10·4^s + 3 vertices and 20·4^s tetrahedra, which fill the polyhedron of the outer triangles.
TEST(IcosphereFan, HasTheVerticesAndTetrahedraOfItsSubdivisions) {
  double faces = 20.0;
  for (double subdivisions = 0.0; subdivisions < 4.0; ++subdivisions, faces *= 4.0) {
    const Mesh mesh = made("icosphere_fan", {{"radius", 0.03}, {"subdivisions", subdivisions}});
    EXPECT_EQ(count(mesh.vertices.size()), 0.5 * faces + 3.0);
    EXPECT_EQ(count(mesh.tetrahedra.size()), faces);
    EXPECT_EQ(count(mesh.polygons.size()), faces);
    const Topology shape = topology(mesh);
    EXPECT_TRUE(shape.manifold && shape.oriented && shape.closed);
    EXPECT_EQ(shape.euler_characteristic, 2);
    EXPECT_EQ(shape.unused_vertices, 1) << "the centre is on no face";
    EXPECT_EQ(mesh.vertices.back(), Vec3{});
    double volume = 0.0;
    for (const Tetrahedron& t : mesh.tetrahedra) {
      const auto at = [&](std::size_t k) { return mesh.vertices[static_cast<std::size_t>(t[k])]; };
      EXPECT_GT(dot(at(1) - at(0), cross(at(2) - at(0), at(3) - at(0))), 0.0);
      volume += dot(at(1) - at(0), cross(at(2) - at(0), at(3) - at(0))) / 6.0;
    }
    EXPECT_NEAR(volume, enclosed_volume(mesh), 1e-12 * volume);
    for (std::size_t i = 0; i + 1 < mesh.vertices.size(); ++i)
      EXPECT_NEAR(norm(mesh.vertices[i]), 0.03, 1e-16);
  }
}

/// The moment of inertia of [DiffPD]'s tennis ball of equal masses: I/(I + m r²) = .3985.
TEST(IcosphereFan, RollsAsThePublishedTennisBall) {
  const Mesh mesh = made("icosphere_fan", {{"radius", 0.03429}});
  EXPECT_EQ(mesh.vertices.size(), 163U);
  EXPECT_EQ(mesh.tetrahedra.size(), 320U);
  double inertia = 0.0;
  for (const Vec3& x : mesh.vertices) inertia += (x.x * x.x + x.z * x.z) / 163.0;
  EXPECT_NEAR(inertia / (inertia + 0.03429 * 0.03429), 0.3985, 5e-5);
}

TEST(Grid, HasRowsAndColumnsOfQuadsInThePlane) {
  const Mesh mesh = made("grid", {{"rows", 3.0}, {"columns", 4.0}, {"width", 3.0}, {"height", 1.0}});
  ASSERT_EQ(mesh.vertices.size(), 12U);
  EXPECT_EQ(mesh.vertices[0], (Vec3{-1.5, -0.5, 0.0}));
  EXPECT_EQ(mesh.vertices[3], (Vec3{1.5, -0.5, 0.0}));
  EXPECT_EQ(mesh.vertices[4], (Vec3{-1.5, 0.0, 0.0}));
  EXPECT_EQ(mesh.vertices[11], (Vec3{1.5, 0.5, 0.0}));
  EXPECT_EQ(mesh.polygons.size(), 6U);
  const auto quad = mesh.polygons[0];
  EXPECT_THAT(std::vector<Index>(quad.begin(), quad.end()), ElementsAre(0, 1, 5, 4));
  EXPECT_THAT(mesh.groups.at("corners"), ElementsAre(0, 3, 8, 11));
  EXPECT_THAT(mesh.groups.at("left"), ElementsAre(0, 4, 8));
  EXPECT_THAT(mesh.groups.at("right"), ElementsAre(3, 7, 11));
  EXPECT_THAT(mesh.groups.at("bottom"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(mesh.groups.at("top"), ElementsAre(8, 9, 10, 11));
  EXPECT_EQ(mesh.groups.at("boundary").size(), 10U);
}

TEST(Grid, ChoosesNearSquareCells) {
  const GridOptions square = grid_of(1.0, 1.0, 145);
  EXPECT_EQ(square.rows, 12);
  EXPECT_EQ(square.columns, 12);
  const GridOptions wide = grid_of(4.0, 1.0, 1000);
  EXPECT_NEAR(
      count(static_cast<std::size_t>(wide.columns - 1)) / count(static_cast<std::size_t>(wide.rows - 1)), 4.0,
      0.5);
}

TEST(Lattice, JoinsNeighboursAlongTheAxes) {
  const Mesh mesh = made("lattice", {{"nx", 3.0}, {"ny", 2.0}, {"nz", 4.0}, {"spacing", 0.5}});
  ASSERT_EQ(mesh.vertices.size(), 24U);
  EXPECT_EQ(mesh.vertices[0], (Vec3{-0.5, -0.25, -0.75}));
  EXPECT_EQ(mesh.vertices[23], (Vec3{0.5, 0.25, 0.75}));
  const auto joined = edges(mesh);
  EXPECT_EQ(joined.size(), 2U * 2 * 4 + 3 * 1 * 4 + 3 * 2 * 3);
  for (const auto& [a, b] : joined)
    EXPECT_EQ(norm(mesh.vertices[static_cast<std::size_t>(a)] - mesh.vertices[static_cast<std::size_t>(b)]),
              0.5);
  EXPECT_EQ(mesh.groups.at("corners").size(), 8U);
  EXPECT_EQ(mesh.groups.at("front").size(), 12U);
  EXPECT_EQ(mesh.groups.at("left").size(), 8U);
  EXPECT_EQ(mesh.groups.at("top").size(), 6U);
}

TEST(Chain, IsARowOfLinks) {
  const Mesh mesh = made("chain", {{"vertices", 5.0}, {"length", 2.0}});
  EXPECT_EQ(mesh.vertices.back(), (Vec3{2.0, 0.0, 0.0}));
  EXPECT_EQ(mesh.vertices[1], (Vec3{0.5, 0.0, 0.0}));
  EXPECT_THAT(edges(mesh), ElementsAre(Edge{0, 1}, Edge{1, 2}, Edge{2, 3}, Edge{3, 4}));
  EXPECT_THAT(mesh.groups.at("last"), ElementsAre(4));
}

Vec3 centre(const Mesh& mesh, const std::string& group) {
  Vec3 sum;
  const auto& members = mesh.groups.at(group);
  for (const Index i : members) sum += mesh.vertices[static_cast<std::size_t>(i)];
  return (1.0 / count(members.size())) * sum;
}

TEST(Blob, HasTwoEarsOnTopOfItsHead) {
  for (const double n : {100.0, 500.0, 2000.0}) {
    const Mesh mesh = made("blob", {{"vertices", n}});
    const Vec3 left = centre(mesh, "left_ear"), right = centre(mesh, "right_ear"),
               head = centre(mesh, "head");
    EXPECT_GT(left.y, 0.2);
    EXPECT_LT(right.y, -0.2);
    EXPECT_GT(left.z, head.z + 0.3);
    EXPECT_GT(right.z, head.z + 0.3);
    EXPECT_LT(centre(mesh, "tail").x, head.x);
    EXPECT_LT(centre(mesh, "base").z, 0.0);
  }
  EXPECT_NE(made("blob", {{"seed", 2.0}}).vertices, made("blob").vertices);
}

TEST(Duck, HasHeadTailAndBeakWhereADuckHasThem) {
  for (const double n : {100.0, 600.0, 2000.0}) {
    const Mesh mesh = made("duck", {{"vertices", n}, {"length", 3.0}});
    const BoundingBox box = bounding_box(mesh.vertices);
    EXPECT_NEAR(box.high.x - box.low.x, 3.0, 1e-12);
    EXPECT_NEAR(box.low.z, 0.0, 1e-12);
    const Vec3 body = centre(mesh, "body"), head = centre(mesh, "head");
    EXPECT_GT(head.z, body.z);
    EXPECT_GT(centre(mesh, "beak").x, head.x);
    EXPECT_LT(centre(mesh, "tail").x, body.x);
  }
}

TEST(Tshirt, HasFourRimsTwoLayersAndSleeves) {
  const Mesh mesh = made("tshirt", {{"height", 2.0}});
  const BoundingBox box = bounding_box(mesh.vertices);
  EXPECT_NEAR(box.high.z - box.low.z, 2.0, 1e-12);
  EXPECT_LT(centre(mesh, "front").y, 0.0);
  EXPECT_GT(centre(mesh, "back").y, 0.0);
  EXPECT_GT(centre(mesh, "left_sleeve").x, 0.5);
  EXPECT_LT(centre(mesh, "right_sleeve").x, -0.5);
  EXPECT_GT(centre(mesh, "left_shoulder").z, 1.8);
  EXPECT_NEAR(centre(mesh, "hem").z, 0.0, 1e-12);
  EXPECT_GT(centre(mesh, "neck").z, 1.6);
  // The named rims are the surface's rims: each of their vertices is on an edge with one polygon.
  std::set<Index> rim;
  for (const std::string name : {"neck", "hem", "left_cuff", "right_cuff"})
    rim.insert(mesh.groups.at(name).begin(), mesh.groups.at(name).end());
  std::map<Edge, int> polygons_at;
  for (std::size_t p = 0; p < mesh.polygons.size(); ++p) {
    const auto corners = mesh.polygons[p];
    EXPECT_EQ(corners.size(), 4U);
    for (std::size_t k = 0; k < 4; ++k) {
      const Index a = corners[k], b = corners[(k + 1) % 4];
      ++polygons_at[{std::min(a, b), std::max(a, b)}];
    }
  }
  std::set<Index> open;
  for (const auto& [edge, polygons] : polygons_at)
    if (polygons == 1) open.insert(edge.begin(), edge.end());
  EXPECT_EQ(rim, open);
}

}  // namespace
}  // namespace electret
