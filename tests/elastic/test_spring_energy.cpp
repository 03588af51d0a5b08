#include <electret/core/errors.hpp>
#include <electret/elastic/detail/spring_kernels.hpp>
#include <electret/linear/incidence.hpp>

#include "elastic/elastic_conformance.hpp"
#include "elastic/spring_networks.hpp"

namespace electret::test {
namespace {

/// Nine vertices and 6 springs a vertex: some of each vertex's springs are compressed.
Network network(Index vertices) {
  return random_network(vertices, 6);
}

VectorArray network_positions(Index vertices) {
  return network(vertices).positions;
}

INSTANTIATE_TEST_SUITE_P(Spring, ElasticConformance,
                         testing::Values(ElasticCase{"vectorised",
                                                     [](Index n, Threads& threads) {
                                                       return spring_energy(network(n), threads);
                                                     },
                                                     network_positions},
                                         ElasticCase{"reference",
                                                     [](Index n, Threads& threads) {
                                                       return reference_spring_energy(network(n), threads);
                                                     },
                                                     network_positions}),
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
    VectorArray out(2);
    energy->add_hessian_product(x, d, kind, out);
    return out;
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
  VectorArray p(2);
  s.energy->add_projection(s.x, p);
  expect_near(p[0], 5.0 * 0.7 * s.unit);
  expect_near(p[1], -5.0 * 0.7 * s.unit);
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
  VectorArray g(2), p(2), form(2);
  EXPECT_NEAR(s.energy->add_gradient(s.x, g), 0.5 * 5.0 * 0.49, 1e-15);
  s.energy->add_projection(s.x, p);
  expect_near(p[0], {3.5, 0, 0});
  expect_near(p[1], {-3.5, 0, 0});
  expect_near(g[0], {-3.5, 0, 0});
  const VectorArray d{{1, 2, 3}, {}}, z{{3, 1, 2}, {0, 1, 0}};
  for (const HessianKind kind : {HessianKind::exact, HessianKind::clamped})
    expect_near(s.product(d, kind)[0], {5, 10, 15});
  s.energy->add_clamped_form_gradient(s.x, z, d, form);
  expect_near(form[0], {});
  std::vector<double> slope(1);
  s.energy->add_clamped_form_parameter_gradient(s.x, z, d, 1, slope);
  EXPECT_EQ(slope[0], 0.0);
  s.energy->add_clamped_form_parameter_gradient(s.x, z, d, 0, slope);
  EXPECT_NEAR(slope[0], 3.0 * 1 + 0.0 * 2 + 2.0 * 3, 1e-14);
}

/// At the kink |β| = l the derivatives are the mean of both sides'.
TEST(Spring, TakesHalfOfTheKinkAtRest) {
  const VectorArray z = random_vectors(2, 1), v = random_vectors(2, 2);
  const auto slopes = [&](double length) {
    OneSpring s(length, 5.0, 0.7);
    VectorArray g(2);
    std::vector<double> by_length(1), by_stiffness(1);
    s.energy->add_clamped_form_gradient(s.x, z, v, g);
    s.energy->add_clamped_form_parameter_gradient(s.x, z, v, 1, by_length);
    s.energy->add_clamped_form_parameter_gradient(s.x, z, v, 0, by_stiffness);
    return VectorArray{g[0], g[1], {by_length[0], by_stiffness[0], 0.0}};
  };
  const VectorArray below = slopes(0.7 * (1 - 1e-10)), at = slopes(0.7), above = slopes(0.7 * (1 + 1e-10));
  EXPECT_GT(distance(below, above), 0.1);
  for (std::size_t i = 0; i < 3; ++i) expect_near(at[i], 0.5 * (below[i] + above[i]), 1e-8);
}

TEST(Spring, VectorisedAgreesWithTheReference) {
  for (const bool sorted : {false, true})
    for (const Index vertices : {2, 3, 5, 40, 3000}) {
      const Network net = random_network(vertices, 6, sorted);
      Threads threads(2);
      const auto fast = spring_energy(net, threads), slow = reference_spring_energy(net, threads);
      VectorArray a(net.positions.size()), b = a, pa = a, pb = a;
      const double ea = fast->add_gradient(net.positions, a), eb = slow->add_gradient(net.positions, b);
      fast->add_projection(net.positions, pa);
      slow->add_projection(net.positions, pb);
      EXPECT_NEAR(ea, eb, 1e-14 * eb);
      EXPECT_LE(distance(a, b), 1e-14 * (norm(b) + norm(pb)));
      EXPECT_LE(distance(pa, pb), 1e-14 * norm(pb));
    }
}

TEST(Spring, WritesThroughItsParameters) {
  OneSpring s(1.0);
  s.energy->parameters()[0].values[0] = 8.0;
  s.energy->parameters()[1].values[0] = 0.5;
  EXPECT_NEAR(s.energy->energy(s.x), 0.5 * 8.0 * 0.25, 1e-15);
}

TEST(Spring, NoSpringsAtAll) {
  Threads threads(2);
  for (const Index vertices : {0, 4}) {
    const auto energy = make_spring_energy(vertices, {}, {}, {}, threads);
    const VectorArray x = random_vectors(static_cast<std::size_t>(vertices), 1);
    VectorArray g(x.size());
    EXPECT_EQ(energy->add_gradient(x, g), 0.0);
    EXPECT_EQ(energy->energy(x), 0.0);
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
}

#ifdef ELECTRET_HAS_AVX2

struct alignas(32) Row {
  double lane[4] = {};
};

/// Everything the kernels compute for springs 0 … count-1 of `net`.
std::vector<double> kernel_results(const detail::SpringKernels& kernels, const Network& net,
                                   const std::vector<Row>& x, std::int64_t count) {
  const detail::SpringRange range{
      net.springs[0].data(), net.stiffness.data(), net.rest_length.data(), x[0].lane, 0, count};
  std::vector<double> all{kernels.energy(range)};
  for (const auto scatter : {kernels.scatter_gradient, kernels.scatter_projection}) {
    std::vector<Row> rows(x.size());
    all.push_back(scatter(range, rows[0].lane));
    for (const Row& row : rows) all.insert(all.end(), row.lane, row.lane + 3);
  }
  const std::vector<Index> ends(net.springs[0].data(), net.springs[0].data() + 2 * count);
  const Incidence incidence(net.vertices, ends);
  std::vector<detail::SpringSide> sides;
  for (const Count slot : incidence.slots)
    sides.push_back({ends[static_cast<std::size_t>(slot ^ 1)], static_cast<Index>(slot / 2)});
  for (const auto factors : {kernels.gradient_factors, kernels.projection_factors}) {
    std::vector<double> c(static_cast<std::size_t>(count) + 1);
    VectorArray out(x.size());
    bool zero_length = false;
    all.push_back(factors(range, c.data(), &zero_length));
    all.insert(all.end(), c.begin(), c.end());
    all.push_back(zero_length);
    kernels.gather(
        {incidence.offsets.data(), sides.data(), x[0].lane, c.data(), ends.data(), zero_length, &out[0].x}, 0,
        net.vertices);
    for (const Vec3& v : out) all.insert(all.end(), {v.x, v.y, v.z});
  }
  return all;
}

/// Where the results of scattering and of gathering lie in `kernel_results`.
void expect_gathered_as_scattered(const std::vector<double>& all, std::int64_t count, std::size_t vertices) {
  const std::size_t scattered = 2, block = 3 * vertices + 1;
  const std::size_t half = 1 + static_cast<std::size_t>(count) + 1 + 1 + 3 * vertices;
  for (std::size_t which : {0UL, 1UL})
    for (std::size_t k = 0; k < 3 * vertices; ++k)
      EXPECT_EQ(all[scattered + which * block + k],
                all[1 + 2 * block + (which + 1) * half - 3 * vertices + k]);
}

TEST(SpringKernels, EveryInstructionSetGivesTheSameBits) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "no AVX2 here";
  for (const bool sorted : {false, true}) {
    Network net = random_network(30, 5, sorted);
    for (const std::size_t coincident : {3UL, 8UL, 9UL})
      net.positions[static_cast<std::size_t>(net.springs[coincident][0])] =
          net.positions[static_cast<std::size_t>(net.springs[coincident][1])];
    std::vector<Row> x(net.positions.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = {{net.positions[i].x, net.positions[i].y, net.positions[i].z, 0.0}};
    for (std::int64_t count = 0; count <= static_cast<std::int64_t>(net.springs.size()); ++count) {
      const std::vector<double> avx2 = kernel_results(detail::avx2_spring_kernels, net, x, count);
      EXPECT_EQ(avx2, kernel_results(detail::portable_spring_kernels, net, x, count)) << count << " springs";
      expect_gathered_as_scattered(avx2, count, x.size());
    }
  }
}

#endif

}  // namespace
}  // namespace electret::test
