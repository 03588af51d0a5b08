// A body far from the origin moves as it does at the origin, and so do its gradients, up to the rounding of
// the positions.

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/dynamics/options.hpp>
#include <electret/scene/read.hpp>

namespace electret::test {
namespace {

/// At steps of 0.1 ms a step under gravity moves a vertex by 1e-7 m. All places are binary fractions, so that
/// they are the same far away.
constexpr const char* text = R"toml(
[time]
step = 1e-4
steps = 40
[integrator]
tolerance = 1e-12
max_iterations = 2000
[gravity]
acceleration = [0.5, 0.0, -9.81]
[[body]]
name = "net"
generate = { shape = "lattice", nx = 3, ny = 3, nz = 2, spacing = 0.5 }
mass = 0.7
  [[body.springs]]
  stiffness = 4e3
  [[body.group]]
  name = "held"
  indices = [0, 1]
  [[body.pin]]
  group = "held"
)toml";

constexpr int steps = 40;
constexpr double mass = 0.7;  ///< kg.

Assembly net(const std::string& method, double distance) {
  Assembly assembly =
      load_scene_text(text, "net.toml", "", {"integrator.method=" + method}, read_regular_file);
  for (Vec3& x : assembly.initial_positions) x += Vec3{distance, -0.5 * distance, 0.25 * distance};
  return assembly;
}

/// Σ c_i·(x_i - x_i(0)) at the end, with weights between -1 and 1.
class WeightedMotion final : public Loss {
 public:
  [[nodiscard]] bool reads(Count step, Count last) const override { return step == last; }
  void start() override {}
  void observe(const LossPoint& at) override {
    motion.clear();
    for (std::size_t i = 0; i < at.state.positions.size(); ++i)
      motion.push_back(at.state.positions[i] - at.system.assembly.initial_positions[i]);
    velocities = at.state.velocities;
  }
  [[nodiscard]] double value() const override {
    double sum = 0.0;
    for (std::size_t i = 0; i < motion.size(); ++i) sum += dot(weight(i), motion[i]);
    return sum;
  }
  void add_derivatives(const LossPoint&, double factor, const LossGradients& out) override {
    for (std::size_t i = 0; i < motion.size(); ++i) out.positions[i] += factor * weight(i);
  }

  VectorArray motion, velocities;

 private:
  static Vec3 weight(std::size_t i) {
    const auto k = static_cast<double>(i);
    return {std::sin(1.7 * k), std::cos(2.3 * k), std::sin(0.9 * k + 1.0)};
  }
};

struct Moved {
  VectorArray motion, velocities;
  AssemblyGradient gradient;
};

Moved moved(const std::string& method, double distance) {
  Simulator simulator(compile(net(method, distance), 1));
  WeightedMotion loss;
  LossAndGradient result = loss_and_gradient(simulator, loss);
  return {loss.motion, loss.velocities, result.gradient};
}

double size(const VectorArray& a) {
  double squares = 0.0;
  for (const Vec3& v : a) squares += squared_norm(v);
  return std::sqrt(squares);
}
double size(ScalarView a) {
  double squares = 0.0;
  for (const double v : a) squares += v * v;
  return std::sqrt(squares);
}

/// ‖a - b‖.
double difference(VectorArray a, const VectorArray& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return size(a);
}

double difference(ScalarView a, ScalarView b) {
  std::vector<double> differences(a.begin(), a.end());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] -= b[i];
  return size(ScalarView(differences));
}

class Translation : public testing::TestWithParam<std::string_view> {};

/// Each step rounds each coordinate by up to eps·distance/2, independently of the others. That moves a vertex
/// at once. Through the springs it moves it by h²k/m times the square of the number of steps as much, which
/// is less. The mass of a vertex acts by its inertia and by its weight; these effects cancel but for the
/// springs, so that each of them is the measure of the error.
TEST_P(Translation, ChangesMotionAndGradientsByTheRoundingOfPositions) {
  const std::string method(GetParam());
  const Moved here = moved(method, 0.0);
  const double coordinates = 3.0 * static_cast<double>(here.motion.size());
  for (const double distance : {1e2, 1e4, 4e6}) {
    const Moved there = moved(method, distance);
    const double rounding = 0.5 * std::numeric_limits<double>::epsilon() * distance *
                            std::sqrt(coordinates * steps) / size(here.motion);
    const auto expect_small = [&](const char* what, double difference) {
      EXPECT_LE(difference, rounding) << what << ", " << distance << " m away";
    };
    const auto changed = [&](NumberId id) {
      return difference(there.gradient.scalars(id), here.gradient.scalars(id));
    };
    const auto changed_by = [&](NumberId id) { return changed(id) / size(here.gradient.scalars(id)); };
    expect_small("motion", difference(there.motion, here.motion) / size(here.motion));
    expect_small("velocities", difference(there.velocities, here.velocities) / size(here.velocities));
    expect_small("stiffnesses", changed_by(number::spring_stiffness));
    expect_small("masses", changed(number::masses) * mass / size(here.motion));
    expect_small("initial velocities", changed_by(number::initial_velocities));
    expect_small("gravity", changed_by(number::gravity));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Translation, testing::ValuesIn(integrator_methods),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace electret::test
