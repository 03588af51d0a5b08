// The law at one vertex: its parts against the conditions they stand for, its derivatives against
// differences, and its elimination against dense solves, forwards and transposed.

#include <Eigen/Dense>
#include <functional>

#include <gtest/gtest.h>

#include <electret/contact/coulomb_law.hpp>
#include <electret/core/transverse.hpp>

#include "support/random.hpp"

namespace electret::test {
namespace {

/// A vertex near a sphere whose parameters may be moved, in a state that `push` and `pull` choose.
struct NearSphere {
  Vec3 place, start, centre, force;
  double radius = 0.7, scale = 3.0, friction = 0.6, shift = 0.0;
  Vec3 tilt;  ///< Added to n, for ∂C/∂n.

  [[nodiscard]] ContactPoint point() const {
    const Vec3 from = place - centre;
    const double length = norm(from);
    ContactPoint p;
    p.force = force;
    p.slide = place - start;
    p.distance = length - radius + shift;
    p.normal = (1.0 / length) * from;
    p.curvature = (1.0 / length) * (Mat3::identity() + (-1.0) * outer(p.normal, p.normal));
    p.normal += tilt;
    p.scale = scale;
    p.friction = friction;
    return p;
  }
};

/// A vertex that presses with 2 and is pulled sideways by `pull` times the largest friction.
NearSphere pressed(unsigned seed, double pull) {
  Random random(seed);
  NearSphere s;
  s.centre = random.in_cube(0.3);
  const Vec3 direction = Vec3{0.5, 0.3, 1.0} + random.in_cube(0.4);
  const Vec3 n = (1.0 / norm(direction)) * direction;
  s.place = s.centre + (s.radius - 0.01) * n;
  s.start = s.place + random.in_cube(0.02);
  const Vec3 any = transverse(n, random.in_cube(1.0));
  const Vec3 side = (1.0 / norm(any)) * any;
  const double pressure = 2.0 + s.scale * 0.01;
  s.force = 2.0 * n + s.scale * transverse(n, s.place - s.start) + (pull * s.friction * pressure) * side;
  return s;
}

Mat3 differences(const std::function<Vec3(const Vec3&)>& value) {
  constexpr double step = 1e-6;
  Mat3 columns;
  for (int j = 0; j < 3; ++j) {
    Vec3 by;
    by[j] = step;
    columns.rows[static_cast<std::size_t>(j)] = (0.5 / step) * (value(by) - value(-by));
  }
  return {{Vec3{columns.rows[0].x, columns.rows[1].x, columns.rows[2].x},
           Vec3{columns.rows[0].y, columns.rows[1].y, columns.rows[2].y},
           Vec3{columns.rows[0].z, columns.rows[1].z, columns.rows[2].z}}};
}

void expect_near(const Mat3& a, const Mat3& b, const char* what) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(norm(a.rows[i] - b.rows[i]), 2e-8) << what << ", row " << i;
}

Vec3 value_of(const NearSphere& s) {
  return contact_residual(s.point()).value;
}

/// Every derivative of `at` against differences that stay in its state.
void expect_derivatives(const NearSphere& at, ContactState state) {
  const ContactPoint point = at.point();
  const ContactResidual residual = contact_residual(point);
  ASSERT_EQ(residual.state, state);
  const ContactJacobian by = contact_jacobian(point, residual);
  const auto moved = [&](Vec3 NearSphere::*member) {
    return differences([&, member](const Vec3& d) {
      NearSphere s = at;
      s.*member += d;
      return value_of(s);
    });
  };
  const auto scalar = [&](double NearSphere::*member) {
    constexpr double step = 1e-6;
    NearSphere up = at, down = at;
    up.*member += step;
    down.*member -= step;
    return (0.5 / step) * (value_of(up) - value_of(down));
  };
  expect_near(by.by_force, moved(&NearSphere::force), "by force");
  expect_near(by.by_place, moved(&NearSphere::place), "by place");
  expect_near(by.by_start, moved(&NearSphere::start), "by start");
  expect_near(by.by_normal, moved(&NearSphere::tilt), "by normal");
  EXPECT_LT(norm(by.by_friction - scalar(&NearSphere::friction)), 2e-8);
  EXPECT_LT(norm(by.by_distance - scalar(&NearSphere::shift)), 2e-8);
}

TEST(CoulombLaw, DerivativesOfStickingAreThoseOfDifferences) {
  for (unsigned seed = 0; seed < 10; ++seed) expect_derivatives(pressed(seed, 0.5), ContactState::stick);
}

TEST(CoulombLaw, DerivativesOfSlippingAreThoseOfDifferences) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    expect_derivatives(pressed(seed, 1.3), ContactState::slip);
    expect_derivatives(pressed(seed, 5.0), ContactState::slip);
    NearSphere smooth = pressed(seed, 1.3);
    smooth.friction = 0.0;
    const ContactPoint point = smooth.point();
    const ContactResidual residual = contact_residual(point);
    ASSERT_EQ(residual.state, ContactState::slip);
    NearSphere moved = smooth;
    moved.place += Vec3{1e-6, 2e-6, -1e-6};
    EXPECT_LT(norm(value_of(moved) - residual.value -
                   contact_jacobian(point, residual).by_place * Vec3{1e-6, 2e-6, -1e-6}),
              1e-10);
  }
}

TEST(CoulombLaw, AVertexThatIsNotPressedFeelsNothing) {
  NearSphere s = pressed(1, 0.5);
  s.force = -1.0 * s.force;
  const ContactResidual at = contact_residual(s.point());
  EXPECT_EQ(at.state, ContactState::free);
  EXPECT_EQ(at.value, s.force);
}

TEST(CoulombLaw, SolutionsAreSignorinisAndCoulombsConditions) {
  // On the plane z = 0, with C = 0 in each state.
  ContactPoint p;
  p.normal = {0, 0, 1};
  p.scale = 3.0;
  p.friction = 0.5;
  p.force = {0.9, 0.0, 2.0};  // friction 0.9 of at most 1.0, no sliding
  EXPECT_EQ(contact_residual(p).state, ContactState::stick);
  EXPECT_LT(norm(contact_residual(p).value), 1e-15);
  p.force = {1.0, 0.0, 2.0};  // the largest friction, against a slide to -x
  p.slide = {-0.2, 0.0, 0.0};
  EXPECT_EQ(contact_residual(p).state, ContactState::slip);
  EXPECT_LT(norm(contact_residual(p).value), 1e-15);
  p.slide = {0.2, 0.0, 0.0};  // friction that pushes along is no solution
  EXPECT_GT(norm(contact_residual(p).value), 0.1);
  p.force = {0.0, 0.0, 2.0};  // no friction while it slides is none either
  EXPECT_GT(norm(contact_residual(p).value), 0.1);
  p.friction = 0.0;
  EXPECT_LT(norm(contact_residual(p).value), 1e-15);
  p.sticks = true;
  EXPECT_EQ(contact_residual(p).state, ContactState::stick);
}

TEST(CoulombLaw, AtRestWithoutFrictionItSlips) {
  ContactPoint p;
  p.normal = {0, 0, 1};
  p.scale = 1.0;
  p.force = {0.0, 0.0, 2.0};
  const ContactResidual at = contact_residual(p);
  EXPECT_EQ(at.state, ContactState::slip);
  const ReducedContact reduced = reduce_contact(0, p, at, contact_jacobian(p, at));
  EXPECT_EQ(reduced.constraint.trial, reduced.constraint.test);
  EXPECT_EQ(reduced.constraint.diagonal, (std::array<double, 9>{}));
}

// ---- elimination
// -------------------------------------------------------------------------------------------------

/// Vertices 0, 1, 2, … with a random symmetric H, of which the first are in contact, as `pulls` say.
struct Problem {
  Eigen::MatrixXd hessian;
  std::vector<ContactPoint> points;
  std::vector<ContactResidual> residuals;
  std::vector<ContactJacobian> jacobians;
  std::vector<ReducedContact> reduced;
  Eigen::Index vertices = 5;

  Problem(unsigned seed, bool curved) {
    const std::vector<double> numbers = random_numbers(225, seed, -1.0, 1.0);
    const Eigen::Map<const Eigen::MatrixXd> any(numbers.data(), 15, 15);
    hessian = any * any.transpose() + 2.0 * Eigen::MatrixXd::Identity(15, 15);
    for (const double pull : {0.4, 1.2, 3.0}) {
      ContactPoint p = pressed(seed + static_cast<unsigned>(points.size()), pull).point();
      if (!curved) p.curvature = {};
      points.push_back(p);
      residuals.push_back(contact_residual(p));
      jacobians.push_back(contact_jacobian(p, residuals.back()));
      reduced.push_back(
          reduce_contact(static_cast<Index>(reduced.size()), p, residuals.back(), jacobians.back()));
    }
  }

  static Eigen::Matrix3d matrix(const Mat3& a) {
    Eigen::Matrix3d m;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m(i, j) = a.rows[static_cast<std::size_t>(i)][j];
    return m;
  }
  static Eigen::Vector3d vector(const Vec3& v) { return {v.x, v.y, v.z}; }
  static Vec3 vec3(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

  /// J: rows C_f·H + C_x at vertices in contact.
  [[nodiscard]] Eigen::MatrixXd dense() const {
    Eigen::MatrixXd j = hessian;
    for (Eigen::Index i = 0; i < 3; ++i) {
      const ContactJacobian& by = jacobians[static_cast<std::size_t>(i)];
      j.middleRows(3 * i, 3) = matrix(by.by_force) * hessian.middleRows(3 * i, 3);
      j.block(3 * i, 3 * i, 3, 3) += matrix(by.by_place);
    }
    return j;
  }

  /// The columns of V or W of all vertices, one block a vertex.
  [[nodiscard]] Eigen::MatrixXd basis(bool trial) const {
    std::vector<Eigen::VectorXd> columns;
    for (Eigen::Index i = 0; i < vertices; ++i) {
      const bool touches = i < 3;
      const VertexConstraint* c = touches ? &reduced[static_cast<std::size_t>(i)].constraint : nullptr;
      for (int k = 0; k < (touches ? c->columns : 3); ++k) {
        Eigen::VectorXd column = Eigen::VectorXd::Zero(15);
        if (touches)
          column.segment<3>(3 * i) = vector((trial ? c->trial : c->test)[static_cast<std::size_t>(k)]);
        else
          column[3 * i + k] = 1.0;
        columns.push_back(column);
      }
    }
    Eigen::MatrixXd all(15, static_cast<Eigen::Index>(columns.size()));
    for (std::size_t k = 0; k < columns.size(); ++k) all.col(static_cast<Eigen::Index>(k)) = columns[k];
    return all;
  }

  /// D and the reduced right-hand side without the share of prescribed displacements.
  void fill(Eigen::MatrixXd& d, Eigen::VectorXd& rhs, const Eigen::VectorXd& free_rhs) const {
    Eigen::Index at = 0;
    for (Eigen::Index i = 0; i < vertices; ++i) {
      if (i >= 3) {
        rhs.segment<3>(at) = free_rhs.segment<3>(3 * i);
        at += 3;
        continue;
      }
      const ReducedContact& r = reduced[static_cast<std::size_t>(i)];
      const int k = r.constraint.columns;
      for (int a = 0; a < k; ++a) {
        rhs[at + a] = r.right_hand_side[static_cast<std::size_t>(a)];
        for (int b = 0; b < k; ++b)
          d(at + a, at + b) = r.constraint.diagonal[static_cast<std::size_t>(a * k + b)];
      }
      at += k;
    }
  }
};

TEST(CoulombLaw, EliminationIsTheNewtonStep) {
  for (unsigned seed = 0; seed < 8; ++seed)
    for (const bool curved : {false, true}) {
      const Problem problem(seed, curved);
      const Eigen::VectorXd residual = [&] {
        const std::vector<double> numbers = random_numbers(15, seed + 50, -1.0, 1.0);
        Eigen::VectorXd r = Eigen::Map<const Eigen::VectorXd>(numbers.data(), 15);
        for (int i = 0; i < 3; ++i)
          r.segment<3>(3 * i) = Problem::vector(problem.residuals[static_cast<std::size_t>(i)].value);
        return r;
      }();
      const Eigen::VectorXd expected = problem.dense().partialPivLu().solve(-residual);
      const Eigen::MatrixXd v = problem.basis(true), w = problem.basis(false);
      Eigen::MatrixXd d = Eigen::MatrixXd::Zero(v.cols(), v.cols());
      Eigen::VectorXd rhs(v.cols()), prescribed = Eigen::VectorXd::Zero(15);
      problem.fill(d, rhs, -residual);
      for (int i = 0; i < 3; ++i)
        prescribed.segment<3>(3 * i) =
            Problem::vector(problem.reduced[static_cast<std::size_t>(i)].prescribed);
      rhs -= w.transpose() * problem.hessian * prescribed;
      const Eigen::VectorXd xi = (w.transpose() * problem.hessian * v + d).partialPivLu().solve(rhs);
      EXPECT_LT((prescribed + v * xi - expected).norm(), 1e-9 * expected.norm()) << seed << curved;
    }
}

TEST(CoulombLaw, TransposedEliminationIsTheAdjoint) {
  for (unsigned seed = 0; seed < 8; ++seed)
    for (const bool curved : {false, true}) {
      const Problem problem(seed, curved);
      const std::vector<double> numbers = random_numbers(15, seed + 90, -1.0, 1.0);
      const Eigen::Map<const Eigen::VectorXd> b(numbers.data(), 15);
      const Eigen::VectorXd expected = problem.dense().transpose().partialPivLu().solve(b);
      const Eigen::MatrixXd v = problem.basis(true), w = problem.basis(false);
      Eigen::MatrixXd d = Eigen::MatrixXd::Zero(v.cols(), v.cols());
      Eigen::VectorXd unused(v.cols());
      problem.fill(d, unused, b);
      const Eigen::MatrixXd reduced = w.transpose() * problem.hessian * v + d;
      const Eigen::VectorXd z = w * reduced.transpose().partialPivLu().solve(v.transpose() * b);
      const Eigen::VectorXd remainder = b - problem.hessian * z;
      Eigen::VectorXd found = z;
      for (int i = 0; i < 3; ++i) {
        const auto k = static_cast<std::size_t>(i);
        found.segment<3>(3 * i) = Problem::vector(adjoint_of_contact(
            problem.points[k], problem.residuals[k], problem.jacobians[k], Problem::vec3(z.segment<3>(3 * i)),
            Problem::vec3(remainder.segment<3>(3 * i))));
      }
      EXPECT_LT((found - expected).norm(), 1e-9 * expected.norm()) << seed << curved;
    }
}

}  // namespace
}  // namespace electret::test
