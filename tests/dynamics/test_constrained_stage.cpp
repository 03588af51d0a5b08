// Systems of a stage with vertices that slide on planes, forward and transposed, against dense solves.

#include <Eigen/Dense>
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/stage/free_parts.hpp>
#include <electret/dynamics/stage/stage_hessian.hpp>
#include <electret/dynamics/stage/stage_preconditioners.hpp>

#include "dynamics/networks.hpp"
#include "dynamics/solids.hpp"
#include "support/allocation_counter.hpp"
#include "support/random.hpp"

namespace electret::test {
namespace {

constexpr double factor = 1e-3;  ///< s²: elements and masses both count.

Assembly springs() {
  NetworkOptions options;
  options.side = 6;
  options.coulomb = false;
  options.pins = true;
  return random_network(options);
}

/// A block of 216 vertices, of which four are held. Off the lattice its multigrid has background grids.
Assembly block(const std::string& element, bool is_lattice) {
  Assembly assembly = solid({.element = element, .cells = 5.0});
  add_pins(assembly, {0, 7, 100, 215});
  const VectorArray shifts = random_vectors(assembly.rest_positions.size(), 5);
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    if (!is_lattice) assembly.rest_positions[i] += 0.003 * shifts[i];
    assembly.initial_positions[i] = assembly.rest_positions[i] + 0.002 * shifts[shifts.size() - 1 - i];
  }
  return assembly;
}

Assembly body_of(const std::string& name) {
  if (name == "springs") return springs();
  return block(name.substr(0, 3), name.ends_with("lattice"));
}

/// About every fourth vertex slides on a plane of its own: V = T. If it slips with friction, W = T - μ n d̂ᵀ
/// and D = k (T - d̂ d̂ᵀ), with k up to very stiff.
std::vector<VertexConstraint> sliding(const System& system, bool with_friction) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<VertexConstraint> result;
  for (Index i = 0; i < system.vertex_count(); ++i) {
    const Vec3 up{uniform(random), uniform(random), uniform(random)};
    if (random() % 4 != 0 || std::binary_search(system.pins.begin(), system.pins.end(), i)) continue;
    const Vec3 n = (1.0 / norm(up)) * up;
    Vec3 t = cross(n, {0.3, -0.5, 0.8});
    t *= 1.0 / norm(t);
    VertexConstraint c = pin(i);
    c.columns = 2;
    c.trial = c.test = {t, cross(n, t), Vec3{}};
    const double angle = 3.0 * uniform(random), mu = 0.6;
    const double d[2] = {std::cos(angle), std::sin(angle)};
    if (with_friction)
      for (std::size_t a = 0; a < 2; ++a) {
        c.test[a] -= (mu * d[a]) * n;
        const double k = system.masses()[static_cast<std::size_t>(i)] * std::pow(10.0, 4.0 * uniform(random));
        for (std::size_t b = 0; b < 2; ++b) c.diagonal[2 * a + b] = k * ((a == b ? 1.0 : 0.0) - d[a] * d[b]);
      }
    result.push_back(c);
  }
  return result;
}

Eigen::VectorXd flat(VectorView x) {
  Eigen::VectorXd result(3 * static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int k = 0; k < 3; ++k) result(3 * static_cast<Eigen::Index>(i) + k) = x[i][k];
  return result;
}

/// M + a∇²E(x), by products of the energies with unit vectors.
Eigen::MatrixXd dense_hessian(System& system, VectorView x) {
  const std::size_t n = x.size();
  Eigen::MatrixXd h(3 * n, 3 * n);
  for (const auto& energy : system.elastic) energy->linearise(x, HessianKind::exact, {});
  for (std::size_t j = 0; j < n; ++j)
    for (int axis = 0; axis < 3; ++axis) {
      VectorArray d(n), product(n);
      d[j][axis] = 1.0;
      for (const auto& energy : system.elastic) energy->add_hessian_product(d, product);
      for (std::size_t i = 0; i < n; ++i) product[i] = system.masses()[i] * d[i] + factor * product[i];
      h.col(3 * static_cast<Eigen::Index>(j) + axis) = flat(product);
    }
  return h;
}

/// V, W and D of all vertices, with a 1 in D for each number that a constraint leaves out.
struct Bases {
  Bases(const System& system, const std::vector<VertexConstraint>& constraints)
      : v(Eigen::MatrixXd::Identity(3 * system.vertex_count(), 3 * system.vertex_count())), w(v), d(0.0 * v) {
    for (const Index i : system.pins) set(pin(i));
    for (const VertexConstraint& c : constraints) set(c);
  }
  void set(const VertexConstraint& c) {
    const Index at = 3 * c.vertex;
    v.block(at, at, 3, 3).setZero();
    w.block(at, at, 3, 3).setZero();
    for (Index k = 0; k < 3; ++k) {
      if (k >= c.columns) d(at + k, at + k) = 1.0;
      for (Index axis = 0; axis < 3 && k < c.columns; ++axis) {
        v(at + axis, at + k) = c.trial[static_cast<std::size_t>(k)][axis];
        w(at + axis, at + k) = c.test[static_cast<std::size_t>(k)][axis];
      }
      for (Index j = 0; j < c.columns && k < c.columns; ++j)
        d(at + k, at + j) = c.diagonal[static_cast<std::size_t>(c.columns * k + j)];
    }
  }
  /// `rhs` where there is an equation.
  [[nodiscard]] Eigen::VectorXd trimmed(Eigen::VectorXd rhs) const {
    for (Eigen::Index i = 0; i < rhs.size(); ++i)
      if (v.col(i).isZero(0.0)) rhs(i) = 0.0;
    return rhs;
  }
  Eigen::MatrixXd v, w, d;
};

struct Case {
  std::string body;
  PreconditionerPolicy policy;
};
void PrintTo(const Case& tried, std::ostream* out) {
  *out << tried.body << (tried.policy == PreconditionerPolicy::multigrid ? ", multigrid" : ", block-Jacobi");
}

class ConstrainedStage : public testing::TestWithParam<Case> {
 protected:
  ConstrainedStage()
      : system(compile(body_of(GetParam().body), 2)),
        x(system->assembly.initial_positions),
        rhs(random_vectors(x.size(), 23)) {}
  std::unique_ptr<System> system;
  VectorArray x, rhs;
};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const char* body : {"springs", "hex on a lattice", "tet on a lattice", "hex", "tet"})
    for (const auto policy : {PreconditionerPolicy::block_jacobi, PreconditionerPolicy::multigrid})
      result.push_back({body, policy});
  return result;
}
INSTANTIATE_TEST_SUITE_P(Bodies, ConstrainedStage, testing::ValuesIn(cases()));

TEST_P(ConstrainedStage, SolvesAsADenseMatrixDoesForwardAndTransposed) {
  ASSERT_EQ(lattice_of(*system).has_value(), GetParam().body.ends_with("lattice"));
  const Eigen::MatrixXd h = dense_hessian(*system, x);
  StageHessian hessian(*system, factor, GetParam().policy);
  hessian.begin_step();
  hessian.linearise(x);
  VectorArray before(x.size()), after(x.size());
  EXPECT_TRUE(hessian.solve(rhs, {.tolerance = 1e-10}, before).converged);
  for (const bool with_friction : {false, true}) {
    const auto constraints = sliding(*system, with_friction);
    ASSERT_GT(constraints.size(), 30U);
    const Bases bases(*system, constraints);
    const Eigen::MatrixXd a = bases.w.transpose() * h * bases.v + bases.d;
    const Eigen::PartialPivLU<Eigen::MatrixXd> dense(a), transposed(Eigen::MatrixXd(a.transpose()));
    const Eigen::VectorXd b = bases.trimmed(flat(rhs));
    const Eigen::VectorXd xi = dense.solve(b), omega = transposed.solve(b);

    VectorArray solution(x.size()), product(x.size());
    const SolveReport forward = hessian.solve(rhs, constraints, {.tolerance = 1e-11}, solution);
    EXPECT_TRUE(forward.converged) << forward.residual;
    EXPECT_EQ(forward.method, with_friction ? "gmres" : "cg");
    EXPECT_LE((flat(solution) - xi).norm(), 1e-8 * xi.norm()) << "friction " << with_friction;
    EXPECT_LE(forward.iterations, GetParam().policy == PreconditionerPolicy::multigrid ? 200 : 400);
    hessian.expand(solution);
    EXPECT_LE((flat(solution) - bases.v * xi).norm(), 1e-8 * xi.norm());
    hessian.product(solution, product);
    EXPECT_LE((flat(product) - h * bases.v * xi).norm(), 1e-7 * (h * bases.v * xi).norm());

    const SolveReport back = hessian.solve_transposed(rhs, constraints, {.tolerance = 1e-11}, solution);
    EXPECT_TRUE(back.converged) << back.residual;
    EXPECT_LE((flat(solution) - omega).norm(), 1e-8 * omega.norm()) << "friction " << with_friction;
    hessian.expand_transposed(solution);
    EXPECT_LE((flat(solution) - bases.w * omega).norm(), 1e-8 * omega.norm());
  }
  const bool is_multigrid = GetParam().policy == PreconditionerPolicy::multigrid;
  EXPECT_EQ(hessian.preconditioner(), is_multigrid ? "multigrid" : "block_jacobi");
  EXPECT_TRUE(hessian.solve(rhs, {.tolerance = 1e-10}, after).converged);
  EXPECT_EQ(before, after) << "constraints leave nothing behind";
}

TEST_P(ConstrainedStage, HasTheSameBitsForAnyNumberOfThreadsAndAllocatesNothing) {
  const auto constraints = sliding(*system, true);
  VectorArray first(x.size()), first_back(x.size());
  for (const int threads : {1, 2, 3}) {
    const auto of = compile(body_of(GetParam().body), threads);
    StageHessian hessian(*of, factor, GetParam().policy);
    hessian.begin_step();
    hessian.linearise(x);
    VectorArray forward(x.size()), back(x.size());
    hessian.solve(rhs, constraints, {}, forward);
    hessian.solve_transposed(rhs, constraints, {}, back);
    if (threads == 1) first = forward, first_back = back;
    EXPECT_EQ(forward, first) << threads << " threads";
    EXPECT_EQ(back, first_back) << threads << " threads";
    hessian.linearise(x);
    const AllocationCounter counter;
    hessian.solve(rhs, constraints, {}, forward);
    hessian.solve_transposed(rhs, constraints, {}, back);
    if (threads == 1) {
      EXPECT_EQ(counter.count(), 0);
    }
  }
}

TEST(StageHessian, RefusesAConstraintAtAPin) {
  const auto system = compile(springs(), 1);
  StageHessian hessian(*system, factor);
  hessian.begin_step();
  hessian.linearise(system->assembly.initial_positions);
  VectorArray rhs(system->assembly.masses.size()), z(rhs.size());
  EXPECT_THROW(hessian.solve(rhs, std::vector{pin(system->pins[0])}, {}, z), InternalError);
}

/// Two networks apart: the momentum of the one that nothing touches is conserved, the other's is not its own.
TEST(FreeParts, LeavesPartsAloneThatSomethingTouches) {
  Assembly assembly = random_network({.side = 4, .coulomb = false});
  const auto n = static_cast<Index>(assembly.masses.size());
  std::erase_if(assembly.springs, [&](const Spring& s) { return (s.i < n / 2) != (s.j < n / 2); });
  const auto system = compile(std::move(assembly), 1);
  FreeParts parts(*system);
  const auto size = static_cast<std::size_t>(n);
  const VectorArray x = random_vectors(size, 1), y = random_vectors(size, 2), given = random_vectors(size, 3);
  const auto momentum = [&](const VectorArray& direction, std::size_t begin, std::size_t end) {
    Vec3 sum;
    for (std::size_t i = begin; i < end; ++i) sum += system->masses()[i] * (x[i] + direction[i] - y[i]);
    return norm(sum);
  };
  VectorArray direction = given;
  parts.conserve_momentum(x, y, direction);
  EXPECT_LE(momentum(direction, 0, size / 2), 1e-12);
  EXPECT_LE(momentum(direction, size / 2, size), 1e-12);
  direction = given;
  VertexConstraint touch = pin(n - 1);
  touch.columns = 3;
  parts.conserve_momentum(x, y, direction, std::vector{touch});
  EXPECT_LE(momentum(direction, 0, size / 2), 1e-12);
  for (std::size_t i = size / 2; i < size; ++i) EXPECT_EQ(direction[i], given[i]);
}

/// A matrix beside the energies that makes a vertex' own block indefinite, as pairs may at one that an
/// obstacle holds: the step back has no other Hessian to take.
TEST(StageHessian, WhatCurvesDownwardsIsSolvedForWithAPreconditionerThatDoesNot) {
  const std::unique_ptr<System> system = compile(springs(), 1);
  const VectorArray x = system->assembly.initial_positions;
  const auto is_pin = [&](Index i) {
    return std::binary_search(system->pins.begin(), system->pins.end(), i);
  };
  Index vertex = 0;
  while (is_pin(vertex)) ++vertex;
  const Eigen::MatrixXd own = dense_hessian(*system, x).block(3 * vertex, 3 * vertex, 3, 3);
  const std::vector<StencilVertices> stencils{{vertex, no_vertex, no_vertex, no_vertex}};
  std::vector<StencilBlocks> blocks(1);
  StencilMatrix definite, downwards;
  definite.assemble(*system->threads, x.size(), stencils, blocks);
  blocks[0].at(0, 0).rows[2].z = -2.0 * own.trace();
  downwards.assemble(*system->threads, x.size(), stencils, blocks);

  StageHessian hessian(*system, factor, PreconditionerPolicy::block_jacobi);
  hessian.begin_step();
  VectorArray rhs = random_vectors(x.size(), 3), z = rhs, product(x.size());
  for (const Index i : system->pins) rhs[static_cast<std::size_t>(i)] = {};
  SolveOptions options;
  options.tolerance = 1e-10;
  hessian.add(&downwards);
  hessian.linearise(x);
  const SolveReport refused = hessian.solve_transposed(rhs, {}, options, z);
  EXPECT_TRUE(refused.bad_preconditioner);
  EXPECT_EQ(refused.residual, 1.0) << "what was not solved is no solution";
  EXPECT_EQ(z, VectorArray(x.size()));

  hessian.add(&downwards, [&] { return &definite; });
  hessian.linearise(x);
  EXPECT_TRUE(hessian.solve_transposed(rhs, {}, options, z).converged);
  hessian.product(z, product);
  for (const Index i : system->pins) product[static_cast<std::size_t>(i)] = {};
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT(norm(product[i] - rhs[i]), 1e-8) << i;
}

}  // namespace
}  // namespace electret::test
