// A body in motion vibrates as it does at rest: how fast it flies, or its pins take it along, does not loosen
// its solves.

#include <string>

#include <gtest/gtest.h>

#include "dynamics/contact_scenes.hpp"

namespace electret::test {
namespace {

constexpr double speed = 100.0;  // m/s
constexpr double step = 0.002;   // s
constexpr int steps = 50;

std::string begin(const std::string& integrator) {
  return "[time]\nstep = 0.002\nsteps = 50\n[integrator]\n" + integrator + "\n[coulomb]\nsoftening = 0.01\n";
}

/// Five vertices that vibrate by hundredths of a metre a second.
std::string chain(double velocity) {
  return R"(
[[body]]
name = "chain"
generate = { shape = "chain", vertices = 5 }
mass = 1e-3
velocity = [0.0, 0.0, )" +
         std::to_string(velocity) + R"(]
  [[body.springs]]
  from = "edges"
  stiffness = 5.0
  rest_length_scale = 0.999
)";
}

std::string pinned(double velocity) {
  std::string pin = R"(
  [[body.group]]
  name = "end"
  indices = [0]
  [[body.pin]]
  group = "end"
)";
  if (velocity > 0.0)
    pin += "  times = [0.0, 0.1]\n  offsets = [[0.0, 0.0, 0.0], [0.0, 0.0, " +
           std::to_string(velocity * steps * step) + "]]\n";
  return chain(velocity) + pin;
}

std::string jelly(double velocity) {
  return R"(
[[body]]
name = "jelly"
generate = { shape = "box", cells = [3, 1, 1], cell_size = 0.01 }
total_charge = 2e-8
density = 1000.0
velocity = [0.0, 0.0, )" +
         std::to_string(velocity) + R"(]
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e4
  poissons_ratio = 0.3
)";
}

/// The largest distance between the vertices of a scene at rest and in motion, beside the size of the
/// vibration (m).
struct Apart {
  double distance = 0.0, vibration = 0.0;
};

Apart compare(const std::string& resting, const std::string& moving) {
  Simulator rest = contact_simulator(resting), flight = contact_simulator(moving);
  const VectorArray start = rest.state().positions;
  Apart apart;
  for (int k = 1; k <= steps; ++k) {
    rest.step();
    EXPECT_FALSE(flight.step().capped) << "step " << k;
    const Vec3 way{0.0, 0.0, speed * k * step};
    for (std::size_t v = 0; v < start.size(); ++v) {
      const Vec3& x = rest.state().positions[v];
      apart.distance = std::max(apart.distance, norm(flight.state().positions[v] - way - x));
      apart.vibration = std::max(apart.vibration, norm(x - start[v]));
    }
  }
  return apart;
}

constexpr const char* integrators[] = {
    "method = \"imex\"",
    "method = \"imex\"\nelastic_solver = \"lbfgs\"",
    "method = \"imex\"\nelastic_solver = \"local_global\"",
    "method = \"newton\"",
    "method = \"kick_midpoint\"",
    "method = \"kick_trbdf2\"",
    "method = \"linear_implicit\"",
    "method = \"linear_implicit\"\nlinear_solver = \"jacobi\"",
};

TEST(MovingParts, VibrateAsAtRest) {
  for (const char* integrator : integrators) {
    const Apart apart = compare(begin(integrator) + chain(0.0), begin(integrator) + chain(speed));
    EXPECT_GT(apart.vibration, 1e-4) << integrator;
    EXPECT_LT(apart.distance, 2e-4 * apart.vibration) << integrator;
  }
}

TEST(MovingParts, VibrateAsAtRestOnMovingPins) {
  for (const char* integrator : integrators) {
    const Apart apart = compare(begin(integrator) + pinned(0.0), begin(integrator) + pinned(speed));
    EXPECT_GT(apart.vibration, 1e-4) << integrator;
    EXPECT_LT(apart.distance, 2e-4 * apart.vibration) << integrator;
  }
}

TEST(MovingParts, OfElementsVibrateAsAtRest) {
  for (const char* integrator : {"method = \"imex\"", "method = \"newton\"", "method = \"kick_trbdf2\""}) {
    const Apart apart = compare(begin(integrator) + jelly(0.0), begin(integrator) + jelly(speed));
    EXPECT_GT(apart.vibration, 1e-6) << integrator;
    EXPECT_LT(apart.distance, 2e-4 * apart.vibration) << integrator;
  }
}

}  // namespace
}  // namespace electret::test
