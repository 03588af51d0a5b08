// A light body moves beside a heavy one, far away, as it does alone: no norm over all hides it.

#include <string>

#include <gtest/gtest.h>

#include "dynamics/contact_scenes.hpp"

namespace electret::test {
namespace {

constexpr const char* steel = R"(
[[body]]
name = "steel"
generate = { shape = "box", cells = [2, 2, 2], cell_size = 0.5 }
translate = [0.0, 10.0, 60.0]
density = 7800.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 2e11
  poissons_ratio = 0.3
)";

std::string with_method(const std::string& integrator, const std::string& gravity = "[0.0, 0.0, -9.81]") {
  return "[time]\nstep = 0.01\nsteps = 100\n[integrator]\n" + integrator +
         "\n[gravity]\nacceleration = " + gravity + "\n";
}

/// Five vertices of 1 g, the first one pinned.
constexpr const char* pendulum = R"(
[[body]]
name = "light"
generate = { shape = "chain", vertices = 5 }
mass = 1e-3
  [[body.springs]]
  from = "edges"
  stiffness = 5.0
  [[body.group]]
  name = "end"
  indices = [0]
  [[body.pin]]
  group = "end"
)";

/// It falls, and vibrates a little.
std::string heavy_chain(const std::string& mass, const std::string& stiffness) {
  return "[[body]]\nname = \"heavy\"\ngenerate = { shape = \"chain\", vertices = 5 }\ntranslate = [0.0, "
         "50.0, "
         "0.0]\nvelocity = [0.0, 10.0, 0.0]\nmass = " +
         mass + "\n  [[body.springs]]\n  from = \"edges\"\n  stiffness = " + stiffness +
         "\n  rest_length_scale = 0.96\n";
}

/// The largest distance between the first `count` vertices of two runs of `steps` steps.
double apart(const std::string& one, const std::string& other, int count, int steps) {
  Simulator a = contact_simulator(one), b = contact_simulator(other);
  double most = 0.0;
  for (int k = 0; k < steps; ++k) {
    a.step();
    EXPECT_FALSE(b.step().capped) << "step " << k;
    for (int i = 0; i < count; ++i) {
      const auto v = static_cast<std::size_t>(i);
      most = std::max(most, norm(a.state().positions[v] - b.state().positions[v]));
    }
  }
  return most;
}

/// By every implicit method, and every way to solve its steps.
TEST(LightParts, SwingBesideAHeavyChain) {
  for (const char* integrator :
       {"method = \"imex\"", "method = \"imex\"\nelastic_solver = \"lbfgs\"",
        "method = \"imex\"\nelastic_solver = \"local_global\"",
        "method = \"imex\"\nelastic_solver = \"newton_cg\"", "method = \"newton\"",
        "method = \"kick_midpoint\"", "method = \"kick_trbdf2\"", "method = \"linear_implicit\"",
        "method = \"linear_implicit\"\nlinear_solver = \"jacobi\""}) {
    const std::string alone = with_method(integrator) + pendulum;
    for (const auto& [mass, stiffness] : {std::pair{"1.0", "20.0"}, std::pair{"1e6", "1e7"}})
      EXPECT_LT(apart(alone, alone + heavy_chain(mass, stiffness), 5, 60), 3e-5)
          << integrator << ", " << mass;
  }
}

std::string jelly_scene(const std::string& method) {
  return with_method("method = \"" + method + "\"") + R"(
[[body]]
name = "jelly"
generate = { shape = "box", cells = [6, 2, 2], cell_size = 0.005 }
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 2e4
  poissons_ratio = 0.3
  [[body.group]]
  name = "wall"
  attribute = "left"
  [[body.pin]]
  group = "wall"
)";
}

TEST(LightParts, BendBesideFallingSteel) {
  for (const char* method : {"imex", "kick_trbdf2"}) {
    const std::string alone = jelly_scene(method);
    EXPECT_LT(apart(alone, alone + steel, 63, 20), 1e-6) << method;
  }
}

/// `rest` is what the block of half a gram lies on.
std::string block_of(const std::string& rest, double ratio) {
  const double mu = 0.5, tangent = ratio * mu, cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
  return with_method("method = \"imex\"", "[" + std::to_string(9.81 * tangent * cosine) + ", 0.0, " +
                                              std::to_string(-9.81 * cosine) + "]") +
         R"(
[[body]]
name = "light"
generate = { shape = "box", cells = [2, 2, 1], cell_size = 0.005 }
translate = [0.0, 0.0, 0.0025]
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e5
  poissons_ratio = 0.3
)" + rest;
}

TEST(LightParts, StickAndSlideOnAnObstacleBesideFallingSteel) {
  for (const double ratio : {0.9, 1.2}) {
    const std::string alone = block_of(plane_obstacle("[0.0, 0.0, 1.0]", "friction = 0.5\n"), ratio);
    EXPECT_LT(apart(alone, alone + steel, 18, 25), 1e-6) << ratio;
  }
}

TEST(LightParts, SlideOnAnotherBodyBesideFallingSteel) {
  const std::string alone = block_of(R"(
[contact]
against = ["bodies"]
thickness = 1e-4
friction = 0.5
[[body]]
name = "table"
generate = { shape = "box", cells = [4, 4, 1], cell_size = 0.005 }
translate = [0.0, 0.0, -0.0026]
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e6
  poissons_ratio = 0.3
  [[body.group]]
  name = "floor"
  attribute = "bottom"
  [[body.pin]]
  group = "floor"
)",
                                     1.2);
  EXPECT_LT(apart(alone, alone + steel, 18, 12), 1e-5);
}

}  // namespace
}  // namespace electret::test
