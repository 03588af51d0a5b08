// Multigrid: the cycle's symmetry and definiteness, that iterations do not grow, and what a refresh keeps.

#include <Eigen/Eigenvalues>
#include <cstring>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/block_system.hpp>
#include <electret/linear/multigrid.hpp>

#include "linear/block_problems.hpp"
#include "linear/scalar_problems.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

bool same_bits(const std::vector<Padded32>& a, const std::vector<Padded32>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

/// Everything that a multigrid of a network needs.

struct Grids {
  Grids(const Network& network, int count, double stiffness = 100.0, MultigridOptions options = {})
      : threads(count),
        held(network.held()),
        pattern(network.pattern()),
        matrix(spring_hessian(network, pattern, stiffness)),
        multigrid(pattern, network.rest, network.body_offsets, held, threads, options) {}

  Threads threads;
  std::vector<char> held;
  BlockPattern pattern;
  BlockMatrix matrix;
  Multigrid multigrid;
};

std::vector<VertexConstraint> pins_of(const Network& network) {
  std::vector<VertexConstraint> pins;
  for (const Index v : network.pins) pins.push_back(pin(v));
  return pins;
}

/// CG iterations to `tolerance` in float32 for a random right-hand side.

int iterations(Grids& grids, Preconditioner& preconditioner, const Network& network, double tolerance) {
  EXPECT_TRUE(preconditioner.refresh(grids.matrix, grids.held));
  AssembledOperator map(grids.matrix, grids.threads);
  BlockSystem system(map, preconditioner, grids.threads);
  system.set_constraints(pins_of(network));
  const VectorArray rhs = random_vectors(network.rest.size(), 40);
  VectorArray solution(rhs.size());
  const SolveReport report = system.solve(rhs, {.tolerance = tolerance}, solution);
  EXPECT_TRUE(report.converged) << network.name;
  EXPECT_EQ(report.method, "cg") << network.name;
  return report.iterations;
}

/// Columns of each row of a product of patterns, and where each single product goes.

TEST(Multigrid, IsSymmetricPositiveDefiniteAndNearTheInverse) {
  Network sheet = lattice(12, 11, 1);
  sheet.pins = {0, 11};
  const Network bodies = networks()[9], random = networks()[8];
  for (const Network& network : {lattice(5, 5, 6), sheet, bodies, random})
    for (const MultigridOptions options : {MultigridOptions{1, 0.0}, {2, 0.0}, {2, 2.0}}) {
      const int degree = options.fine_degree;
      if (degree == 1 && network.size() > 200) continue;
      Grids grids(network, 1, 100.0, options);
      ASSERT_TRUE(grids.multigrid.refresh(grids.matrix, grids.held));
      const std::size_t n = network.rest.size();
      std::vector<Eigen::Index> free;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < 3; ++k)
          if (!grids.held[i]) free.push_back(static_cast<Eigen::Index>(3 * i + k));
      Eigen::MatrixXd b(3 * n, 3 * n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
          std::vector<Padded32> r(n), z(n, Padded32{{9, 9, 9, 9}});
          r[i].lane[k] = 1.0F;
          grids.multigrid.apply(r, z);
          b.col(static_cast<Eigen::Index>(3 * i + k)) = dense(unpadded(z));
          for (std::size_t j = 0; j < n; ++j) {
            ASSERT_EQ(z[j].lane[3], 0.0F);
            if (grids.held[j]) {
              ASSERT_EQ(norm(electret::unpadded(z[j])), 0.0) << network.name;
            }
          }
        }
      const Eigen::MatrixXd inverse = b(free, free);
      EXPECT_LE((inverse - inverse.transpose()).norm(), 1e-5 * inverse.norm()) << network.name;
      // The spectrum of B A by that of Lᵀ B L, A = L Lᵀ.
      const Eigen::MatrixXd l = dense(grids.matrix)(free, free).llt().matrixL();
      const Eigen::MatrixXd symmetric = 0.5 * (inverse + inverse.transpose());
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(l.transpose() * symmetric * l);
      EXPECT_GT(spectrum.eigenvalues().minCoeff(), 0.08) << network.name << " degree " << degree;
      EXPECT_LT(spectrum.eigenvalues().maxCoeff(), 1.3) << network.name << " degree " << degree;
    }
}

TEST(Multigrid, IterationsDoNotGrowWithTheNumberOfVertices) {
  int least = 1000, most = 0;
  for (const Index n : {8, 16, 24}) {
    const Network network = lattice(n, n, n);
    Grids grids(network, 2, 1000.0);
    const int count = iterations(grids, grids.multigrid, network, 1e-4);
    least = std::min(least, count), most = std::max(most, count);
    if (n == 24) {
      BlockJacobi jacobi(grids.threads);
      EXPECT_GT(iterations(grids, jacobi, network, 1e-4), 5 * count);
    }
  }
  EXPECT_LE(most, 15);
  EXPECT_LE(most - least, 4);
  int before = 0;
  for (const Index n : {20, 40, 80}) {
    const Network network = lattice(n, n, 1);
    Grids grids(network, 2, 1000.0);
    const int count = iterations(grids, grids.multigrid, network, 1e-4);
    if (before > 0) {
      EXPECT_LE(count, before + 6);
    }
    before = count;
  }
}

TEST(Multigrid, SolvesEveryNetworkTightly) {
  for (const Network& network : networks()) {
    Grids grids(network, 2, 1e4);
    EXPECT_LE(iterations(grids, grids.multigrid, network, 1e-10), 120) << network.name;
  }
}

TEST(Multigrid, PreconditionsConstraintsThatItsGridsDoNotKnow) {
  const Network network = lattice(9, 9, 9);
  Grids grids(network, 2, 1000.0);
  ASSERT_TRUE(grids.multigrid.refresh(grids.matrix, grids.held));
  AssembledOperator map(grids.matrix, grids.threads);
  BlockSystem system(map, grids.multigrid, grids.threads);
  std::vector<VertexConstraint> sticking, sliding, slipping, resisting;
  for (Index i = 0; i < 81; ++i) {
    sticking.push_back(pin(i));
    VertexConstraint c = pin(i);
    c.columns = 2;
    c.trial = c.test = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{}};
    sliding.push_back(c);
    c.test = {Vec3{1, 0, -0.3}, Vec3{0, 1, 0.2}, Vec3{}};
    slipping.push_back(c);
    c.diagonal = {1e6, 0.0, 0.0, 0.0};
    resisting.push_back(c);
  }
  const VectorArray rhs = random_vectors(network.rest.size(), 41);
  VectorArray solution(rhs.size());
  for (const auto& constraints : {sticking, sliding, slipping, resisting}) {
    system.set_constraints(constraints);
    const SolveReport report = system.solve(rhs, {.tolerance = 1e-10}, solution);
    const SolveReport transposed = system.solve_transposed(rhs, {.tolerance = 1e-10}, solution);
    EXPECT_TRUE(report.converged && transposed.converged);
    EXPECT_LE(report.iterations, 80);
    EXPECT_LE(transposed.iterations, 80);
  }
}

TEST(Multigrid, HasTheSameBitsForAnyNumberOfThreadsAndWhateverCameBefore) {
  Network network = lattice(17, 15, 11);
  network.pins = {0, 5, 100};
  const auto r = padded(random_vectors(network.rest.size(), 60));
  std::vector<Padded32> first;
  for (const int count : {1, 2, 3, 7}) {
    Grids grids(network, count);
    std::vector<Padded32> z(r.size());
    if (count > 1) {
      const BlockMatrix other = spring_hessian(network, grids.pattern, 3.0);
      ASSERT_TRUE(grids.multigrid.refresh(other, grids.held));
      ASSERT_TRUE(grids.multigrid.refresh_fine(grids.matrix));
      grids.multigrid.apply(r, z);
    }
    ASSERT_TRUE(grids.multigrid.refresh(grids.matrix, grids.held));
    grids.multigrid.apply(r, z);
    if (first.empty()) first = z;
    EXPECT_TRUE(same_bits(z, first)) << count << " threads";
  }
}

/// The masses and springs have no eigenvalue of D⁻¹A beyond 2, and estimates come near the largest.
TEST(Multigrid, TakesABoundForAnEstimate) {
  Network network = lattice(12, 12, 12);
  network.pins = {0, 5};
  Grids estimated(network, 1, 1e4), bounded(network, 1, 1e4, {.fine_bound = 2.0});
  ASSERT_TRUE(estimated.multigrid.refresh(estimated.matrix, estimated.held));
  ASSERT_TRUE(bounded.multigrid.refresh(bounded.matrix, bounded.held));
  EXPECT_EQ(bounded.multigrid.largest_eigenvalue(0), 2.0);
  EXPECT_LE(estimated.multigrid.largest_eigenvalue(0), 1.25 * 2.0);
  EXPECT_GE(estimated.multigrid.largest_eigenvalue(0), 1.5);
}

TEST(Multigrid, RefreshesTheFineLevelAlone) {
  const Network network = lattice(12, 12, 12);
  Grids grids(network, 1);
  const auto r = padded(random_vectors(network.rest.size(), 61));
  std::vector<Padded32> full(r.size()), fine(r.size());
  const BlockMatrix other = spring_hessian(network, grids.pattern, 3.0);
  EXPECT_THROW(static_cast<void>(grids.multigrid.refresh_fine(grids.matrix)), InternalError);
  ASSERT_TRUE(grids.multigrid.refresh(grids.matrix, grids.held));
  const double lambda = grids.multigrid.largest_eigenvalue(0);
  grids.multigrid.apply(r, full);
  ASSERT_TRUE(grids.multigrid.refresh(other, grids.held));
  const std::vector<float> coarse(grids.multigrid.matrix(1).values().begin(),
                                  grids.multigrid.matrix(1).values().end());
  ASSERT_TRUE(grids.multigrid.refresh_fine(grids.matrix));
  EXPECT_TRUE(std::equal(coarse.begin(), coarse.end(), grids.multigrid.matrix(1).values().begin()));
  EXPECT_EQ(grids.multigrid.largest_eigenvalue(0), lambda);
  grids.multigrid.apply(r, fine);
  const Eigen::VectorXd expected = dense(unpadded(full));
  EXPECT_GT((dense(unpadded(fine)) - expected).norm(), 0.2 * expected.norm());
  ASSERT_TRUE(grids.multigrid.refresh(grids.matrix, grids.held));
  grids.multigrid.apply(r, fine);
  EXPECT_TRUE(same_bits(fine, full));
}

TEST(Multigrid, SaysWhenTheMatrixIsNotPositiveDefinite) {
  const Network network = lattice(9, 9, 9);
  Grids grids(network, 1, 10.0);
  // Diagonal blocks stay positive, and so does what is rough; what is smooth gets negative.
  grids.matrix.add_diagonal(grids.threads, std::vector<double>(network.rest.size(), -4.0));
  BlockJacobi jacobi(grids.threads);
  EXPECT_TRUE(jacobi.refresh(grids.matrix, {}));
  EXPECT_FALSE(grids.multigrid.refresh(grids.matrix, grids.held));
  grids.matrix.add_diagonal(grids.threads, std::vector<double>(network.rest.size(), 4.0));
  EXPECT_TRUE(grids.multigrid.refresh(grids.matrix, grids.held)) << "it recovers";
  grids.matrix.block(grids.pattern.diagonal()[5])[0] = -1.0F;
  EXPECT_FALSE(grids.multigrid.refresh(grids.matrix, grids.held));
  EXPECT_FALSE(grids.multigrid.refresh_fine(grids.matrix));
  grids.matrix.block(grids.pattern.diagonal()[5])[0] = std::nanf("");
  EXPECT_FALSE(grids.multigrid.refresh(grids.matrix, grids.held));
  std::vector<char> other = grids.held;
  other[3] = 1;
  EXPECT_THROW(static_cast<void>(grids.multigrid.refresh(grids.matrix, other)), InternalError);
}

TEST(Multigrid, SmallSystemsAreSolvedDirectly) {
  for (const Network& network : networks()) {
    if (network.size() > GridLevels::coarsest_nodes) continue;
    Grids grids(network, 1);
    EXPECT_LE(iterations(grids, grids.multigrid, network, 1e-5), 2) << network.name;
  }
}

TEST(Multigrid, AllocatesNothingAfterTheFirstRefresh) {
  const Network network = lattice(12, 12, 12);
  Grids grids(network, 1);
  const auto r = padded(random_vectors(network.rest.size(), 62));
  std::vector<Padded32> z(r.size());
  ASSERT_TRUE(grids.multigrid.refresh(grids.matrix, grids.held));
  grids.multigrid.apply(r, z);
  const AllocationCounter counter;
  EXPECT_TRUE(grids.multigrid.refresh(grids.matrix, grids.held));
  EXPECT_TRUE(grids.multigrid.refresh_fine(grids.matrix));
  grids.multigrid.apply(r, z);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace electret::test
