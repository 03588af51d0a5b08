#include <Eigen/Dense>
#include <random>

#include <gtest/gtest.h>

#include <electret/dynamics/stage/constant_hessian.hpp>
#include <electret/dynamics/stage/pair_history.hpp>

#include "dynamics/networks.hpp"
#include "support/random.hpp"

namespace electret::test {
namespace {

/// A history on the constant Hessian of a small network without pins, and random pairs for it.
class Pairs : public testing::Test {
 protected:
  Pairs() : system_(compile(random_network({}), 1)), hessian_(*system_, 0.01), history_(size()) {}

  [[nodiscard]] std::size_t size() const { return system_->masses().size(); }

  VectorArray random_vectors() { return test::random_vectors(size(), seed_++); }

  /// t = D s with a random positive diagonal D: positive curvature.
  VectorArray steeper(const VectorArray& s) {
    std::uniform_real_distribution<double> uniform(0.5, 2.0);
    VectorArray t(size());
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = uniform(random_) * s[i];
    return t;
  }

  void write(const VectorArray& s, const VectorArray& t) {
    std::copy(s.begin(), s.end(), history_.next_s().begin());
    std::copy(t.begin(), t.end(), history_.next_t().begin());
    history_.keep(*system_->threads);
  }

  VectorArray direction(const VectorArray& gradient) {
    VectorArray work(size()), result(size());
    history_.direction(*system_->threads, hessian_, gradient, work, result);
    return result;
  }

  /// -A⁻¹ gradient: the direction without any pair.
  VectorArray plain_direction(const VectorArray& gradient) {
    VectorArray result(size());
    hessian_.solve(gradient, result);
    for (Vec3& entry : result) entry = -entry;
    return result;
  }

  std::unique_ptr<System> system_;
  ConstantHessian hessian_;
  PairHistory history_;
  std::mt19937_64 random_{3};
  unsigned seed_ = 1;
};

Eigen::VectorXd flat(const VectorArray& vectors) {
  return Eigen::Map<const Eigen::VectorXd>(&vectors.front().x, 3 * static_cast<Eigen::Index>(vectors.size()));
}

VectorArray negated(VectorArray vectors) {
  for (Vec3& v : vectors) v = -v;
  return vectors;
}

/// The update of the inverse Hessian from its definition (Nocedal and Wright, eq. 6.17), in dense matrices,
/// by the last five of eight pairs.
TEST_F(Pairs, ModelTheInverseHessianOfBfgs) {
  const auto n = static_cast<Eigen::Index>(3 * size());
  Eigen::MatrixXd inverse(n, n);
  for (Eigen::Index column = 0; column < n; ++column) {
    VectorArray unit(size());
    unit[static_cast<std::size_t>(column / 3)][static_cast<int>(column % 3)] = -1.0;
    inverse.col(column) = flat(plain_direction(unit));
  }
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(n, n);
  for (std::size_t k = 0; k < 8; ++k) {
    const VectorArray s = random_vectors(), t = steeper(s);
    write(s, t);
    if (k + PairHistory::capacity < 8) continue;
    const Eigen::VectorXd a = flat(s), b = flat(t);
    const double rho = 1.0 / a.dot(b);
    inverse = (identity - rho * a * b.transpose()) * inverse * (identity - rho * b * a.transpose()) +
              rho * a * a.transpose();
  }
  const VectorArray gradient = random_vectors();
  const Eigen::VectorXd expected = -inverse * flat(gradient);
  EXPECT_LE((flat(direction(gradient)) - expected).norm(), 1e-12 * expected.norm());
}

TEST_F(Pairs, OfCurvatureThatIsNotSafelyPositiveAreNotKept) {
  const VectorArray s = random_vectors(), gradient = random_vectors();
  VectorArray across = s;  // sᵀt = 0 to rounding
  for (Vec3& v : across) v = {v.y, -v.x, 0.0};
  for (const VectorArray& t : {negated(s), across, VectorArray(size())}) {
    write(s, t);
    EXPECT_TRUE(history_.empty());
    EXPECT_EQ(direction(gradient), plain_direction(gradient));
  }
  const VectorArray good = random_vectors(), its_t = steeper(good);
  write(good, its_t);
  const VectorArray before = direction(gradient);
  write(s, negated(s));
  EXPECT_EQ(direction(gradient), before);
  EXPECT_LE(largest_difference(direction(its_t), negated(good)), 1e-12);  // the secant equation
}

TEST_F(Pairs, AreForgottenWhenCleared) {
  const VectorArray s = random_vectors(), gradient = random_vectors();
  write(s, steeper(s));
  EXPECT_FALSE(history_.empty());
  EXPECT_NE(direction(gradient), plain_direction(gradient));
  history_.clear();
  EXPECT_TRUE(history_.empty());
  EXPECT_EQ(direction(gradient), plain_direction(gradient));
}

}  // namespace
}  // namespace electret::test
