// Preconditioners that are made for the constraints of the systems to come.

#include <random>

#include <gtest/gtest.h>

#include <electret/dynamics/stage/expected_constraints.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/dynamics/stage/stage_preconditioners.hpp>

#include "dynamics/solids.hpp"
#include "support/random.hpp"

namespace electret::test {
namespace {

constexpr double factor = 0.1;  ///< s²: of forces so stiff that the masses hardly count.

VertexConstraint within(Index vertex, std::vector<Vec3> columns) {
  VertexConstraint constraint = pin(vertex);
  constraint.columns = static_cast<int>(columns.size());
  std::copy(columns.begin(), columns.end(), constraint.trial.begin());
  constraint.test = constraint.trial;
  return constraint;
}

/// The diagonal blocks of three vertices, row by row.
struct Blocks {
  float& operator()(Index vertex, int row, int column) {
    return numbers[static_cast<std::size_t>(9 * vertex + 3 * row + column)];
  }
  std::vector<float> numbers;
};

Vec3 product(Blocks& blocks, Index vertex, const Vec3& x) {
  Vec3 y;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) y[r] += static_cast<double>(blocks(vertex, r, c)) * x[c];
  return y;
}

TEST(ExpectedConstraints, StiffenWhatTheyHoldAlone) {
  // A plane whose basis is not orthonormal, a vertex that is held, one that moves freely.
  const Vec3 a{1.0, 2.0, -0.5}, b{0.3, -1.0, 2.0};
  const std::vector<VertexConstraint> constraints{
      within(0, {a, b}), within(1, {}), within(2, {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}})};
  Blocks before;
  for (const Vec3& v : random_vectors(9, 3))
    for (int k = 0; k < 3; ++k) before.numbers.push_back(static_cast<float>(v[k]));
  for (Index vertex = 0; vertex < 3; ++vertex) before(vertex, 1, 1) = 4.0F;
  Blocks after = before;
  ExpectedConstraints expected;
  EXPECT_TRUE(expected.is_empty());
  expected.set(constraints);
  expected.add(after);

  const auto change = [&](Index vertex, const Vec3& x) {
    return product(after, vertex, x) - product(before, vertex, x);
  };
  EXPECT_LE(norm(change(0, a)), 1e-5);
  EXPECT_LE(norm(change(0, b)), 1e-5);
  const Vec3 normal = cross(a, b);
  EXPECT_LE(norm(change(0, normal) - 16.0 * normal), 1e-5 * norm(normal)) << "four times the largest, 4";
  for (const Vec3& x : {a, b, normal}) EXPECT_LE(norm(change(1, x) - 16.0 * x), 1e-5 * norm(x));
  EXPECT_EQ(change(2, normal), Vec3{});

  std::vector<Padded32> x, y;
  for (const Vec3& v : random_vectors(3, 5)) x.push_back(padded32(v));
  for (Index vertex = 0; vertex < 3; ++vertex)
    y.push_back(padded32(product(after, vertex, unpadded(x[static_cast<std::size_t>(vertex)]))));
  expected.subtract(x, y);
  for (Index vertex = 0; vertex < 3; ++vertex) {
    const auto v = static_cast<std::size_t>(vertex);
    EXPECT_LE(norm(unpadded(y[v]) - product(before, vertex, unpadded(x[v]))), 2e-5);
  }
}

/// A block of 729 vertices, on a lattice or so far off it that multigrid has background grids. It rests on a
/// plane.
struct Block {
  explicit Block(bool is_lattice) {
    Assembly assembly = solid({.element = "hex", .cells = 8.0});
    if (!is_lattice) {
      const VectorArray shifts = random_vectors(assembly.rest_positions.size(), 5);
      for (std::size_t i = 0; i < shifts.size(); ++i) assembly.rest_positions[i] += 0.001 * shifts[i];
    }
    place = assembly.rest_positions;
    double lowest = place[0].z;
    for (const Vec3& x : place) lowest = std::min(lowest, x.z);
    for (std::size_t i = 0; i < place.size(); ++i)
      if (place[i].z < lowest + 0.003)
        on_plane.push_back(within(static_cast<Index>(i), {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}));
    system = compile(std::move(assembly), 2);
    rhs = random_vectors(place.size(), 9);
  }

  /// Krylov iterations of the system with `constraints`. Its solution is `solution`.
  int solve(StageHessian& hessian, const std::vector<VertexConstraint>& constraints) {
    VectorArray reduced = rhs;
    for (const VertexConstraint& c : constraints) reduced[static_cast<std::size_t>(c.vertex)].z = 0.0;
    solution.resize(rhs.size());
    SolveOptions options;
    options.tolerance = 1e-8;
    const SolveReport report = hessian.solve(reduced, constraints, options, solution);
    EXPECT_TRUE(report.converged) << report.residual;
    EXPECT_EQ(hessian.preconditioner(), "multigrid");
    hessian.expand(solution);
    return report.iterations;
  }

  /// ‖Vᵀ(rhs - H δ)‖/‖rhs‖ by the energies' own products.
  double residual(const std::vector<VertexConstraint>& constraints) {
    VectorArray left(rhs.size());
    for (const auto& energy : system->elastic) energy->linearise(place, HessianKind::exact, {});
    for (const auto& energy : system->elastic) energy->add_hessian_product(solution, left);
    for (std::size_t i = 0; i < left.size(); ++i)
      left[i] = rhs[i] - (system->masses()[i] * solution[i] + factor * left[i]);
    for (const VertexConstraint& c : constraints) {
      EXPECT_EQ(solution[static_cast<std::size_t>(c.vertex)].z, 0.0);
      left[static_cast<std::size_t>(c.vertex)].z = 0.0;
    }
    double squares = 0.0, size = 0.0;
    for (std::size_t i = 0; i < left.size(); ++i)
      squares += squared_norm(left[i]), size += squared_norm(rhs[i]);
    return std::sqrt(squares / size);
  }

  VectorArray place, rhs, solution;
  std::vector<VertexConstraint> on_plane;
  std::unique_ptr<System> system;
};

class PreconditionersThatExpect : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Grids, PreconditionersThatExpect, testing::Bool(),
                         [](const auto& at) { return at.param ? "Lattice" : "Background"; });

TEST_P(PreconditionersThatExpect, SaveIterations) {
  Block block(GetParam());
  ASSERT_EQ(lattice_of(*block.system).has_value(), GetParam());
  ASSERT_EQ(block.on_plane.size(), 81U);
  StageHessian hessian(*block.system, factor, PreconditionerPolicy::multigrid);
  VectorArray unused(block.place.size());
  hessian.begin_step();
  hessian.linearise(block.place);
  hessian.product(block.rhs, unused);  // H is needed before anything is known of constraints.
  const int unexpected = block.solve(hessian, block.on_plane);
  EXPECT_LE(block.residual(block.on_plane), 1e-7);

  hessian.linearise(block.place);
  const int expected = block.solve(hessian, block.on_plane);
  EXPECT_LE(block.residual(block.on_plane), 1e-7);
  EXPECT_LE(3 * expected, 2 * unexpected) << expected << " and " << unexpected;

  hessian.linearise(block.place);
  hessian.expect(block.on_plane);
  hessian.product(block.rhs, unused);
  EXPECT_EQ(block.solve(hessian, block.on_plane), expected);
}

/// Vertices leave the plane within a Newton step: the matrix that was made for all of them serves others.
TEST_P(PreconditionersThatExpect, ServeOtherConstraints) {
  Block block(GetParam());
  StageHessian hessian(*block.system, factor, PreconditionerPolicy::multigrid);
  hessian.begin_step();
  hessian.linearise(block.place);
  block.solve(hessian, block.on_plane);
  std::vector<VertexConstraint> half;
  for (std::size_t k = 0; k < block.on_plane.size(); k += 2) half.push_back(block.on_plane[k]);
  const int others = block.solve(hessian, half);
  EXPECT_LE(block.residual(half), 1e-7);
  hessian.linearise(block.place);
  const int expected = block.solve(hessian, half);
  EXPECT_LE(block.residual(half), 1e-7);
  EXPECT_LE(others, 5 * expected);
}

}  // namespace
}  // namespace electret::test
