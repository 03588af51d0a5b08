/// The four particles of [IE]: three springs between 1, 2 and 3; 4 is free. All under gravity.

#include <Eigen/Dense>
#include <cmath>

#include <gtest/gtest.h>

#include <electret/dynamics/stage/clamped_system.hpp>

#include "dynamics/networks.hpp"

namespace electret::test {
namespace {

constexpr double h = 0.1;

Assembly four_particles(double rest_length_scale = 0.8) {
  Assembly assembly =
      loose_vertices({{0, 0, 0}, {1, 0.2, 0}, {0.3, 1, 0.4}, {2, 2, 2}}, h, "linear_implicit");
  assembly.masses = {1.0, 2.0, 0.5, 3.0};
  assembly.initial_velocities = {{0.1, 0, 0}, {0, -0.3, 0.2}, {0.5, 0.1, 0}, {0, 0, 1}};
  assembly.scene.gravity = Vec3{0, 0, -9.81};
  // Stiffness in [IE] is k/L: its spring 1 joins 1 and 2, 2 joins 2 and 3, 3 joins 1 and 3.
  const std::pair<Index, Index> ends[] = {{0, 1}, {1, 2}, {0, 2}};
  const double k[] = {40.0, 25.0, 60.0};
  for (std::size_t s = 0; s < 3; ++s) {
    const auto [i, j] = ends[s];
    const double length = norm(assembly.initial_positions[static_cast<std::size_t>(i)] -
                               assembly.initial_positions[static_cast<std::size_t>(j)]);
    const double rest = rest_length_scale * length;
    assembly.springs.push_back({i, j, k[s] / rest, rest});
  }
  return assembly;
}

Eigen::Vector3d eigen(const Vec3& a) {
  return {a.x, a.y, a.z};
}

/// S_s of [IE] eq. 28: (k/L) (-I + (L/|d|)(I - d dᵀ/|d|²)), d from one end to the other.
Eigen::Matrix3d jacobian(const Assembly& assembly, std::size_t s) {
  const Spring& spring = assembly.springs[s];
  const Eigen::Vector3d d = eigen(assembly.initial_positions[static_cast<std::size_t>(spring.j)] -
                                  assembly.initial_positions[static_cast<std::size_t>(spring.i)]);
  const Eigen::Matrix3d identity = Eigen::Matrix3d::Identity();
  return spring.stiffness *
         (-identity + (spring.rest_length / d.norm()) * (identity - d * d.transpose() / d.squaredNorm()));
}

/// A = M - h²J with J as [IE] eq. 36 prints it.
Eigen::MatrixXd printed_matrix(const Assembly& assembly) {
  const Eigen::Matrix3d s1 = jacobian(assembly, 0), s2 = jacobian(assembly, 1), s3 = jacobian(assembly, 2),
                        zero = Eigen::Matrix3d::Zero();
  Eigen::MatrixXd j(12, 12);
  j << s1 + s3, -s1, -s3, zero,  //
      -s1, s1 + s2, -s2, zero,   //
      -s3, -s2, s2 + s3, zero,   //
      zero, zero, zero, zero;
  Eigen::MatrixXd a = -h * h * j;
  for (Eigen::Index i = 0; i < 12; ++i) a(i, i) += assembly.masses[static_cast<std::size_t>(i / 3)];
  return a;
}

/// M v* + h F of [IE] eq. 12.
Eigen::VectorXd printed_right_hand_side(const Assembly& assembly) {
  Eigen::VectorXd rhs(12);
  for (std::size_t i = 0; i < 4; ++i)
    rhs.segment<3>(static_cast<Eigen::Index>(3 * i)) =
        assembly.masses[i] * (eigen(assembly.initial_velocities[i]) + h * eigen(*assembly.scene.gravity));
  for (const Spring& s : assembly.springs) {
    const Eigen::Vector3d d = eigen(assembly.initial_positions[static_cast<std::size_t>(s.j)] -
                                    assembly.initial_positions[static_cast<std::size_t>(s.i)]);
    const Eigen::Vector3d f = s.stiffness * (d - s.rest_length * d / d.norm());
    rhs.segment<3>(3 * s.i) += h * f;
    rhs.segment<3>(3 * s.j) -= h * f;
  }
  return rhs;
}

TEST(FourParticles, HaveThePrintedMatrix) {
  const Assembly assembly = four_particles();
  const auto system = compile(assembly, 1);
  ClampedSystem matrix(*system, h * h);
  matrix.linearise(assembly.initial_positions);
  const Eigen::MatrixXd printed = printed_matrix(assembly);
  for (Eigen::Index column = 0; column < 12; ++column) {
    VectorArray unit(4), product(4);
    unit[static_cast<std::size_t>(column / 3)][static_cast<int>(column % 3)] = 1.0;
    matrix.multiply(unit, product);
    for (Eigen::Index row = 0; row < 12; ++row)
      EXPECT_NEAR(product[static_cast<std::size_t>(row / 3)][static_cast<int>(row % 3)], printed(row, column),
                  1e-15)
          << row << ", " << column;
  }
}

/// [IE] eq. 41: v ← v + ω D⁻¹ (s - A v), one iteration after another, and where they end.
TEST(FourParticles, IterateAsPrintedToTheDirectSolution) {
  const Assembly assembly = four_particles();
  const auto system = compile(assembly, 1);
  const Eigen::MatrixXd a = printed_matrix(assembly);
  const Eigen::VectorXd s = printed_right_hand_side(assembly);
  VectorArray rhs(4), u = assembly.initial_velocities;
  Eigen::VectorXd v(12);
  for (Eigen::Index r = 0; r < 12; ++r) {
    const auto i = static_cast<std::size_t>(r / 3);
    rhs[i][static_cast<int>(r % 3)] = s[r];
    v[r] = assembly.initial_velocities[i][static_cast<int>(r % 3)];
  }
  ClampedSystem matrix(*system, h * h);
  matrix.linearise(assembly.initial_positions);
  const auto difference = [&](const Eigen::VectorXd& expected) {
    double largest = 0.0;
    for (Eigen::Index r = 0; r < 12; ++r)
      largest = std::max(largest,
                         std::abs(u[static_cast<std::size_t>(r / 3)][static_cast<int>(r % 3)] - expected[r]));
    return largest;
  };
  for (int iteration = 0; iteration < 20; ++iteration) {
    v += 0.3 * (s - a * v).cwiseQuotient(a.diagonal());
    EXPECT_EQ(matrix.solve_by_jacobi(rhs, 0.3, {0.0, rhs}, 1, u).iterations, 1);
    EXPECT_LE(difference(v), 1e-14) << iteration;
  }
  const Eigen::VectorXd direct = a.partialPivLu().solve(s);
  const ClampedSolve solved = matrix.solve_by_jacobi(rhs, 0.3, {1e-15, rhs}, 1000, u);
  EXPECT_TRUE(solved.converged);
  EXPECT_LE(difference(direct), 1e-12) << solved.iterations;
  u = assembly.initial_velocities;
  EXPECT_TRUE(matrix.solve_by_cg(rhs, {1e-15, rhs}, 1000, u).converged);
  EXPECT_LE(difference(direct), 1e-12);
}

State after_steps(Assembly assembly, const std::string& solver, double weight, Count steps,
                  StepReport* last = nullptr) {
  assembly.scene.integrator.linear_solver = solver;
  assembly.scene.integrator.jacobi_weight = weight;
  assembly.scene.integrator.tolerance = 1e-12;
  assembly.scene.integrator.max_iterations = 2000;
  Simulator run = simulator(std::move(assembly));
  for (Count k = 0; k < steps; ++k) {
    const StepReport report = run.step();
    EXPECT_FALSE(report.capped);
    EXPECT_LE(report.residual, 1.1 * report.residual_target + 1e-15);
    if (last != nullptr) *last = report;
  }
  return run.state();
}

/// Compressed springs make [IE]'s matrix indefinite; the clamped one is not.
TEST(LinearImplicit, StepsAlikeWithBothSolversOnCompressedSprings) {
  Assembly assembly = four_particles(3.0);
  for (Spring& spring : assembly.springs) spring.stiffness *= 10.0;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> values(printed_matrix(assembly));
  ASSERT_LT(values.eigenvalues().minCoeff(), -1.0);
  const State by_cg = after_steps(assembly, "cg", 0.3, 5),
              by_jacobi = after_steps(assembly, "jacobi", 0.3, 5);
  EXPECT_LE(largest_difference(by_cg.positions, by_jacobi.positions), 1e-10);
  EXPECT_LE(largest_difference(by_cg.velocities, by_jacobi.velocities), 1e-9);
}

/// A spring along (1, 1, 1): λ_max(D⁻¹A) = 4.8, so that ω = 0.5 grows.
TEST(LinearImplicit, FallsBackWhereTheWeightIsTooLarge) {
  Assembly assembly = loose_vertices({{0, 0, 0}, {1, 0, 0}}, h, "linear_implicit");
  assembly.springs = {{0, 1, 1e3, 1.0}};
  const double c = 1.0 / std::sqrt(3.0);
  assembly.initial_positions[1] = {c, c, c};
  assembly.initial_velocities = {{0.3, 0, 0}, {-0.3, 0.1, 0}};
  StepReport small, large;
  const State exact = after_steps(assembly, "cg", 0.3, 3);
  EXPECT_LE(largest_difference(after_steps(assembly, "jacobi", 0.3, 3, &small).positions, exact.positions),
            1e-9);
  EXPECT_LE(largest_difference(after_steps(assembly, "jacobi", 0.5, 3, &large).positions, exact.positions),
            1e-9);
  EXPECT_GT(large.elastic_iterations, 5);
}

TEST(LinearImplicit, TellsOfAStepThatDidNotConverge) {
  Assembly assembly = four_particles();
  assembly.scene.integrator.linear_solver = "jacobi";
  assembly.scene.integrator.tolerance = 1e-12;
  assembly.scene.integrator.max_iterations = 2;
  const StepReport report = simulator(std::move(assembly)).step();
  EXPECT_TRUE(report.capped);
  EXPECT_EQ(report.elastic_iterations, 2);
  EXPECT_GT(report.residual, report.residual_target);
}

}  // namespace
}  // namespace electret::test
