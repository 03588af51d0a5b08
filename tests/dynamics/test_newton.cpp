/// What Newton's method promises beyond the contract of all solvers (test_elastic_solver.cpp).

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <electret/dynamics/stage/stage_solver.hpp>

#include "dynamics/networks.hpp"
#include "dynamics/stages.hpp"

namespace electret::test {
namespace {

/// ‖∇g‖ before and after each iteration of a solve to 1e-13, as fractions of the first. The solve is
/// deterministic: one of k iterations ends where one of k + 1 has been.
std::vector<double> gradient_norms(System& system, const VectorArray& y, const std::string& solver) {
  constexpr double factor = 0.01;
  std::vector<double> norms;
  for (bool capped = true; capped;) {
    const IntegratorOptions options{"newton", 1e-13, static_cast<int>(norms.size()), solver};
    VectorArray x = y;
    const StepReport report = solve_at(*make_stage_solver(system, factor, options), system,
                                       {system.assembly.initial_positions, y, factor}, x);
    norms.push_back(report.residual);
    capped = report.capped;
  }
  const double first = norms.front();
  for (double& norm : norms) norm /= first;
  return norms;
}

/// How often ‖∇g‖ became five times its own square or less, once it was a tenth of the first and until it is
/// at its rounding; -1 where it once did not.
int quadratic_steps(const std::vector<double>& norms) {
  int count = 0;
  for (std::size_t k = 0; k + 1 < norms.size(); ++k) {
    if (norms[k] > 0.1 || norms[k] < 1e-6) continue;
    if (norms[k + 1] > 5.0 * norms[k] * norms[k]) return -1;
    ++count;
  }
  return count;
}

/// Springs compressed to less than half and stretched to twice their length: as in test_elastic_solver.cpp,
/// and 1331 vertices, which multigrid preconditions.
TEST(Newton, FallsQuadraticallyNearTheMinimum) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    NetworkOptions options;
    options.seed = seed;
    options.side = seed == 5 ? 11 : 3;
    options.pins = seed % 2 == 0;
    const auto system = compile(random_network(options), 1);
    VectorArray y = system->assembly.initial_positions;
    std::mt19937_64 random(seed + 100);
    std::uniform_real_distribution<double> uniform(-0.3, 0.3);
    for (Vec3& place : y) place += Vec3{uniform(random), uniform(random), uniform(random)};
    for (const char* solver : {"newton_cg", "newton_cholesky"})
      EXPECT_GE(quadratic_steps(gradient_norms(*system, y, solver)), 2) << solver << ", seed " << seed;
    EXPECT_EQ(quadratic_steps(gradient_norms(*system, y, "lbfgs")), -1) << "a test that cannot fail";
  }
}

}  // namespace
}  // namespace electret::test
