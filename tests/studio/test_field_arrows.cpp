/// The electric field on a grid, of what is shown.

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/constants.hpp>
#include <electret/studio/session/field_arrows.hpp>

#include "studio/handled.hpp"

namespace electret::studio {
namespace {

using test::Handled;
using ::testing::HasSubstr;

constexpr double softening = 0.05;

/// A charged chain beside a point charge and a ball that moves, in a field that grows with time.
std::string scene_with_fields() {
  return R"([time]
step = 0.01
steps = 1000
[coulomb]
softening = 0.05
[[body]]
name = "chain"
generate = { shape = "chain", length = 1.0, vertices = 9 }
mass = 0.01
charges = [1e-7, 2e-7, -3e-7, 1e-7, 0.0, 1e-7, 5e-8, -2e-7, 1e-7]
  [[body.springs]]
  from = "edges"
  stiffness = 10.0
[[external_charge]]
charge = 1e-6
position = [2.0, 0.5, 0.0]
[[external_charge]]
charge = -2e-7
width = 0.01
times = [0.0, 1.0]
positions = [[-1.0, 0.0, 0.5], [-2.0, 0.0, 0.5]]
[[electric_field]]
expression = ["a*y", "200*t", "-5"]
constants = { a = 300.0 }
)";
}

AskField grid_about(const Vec3& corner) {
  return {7, corner, {0.3, 0.0, 0.0}, {0.0, 0.0, 0.4}, 4, 3};
}

Vec3 of_charge(const Vec3& from, double charge, const Vec3& at, double epsilon) {
  const Vec3 way = at - from;
  return (coulomb_constant * charge / std::pow(dot(way, way) + epsilon * epsilon, 1.5)) * way;
}

/// The sum in the plainest way. The ball is far away: as a point.
Vec3 expected_at(const Vec3& at, double time, const std::vector<Vec3>& positions,
                 const std::vector<double>& charges) {
  Vec3 sum{300.0 * at.y, 200.0 * time, -5.0};
  for (std::size_t i = 0; i < positions.size(); ++i)
    sum += of_charge(positions[i], charges[i], at, softening);
  sum += of_charge({2.0, 0.5, 0.0}, 1e-6, at, 0.0);
  return sum + of_charge({-1.0 - time, 0.0, 0.5}, -2e-7, at, 0.0);
}

class Fields : public Handled {
 public:
  using Handled::Handled;
  FieldValues field(const AskField& ask, int page = 1) {
    heard.events.clear();
    must(ask, page);
    while (heard.last<FieldValues>() == nullptr) machine->work();
    EXPECT_EQ(heard.events.back().first, page);
    return *heard.last<FieldValues>();
  }
  void expect_that_of(const FieldValues& found, const AskField& ask, double time,
                      const std::vector<Vec3>& positions) const {
    const ScalarView now = machine->live()->charges_now();
    const std::vector<double> charges(now.begin(), now.end());
    ASSERT_EQ(found.field->size(), 3U * 12U);
    for (int k = 0; k < 12; ++k) {
      const Vec3 at =
          ask.corner + static_cast<double>(k % 4) * ask.across + static_cast<double>(k / 4) * ask.along;
      const Vec3 e = expected_at(at, time, positions, charges);
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR((*found.field)[static_cast<std::size_t>(3 * k + axis)], e[axis], 2e-6 * norm(e)) << k;
    }
  }
};

TEST(StudioField, IsThatOfAllChargesAndFields) {
  Fields session(scene_with_fields());
  session.loaded();
  const AskField ask = grid_about({-0.6, 0.3, -0.4});
  const std::vector<Vec3> start = session.state().positions;
  session.expect_that_of(session.field(ask), ask, 0.0, start);
  session.step(10);
  const FieldValues later = session.field(ask);
  EXPECT_EQ(later.step, 10);
  EXPECT_EQ(later.number, 7U);
  session.expect_that_of(later, ask, 0.1, session.state().positions);
  // While the play head is dragged it is that of the step which is shown.
  session.must(Seek{0, true});
  const FieldValues before = session.field(ask, 2);
  EXPECT_EQ(before.step, 0);
  session.expect_that_of(before, ask, 0.0, start);
}

TEST(StudioField, HasWhatIsInTheHand) {
  Fields session(scene_with_fields());
  session.loaded();
  const AskField ask = grid_about({-0.6, 0.3, -0.4});
  const FieldValues without = session.field(ask);
  session.must(BallBegin{0, {0.0, 0.6, 0.0}, 4e-7, 0.02});
  session.step(1);
  const FieldValues with = session.field(ask);
  const Vec3 ball = of_charge({0.0, 0.6, 0.0}, 4e-7, ask.corner, 0.0);
  EXPECT_NEAR((*with.field)[1] - (*without.field)[1], ball.y, 0.01 * std::abs(ball.y));
}

/// There is no field exactly on a point charge: it is that of all others.
TEST(StudioField, IsFiniteOnAPointCharge) {
  Fields session(scene_with_fields());
  session.loaded();
  const AskField ask{1, {2.0, 0.5, 0.0}, {}, {}, 1, 1};
  const FieldValues found = session.field(ask);
  for (const float each : *found.field) EXPECT_TRUE(std::isfinite(each));
  EXPECT_NE((*found.field)[0], 0.0F);
  // So near that the distance is 0 as a number.
  const AskField beside{1, {1e-170, 0.0, 0.5}, {}, {}, 1, 1};
  Fields at_origin(
      test::replaced(scene_with_fields(), "position = [2.0, 0.5, 0.0]", "position = [0.0, 0.0, 0.5]"));
  at_origin.loaded();
  const FieldValues near = at_origin.field(beside);
  for (const float each : *near.field) EXPECT_TRUE(std::isfinite(each));
  EXPECT_NE((*near.field)[0], 0.0F) << "that of the others";
}

TEST(StudioField, IsAnsweredToEachPageInTurn) {
  Fields session(scene_with_fields());
  session.loaded();
  const AskField ask = grid_about({-0.6, 0.3, -0.4});
  session.heard.events.clear();
  for (const int page : {1, 2, 1, 3}) session.must(ask, page);
  session.machine->handle({3, 9.0, Leave{}});
  while (session.heard.all<FieldValues>().size() < 2) session.machine->work();
  std::vector<int> pages;
  for (const auto& [page, event] : session.heard.events)
    if (std::holds_alternative<FieldValues>(event)) pages.push_back(page);
  EXPECT_EQ(pages, (std::vector<int>{1, 2}));
  Fields nothing;
  nothing.begun();
  EXPECT_THAT(nothing.ask(ask), HasSubstr("nothing is open"));
}

}  // namespace
}  // namespace electret::studio
