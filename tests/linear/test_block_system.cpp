// Constrained block systems against dense solves: pins, sticking and slipping vertices, solve and transpose.

#include <Eigen/SparseLU>
#include <cstring>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/block_system.hpp>

#include "linear/block_problems.hpp"
#include "linear/scalar_problems.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

/// A vertex that slips on a random plane: V a basis of it, W = V - μ n (Vᵀd̂)ᵀ, D = k(I - Vᵀd̂ d̂ᵀV).
VertexConstraint slipping(Index vertex, std::mt19937_64& random, double friction) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto any = [&] { return Vec3{uniform(random), uniform(random), uniform(random)}; };
  VertexConstraint c = pin(vertex);
  c.columns = 2;
  const Vec3 up = any(), n = (1.0 / norm(up)) * up;
  Vec3 t = cross(n, any());
  t *= 1.0 / norm(t);
  const Vec3 s = cross(n, t);
  const double angle = 3.0 * uniform(random), k = 2.0 + uniform(random);
  const double d[2] = {std::cos(angle), std::sin(angle)};
  c.trial = {t, s, Vec3{}};
  c.test = {t - (friction * d[0]) * n, s - (friction * d[1]) * n, Vec3{}};
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t b = 0; b < 2; ++b) c.diagonal[2 * a + b] = k * ((a == b ? 1.0 : 0.0) - d[a] * d[b]);
  return c;
}

/// A vertex with k columns at random, W ≠ V and D not symmetric if `general`.
VertexConstraint of_columns(Index vertex, int columns, std::mt19937_64& random, bool general) {
  VertexConstraint c = slipping(vertex, random, 0.0);
  c.columns = columns;
  c.trial[2] = cross(c.trial[0], c.trial[1]);
  c.test = c.trial;
  c.diagonal = {};
  std::uniform_real_distribution<double> uniform(-0.4, 0.4);
  for (std::size_t k = 0; k < static_cast<std::size_t>(columns); ++k) {
    c.diagonal[k * static_cast<std::size_t>(columns) + k] = 1.0;
    if (!general) continue;
    c.test[k] += Vec3{uniform(random), uniform(random), uniform(random)};
    for (std::size_t j = 0; j < static_cast<std::size_t>(columns); ++j)
      c.diagonal[k * static_cast<std::size_t>(columns) + j] += uniform(random);
  }
  return c;
}

enum class Kind { pins, sliding, slipping, general };

/// Every pin of the network, and about every fourth other vertex in a way of its own.
std::vector<VertexConstraint> constraints_of(const Network& network, Kind kind) {
  std::mt19937_64 random(31);
  std::vector<VertexConstraint> result;
  const std::vector<char> held = network.held();
  for (Index i = 0; i < network.size(); ++i) {
    if (held[static_cast<std::size_t>(i)]) {
      result.push_back(pin(i));
    } else if (random() % 4 == 0) {
      if (kind == Kind::pins) result.push_back(pin(i));
      if (kind == Kind::sliding)
        result.push_back(of_columns(i, static_cast<int>(random() % 4), random, false));
      if (kind == Kind::slipping) result.push_back(random() % 2 == 0 ? pin(i) : slipping(i, random, 0.7));
      if (kind == Kind::general)
        result.push_back(of_columns(i, static_cast<int>(random() % 4), random, true));
    }
  }
  std::shuffle(result.begin(), result.end(), random);
  return result;
}

using Sparse = Eigen::SparseMatrix<double>;

/// WᵀHV + D, 3n×3n, with an identity where a vertex has fewer than three columns.
Sparse reduced(const BlockMatrix& matrix, const std::vector<VertexConstraint>& constraints) {
  const Index n = matrix.pattern().rows();
  std::vector<VertexConstraint> of_vertex(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    VertexConstraint& free = of_vertex[static_cast<std::size_t>(i)] = pin(i);
    free.columns = 3;
    free.trial = free.test = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  }
  for (const VertexConstraint& c : constraints) of_vertex[static_cast<std::size_t>(c.vertex)] = c;
  std::vector<Eigen::Triplet<double>> v, w, d;
  for (const VertexConstraint& c : of_vertex) {
    const Index at = 3 * c.vertex;
    for (Index k = 0; k < c.columns; ++k)
      for (Index axis = 0; axis < 3; ++axis) {
        v.emplace_back(at + axis, at + k, c.trial[static_cast<std::size_t>(k)][axis]);
        w.emplace_back(at + axis, at + k, c.test[static_cast<std::size_t>(k)][axis]);
      }
    for (Index k = 0; k < c.columns; ++k)
      for (Index j = 0; j < c.columns; ++j)
        d.emplace_back(at + k, at + j, c.diagonal[static_cast<std::size_t>(c.columns * k + j)]);
    for (Index k = c.columns; k < 3; ++k) d.emplace_back(at + k, at + k, 1.0);
  }
  const auto sparse = [&](const std::vector<Eigen::Triplet<double>>& entries) {
    Sparse result(3 * n, 3 * n);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  };
  return Sparse(sparse(w).transpose()) * Sparse(dense(matrix).sparseView()) * sparse(v) + sparse(d);
}

Eigen::VectorXd solved(const Sparse& a, const Eigen::VectorXd& b) {
  if (a.rows() <= 400) return Eigen::MatrixXd(a).partialPivLu().solve(b);
  return Eigen::SparseLU<Sparse>(a).solve(b);
}

/// `rhs` with 0 where the constraints leave no equation.
Eigen::VectorXd trimmed(Eigen::VectorXd rhs, const std::vector<VertexConstraint>& constraints) {
  for (const VertexConstraint& c : constraints)
    for (int k = c.columns; k < 3; ++k) rhs(3 * c.vertex + k) = 0.0;
  return rhs;
}

/// A system of a network preconditioned by block-Jacobi.
struct Solver {
  Solver(const Network& network, int count, double stiffness = 10.0)
      : threads(count), pattern(network.pattern()), matrix(spring_hessian(network, pattern, stiffness)) {
    refresh(network);
  }
  void refresh(const Network& network) { EXPECT_TRUE(jacobi.refresh(matrix, network.held())); }

  Threads threads;
  BlockPattern pattern;
  BlockMatrix matrix;
  AssembledOperator map{matrix, threads};
  BlockJacobi jacobi{threads};
  BlockSystem system{map, jacobi, threads};
};

constexpr Kind kinds[] = {Kind::pins, Kind::sliding, Kind::slipping, Kind::general};

TEST(BlockSystem, SolvesAndSolvesTransposedAsADenseMatrixDoes) {
  for (const Network& network : networks()) {
    Solver solver(network, 2);
    const VectorArray rhs = random_vectors(network.rest.size(), 21);
    for (const Kind kind : kinds) {
      const auto constraints = constraints_of(network, kind);
      solver.system.set_constraints(constraints);
      const Sparse a = reduced(solver.matrix, constraints);
      const Eigen::VectorXd b = trimmed(dense(rhs), constraints);
      VectorArray solution(rhs.size(), Vec3{9, 9, 9}), transposed = solution;
      const SolveReport report = solver.system.solve(rhs, {.tolerance = 1e-11}, solution);
      const SolveReport other = solver.system.solve_transposed(rhs, {.tolerance = 1e-11}, transposed);
      const std::string where = network.name + ", kind " + std::to_string(static_cast<int>(kind));
      EXPECT_TRUE(report.converged) << where << ", residual " << report.residual;
      EXPECT_TRUE(other.converged) << where << ", residual " << other.residual;
      const Eigen::VectorXd expected = solved(a, b), expected_other = solved(a.transpose(), b);
      EXPECT_LE((dense(solution) - expected).norm(), 1e-9 * (1e-30 + expected.norm())) << where;
      EXPECT_LE((dense(transposed) - expected_other).norm(), 1e-9 * (1e-30 + expected_other.norm())) << where;
      EXPECT_NEAR(report.residual, (b - a * dense(solution)).norm() / (1e-300 + b.norm()), 1e-13) << where;
      const bool symmetric = kind == Kind::pins || kind == Kind::sliding;
      if (network.size() > 100) {
        EXPECT_EQ(report.method, symmetric ? "cg" : "gmres") << where;
        EXPECT_EQ(other.method, symmetric ? "cg" : "gmres") << where;
      }
    }
  }
}

TEST(BlockSystem, ExpandsSolutionsByTheBases) {
  const Network network = lattice(4, 4, 4);
  Solver solver(network, 1);
  const auto constraints = constraints_of(network, Kind::general);
  solver.system.set_constraints(constraints);
  const VectorArray x = random_vectors(network.rest.size(), 5);
  VectorArray trial = x, test = x;
  solver.system.expand(trial);
  solver.system.expand_transposed(test);
  VectorArray expected_trial = x, expected_test = x;
  for (const VertexConstraint& c : constraints) {
    const auto i = static_cast<std::size_t>(c.vertex);
    expected_trial[i] = expected_test[i] = Vec3{};
    for (int k = 0; k < c.columns; ++k) {
      expected_trial[i] += x[i][k] * c.trial[static_cast<std::size_t>(k)];
      expected_test[i] += x[i][k] * c.test[static_cast<std::size_t>(k)];
    }
  }
  EXPECT_EQ(trial, expected_trial);
  EXPECT_EQ(test, expected_test);
}

TEST(BlockSystem, IsBitwiseTheSameForAnyThreadsAndWhateverWasSolvedBefore) {
  const Network network = networks()[9];
  ASSERT_GT(network.size(), 300);
  const Network large = lattice(20, 20, 5);
  for (const Network& tried : {network, large})
    for (const Kind kind : kinds) {
      const auto constraints = constraints_of(tried, kind);
      const VectorArray rhs = random_vectors(tried.rest.size(), 22), noise = random_vectors(rhs.size(), 23);
      VectorArray expected, expected_transposed;
      for (const int count : {1, 2, 3, 7}) {
        Solver solver(tried, count);
        VectorArray solution(rhs.size()), transposed(rhs.size());
        if (count > 1) {
          solver.system.set_constraints(constraints_of(tried, Kind::general));
          solver.system.solve(noise, {.tolerance = 1e-3}, solution);
          solver.system.set_constraints({});
          solver.system.solve_transposed(noise, {.tolerance = 1e-6}, solution);
        }
        solver.system.set_constraints(constraints);
        solver.system.solve(rhs, {}, solution);
        solver.system.solve_transposed(rhs, {}, transposed);
        if (expected.empty()) expected = solution, expected_transposed = transposed;
        EXPECT_EQ(solution, expected) << count << " threads";
        EXPECT_EQ(transposed, expected_transposed) << count << " threads";
      }
    }
}

TEST(BlockSystem, RefinesAStiffSystemToFloat64) {
  const Network network = networks()[4];
  Solver solver(network, 1, 3e3);
  std::vector<VertexConstraint> pins;
  for (const Index v : network.pins) pins.push_back(pin(v));
  solver.system.set_constraints(pins);
  const VectorArray rhs = random_vectors(network.rest.size(), 24);
  VectorArray solution(rhs.size());
  const SolveReport report = solver.system.solve(rhs, {.tolerance = 1e-13, .max_iterations = 5000}, solution);
  EXPECT_TRUE(report.converged) << report.residual;
  EXPECT_GE(report.refinements, 3);
  const Eigen::VectorXd b = trimmed(dense(rhs), pins);
  EXPECT_LE((b - reduced(solver.matrix, pins) * dense(solution)).norm(), 1.1e-13 * b.norm());
}

TEST(BlockSystem, ALooseToleranceTakesNoFloat64Products) {
  struct Counting final : BlockOperator {
    explicit Counting(BlockOperator& map) : inner(map) {}
    [[nodiscard]] Index rows() const override { return inner.rows(); }
    void multiply(PaddedView32 d, PaddedSpan32 out) override { inner.multiply(d, out); }
    void multiply(VectorView d, VectorSpan out) override { ++products, inner.multiply(d, out); }
    BlockOperator& inner;
    int products = 0;
  };
  const Network network = lattice(6, 6, 6);
  Solver solver(network, 1);
  Counting counting(solver.map);
  BlockSystem system(counting, solver.jacobi, solver.threads);
  const VectorArray rhs = random_vectors(network.rest.size(), 25);
  VectorArray solution(rhs.size());
  const SolveReport loose = system.solve(rhs, {.tolerance = 0.1}, solution);
  EXPECT_EQ(counting.products, 0);
  EXPECT_TRUE(loose.converged);
  const Eigen::VectorXd b = dense(rhs);
  EXPECT_NEAR((b - dense(solver.matrix) * dense(solution)).norm() / b.norm(), loose.residual, 1e-5);
  const SolveReport tight = system.solve(rhs, {.tolerance = 1e-10}, solution);
  EXPECT_EQ(counting.products, tight.refinements);
  EXPECT_LE(tight.refinements, 4);
  EXPECT_LE(tight.residual, 1e-10);
  const SolveReport capped = system.solve(rhs, {.tolerance = 1e-10, .max_iterations = 3}, solution);
  EXPECT_FALSE(capped.converged);
  EXPECT_EQ(capped.iterations, 3);
}

TEST(BlockSystem, NewtonsModeStopsAtNegativeCurvatureWithADirectionOfDescent) {
  const Network network = lattice(5, 5, 5);
  Solver solver(network, 1);
  std::vector<double> shift(network.rest.size(), -8.0);
  solver.matrix.add_diagonal(solver.threads, shift);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(dense(solver.matrix));
  ASSERT_LT(eigen.eigenvalues().minCoeff(), -1.0);
  ASSERT_TRUE(solver.jacobi.refresh(solver.matrix, {}));
  const VectorArray rhs = random_vectors(network.rest.size(), 26);
  VectorArray direction(rhs.size());
  const SolveOptions newton{.tolerance = 1e-2, .max_iterations = 100, .stop_at_negative_curvature = true};
  const SolveReport report = solver.system.solve(rhs, newton, direction);
  EXPECT_TRUE(report.negative_curvature);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.method, "cg");
  EXPECT_GT(dense(rhs).dot(dense(direction)), 0.0);

  // The first direction at once: -I.
  BlockMatrix negative(solver.pattern);
  negative.add_diagonal(solver.threads, std::vector<double>(rhs.size(), -1.0));
  AssembledOperator map(negative, solver.threads);
  BlockSystem system(map, solver.jacobi, solver.threads);
  const SolveReport first = system.solve(rhs, newton, direction);
  EXPECT_TRUE(first.negative_curvature);
  EXPECT_EQ(first.iterations, 0);
  EXPECT_GT(dense(rhs).dot(dense(direction)), 0.0);

  // Without the mode the same regular matrices are solved all the same.
  EXPECT_TRUE(system.solve(rhs, {.tolerance = 1e-10}, direction).converged);
  for (std::size_t i = 0; i < rhs.size(); ++i) EXPECT_LE(norm(direction[i] + rhs[i]), 1e-8);
  const Network small = lattice(3, 3, 2);
  Solver regular(small, 1);
  regular.matrix.add_diagonal(regular.threads, std::vector<double>(small.rest.size(), -8.0));
  VectorArray part(rhs.begin(), rhs.begin() + small.size()), solution(part.size());
  const SolveReport solved = regular.system.solve(part, {.tolerance = 1e-10}, solution);
  EXPECT_TRUE(solved.converged) << solved.residual;
  EXPECT_EQ(solved.method, "gmres");
  EXPECT_TRUE(solved.negative_curvature);
  EXPECT_LE((dense(regular.matrix) * dense(solution) - dense(part)).norm(), 2e-10 * dense(part).norm());
}

TEST(BlockSystem, SaysWhenThePreconditionerIsNotPositiveDefinite) {
  struct Negative final : Preconditioner {
    [[nodiscard]] std::string_view name() const override { return "negative"; }
    [[nodiscard]] bool refresh(const BlockMatrix&, std::span<const char>) override { return true; }
    [[nodiscard]] std::array<float, 9> own_inverse(Index) const override { return {}; }
    void apply(PaddedView32 r, PaddedSpan32 z) override {
      for (std::size_t i = 0; i < r.size(); ++i)
        for (int k = 0; k < 3; ++k) z[i].lane[k] = -r[i].lane[k];
    }
  } negative;
  const Network network = lattice(5, 5, 5);
  Solver solver(network, 1);
  BlockSystem system(solver.map, negative, solver.threads);
  const VectorArray rhs = random_vectors(network.rest.size(), 27);
  VectorArray solution(rhs.size());
  const SolveReport report =
      system.solve(rhs, {.tolerance = 0.1, .stop_at_negative_curvature = true}, solution);
  EXPECT_TRUE(report.bad_preconditioner);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(solution, VectorArray(rhs.size()));
}

TEST(BlockSystem, SolvesWhatIsEmptyZeroOrNotANumber) {
  const Network network = lattice(21, 20, 1);
  Solver solver(network, 1);
  VectorArray rhs(network.rest.size()), solution(rhs.size(), Vec3{9, 9, 9});
  const SolveReport zero = solver.system.solve(rhs, {}, solution);
  EXPECT_TRUE(zero.converged);
  EXPECT_EQ(zero.iterations, 0);
  EXPECT_EQ(solution, rhs);
  for (Vec3& v : rhs) v = {1e-30, 0, 0};
  EXPECT_TRUE(solver.system.solve(rhs, {}, solution).converged) << "tiny right-hand sides are scaled";
  rhs[5].y = std::nan("");
  EXPECT_FALSE(solver.system.solve(rhs, {}, solution).converged);
  Network nothing;
  Solver empty(nothing, 1);
  EXPECT_TRUE(empty.system.solve({}, {}, {}).converged);
}

TEST(BlockSystem, AllocatesNothingAfterTheFirstSolve) {
  const Network network = lattice(12, 12, 6);
  Solver solver(network, 1);
  const VectorArray rhs = random_vectors(network.rest.size(), 28);
  VectorArray solution(rhs.size());
  for (const Kind kind : kinds) {
    solver.system.set_constraints(constraints_of(network, kind));
    solver.system.solve(rhs, {}, solution);
    const AllocationCounter counter;
    solver.system.solve(rhs, {}, solution);
    solver.system.solve_transposed(rhs, {}, solution);
    EXPECT_EQ(counter.count(), 0);
  }
}

/// A product by rows that counts how often the whole is asked for.
class ByRows final : public BlockOperator {
 public:
  ByRows(BlockOperator& whole, const BlockMatrix& matrix) : whole_(whole), matrix_(matrix) {}
  [[nodiscard]] Index rows() const override { return whole_.rows(); }
  void multiply(PaddedView32 d, PaddedSpan32 out) override { ++products, whole_.multiply(d, out); }
  void multiply(VectorView d, VectorSpan out) override { whole_.multiply(d, out); }
  [[nodiscard]] bool has_rows() const override { return true; }
  void multiply_rows(PaddedView32 d, PaddedSpan32 out, Count begin, Count end) const override {
    const BlockPattern& pattern = matrix_.pattern();
    for (Count row = begin; row < end; ++row) {
      Padded32 sum;
      for (Count slot = pattern.offsets()[static_cast<std::size_t>(row)];
           slot < pattern.offsets()[static_cast<std::size_t>(row) + 1]; ++slot)
        for (int k = 0; k < 9; ++k)
          sum.lane[k % 3] +=
              matrix_.block(slot)[k] *
              d[static_cast<std::size_t>(pattern.columns()[static_cast<std::size_t>(slot)])].lane[k / 3];
      out[static_cast<std::size_t>(row)] = sum;
    }
  }
  int products = 0;

 private:
  BlockOperator& whole_;
  const BlockMatrix& matrix_;
};

/// Pins among the constraints, and the same as numbers, are one and the same; they cost no pass of their own.
TEST(BlockSystem, PinsLeaveProductsByRows) {
  Network network = lattice(9, 8, 7);
  network.pins = {0, 17, 18, 500, 503};
  Solver solver(network, 2);
  ByRows by_rows(solver.map, solver.matrix);
  BlockSystem system(by_rows, solver.jacobi, solver.threads);
  const VectorArray rhs = random_vectors(network.rest.size(), 29);
  VectorArray listed(rhs.size()), numbered(rhs.size()), sliding(rhs.size());
  std::vector<VertexConstraint> pins;
  for (const Index v : network.pins) pins.push_back(pin(v));
  system.set_constraints(pins);
  EXPECT_TRUE(system.solve(rhs, {}, listed).converged);
  system.set_constraints({}, network.pins);
  EXPECT_TRUE(system.solve(rhs, {}, numbered).converged);
  EXPECT_EQ(by_rows.products, 0);
  EXPECT_EQ(listed, numbered);
  for (const Index v : network.pins) EXPECT_EQ(listed[static_cast<std::size_t>(v)], Vec3{});
  const Eigen::VectorXd expected = solved(reduced(solver.matrix, pins), trimmed(dense(rhs), pins));
  EXPECT_LE((dense(listed) - expected).norm(), 1e-9 * expected.norm());
  std::mt19937_64 random(5);
  const std::vector<VertexConstraint> one{slipping(100, random, 0.3)};
  system.set_constraints(one, network.pins);
  EXPECT_TRUE(system.solve(rhs, {}, sliding).converged);
  EXPECT_GT(by_rows.products, 0);
}

/// The preconditioner knows D: a vertex that resists a millionfold takes hardly more iterations than one that
/// does not.
TEST(BlockSystem, StiffDiagonalsTakeFewIterations) {
  const Network network = lattice(9, 9, 9);
  Solver solver(network, 2);
  const VectorArray rhs = random_vectors(network.rest.size(), 30);
  VectorArray solution(rhs.size());
  const auto iterations = [&](double factor, double friction) {
    std::mt19937_64 random(32);
    std::vector<VertexConstraint> constraints;
    for (Index i = 0; i < 81; ++i) {
      constraints.push_back(slipping(i, random, friction));
      for (double& d : constraints.back().diagonal) d *= factor;
    }
    solver.system.set_constraints(constraints);
    const SolveReport report = solver.system.solve(rhs, {.tolerance = 1e-8}, solution);
    EXPECT_TRUE(report.converged) << report.residual;
    return report.iterations;
  };
  for (const double friction : {0.0, 0.5}) {
    const int soft = iterations(0.0, friction);
    for (const double factor : {10.0, 1e3, 1e6})
      EXPECT_LE(iterations(factor, friction), soft + 20) << "factor " << factor << ", μ " << friction;
  }
}

TEST(BlockSystem, RejectsWhatIsNoConstraint) {
  const Network network = lattice(3, 1, 1);
  Solver solver(network, 1);
  VertexConstraint wide = pin(1);
  wide.columns = 4;
  VertexConstraint negative = pin(1);
  negative.columns = -1;
  for (const std::vector<VertexConstraint>& wrong :
       {std::vector{pin(-1)}, {pin(3)}, {pin(1), pin(0), pin(1)}, {wide}, {negative}})
    EXPECT_THROW(solver.system.set_constraints(wrong), InternalError);
  const std::vector<Index> pins{1};
  EXPECT_THROW(solver.system.set_constraints(std::vector{pin(1)}, pins), InternalError);
  VectorArray two(2), three(3);
  EXPECT_THROW(solver.system.solve(two, {}, three), InternalError);
  EXPECT_THROW(solver.system.solve_transposed(three, {}, two), InternalError);
}

}  // namespace
}  // namespace electret::test
