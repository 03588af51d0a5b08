#include <cmath>

#include <electret/core/errors.hpp>
#include <electret/force/ball_contact.hpp>

#include "force/force_conformance.hpp"

namespace electret::test {
namespace {

/// Three balls that share out the vertices, the last vertex but for none.
std::vector<BallVertices> thirds(Index n) {
  return {{0, n / 3}, {n / 3, n / 3}, {2 * (n / 3), n - 2 * (n / 3)}};
}

ForceCase balls_case(const char* name, std::vector<double> stiffnesses, std::vector<double> frictions) {
  ForceCase c;
  c.name = name;
  c.tolerance = 1e-8;
  c.make = [=](Index n, Threads&, const Change& change) {
    BallContact law{1.1, stiffnesses, frictions};
    const auto by = [&](std::size_t parameter) { return change.parameter == parameter ? change.by : 0.0; };
    law.radius += by(0);
    law.stiffnesses[change.component] += by(1);
    law.frictions[change.component] += by(2);
    return make_ball_contact_force(law, thirds(n), n);
  };
  return c;
}

INSTANTIATE_TEST_SUITE_P(BallContact, ForceConformance,
                         testing::Values(balls_case("rubbing", {30.0, 50.0, 40.0}, {0.3, 0.5, 0.7}),
                                         balls_case("alike", {40.0, 40.0, 40.0}, {0.2, 0.2, 0.2})),
                         force_case_name);

struct Pair {
  VectorArray positions, velocities;
};

/// Two vertices each, about the centres.
Pair pair_at(const Vec3& a, const Vec3& b, const Vec3& velocity_a, const Vec3& velocity_b) {
  const Vec3 off{0.01, 0.02, -0.03};
  return {{a + off, a - off, b + off, b - off},
          {velocity_a + off, velocity_a - off, velocity_b + 2.0 * off, velocity_b - 2.0 * off}};
}

VectorArray force_of(const BallContact& law, const Pair& pair) {
  const std::vector<double> masses(4, 1.0);
  const Inputs inputs;
  VectorArray f(4);
  make_ball_contact_force(law, {{0, 2}, {2, 2}}, 4)
      ->add_force({pair.positions, pair.velocities, masses, inputs}, f);
  return f;
}

/// By hand: centres .06 m apart along (.6, .8, 0), r = .034 m, δ = .008 m; ball i slides along x.
TEST(BallContact, IsThePublishedForce) {
  const BallContact law{0.034, {50.0, 80.0}, {0.3, 0.5}};
  const Vec3 n{0.6, 0.8, 0.0}, across{-0.8, 0.6, 0.0};
  const Pair pair = pair_at({}, 0.06 * n, {1.0, 0.0, 0.0}, {});
  const VectorArray f = force_of(law, pair);
  // w·across < 0, so that t = across: on i it acts along across, against w.
  const Vec3 on_i = 50.0 * 0.008 * (-1.0 * n + 0.3 * across), on_j = 80.0 * 0.008 * (n - 0.5 * across);
  for (const std::size_t v : {0U, 1U}) EXPECT_LT(norm(f[v] - 0.5 * on_i), 1e-15);
  for (const std::size_t v : {2U, 3U}) EXPECT_LT(norm(f[v] - 0.5 * on_j), 1e-15);
  // The other way round.
  const VectorArray back = force_of(law, pair_at({}, 0.06 * n, {-1.0, 0.0, 0.0}, {}));
  EXPECT_LT(norm(back[0] - 0.5 * (50.0 * 0.008 * (-1.0 * n - 0.3 * across))), 1e-15);
  // Not sliding at all: as published, t = (n_y, -n_x, 0).
  const VectorArray still = force_of(law, pair_at({}, 0.06 * n, {}, {}));
  EXPECT_EQ(still, back);
}

/// Of balls with equal numbers; without friction, which acts beside the line of centres, the torques, too.
TEST(BallContact, BalancesMomentumOfEqualBalls) {
  const Pair pair = pair_at({0.3, 0.1, 0.2}, {0.33, 0.14, 0.21}, {1.0, 2.0, 0.5}, {-1.0, 0.3, 0.0});
  for (const double friction : {0.0, 0.4}) {
    const VectorArray f = force_of({0.034, {50.0, 50.0}, {friction, friction}}, pair);
    Vec3 sum, torque;
    for (std::size_t v = 0; v < f.size(); ++v) {
      sum += f[v];
      torque += cross(pair.positions[v], f[v]);
    }
    EXPECT_GT(norm(f), 0.1);
    EXPECT_LT(norm(sum), 1e-15);
    EXPECT_EQ(norm(torque) < 1e-15, friction == 0.0);
  }
}

TEST(BallContact, EndsWhereBallsPartAndWhereTheirCentresMeet) {
  const BallContact law{0.034, {50.0, 80.0}, {0.3, 0.5}};
  for (const double apart : {0.068, 0.07, 10.0, 0.0})
    EXPECT_EQ(force_of(law, pair_at({}, {apart, 0.0, 0.0}, {1.0, 2.0, 0.0}, {})), VectorArray(4)) << apart;
  EXPECT_NE(force_of(law, pair_at({}, {0.0679, 0.0, 0.0}, {1.0, 2.0, 0.0}, {})), VectorArray(4));
}

TEST(BallContact, RefusesBallsWithoutVerticesOrNumbers) {
  const auto make = [](const BallContact& law, std::vector<BallVertices> balls) {
    return make_ball_contact_force(law, std::move(balls), 4);
  };
  const BallContact law{1.0, {1.0, 1.0}, {0.0, 0.0}};
  EXPECT_NO_THROW(make(law, {{0, 2}, {2, 2}}));
  EXPECT_THROW(make(law, {{0, 2}, {2, 3}}), InternalError);
  EXPECT_THROW(make(law, {{0, 0}, {2, 2}}), InternalError);
  EXPECT_THROW(make(law, {{-1, 2}, {2, 2}}), InternalError);
  EXPECT_THROW(make(law, {{0, 2}}), InternalError);
  EXPECT_THROW(make({1.0, {1.0, 1.0}, {0.0}}, {{0, 2}, {2, 2}}), InternalError);
}

}  // namespace
}  // namespace electret::test
