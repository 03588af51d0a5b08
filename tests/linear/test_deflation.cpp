// Systems whose slow motions float32 loses, against dense float64 solves.

#include <Eigen/Dense>

#include <gtest/gtest.h>

#include <electret/linear/block_jacobi.hpp>
#include <electret/linear/block_system.hpp>

#include "linear/block_problems.hpp"
#include "linear/scalar_problems.hpp"

namespace electret::test {
namespace {

/// A dense float64 matrix. Its float32 products are those of its rounded entries.
class DenseOperator final : public BlockOperator {
 public:
  explicit DenseOperator(Eigen::MatrixXd matrix)
      : matrix_(std::move(matrix)), rounded_(matrix_.cast<float>()) {}
  [[nodiscard]] Index rows() const override { return static_cast<Index>(matrix_.rows() / 3); }
  void multiply(PaddedView32 d, PaddedSpan32 out) override {
    Eigen::VectorXf x(matrix_.rows());
    for (std::size_t i = 0; i < d.size(); ++i)
      for (int k = 0; k < 3; ++k) x(static_cast<Eigen::Index>(3 * i) + k) = d[i].lane[k];
    const Eigen::VectorXf y = rounded_ * x;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = {};
      for (int k = 0; k < 3; ++k) out[i].lane[k] = y(static_cast<Eigen::Index>(3 * i) + k);
    }
  }
  void multiply(VectorView d, VectorSpan out) override {
    const VectorArray y = vectors_of(matrix_ * dense(d));
    std::copy(y.begin(), y.end(), out.begin());
  }
  [[nodiscard]] const Eigen::MatrixXd& matrix() const { return matrix_; }

 private:
  Eigen::MatrixXd matrix_;
  Eigen::MatrixXf rounded_;
};

/// Two lattices apart, whose springs are so stiff that float32 loses masses of 1 beside them.
struct StiffParts {
  static constexpr Index each = 27;
  static constexpr double stiffness = 1e9;

  StiffParts() {
    const Network network = lattice(3, 3, 3);
    for (int part = 0; part < 2; ++part)
      for (const Vec3& x : network.rest) rest.push_back(x + Vec3{5.0 * part, 0.3 * part, 0.0});
    Eigen::MatrixXd sum = Eigen::MatrixXd::Identity(3 * size(), 3 * size());
    for (Index part = 0; part < 2; ++part)
      for (const Edge& spring : network.springs) add(sum, spring[0] + each * part, spring[1] + each * part);
    matrix = sum;
  }
  void add(Eigen::MatrixXd& sum, Index a, Index b) const {
    const Vec3 way = rest[static_cast<std::size_t>(b)] - rest[static_cast<std::size_t>(a)];
    const Eigen::Vector3d n = Eigen::Vector3d(way.x, way.y, way.z).normalized();
    const Eigen::Matrix3d block = stiffness * n * n.transpose();
    sum.block<3, 3>(3 * a, 3 * a) += block;
    sum.block<3, 3>(3 * b, 3 * b) += block;
    sum.block<3, 3>(3 * a, 3 * b) -= block;
    sum.block<3, 3>(3 * b, 3 * a) -= block;
  }
  [[nodiscard]] Index size() const { return static_cast<Index>(rest.size()); }

  /// Translations and rotations of each part; in one group if they are coupled.
  [[nodiscard]] SlowMotions motions(bool are_coupled) const {
    SlowMotions all;
    if (are_coupled)
      all.groups = {{0, 2 * each}};
    else
      all.groups = {{0, each}, {each, 2 * each}};
    for (Index part = 0; part < 2; ++part)
      for (int k = 0; k < 6; ++k) {
        SlowMotion motion{part * each, VectorArray(each), are_coupled ? 0U : static_cast<std::size_t>(part)};
        Vec3 axis;
        axis[k % 3] = 1.0;
        for (Index i = 0; i < each; ++i)
          motion.rows[static_cast<std::size_t>(i)] =
              k < 3 ? axis : cross(axis, rest[static_cast<std::size_t>(part * each + i)]);
        all.motions.push_back(motion);
      }
    return all;
  }

  VectorArray rest;
  Eigen::MatrixXd matrix;
};

/// Block-Jacobi of a dense matrix.
BlockMatrix diagonal_of(const Eigen::MatrixXd& matrix, const BlockPattern& pattern) {
  BlockMatrix result(pattern);
  for (Index i = 0; i < pattern.rows(); ++i)
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row)
        result.block(i)[3 * column + row] = static_cast<float>(matrix(3 * i + row, 3 * i + column));
  return result;
}

BlockPattern diagonal_pattern(Index rows) {
  std::vector<Count> offsets{0};
  std::vector<Index> columns;
  for (Index i = 0; i < rows; ++i) columns.push_back(i), offsets.push_back(i + 1);
  return {std::move(offsets), std::move(columns)};
}

struct Solver {
  Solver(const Eigen::MatrixXd& matrix, int count)
      : threads(count),
        map(matrix),
        pattern(diagonal_pattern(map.rows())),
        diagonal(diagonal_of(matrix, pattern)) {
    EXPECT_TRUE(jacobi.refresh(diagonal, {}));
  }
  Threads threads;
  DenseOperator map;
  BlockPattern pattern;
  BlockMatrix diagonal;
  BlockJacobi jacobi{threads};
  BlockSystem system{map, jacobi, threads};
};

/// Vertices on the plane z = 0 of both parts: they slide along x and y, with friction if `friction` is not 0.
std::vector<VertexConstraint> on_floor(const StiffParts& parts, double friction) {
  std::vector<VertexConstraint> all;
  for (Index i = 0; i < parts.size(); ++i) {
    if (parts.rest[static_cast<std::size_t>(i)].z > 0.1) continue;
    VertexConstraint c = pin(i);
    c.columns = 2;
    c.trial = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{}};
    c.test = {Vec3{1, 0, -friction}, Vec3{0, 1, 0}, Vec3{}};
    c.diagonal = {0.0, 0.0, 0.0, 3.0};
    all.push_back(c);
  }
  return all;
}

/// WᵀHV + D with an identity where nothing is left.
Eigen::MatrixXd reduced(const Eigen::MatrixXd& matrix, const std::vector<VertexConstraint>& constraints) {
  const Eigen::Index n = matrix.rows();
  Eigen::MatrixXd v = Eigen::MatrixXd::Identity(n, n), w = v, d = Eigen::MatrixXd::Zero(n, n);
  for (const VertexConstraint& c : constraints) {
    const Eigen::Index at = 3 * c.vertex;
    v.block<3, 3>(at, at).setZero();
    w.block<3, 3>(at, at).setZero();
    for (int k = 0; k < 3; ++k) {
      if (k >= c.columns) {
        d(at + k, at + k) = 1.0;
        continue;
      }
      for (int axis = 0; axis < 3; ++axis) {
        v(at + axis, at + k) = c.trial[static_cast<std::size_t>(k)][axis];
        w(at + axis, at + k) = c.test[static_cast<std::size_t>(k)][axis];
      }
      for (int j = 0; j < c.columns; ++j)
        d(at + k, at + j) = c.diagonal[static_cast<std::size_t>(c.columns * k + j)];
    }
  }
  return w.transpose() * matrix * v + d;
}

/// A right-hand side that pushes the parts as wholes and stretches them, 0 where nothing is left of a vertex.
VectorArray push_of(const StiffParts& parts, const std::vector<VertexConstraint>& constraints) {
  VectorArray rhs = random_vectors(parts.rest.size(), 41);
  for (Vec3& row : rhs) row += Vec3{0.4, -0.2, 0.1};
  for (const VertexConstraint& c : constraints)
    for (int k = c.columns; k < 3; ++k) rhs[static_cast<std::size_t>(c.vertex)][k] = 0.0;
  return rhs;
}

std::vector<std::vector<VertexConstraint>> constraint_cases(const StiffParts& parts) {
  return {{}, {pin(0), pin(40)}, on_floor(parts, 0.0), on_floor(parts, 0.4)};
}

TEST(Deflation, SolvesWhatFloat32Loses) {
  const StiffParts parts;
  for (const auto& constraints : constraint_cases(parts))
    for (const bool are_coupled : {false, true}) {
      Solver solver(parts.matrix, 2);
      solver.system.set_constraints(constraints);
      const Eigen::MatrixXd a = reduced(parts.matrix, constraints);
      const VectorArray rhs = push_of(parts, constraints);
      VectorArray solution(rhs.size()), transposed(rhs.size());
      const SolveOptions options{.tolerance = 1e-6};
      EXPECT_FALSE(solver.system.solve(rhs, options, solution).converged) << constraints.size();
      const SlowMotions motions = parts.motions(are_coupled);
      solver.system.set_slow_motions(&motions);
      const SolveReport report = solver.system.solve(rhs, options, solution);
      const SolveReport other = solver.system.solve_transposed(rhs, options, transposed);
      EXPECT_TRUE(report.converged) << constraints.size() << ": " << report.residual;
      EXPECT_TRUE(other.converged) << constraints.size() << ": " << other.residual;
      const Eigen::VectorXd expected = a.fullPivLu().solve(dense(rhs)),
                            expected_other = a.transpose().fullPivLu().solve(dense(rhs));
      EXPECT_LE((dense(solution) - expected).norm(), 3e-6 * expected.norm()) << constraints.size();
      EXPECT_LE((dense(transposed) - expected_other).norm(), 3e-6 * expected_other.norm())
          << constraints.size();
    }
}

/// Parts that a spring as stiff as theirs joins have each other's motions, too.
TEST(Deflation, SolvesPartsThatTouchEachOther) {
  StiffParts parts;
  parts.add(parts.matrix, 20, StiffParts::each);
  Solver solver(parts.matrix, 1);
  const SlowMotions motions = parts.motions(true);
  solver.system.set_slow_motions(&motions);
  const VectorArray rhs = push_of(parts, {});
  VectorArray solution(rhs.size());
  const SolveReport report = solver.system.solve(rhs, {.tolerance = 1e-6}, solution);
  EXPECT_TRUE(report.converged) << report.residual;
  const Eigen::VectorXd expected = parts.matrix.fullPivLu().solve(dense(rhs));
  EXPECT_LE((dense(solution) - expected).norm(), 3e-6 * expected.norm());
}

/// One part's motions alone, beside another part that it touches: the group has the rows of both.
TEST(Deflation, SolvesForAPartThatTouchesOneWithoutMotions) {
  StiffParts parts;
  parts.add(parts.matrix, 20, StiffParts::each);
  SlowMotions motions = parts.motions(true);
  motions.motions.resize(6);
  Solver solver(parts.matrix, 1);
  solver.system.set_slow_motions(&motions);
  const VectorArray rhs = push_of(parts, {});
  VectorArray solution(rhs.size());
  const SolveReport report = solver.system.solve(rhs, {.tolerance = 1e-3}, solution);
  const Eigen::VectorXd left = dense(rhs) - parts.matrix * dense(solution);
  EXPECT_NEAR(left.norm() / dense(rhs).norm(), report.residual, 1e-6);
}

TEST(Deflation, IsBitwiseTheSameForAnyThreads) {
  const StiffParts parts;
  const auto constraints = on_floor(parts, 0.4);
  const SlowMotions motions = parts.motions(false);
  const VectorArray rhs = push_of(parts, constraints);
  VectorArray first;
  for (const int count : {1, 2, 3}) {
    Solver solver(parts.matrix, count);
    solver.system.set_constraints(constraints);
    solver.system.set_slow_motions(&motions);
    VectorArray solution(rhs.size());
    solver.system.solve(rhs, {.tolerance = 1e-6}, solution);
    if (first.empty()) first = solution;
    EXPECT_EQ(solution, first) << count;
  }
}

/// Newton's method needs to know, because a step along such a motion goes uphill.
TEST(Deflation, TellsOfSlowMotionsOfNegativeCurvature) {
  const StiffParts parts;
  const Eigen::MatrixXd matrix =
      parts.matrix - 3.0 * Eigen::MatrixXd::Identity(parts.matrix.rows(), parts.matrix.cols());
  Solver solver(matrix, 1);
  const SlowMotions motions = parts.motions(false);
  solver.system.set_slow_motions(&motions);
  const VectorArray rhs = push_of(parts, {});
  VectorArray solution(rhs.size());
  const SolveReport newton =
      solver.system.solve(rhs, {.tolerance = 0.1, .stop_at_negative_curvature = true}, solution);
  EXPECT_TRUE(newton.negative_curvature);
  EXPECT_GT(dense(rhs).dot(dense(solution)), 0.0);
  const SolveReport solved = solver.system.solve(rhs, {.tolerance = 1e-6}, solution);
  EXPECT_TRUE(solved.converged) << solved.residual;
}

}  // namespace
}  // namespace electret::test
