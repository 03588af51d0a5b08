// A solid's system on the lattice of its vertices: the matrix of the clamped Hessian, and beside it that of
// the exact one for products, against the energies' own products in float64.

#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include <electret/dynamics/simulator.hpp>
#include <electret/dynamics/stage/stage_preconditioners.hpp>

#include "dynamics/solids.hpp"

namespace electret::test {
namespace {

constexpr double factor = 0.1;  ///< s²: of forces so stiff that the masses hardly count.

VectorArray random_vectors(std::size_t n) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  VectorArray result(n);
  for (Vec3& v : result) v = {uniform(random), uniform(random), uniform(random)};
  return result;
}

struct Solid {
  explicit Solid(const std::string& element, int threads) {
    Assembly assembly = solid({.element = element, .cells = 5.0});
    jitter(assembly, 0.04);  // So far from rest that the exact Hessian is indefinite.
    start = assembly.initial_positions;
    system = compile(std::move(assembly), threads);
    held.assign(start.size(), 0);
    held[0] = held[17] = 1;
    d = random_vectors(start.size());
    for (std::size_t v = 0; v < held.size(); ++v)
      if (held[v] != 0) d[v] = {};
  }

  void linearise(HessianKind kind) {
    for (const auto& energy : system->elastic) energy->linearise(start, kind, {});
  }
  /// (M + a∇²E) d, 0 at held vertices.
  [[nodiscard]] VectorArray reference() {
    VectorArray result(start.size());
    for (const auto& energy : system->elastic) energy->add_hessian_product(d, result);
    for (std::size_t v = 0; v < result.size(); ++v)
      result[v] = held[v] != 0 ? Vec3{} : system->masses()[v] * d[v] + factor * result[v];
    return result;
  }
  [[nodiscard]] std::vector<Padded32> apply(LinearMap& map) const {
    std::vector<Padded32> x, y(d.size());
    for (const Vec3& v : d) x.push_back(padded32(v));
    map.apply(x, y);
    return y;
  }
  [[nodiscard]] std::vector<Padded32> cycle(Preconditioner& preconditioner) const {
    std::vector<Padded32> r, z(d.size());
    for (const Vec3& v : d) r.push_back(padded32(v));
    preconditioner.apply(r, z);
    return z;
  }

  VectorArray start, d;
  std::vector<char> held;
  std::unique_ptr<System> system;
};

double distance(const VectorArray& a, const VectorArray& b) {
  double squares = 0.0, size = 0.0;
  for (std::size_t v = 0; v < a.size(); ++v) squares += squared_norm(a[v] - b[v]), size += squared_norm(b[v]);
  return std::sqrt(squares / size);
}
double distance(const std::vector<Padded32>& a, const VectorArray& b) {
  VectorArray unpacked;
  for (const Padded32& v : a) unpacked.push_back(unpadded(v));
  return distance(unpacked, b);
}

class StageLattice : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Elements, StageLattice, testing::Values("hex", "tet"));

TEST_P(StageLattice, HoldsTheClampedMatrixAndMultipliesByTheExactOne) {
  Solid body(GetParam(), 2);
  const auto lattice = lattice_of(*body.system);
  ASSERT_TRUE(lattice);
  body.linearise(HessianKind::exact);
  const VectorArray exact = body.reference();
  body.linearise(HessianKind::clamped);
  const VectorArray clamped = body.reference();
  ASSERT_GT(distance(exact, clamped), 1e-2) << "the two cannot be told apart";

  const auto multigrid = make_stage_lattice(*body.system, factor, body.held, *lattice);
  for (const bool same_step : {false, true}) {
    body.linearise(HessianKind::clamped);
    ASSERT_TRUE(multigrid->refresh(true, same_step));
    EXPECT_LE(distance(body.apply(*multigrid->products(true)), clamped), 1e-5);
    const std::vector<Padded32> before = body.cycle(multigrid->preconditioner());
    body.linearise(HessianKind::exact);
    EXPECT_LE(distance(body.apply(*multigrid->products(false)), exact), 1e-5);
    const std::vector<Padded32> after = body.cycle(multigrid->preconditioner());
    EXPECT_EQ(std::memcmp(before.data(), after.data(), before.size() * sizeof(before[0])), 0)
        << "the preconditioner stays that of the clamped Hessian";
  }
}

}  // namespace
}  // namespace electret::test
