// The published contact, which holds what touches: against the published code's numbers, and its gradients.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <electret/adjoint/differences.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/read.hpp>

#include "adjoint/adjoint_scene.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

using Cell = std::array<int, 3>;

/// Cubes whose middles are within the ball about (.05, .05, .05) of radius .05 m. Vertices are numbered as
/// the published code does, x slowest.
struct Voxels {
  static constexpr int side = 10;
  static constexpr double cell = 0.01;
  std::map<Cell, Index> numbers;
  std::vector<Cell> cells;

  Voxels() {
    const auto is_inside = [](const Cell& at) {
      double squares = 0.0;
      for (const int i : at) squares += ((i + 0.5) * cell - 0.05) * ((i + 0.5) * cell - 0.05);
      return squares <= 0.05 * 0.05;
    };
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        for (int k = 0; k < side; ++k)
          if (is_inside({i, j, k})) cells.push_back({i, j, k});
    for (const Cell& at : cells)
      for (int corner = 0; corner < 8; ++corner) numbers[corner_of(at, corner)] = 0;
    Index next = 0;
    for (auto& [place, number] : numbers) number = next++;
  }
  static Cell corner_of(const Cell& at, int corner) {
    constexpr std::array<Cell, 8> corners{
        {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
    const Cell& by = corners[static_cast<std::size_t>(corner)];
    return {at[0] + by[0], at[1] + by[1], at[2] + by[2]};
  }
  [[nodiscard]] std::string medit() const {
    std::string text = fmt::format("MeshVersionFormatted 2\nDimension 3\nVertices {}\n", numbers.size());
    for (const auto& [at, number] : numbers)
      text += fmt::format("{} {} {} 0\n", at[0] * cell, at[1] * cell, at[2] * cell);
    text += fmt::format("Hexahedra {}\n", cells.size());
    for (const Cell& at : cells) {
      for (int corner = 0; corner < 8; ++corner)
        text += fmt::format("{} ", numbers.at(corner_of(at, corner)) + 1);
      text += "0\n";
    }
    return text + "End\n";
  }
  /// Vertices of one cube alone.
  [[nodiscard]] std::vector<Index> corners() const {
    std::vector<int> count(numbers.size(), 0);
    for (const Cell& at : cells)
      for (int corner = 0; corner < 8; ++corner)
        ++count[static_cast<std::size_t>(numbers.at(corner_of(at, corner)))];
    std::vector<Index> found;
    for (std::size_t i = 0; i < count.size(); ++i)
      if (count[i] == 1) found.push_back(static_cast<Index>(i));
    return found;
  }
};

/// Normal draws of NumPy's RandomState(42).
class Draws {
 public:
  double normal() {
    if (has_second_) return has_second_ = false, second_;
    for (;;) {
      const double x = 2.0 * unit() - 1.0, y = 2.0 * unit() - 1.0, square = x * x + y * y;
      if (square >= 1.0 || square == 0.0) continue;
      const double factor = std::sqrt(-2.0 * std::log(square) / square);
      second_ = factor * x;
      has_second_ = true;
      return factor * y;
    }
  }
  VectorArray vectors(std::size_t n, double deviation) {
    VectorArray drawn(n);
    for (Vec3& v : drawn)
      for (int axis = 0; axis < 3; ++axis) v[axis] = deviation * normal();
    return drawn;
  }

 private:
  double unit() {
    const auto high = static_cast<double>(bits_() >> 5U), low = static_cast<double>(bits_() >> 6U);
    return (high * 67108864.0 + low) / 9007199254740992.0;
  }
  std::mt19937 bits_{42};
  double second_ = 0.0;
  bool has_second_ = false;
};

/// Σ w_x·x + w_v·v of the last state.
class LinearLoss final : public Loss {
 public:
  explicit LinearLoss(Draws& draws, std::size_t n)
      : w_x_(draws.vectors(n, 1.0)), w_v_(draws.vectors(n, 1.0)) {}
  [[nodiscard]] bool reads(Count step, Count last_step) const override { return step == last_step; }
  void start() override { value_ = 0.0; }
  void observe(const LossPoint& at) override {
    for (std::size_t i = 0; i < w_x_.size(); ++i)
      value_ += dot(w_x_[i], at.state.positions[i]) + dot(w_v_[i], at.state.velocities[i]);
  }
  [[nodiscard]] double value() const override { return value_; }
  void add_derivatives(const LossPoint&, double factor, const LossGradients& out) override {
    for (std::size_t i = 0; i < w_x_.size(); ++i) {
      out.positions[i] += factor * w_x_[i];
      out.velocities[i] += factor * w_v_[i];
    }
  }

 private:
  VectorArray w_x_, w_v_;
  double value_ = 0.0;
};

const char* const rolling_sphere = R"(
[time]
step = 0.005
steps = 25
[integrator]
method = "imex"
tolerance = 1e-12
max_iterations = 500
[gravity]
acceleration = [0.0, 0.0, -9.81]
[[body]]
name = "ball"
mesh = "ball.mesh"
mass = 1e-3
  [[body.material]]
  model = "projective"
  youngs_modulus = 2e6
  poissons_ratio = 0.4
  [[body.group]]
  name = "corners"
  indices = [0]
  [[body.contact]]
  group = "corners"
  [[body.load]]
  forces = "none.csv"
[[obstacle]]
name = "ground"
shape = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
law = "sticking"
)";

double norm_of(std::span<const double> values) {
  double squares = 0.0;
  for (const double v : values) squares += v * v;
  return std::sqrt(squares);
}

TEST(Sticking, RollsAsThePublishedBall) {
  const Voxels voxels;
  const std::size_t n = voxels.numbers.size();
  ASSERT_EQ(voxels.cells.size(), 552U);
  ASSERT_EQ(n, 823U);
  const std::vector<Index> corners = voxels.corners();
  ASSERT_EQ(corners.size(), 72U);
  Draws draws;
  LinearLoss loss(draws, n);
  std::string zeros = "x,y,z\n";
  for (std::size_t i = 0; i < n; ++i) zeros += "0,0,0\n";
  const std::string change = fmt::format("body.0.group.0.indices=[{}]", fmt::join(corners, ", "));
  Assembly assembly = load_scene_text(
      rolling_sphere, "scene.toml", ".", {change},
      [&](const std::string& path) { return path.ends_with("ball.mesh") ? voxels.medit() : zeros; });
  const VectorArray noise = draws.vectors(n, 1e-3);
  for (std::size_t i = 0; i < n; ++i) {
    Vec3& x = assembly.initial_positions[i];
    x += noise[i];
    assembly.initial_velocities[i] = cross(Vec3{0.0, 10.0, 0.0}, x);
  }
  const Parameter positions = find_parameter(assembly, "body.ball.positions"),
                  velocities = find_parameter(assembly, "body.ball.velocities"),
                  forces = find_parameter(assembly, "body.ball.load.0.forces");
  Simulator simulator(compile(assembly, 2));
  EXPECT_TRUE(std::ranges::equal(simulator.system().contacts->vertices(), corners));
  const LossAndGradient got = loss_and_gradient(simulator, loss);
  EXPECT_EQ(got.report.capped_steps, 0);
  // Those of the published code at its tolerance of 1e-9, which leaves 3e-7 of the loss.
  EXPECT_NEAR(got.loss, 2.309136934, 4e-7);
  EXPECT_NEAR(norm_of(positions.pull(got.gradient)), 5025.242034, 1e-4);
  EXPECT_NEAR(norm_of(velocities.pull(got.gradient)), 3.054304876, 2e-8);
  EXPECT_NEAR(norm_of(forces.pull(got.gradient)), 307.873179, 2e-6);
}

struct Case {
  std::string name, obstacle;
  std::vector<std::string> parameters;
  std::string rollers{};
};

std::string text_of(const Case& c) {
  return R"(
[time]
step = 0.01
steps = 12
[integrator]
tolerance = 1e-13
max_iterations = 500
[gravity]
acceleration = [0.3, 0.2, -9.81]
[[body]]
name = "block"
generate = { shape = "box", cells = [2, 2, 1], cell_size = 0.1 }
translate = [0.0, 0.0, 0.055]
velocity = [0.8, -0.1, -0.3]
density = 500.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 4e4
  poissons_ratio = 0.3
)" + c.rollers +
         R"([[obstacle]]
name = "ground"
law = "sticking"
)" + c.obstacle;
}

Simulator sticking(Assembly assembly, int threads = 1) {
  return Simulator(compile(std::move(assembly), threads, IdleForces::kept));
}

double loss_of(Assembly assembly) {
  Simulator simulator = sticking(std::move(assembly));
  MixedLoss loss;
  return loss_of_run(simulator, loss);
}

class StickingGradient : public testing::TestWithParam<Case> {};

TEST_P(StickingGradient, IsThatOfDifferences) {
  const Case& c = GetParam();
  const Assembly assembly = assemble(parse_scene(text_of(c), "scene.toml", "."));
  Simulator simulator = sticking(assembly);
  MixedLoss loss;
  const LossAndGradient got = loss_and_gradient(simulator, loss);
  EXPECT_EQ(got.report.capped_steps, 0);
  for (const std::string& name : c.parameters) {
    const Parameter parameter = find_parameter(assembly, name);
    const std::vector<double> found = parameter.pull(got.gradient);
    const std::vector<Difference> expected = differences(assembly, parameter, loss_of);
    double scale = 0.0, worst = 0.0;
    for (const Difference& d : expected) scale = std::max(scale, std::abs(d.value));
    ASSERT_GT(scale, 0.0) << name;
    for (std::size_t k = 0; k < found.size(); ++k)
      worst = std::max(worst, std::abs(found[k] - expected[k].value));
    EXPECT_LT(worst, 1e-6 * scale) << name;
  }
}

const char* const plane = "shape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.05, 0.02, 1.0]\n";
const char* const ball = "shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\n";

INSTANTIATE_TEST_SUITE_P(
    Obstacles, StickingGradient,
    testing::Values(
        Case{"plane",
             plane,
             {"body.block.velocity", "body.block.youngs_modulus", "body.block.positions", "gravity"}},
        Case{"ball", ball, {"body.block.velocity", "body.block.youngs_modulus", "gravity"}},
        Case{"conveyor",
             std::string(plane) +
                 "times = [0.0, 0.05, 0.2]\noffsets = [[0, 0, 0], [0.02, -0.03, 0.003], [0.2, 0.0, 0.0]]\n",
             {"body.block.velocity", "obstacle.ground.offsets"}},
        Case{"turning_ball",
             std::string(ball) + "times = [0.0, 0.2]\nrotations = [[0, 0, 0], [20.0, 30.0, -50.0]]\n",
             {"body.block.velocity", "obstacle.ground.rotations", "obstacle.ground.centre"}},
        Case{"conveyor_and_rollers",
             std::string(plane) +
                 "times = [0.0, 0.05, 0.2]\noffsets = [[0, 0, 0], [0.02, -0.03, 0.003], [0.2, 0.0, 0.0]]\n",
             {"body.block.velocity", "body.block.positions", "body.block.youngs_modulus",
              "obstacle.ground.offsets", "body.block.pin[side].offsets"},
             "  [[body.group]]\n  name = \"side\"\n  box = [[-1, -1, -1], [-0.099, 1, 1]]\n  [[body.pin]]\n  "
             "group = "
             "\"side\"\n  normal = [1.0, 0.1, 0.2]\n  times = [0.0, 0.03, 0.2]\n  offsets = [[0, 0, 0], "
             "[0.02, "
             "0.001, 0.004], [0.16, 0.0, 0.01]]\n"}),
    [](const auto& each) { return each.param.name; });

TEST(Sticking, IsTheSameOnAnyThreadsAndAfterARestart) {
  const Assembly assembly = assemble(parse_scene(text_of({"", plane, {}}), "scene.toml", "."));
  Simulator one = sticking(assembly, 1), three = sticking(assembly, 3);
  one.run(9), three.run(9);
  EXPECT_TRUE(one.state().positions == three.state().positions);
  std::size_t held = 0;
  for (const Vec3& force : one.system().contacts->forces()) held += force == Vec3{} ? 0 : 1;
  EXPECT_GT(held, 0U);
  Simulator other = sticking(assembly, 2);
  other.restore(one.state(), one.work());
  one.run(9), other.run(9);
  EXPECT_TRUE(one.state().positions == other.state().positions);
  EXPECT_TRUE(one.state().velocities == other.state().velocities);
}

TEST(Sticking, AllocatesNothingOnceItHolds) {
  if (!AllocationCounter::works()) GTEST_SKIP();
  Simulator run = sticking(assemble(parse_scene(text_of({"", plane, {}}), "scene.toml", ".")));
  run.run(25);
  const AllocationCounter counter;
  for (int k = 0; k < 5; ++k) run.step();
  EXPECT_EQ(counter.count(), 0);
}

/// What is held stays where the step began, above or below the surface, and is pushed outwards.
TEST(Sticking, HoldsWhatTouchesWhereTheStepBegan) {
  const Assembly assembly = assemble(parse_scene(text_of({"", plane, {}}), "scene.toml", "."));
  Simulator run = sticking(assembly);
  const Vec3 normal = (1.0 / norm({0.05, 0.02, 1.0})) * Vec3{0.05, 0.02, 1.0};
  int held = 0;
  for (int step = 0; step < 20; ++step) {
    const VectorArray before = run.state().positions;
    run.step();
    const ContactSet& contacts = *run.system().contacts;
    for (std::size_t k = 0; k < contacts.vertices().size(); ++k) {
      const auto i = static_cast<std::size_t>(contacts.vertices()[k]);
      if (contacts.forces()[k] == Vec3{}) continue;
      ++held;
      EXPECT_EQ(run.state().positions[i], before[i]);
      EXPECT_EQ(run.state().velocities[i], Vec3{});
      EXPECT_GE(dot(contacts.forces()[k], normal), -1e-9);
    }
  }
  EXPECT_GT(held, 5);
  EXPECT_NEAR(run.work().dissipation, 0.0, 1e-12);
}

}  // namespace
}  // namespace electret::test
