#include <array>
#include <cmath>
#include <utility>

#include <electret/core/errors.hpp>

#include "elastic/elastic_conformance.hpp"
#include "elastic/spring_networks.hpp"

namespace electret::test {
namespace {

/// Nine vertices and 6 springs a vertex: some of each vertex's springs are compressed.
Network network(Index vertices) {
  return random_network(vertices, 6);
}

/// Of many vertices, a spring of the first chunk has no length.
VectorArray network_positions(Index vertices) {
  Network net = network(vertices);
  if (vertices > 5000)
    net.positions[static_cast<std::size_t>(net.springs[7][0])] =
        net.positions[static_cast<std::size_t>(net.springs[7][1])];
  return net.positions;
}

template <class Factory>
ElasticCase::Make maker(Factory factory) {
  return [factory](std::shared_ptr<ElementBlock> block, Index vertices, Threads& threads,
                   const ParameterChange& change) {
    Network net = network(vertices);
    (change.parameter == 0 ? net.stiffness : net.rest_length)[change.number] += change.by;
    return factory(std::move(block), net, threads);
  };
}

ElasticCase vectorised_case() {
  ElasticCase tested;
  tested.name = "vectorised";
  tested.elements = [](Index n) { return spring_block(network(n)); };
  tested.positions = network_positions;
  tested.make = maker([](auto block, const Network& net, Threads& threads) {
    return make_spring_energy(std::move(block), net.stiffness, net.rest_length, threads);
  });
  tested.reference = maker([](auto block, const Network& net, Threads& threads) {
    return make_reference_spring_energy(std::move(block), net.stiffness, net.rest_length, threads);
  });
  return tested;
}

ElasticCase reference_case() {
  ElasticCase tested = vectorised_case();
  tested.name = "reference";
  tested.make = std::exchange(tested.reference, nullptr);
  return tested;
}

INSTANTIATE_TEST_SUITE_P(Spring, ElasticConformance, testing::Values(vectorised_case(), reference_case()),
                         case_name);

/// One spring along (2, 3, 6)/7 of length `length`.
struct OneSpring {
  explicit OneSpring(double length, double k = 5.0, double l = 0.7)
      : x{Vec3{}, (-length / 7.0) * Vec3{2, 3, 6}},
        energy(make_spring_energy(2, {{0, 1}}, {k}, {l}, threads)) {}
  Threads threads{1};
  VectorArray x;
  std::unique_ptr<ElasticEnergy> energy;
  const Vec3 unit = (1.0 / 7.0) * Vec3{2, 3, 6};

  VectorArray product(const VectorArray& d, HessianKind kind) {
    VectorArray g(2), out(2);
    energy->linearise(x, kind, g);
    energy->add_hessian_product(d, out);
    return out;
  }
  /// ∂(zᵀH_c v)/∂k and ∂/∂l.
  std::array<double, 2> form_slopes(const VectorArray& z, const VectorArray& v) {
    std::array<double, 2> slopes{};
    const ScalarSpan outs[] = {{&slopes[0], 1}, {&slopes[1], 1}};
    energy->clamped_form()->add_parameter_gradients(x, z, v, outs);
    return slopes;
  }
};

void expect_near(const Vec3& a, const Vec3& b, double tolerance = 1e-14) {
  EXPECT_LE(norm(a - b), tolerance) << "(" << a.x << ", " << a.y << ", " << a.z << ") for (" << b.x << ", "
                                    << b.y << ", " << b.z << ")";
}

TEST(Spring, HookesLaw) {
  OneSpring s(1.0);
  VectorArray g(2);
  EXPECT_NEAR(s.energy->add_gradient(s.x, g), 0.5 * 5.0 * 0.3 * 0.3, 1e-15);
  expect_near(g[0], 5.0 * 0.3 * s.unit);
  expect_near(g[1], -5.0 * 0.3 * s.unit);
  std::vector<double> scale(2);
  s.energy->add_force_scale(scale);
  EXPECT_EQ(scale, (std::vector<double>{3.5, 3.5}));
  EXPECT_EQ(s.energy->name(), "spring");
  EXPECT_EQ(s.energy->parameters()[0].name, "stiffness");
  EXPECT_EQ(s.energy->parameters()[1].name, "rest_length");
}

TEST(Spring, ClampsOnlyTheTransverseFactorOfACompressedSpring) {
  const Vec3 across = cross(Vec3{1, 0, 0}, (1.0 / 7.0) * Vec3{2, 3, 6});
  for (const double length : {0.4, 1.1}) {
    OneSpring s(length);
    const double factor = 1.0 - 0.7 / length;
    expect_near(s.product({across, {}}, HessianKind::exact)[0], (5.0 * factor) * across);
    expect_near(s.product({across, {}}, HessianKind::clamped)[0], (5.0 * std::max(0.0, factor)) * across);
    expect_near(s.product({s.unit, {}}, HessianKind::exact)[0], 5.0 * s.unit);
    expect_near(s.product({s.unit, {}}, HessianKind::clamped)[1], -5.0 * s.unit);
  }
}

TEST(Spring, OfZeroLengthPointsAlongX) {
  OneSpring s(0.0);
  VectorArray g(2), form(2);
  EXPECT_NEAR(s.energy->add_gradient(s.x, g), 0.5 * 5.0 * 0.49, 1e-15);
  expect_near(g[0], {-3.5, 0, 0});
  const VectorArray d{{1, 2, 3}, {}}, z{{3, 1, 2}, {0, 1, 0}};
  for (const HessianKind kind : {HessianKind::exact, HessianKind::clamped})
    expect_near(s.product(d, kind)[0], {5, 10, 15});
  std::vector<Padded32> out(2);
  s.energy->add_hessian_product(1.0F, std::vector<Padded32>{padded32(d[0]), padded32(d[1])}, out);
  expect_near(unpadded(out[0]), {5, 10, 15});
  expect_near(unpadded(out[1]), {-5, -10, -15});
  s.energy->clamped_form()->add_gradient(s.x, z, d, form);
  expect_near(form[0], {});
  const auto slopes = s.form_slopes(z, d);
  EXPECT_EQ(slopes[1], 0.0);
  EXPECT_NEAR(slopes[0], 3.0 * 1 + 0.0 * 2 + 2.0 * 3, 1e-14);
}

/// At the kink |β| = l the derivatives are the mean of both sides'.
TEST(Spring, TakesHalfOfTheKinkAtRest) {
  const VectorArray z = random_vectors(2, 1), v = random_vectors(2, 2);
  const auto slopes = [&](double length) {
    OneSpring s(length, 5.0, 0.7);
    VectorArray g(2);
    s.energy->clamped_form()->add_gradient(s.x, z, v, g);
    const auto [by_stiffness, by_length] = s.form_slopes(z, v);
    return VectorArray{g[0], g[1], {by_length, by_stiffness, 0.0}};
  };
  const VectorArray below = slopes(0.7 * (1 - 1e-10)), at = slopes(0.7), above = slopes(0.7 * (1 + 1e-10));
  EXPECT_GT(distance(below, above), 0.1);
  for (std::size_t i = 0; i < 3; ++i) expect_near(at[i], 0.5 * (below[i] + above[i]), 1e-8);
}

/// A spring of length zero pushes along x, and every thread's chunk must tell of its own: in the first chunk,
/// in the last, and in one between.
TEST(Spring, OfZeroLengthPushesWhicheverThreadMeetsIt) {
  Network net = random_network(6500, 6);
  ASSERT_GE(net.springs.size(), 32768U) << "too few springs for several threads";
  for (const std::size_t at : {std::size_t{3}, net.springs.size() / 2, net.springs.size() - 3}) {
    Network touching = net;
    const Edge& ends = touching.springs[at];
    touching.positions[static_cast<std::size_t>(ends[1])] =
        touching.positions[static_cast<std::size_t>(ends[0])];
    Threads one(1), three(3);
    const auto alone = spring_energy(touching, one), together = spring_energy(touching, three);
    VectorArray expected(touching.positions.size()), g = expected, without = expected;
    EXPECT_EQ(together->add_gradient(touching.positions, g),
              alone->add_gradient(touching.positions, expected));
    EXPECT_TRUE(g == expected) << "spring " << at;
    touching.stiffness[at] = 1e-9;
    spring_energy(touching, one)->add_gradient(touching.positions, without);
    EXPECT_GT(distance(without, expected), 1e-3) << "a push worth seeing";
  }
}

TEST(Spring, VectorisedAgreesWithTheReference) {
  for (const bool sorted : {false, true})
    for (const Index vertices : {2, 3, 5, 40, 3000}) {
      const Network net = random_network(vertices, 6, sorted);
      Threads threads(2);
      const auto fast = spring_energy(net, threads), slow = reference_spring_energy(net, threads);
      VectorArray a(net.positions.size()), b = a;
      std::vector<double> scale(a.size());
      const double ea = fast->add_gradient(net.positions, a), eb = slow->add_gradient(net.positions, b);
      slow->add_force_scale(scale);
      double size = 0.0;
      for (const double s : scale) size += s * s;
      EXPECT_NEAR(ea, eb, 1e-14 * eb);
      EXPECT_LE(distance(a, b), 1e-14 * (norm(b) + std::sqrt(size)));
    }
}

/// Not only close: the linearised product does the stencil's arithmetic in its order.
TEST(Spring, ProductsAreTheReferencesToTheBit) {
  for (const int count : {1, 2})
    for (const Index vertices : {2, 3, 40, 6500}) {
      Network net = random_network(vertices, 6);
      if (vertices > 3)
        net.positions[static_cast<std::size_t>(net.springs[1][0])] =
            net.positions[static_cast<std::size_t>(net.springs[1][1])];
      Threads threads(count);
      const auto fast = spring_energy(net, threads), slow = reference_spring_energy(net, threads);
      const VectorArray d = random_vectors(net.positions.size(), 3);
      for (const HessianKind kind : {HessianKind::exact, HessianKind::clamped}) {
        VectorArray g(d.size()), a = random_vectors(d.size(), 4), b = a;
        fast->linearise(net.positions, kind, g);
        slow->linearise(net.positions, kind, g);
        fast->add_hessian_product(d, a);
        slow->add_hessian_product(d, b);
        EXPECT_EQ(a, b) << vertices << " vertices, " << count << " threads";
      }
    }
}

TEST(Spring, ForceScaleIsTheSumOfStiffnessTimesRestLength) {
  const Network net = random_network(30, 5);
  Threads threads(1);
  std::vector<double> scale(30), expected(30);
  spring_energy(net, threads)->add_force_scale(scale);
  for (std::size_t s = 0; s < net.springs.size(); ++s)
    for (const Index v : net.springs[s])
      expected[static_cast<std::size_t>(v)] += net.stiffness[s] * net.rest_length[s];
  EXPECT_EQ(scale, expected);
}

TEST(Spring, NoSpringsAtAll) {
  Threads threads(2);
  for (const Index vertices : {0, 4}) {
    const auto energy = make_spring_energy(vertices, {}, {}, {}, threads);
    const VectorArray x = random_vectors(static_cast<std::size_t>(vertices), 1);
    VectorArray g(x.size());
    EXPECT_EQ(energy->add_gradient(x, g), 0.0);
    EXPECT_EQ(energy->energy(x), 0.0);
    EXPECT_EQ(energy->linearise(x, HessianKind::exact, g), 0.0);
    energy->add_hessian_product(x, g);
    std::vector<Padded32> out(x.size()), d(x.size(), padded32({1, 2, 3}));
    energy->add_hessian_product(1.0F, d, out);
    for (const Padded32& row : out) EXPECT_EQ(unpadded(row), Vec3{});
    EXPECT_EQ(g, VectorArray(x.size()));
  }
}

TEST(Spring, CarriesNotANumberThrough) {
  OneSpring s(1.0);
  s.x[1].y = std::nan("");
  EXPECT_TRUE(std::isnan(s.energy->energy(s.x)));
}

TEST(Spring, RejectsBadSprings) {
  Threads threads(1);
  EXPECT_THROW(make_spring_energy(2, {{0, 2}}, {1}, {1}, threads), InternalError);
  EXPECT_THROW(make_spring_energy(2, {{-1, 1}}, {1}, {1}, threads), InternalError);
  EXPECT_THROW(make_spring_energy(2, {{1, 1}}, {1}, {1}, threads), InternalError);
  EXPECT_THROW(make_spring_energy(2, {{0, 1}}, {1, 2}, {1}, threads), InternalError);
  EXPECT_THROW(make_spring_energy(2, {{0, 1}}, {1, 2}, {1, 2}, threads), InternalError);
  EXPECT_THROW(make_spring_energy(2, {{0, 1}}, {-1}, {1}, threads), InternalError);
  EXPECT_THROW(make_spring_energy(2, {{0, 1}}, {1}, {-1}, threads), InternalError);
  const auto triangles = std::make_shared<ElementBlock>(3, 3, std::vector<Index>{0, 1, 2});
  EXPECT_THROW(make_spring_energy(triangles, {1}, {1}, threads), InternalError);
}

TEST(ElementBlock, RejectsBadConnectivity) {
  EXPECT_THROW(ElementBlock(4, 9, {0, 1, 2}), InternalError);
  EXPECT_THROW(ElementBlock(3, 2, {0, 1, 2}), InternalError);
  EXPECT_THROW(ElementBlock(3, 3, {0, 1, -2}), InternalError);
  const ElementBlock two(8, 16, std::vector<Index>(16, 3));
  EXPECT_EQ(two.size(), 2);
  EXPECT_EQ(two.vertices_per_element(), 8);
}

}  // namespace
}  // namespace electret::test
