/// The test of acceptance against its rule, written out.

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include <field/kernel_test.hpp>

#include <electret/field/fmm/passes/acceptance.hpp>
#include <electret/field/fmm/passes/candidates.hpp>

namespace electret::fmm {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Balls side by side, more than one call reads.
struct Balls {
  static constexpr std::size_t count = 64;
  std::array<std::array<double, count>, 5> row{};

  [[nodiscard]] CellBall at(std::size_t i) const {
    return {row[0][i], row[1][i], row[2][i], row[3][i], row[4][i]};
  }
  [[nodiscard]] BallBlock from(std::size_t first) const {
    BallBlock block;
    for (std::size_t l = 0; l < ball_lanes; ++l) {
      const CellBall ball = at(first + l);
      block.x[l] = ball.x, block.y[l] = ball.y, block.z[l] = ball.z;
      block.radius[l] = ball.radius, block.leaf_points[l] = ball.leaf_points;
    }
    return block;
  }
};

/// Balls of all sizes: some meet, some share a centre, some are points, some leaves of few points.
Balls random_balls(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Balls balls;
  for (std::size_t i = 0; i < Balls::count; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) balls.row[axis][i] = 2.0 * unit(random) - 1.0;
    balls.row[3][i] = i % 7 == 0 ? 0.0 : std::pow(10.0, -4.0 * unit(random));
    balls.row[4][i] = i % 3 == 0 ? std::floor(1.0 + 100.0 * unit(random)) : infinite;
    if (i % 11 == 10)
      for (std::size_t axis = 0; axis < 3; ++axis) balls.row[axis][i] = balls.row[axis][i - 1];
  }
  return balls;
}

/// The rule as it stands in acceptance.hpp, up to a bin of u².
struct Rule {
  Plan plan;
  double closest_squared;

  [[nodiscard]] double reach(int order) const {
    return std::min(0.95, std::pow(plan.tolerance / 0.025, 1.0 / order) / 0.61);
  }
  [[nodiscard]] int order(double u_squared) const {
    if (!(u_squared < reach(plan.order) * reach(plan.order))) return 0;
    int p = 1;
    while (p < plan.order && reach(p) * reach(p) < u_squared) ++p;
    return p;
  }
};

/// Of cells that are not far the one that is no leaf is cut, or the larger one; leaves are near.
Verdict otherwise(const Balls& balls, std::size_t target, std::size_t source) {
  if (balls.row[4][source] < infinite) return near_or_cut_target;
  if (balls.row[4][target] < infinite || balls.row[3][source] > balls.row[3][target]) return cut_source;
  return balls.row[3][source] == balls.row[3][target] ? cut_either : near_or_cut_target;
}

/// 0: not far.
int order_of(unsigned char verdict) {
  return verdict <= max_order ? verdict : 0;
}

class AcceptanceKernel : public KernelTest {
 protected:
  [[nodiscard]] std::array<unsigned char, ball_lanes> verdicts(const Acceptance& acceptance,
                                                               const Balls& balls, std::size_t target,
                                                               std::size_t first,
                                                               double closest_squared) const {
    std::array<unsigned char, ball_lanes> found{};
    const BallBlock sources = balls.from(first);
    kernels<float>().accept({balls.at(target), &sources, closest_squared, acceptance.tables(), found.data()});
    return found;
  }
};

TEST_P(AcceptanceKernel, FollowsTheRule) {
  std::array<int, verdict_count> seen{};
  for (const double closest : {0.0, 0.3})
    for (const Plan plan : {Plan{1.4e-3, 4, 40, false}, Plan{2.6e-10, 16, 80, false}}) {
      const Acceptance acceptance(plan);
      const Rule rule{plan, closest * closest};
      const Balls balls = random_balls(static_cast<unsigned>(plan.order));
      for (std::size_t t = 0; t < Balls::count; ++t)
        for (std::size_t first = 0; first + ball_lanes <= Balls::count; first += 3) {
          const auto found = verdicts(acceptance, balls, t, first, rule.closest_squared);
          for (std::size_t l = 0; l < ball_lanes; ++l) {
            const std::size_t s = first + l;
            double square = 0.0;
            for (std::size_t axis = 0; axis < 3; ++axis)
              square += std::pow(balls.row[axis][t] - balls.row[axis][s], 2);
            const double u = (balls.row[3][t] + balls.row[3][s]) / std::sqrt(square);
            const int order = square > rule.closest_squared ? rule.order(u * u) : 0;
            ++seen[found[l]];
            const bool none = found[l] == near_or_cut_target || found[l] > max_order;
            if (none) {
              EXPECT_EQ(found[l], otherwise(balls, t, s)) << t << ' ' << s;
            }
            if (none && order > 0) {
              // A pair of cells is worth fewer than 20 (p + 1)² pairs of points, of its bin's order.
              EXPECT_LE(balls.row[4][t] * balls.row[4][s], 20.0 * std::pow(order + 2, 2)) << t << ' ' << s;
            } else if (!none) {
              // Within a bin the order of its end is taken.
              EXPECT_GE(found[l], order) << t << ' ' << s;
              EXPECT_LE(found[l], std::max(order, rule.order(u * u + 1.0 / 1024))) << t << ' ' << s;
            }
          }
        }
    }
  for (const int order : {0, 2, 3, 4, 8, 12, 16, int{cut_source}, int{cut_either}})
    EXPECT_GT(seen[static_cast<std::size_t>(order)], 0) << order;
}

TEST_P(AcceptanceKernel, AsksPairByPairOfSmallLeavesAlone) {
  const Acceptance acceptance(Plan{1.4e-3, 4, 40, false});
  Balls balls;
  balls.row[3].fill(0.1), balls.row[4].fill(3.0);
  balls.row[0][1] = balls.row[0][2] = balls.row[0][3] = 1.0;
  balls.row[4][2] = infinite, balls.row[4][3] = 400.0;
  const auto found = verdicts(acceptance, balls, 0, 0, 0.0);
  EXPECT_EQ(found[1], near_or_cut_target);
  EXPECT_EQ(found[2], 2);
  EXPECT_EQ(found[3], 2);
}

TEST_P(AcceptanceKernel, IsSymmetric) {
  const Acceptance acceptance(Plan{1e-5, 8, 48, false});
  const Balls balls = random_balls(5);
  for (std::size_t a = 0; a + ball_lanes <= Balls::count; ++a)
    for (std::size_t b = 0; b + ball_lanes <= Balls::count; ++b)
      EXPECT_EQ(order_of(verdicts(acceptance, balls, a, b, 0.0)[0]),
                order_of(verdicts(acceptance, balls, b, a, 0.0)[0]));
}

TEST_P(AcceptanceKernel, HasTheSameBitsAsPortableCode) {
  const Acceptance acceptance(Plan{1e-5, 8, 48, false});
  const Balls balls = random_balls(6);
  for (std::size_t a = 0; a < Balls::count; ++a)
    for (std::size_t b = 0; b + ball_lanes <= Balls::count; ++b) {
      std::array<unsigned char, ball_lanes> expected{};
      const BallBlock sources = balls.from(b);
      portable_kernels().float64.accept({balls.at(a), &sources, 0.01, acceptance.tables(), expected.data()});
      EXPECT_EQ(verdicts(acceptance, balls, a, b, 0.01), expected);
    }
}

/// Beyond the bound as without softening; within it the order of the rule's bin for √(R² + ε²), a 64th of
/// the tolerance, and one more; never a pair that is not apart.
TEST_P(AcceptanceKernel, SoftensPairsCloseBy) {
  std::array<int, verdict_count> seen{};
  for (const Plan plan : {Plan{1.4e-3, 4, 40, false}, Plan{2.6e-10, 16, 80, false}})
    for (const double softening : {0.0, 0.2, 5.0}) {
      const Acceptance acceptance(plan);
      const Rule soft{{plan.tolerance / 64.0, acceptance.highest_taylor_order(), 40, false}, 0.0};
      const Balls balls = random_balls(static_cast<unsigned>(plan.order));
      const double bound = 1.0;
      for (std::size_t t = 0; t < Balls::count; ++t)
        for (std::size_t first = 0; first + ball_lanes <= Balls::count; first += ball_lanes) {
          const auto hard = verdicts(acceptance, balls, t, first, 0.0);
          std::array<unsigned char, ball_lanes> found{};
          const BallBlock sources = balls.from(first);
          kernels<float>().accept_softened({balls.at(t), &sources, 0.0, acceptance.tables(), found.data(),
                                            bound * bound, softening * softening});
          for (std::size_t l = 0; l < ball_lanes; ++l) {
            const std::size_t s = first + l;
            double square = 0.0;
            for (std::size_t axis = 0; axis < 3; ++axis)
              square += std::pow(balls.row[axis][t] - balls.row[axis][s], 2);
            ++seen[found[l]];
            if (square >= bound * bound) {
              EXPECT_EQ(found[l], hard[l]) << t << ' ' << s;
              continue;
            }
            if (found[l] <= before_taylor) {
              EXPECT_EQ(found[l], otherwise(balls, t, s)) << t << ' ' << s;
              continue;
            }
            const double reach = balls.row[3][t] + balls.row[3][s];
            EXPECT_LE(reach, 0.95 * std::sqrt(square)) << t << ' ' << s;
            const double u_squared = reach * reach / (square + softening * softening);
            const int p = found[l] - before_taylor;
            EXPECT_GE(p, soft.order(u_squared) + 1) << t << ' ' << s;
            EXPECT_LE(p, soft.order(u_squared + 1.0 / 1024) + 1) << t << ' ' << s;
          }
        }
    }
  for (const int p : {3, 5, 8, 12}) EXPECT_GT(seen[taylor_verdict(p)], 0) << p;
}

TEST(FmmCandidates, KeepWhatIsAdded) {
  Candidates list, copy;
  for (const int count : {1, 8, 17, 9, 0, 24}) {
    list.clear();
    for (int i = 0; i < count; ++i) {
      Cell cell;
      cell.centre = {0.5 * i, 1.0 * i, 2.0 * i};
      cell.radius = 0.1 * i;
      cell.end = i + 1;
      cell.child_count = i % 2;
      list.add(100 + i, cell);
    }
    copy.assign(list);
    for (const Candidates* each : {&list, &copy}) {
      ASSERT_EQ(each->count(), count);
      for (int i = 0; i < count; ++i) {
        const auto& block = each->block(i / ball_lanes);
        const int l = i % ball_lanes;
        EXPECT_EQ(block.cell[l], 100 + i);
        EXPECT_EQ(block.balls.x[l], 0.5 * i);
        EXPECT_EQ(block.balls.y[l], 1.0 * i);
        EXPECT_EQ(block.balls.z[l], 2.0 * i);
        EXPECT_EQ(block.balls.radius[l], 0.1 * i);
        EXPECT_EQ(block.balls.leaf_points[l], i % 2 ? infinite : i + 1.0);
      }
    }
  }
}

ELECTRET_FOR_INSTRUCTION_SETS(AcceptanceKernel);

}  // namespace
}  // namespace electret::fmm
