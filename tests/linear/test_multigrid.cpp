// Multigrid: interpolation, Galerkin matrices, the cycle's symmetry, and that iterations do not grow.

#include <Eigen/Eigenvalues>
#include <Eigen/Sparse>
#include <cstring>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/block_system.hpp>
#include <electret/linear/detail/band_cholesky.hpp>
#include <electret/linear/detail/galerkin_kernels.hpp>
#include <electret/linear/multigrid.hpp>

#include "linear/block_problems.hpp"
#include "linear/scalar_problems.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

bool same_bits(const std::vector<Padded32>& a, const std::vector<Padded32>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

using Sparse = Eigen::SparseMatrix<double>;

Sparse weights_of(const Interpolation& p) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < p.rows; ++i)
    for (auto q = static_cast<std::size_t>(p.offsets[static_cast<std::size_t>(i)]);
         q < static_cast<std::size_t>(p.offsets[static_cast<std::size_t>(i) + 1]); ++q)
      for (Index k = 0; k < 3; ++k) entries.emplace_back(3 * i + k, 3 * p.nodes[q] + k, p.weights[q]);
  Sparse result(3 * p.rows, 3 * p.columns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
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

TEST(Grid, InterpolatesAffineFieldsExactly) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  GridPoints points;
  for (Index i = 0; i < 400; ++i) {
    points.places.push_back({uniform(random), uniform(random), i % 2 == 0 ? 0.0 : uniform(random)});
    points.bodies.push_back(i % 7 == 6 ? -1 : i % 2);
  }
  points.places[0] = {0.0, 1.0, 0.0};
  points.places[1] = {1.0, 1.0, 1.0};
  const std::vector<GridCells> cells{{4, 3, 0}, {2, 5, 1}};
  const Grid grid = make_grid(points, cells);
  EXPECT_EQ(grid.interpolation.columns, 5 * 4 + 3 * 6 * 2);
  const auto affine = [](const Vec3& x) { return 0.3 + 2.0 * x.x - 1.5 * x.y + 0.7 * x.z; };
  const Interpolation& p = grid.interpolation;
  for (Index i = 0; i < p.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    double value = 0.0, sum = 0.0;
    for (auto q = static_cast<std::size_t>(p.offsets[at]); q < static_cast<std::size_t>(p.offsets[at + 1]);
         ++q) {
      const auto node = static_cast<std::size_t>(p.nodes[q]);
      EXPECT_EQ(grid.nodes.bodies[node], points.bodies[at]);
      EXPECT_GT(p.weights[q], 0.0F);
      value += p.weights[q] * affine(grid.nodes.places[node]);
      sum += p.weights[q];
    }
    EXPECT_NEAR(sum, points.bodies[at] < 0 ? 0.0 : 1.0, 1e-6);
    EXPECT_NEAR(value, points.bodies[at] < 0 ? 0.0 : affine(points.places[at]), 1e-5);
  }
}

TEST(Grid, LeavesOutNodesWithoutWeight) {
  GridPoints points{{{0.1, 0.1, 0.1}, {0.9, 0.9, 0.9}, {1.0, 0.0, 0.5}}, {0, 0, 0}};
  const std::vector<GridCells> cells{{10, 10, 10}};
  const Grid grid = make_grid(points, cells);
  EXPECT_EQ(grid.nodes.size(), 3) << "points on nodes have one weight each";
  for (const float w : grid.interpolation.weights) EXPECT_EQ(w, 1.0F);
}

TEST(GridLevels, TakeWhatIsFreeAndHasNeighbours) {
  for (const Network& network : networks()) {
    const BlockPattern pattern = network.pattern();
    const std::vector<char> held = network.held();
    const GridLevels grids(pattern, network.rest, network.body_offsets, held);
    if (network.size() <= GridLevels::coarsest_nodes) {
      EXPECT_EQ(grids.levels(), 1) << network.name;
      continue;
    }
    ASSERT_GE(grids.levels(), 2) << network.name;
    EXPECT_LE(grids.pattern(grids.levels() - 1).rows(), GridLevels::coarsest_nodes) << network.name;
    for (int level = 0; level + 1 < grids.levels(); ++level) {
      const Interpolation& p = grids.interpolation(level);
      EXPECT_EQ(p.rows, grids.pattern(level).rows());
      EXPECT_EQ(p.columns, grids.pattern(level + 1).rows());
      for (std::size_t i = 0; i < static_cast<std::size_t>(p.rows); ++i) {
        double sum = 0.0;
        for (Count q = p.offsets[i]; q < p.offsets[i + 1]; ++q) sum += p.weights[static_cast<std::size_t>(q)];
        const bool alone =
            pattern.offsets()[level == 0 ? i + 1 : 1] - pattern.offsets()[level == 0 ? i : 0] == 1;
        EXPECT_NEAR(sum, level == 0 && (held[i] || alone) ? 0.0 : 1.0, 1e-6) << network.name << i;
      }
      for (const Count count : p.column_offsets) EXPECT_LE(count, static_cast<Count>(p.nodes.size()));
      for (std::size_t c = 0; c < static_cast<std::size_t>(p.columns); ++c)
        EXPECT_LT(p.column_offsets[c], p.column_offsets[c + 1]) << "a node without weight";
    }
  }
}

TEST(GridLevels, CellsGrowUntilTheCoarseMatrixIsSmall) {
  const Network sheet = lattice(40, 40, 1), solid = lattice(14, 14, 14);
  for (const Network& network : {sheet, solid}) {
    const BlockPattern pattern = network.pattern();
    const GridLevels grids(pattern, network.rest, network.body_offsets, {});
    EXPECT_LE(4 * grids.pattern(1).blocks(), pattern.blocks()) << network.name;
    EXPECT_EQ(grids.cell(), network.rest.back().z == 0.0 ? 3.0 : 2.5) << network.name;
  }
}

TEST(GridLevels, RejectWhatDoesNotFit) {
  const Network network = lattice(3, 3, 3);
  const BlockPattern pattern = network.pattern();
  const VectorArray few(5);
  const std::vector<char> marks(5);
  const std::vector<Index> all{0, 27}, descending{0, 20, 10, 27}, short_of{0, 26}, none;
  EXPECT_THROW(GridLevels(pattern, few, all, {}), InternalError);
  EXPECT_THROW(GridLevels(pattern, network.rest, all, marks), InternalError);
  for (const auto& wrong : {descending, short_of, none})
    EXPECT_THROW(GridLevels(pattern, network.rest, wrong, {}), InternalError);
}

TEST(GalerkinProduct, IsTheDenseProductForAnyNumberOfThreads) {
  for (const Network& network : networks()) {
    std::vector<float> first;
    for (const int count : {1, 2, 3, 7}) {
      Grids grids(network, count);
      ASSERT_TRUE(grids.multigrid.refresh(grids.matrix, grids.held)) << network.name;
      std::vector<float> values;
      for (int level = 1; level < grids.multigrid.grids().levels(); ++level) {
        const BlockMatrix& coarse = grids.multigrid.matrix(level);
        values.insert(values.end(), coarse.values().begin(), coarse.values().end());
        if (count > 1) continue;
        const BlockMatrix& fine = level == 1 ? grids.matrix : grids.multigrid.matrix(level - 1);
        const Sparse p = weights_of(grids.multigrid.grids().interpolation(level - 1));
        const Eigen::MatrixXd expected = Sparse(p.transpose()) * Sparse(dense(fine).sparseView()) * p;
        EXPECT_LE((dense(coarse) - expected).norm(), 1e-6 * expected.norm()) << network.name;
      }
      if (count == 1) first = values;
      EXPECT_EQ(values, first) << network.name << " by " << count << " threads";
    }
  }
}

/// Columns of each row of a product of patterns, and where each single product goes.
struct PlainPlaces {
  std::vector<std::vector<Index>> rows;
  std::vector<Count> row_offsets{0}, offsets{0};
  std::vector<std::uint16_t> places;
};

PlainPlaces plain_places(const BlockPattern& a, const Interpolation& p) {
  PlainPlaces result;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.rows()); ++i) {
    std::vector<Index> met;
    for (int pass = 0; pass < 2; ++pass) {
      for (auto k = static_cast<std::size_t>(a.offsets()[i]);
           k < static_cast<std::size_t>(a.offsets()[i + 1]); ++k) {
        const auto j = static_cast<std::size_t>(a.columns()[k]);
        for (auto q = static_cast<std::size_t>(p.offsets[j]); q < static_cast<std::size_t>(p.offsets[j + 1]);
             ++q)
          if (pass == 0)
            met.push_back(p.nodes[q]);
          else
            result.places.push_back(static_cast<std::uint16_t>(
                std::lower_bound(met.begin(), met.end(), p.nodes[q]) - met.begin()));
      }
      std::sort(met.begin(), met.end());
      met.erase(std::unique(met.begin(), met.end()), met.end());
    }
    result.rows.push_back(met);
    result.row_offsets.push_back(result.row_offsets.back() + static_cast<Count>(met.size()));
    result.offsets.push_back(static_cast<Count>(result.places.size()));
  }
  return result;
}

TEST(GalerkinKernels, EveryInstructionSetMultipliesAsADenseMatrixDoes) {
  // A row of many blocks, too: more than are summed out of place.
  Network star = lattice(300, 1, 1);
  for (Index i = 2; i < 300; ++i) star.springs.push_back({0, i});
  for (const Network& network : {lattice(5, 4, 3), star}) {
    const BlockPattern pattern = network.pattern();
    const BlockMatrix matrix = spring_hessian(network, pattern, 10.0);
    const double scale = network.size() - 1.0;
    GridPoints points;
    for (const Vec3& x : network.rest) {
      points.places.push_back((1.0 / scale) * x);
      points.bodies.push_back(0);
    }
    const std::vector<GridCells> cells{{network.size() > 100 ? 299 : 20, 20, 20}};
    const Interpolation p = make_grid(points, cells).interpolation;
    const PlainPlaces half = plain_places(pattern, p);
    const Eigen::MatrixXd expected = dense(matrix) * weights_of(p);
    std::vector<const detail::GalerkinKernels*> sets{&detail::portable_galerkin_kernels};
#ifdef ELECTRET_HAS_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      sets.push_back(&detail::avx2_galerkin_kernels);
#endif
    for (const auto* set : sets) {
      std::vector<float> b(9 * static_cast<std::size_t>(half.row_offsets.back()), 9.0F);
      set->half({pattern.offsets().data(), pattern.columns().data(), matrix.block(0)},
                {p.offsets.data(), p.nodes.data(), p.weights.data()},
                {half.offsets.data(), half.places.data(), half.row_offsets.data(), b.data()}, 0,
                pattern.rows());
      for (std::size_t i = 0; i < half.rows.size(); ++i)
        for (std::size_t k = 0; k < half.rows[i].size(); ++k)
          for (Index e = 0; e < 9; ++e)
            ASSERT_NEAR(
                b[9 * (static_cast<std::size_t>(half.row_offsets[i]) + k) + static_cast<std::size_t>(e)],
                expected(3 * static_cast<Index>(i) + e % 3, 3 * half.rows[i][k] + e / 3), 2e-3)
                << network.name;
    }
    GalerkinProduct product(pattern, p);
    BlockMatrix coarse(product.pattern());
    Threads threads(1);
    product.compute(threads, matrix, coarse);
    const Eigen::MatrixXd result = Sparse(weights_of(p).transpose()) * expected;
    EXPECT_LE((dense(coarse) - result).norm(), 1e-6 * result.norm()) << network.name;
    EXPECT_EQ((dense(coarse) - dense(coarse).transpose()).norm(), 0.0) << "symmetric to the last bit";
  }
}

TEST(Interpolation, RestrictsByTheTransposeOfWhatItProlongs) {
  const Network network = lattice(13, 12, 11);
  const BlockPattern pattern = network.pattern();
  const GridLevels grids(pattern, network.rest, network.body_offsets, {});
  const Interpolation& p = grids.interpolation(0);
  Threads threads(3);
  const auto fine = padded(random_vectors(static_cast<std::size_t>(p.rows), 50));
  const auto coarse = padded(random_vectors(static_cast<std::size_t>(p.columns), 51));
  std::vector<Padded32> restricted(coarse.size(), Padded32{{9, 9, 9, 0}}), prolonged(fine.size());
  p.restrict_to(threads, fine, restricted);
  p.add_prolonged(threads, coarse, prolonged);
  const double left = dense(unpadded(restricted)).dot(dense(unpadded(coarse)));
  const double right = dense(unpadded(fine)).dot(dense(unpadded(prolonged)));
  EXPECT_NEAR(left, right, 1e-4);
  EXPECT_LE((dense(unpadded(prolonged)) - weights_of(p) * dense(unpadded(coarse))).norm(), 1e-4);
}

TEST(Multigrid, IsSymmetricPositiveDefiniteAndNearTheInverse) {
  Network sheet = lattice(12, 11, 1);
  sheet.pins = {0, 11};
  const Network bodies = networks()[9], random = networks()[8];
  for (const Network& network : {lattice(5, 5, 6), sheet, bodies, random})
    for (const int degree : {1, 2}) {
      if (degree == 1 && network.size() > 200) continue;
      Grids grids(network, 1, 100.0, {degree});
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
  std::vector<VertexConstraint> sticking, sliding, slipping;
  for (Index i = 0; i < 81; ++i) {
    sticking.push_back(pin(i));
    VertexConstraint c = pin(i);
    c.columns = 2;
    c.trial = c.test = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{}};
    sliding.push_back(c);
    c.test = {Vec3{1, 0, -0.3}, Vec3{0, 1, 0.2}, Vec3{}};
    slipping.push_back(c);
  }
  const VectorArray rhs = random_vectors(network.rest.size(), 41);
  VectorArray solution(rhs.size());
  for (const auto& constraints : {sticking, sliding, slipping}) {
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
      ASSERT_TRUE(grids.multigrid.refresh_lagged(grids.matrix, false));
      grids.multigrid.apply(r, z);
    }
    ASSERT_TRUE(grids.multigrid.refresh(grids.matrix, grids.held));
    grids.multigrid.apply(r, z);
    if (first.empty()) first = z;
    EXPECT_TRUE(same_bits(z, first)) << count << " threads";
  }
}

TEST(Multigrid, ALaggedRefreshTakesTheFineLevelAnew) {
  const Network network = lattice(12, 12, 12);
  Grids grids(network, 1);
  const auto r = padded(random_vectors(network.rest.size(), 61));
  std::vector<Padded32> full(r.size()), lagged(r.size()), kept(r.size());
  const BlockMatrix other = spring_hessian(network, grids.pattern, 3.0);
  EXPECT_THROW(static_cast<void>(grids.multigrid.refresh_lagged(grids.matrix, true)), InternalError);
  ASSERT_TRUE(grids.multigrid.refresh(grids.matrix, grids.held));
  const double lambda = grids.multigrid.largest_eigenvalue(0);
  grids.multigrid.apply(r, full);
  ASSERT_TRUE(grids.multigrid.refresh(other, grids.held));
  const std::vector<float> coarse(grids.multigrid.matrix(1).values().begin(),
                                  grids.multigrid.matrix(1).values().end());
  ASSERT_TRUE(grids.multigrid.refresh_lagged(grids.matrix, false));
  EXPECT_TRUE(std::equal(coarse.begin(), coarse.end(), grids.multigrid.matrix(1).values().begin()));
  grids.multigrid.apply(r, kept);
  ASSERT_TRUE(grids.multigrid.refresh_lagged(grids.matrix, true));
  EXPECT_FALSE(std::equal(coarse.begin(), coarse.end(), grids.multigrid.matrix(1).values().begin()));
  EXPECT_NEAR(grids.multigrid.largest_eigenvalue(0), lambda, 0.1 * lambda);
  grids.multigrid.apply(r, lagged);
  const Eigen::VectorXd expected = dense(unpadded(full));
  EXPECT_LE((dense(unpadded(lagged)) - expected).norm(), 0.2 * expected.norm());
  EXPECT_GT((dense(unpadded(kept)) - expected).norm(), 0.2 * expected.norm());
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
  EXPECT_FALSE(grids.multigrid.refresh_lagged(grids.matrix, false));
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
  EXPECT_TRUE(grids.multigrid.refresh_lagged(grids.matrix, true));
  grids.multigrid.apply(r, z);
  EXPECT_EQ(counter.count(), 0);
}

TEST(BandCholesky, SolvesWithHeldRowsLeftOut) {
  for (const Network& network : networks()) {
    if (network.size() > 350) continue;
    const BlockPattern pattern = network.pattern();
    const BlockMatrix matrix = spring_hessian(network, pattern, 10.0);
    const std::vector<char> held = network.held();
    detail::BandCholesky band(pattern, held);
    ASSERT_TRUE(band.factorise(matrix));
    const auto b = padded(random_vectors(network.rest.size(), 63));
    std::vector<Padded32> x(b.size(), Padded32{{9, 9, 9, 9}});
    band.solve(b, x);
    Eigen::MatrixXd a = dense(matrix);
    Eigen::VectorXd rhs = dense(unpadded(b));
    for (std::size_t i = 0; i < held.size(); ++i)
      for (int k = 0; k < 3 && held[i]; ++k) {
        const auto row = 3 * static_cast<Eigen::Index>(i) + k;
        a.row(row).setZero();
        a.col(row).setZero();
        a(row, row) = 1.0;
        rhs(row) = 0.0;
      }
    const Eigen::VectorXd expected = a.llt().solve(rhs);
    EXPECT_LE((dense(unpadded(x)) - expected).norm(), 1e-4 * (1e-9 + expected.norm())) << network.name;
    for (const Padded32& row : x) EXPECT_EQ(row.lane[3], 0.0F);
  }
}

TEST(BandCholesky, BoundsWhatIsSingularAndRefusesWhatIsIndefinite) {
  const Network network = lattice(4, 4, 4);
  const BlockPattern pattern = network.pattern();
  BlockMatrix matrix = spring_hessian(network, pattern, 10.0);
  // Without masses the rows sum to nothing: translations are free.
  for (std::size_t r = 0; r < network.rest.size(); ++r)
    for (int k = 0; k < 9; ++k) {
      double sum = 0.0;
      for (Count block = pattern.offsets()[r]; block < pattern.offsets()[r + 1]; ++block)
        if (block != pattern.diagonal()[r]) sum -= matrix.block(block)[k];
      matrix.block(pattern.diagonal()[r])[k] = static_cast<float>(sum);
    }
  detail::BandCholesky band(pattern, {});
  ASSERT_TRUE(band.factorise(matrix));
  // A right-hand side without a mean has a solution.
  VectorArray b = random_vectors(network.rest.size(), 64);
  Vec3 mean;
  for (const Vec3& v : b) mean += (1.0 / static_cast<double>(b.size())) * v;
  for (Vec3& v : b) v -= mean;
  const auto rhs = padded(b);
  std::vector<Padded32> x(rhs.size());
  band.solve(rhs, x);
  const Eigen::VectorXd rest = dense(unpadded(rhs)) - dense(matrix) * dense(unpadded(x));
  EXPECT_LE(rest.norm(), 1e-2 * dense(unpadded(rhs)).norm());
  Threads threads(1);
  matrix.add_diagonal(threads, std::vector<double>(b.size(), -0.1));
  EXPECT_FALSE(band.factorise(matrix));
}

TEST(NarrowOrder, ListsEachRowOnceAndKeepsNeighboursNear) {
  // A chain numbered at random, beside a lattice.
  std::mt19937_64 random(9);
  std::vector<Index> names(60);
  for (Index k = 0; k < 60; ++k) names[static_cast<std::size_t>(k)] = k;
  std::shuffle(names.begin(), names.end(), random);
  std::vector<Index> ends;
  for (std::size_t k = 0; k + 1 < 40; ++k) ends.insert(ends.end(), {names[k], names[k + 1]});
  const ElementList list{2, ends};
  const BlockPattern pattern = BlockPattern::of_elements(60, {&list, 1});
  std::vector<char> skipped(60, 0);
  skipped[static_cast<std::size_t>(names[50])] = 1;
  const std::vector<Index> order = detail::narrow_order(pattern, skipped);
  ASSERT_EQ(order.size(), 59u);
  std::vector<Index> place(60, -1);
  for (std::size_t k = 0; k < order.size(); ++k) {
    EXPECT_EQ(place[static_cast<std::size_t>(order[k])], -1);
    place[static_cast<std::size_t>(order[k])] = static_cast<Index>(k);
  }
  EXPECT_EQ(place[static_cast<std::size_t>(names[50])], -1);
  for (std::size_t k = 0; k + 1 < 40; ++k)
    EXPECT_EQ(
        std::abs(place[static_cast<std::size_t>(names[k])] - place[static_cast<std::size_t>(names[k + 1])]),
        1);
}

}  // namespace
}  // namespace electret::test
