// Bodies of real stiff materials touch obstacles and each other at steps that resolve their motion alone.

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <electret/dynamics/stage/rigid_motions.hpp>
#include <electret/dynamics/step_choice.hpp>

#include "dynamics/contact_scenes.hpp"

namespace electret::test {
namespace {

constexpr double g = 9.81;

struct Material {
  const char* name;
  const char* modulus;
  const char* density;
};
constexpr Material pla{"PLA", "3e9", "1200.0"}, steel{"steel", "2e11", "7800.0"},
    diamond{"diamond", "1e12", "3500.0"};

/// Cubes of 1 cm on the plane z = 0, one on the other `gap` apart.
struct Scene {
  Material material = pla;
  double step = 0.01;
  std::array<double, 3> gravity{0, 0, -g};
  double friction = 0.0;
  int cubes = 1;
  std::string turned = "[0.0, 0.0, 0.0]";
  double height = 0.005;
  double gap = 0.0;
};

std::string text_of(const Scene& scene) {
  const auto number = [](double x) { return std::to_string(x); };
  std::string text = "[time]\nstep = " + number(scene.step) + "\nsteps = 1000\n[gravity]\nacceleration = [" +
                     number(scene.gravity[0]) + ", " + number(scene.gravity[1]) + ", " +
                     number(scene.gravity[2]) + "]\n";
  if (scene.cubes > 1)
    text += "[contact]\nagainst = [\"obstacles\", \"bodies\"]\nthickness = 1e-4\nfriction = " +
            number(scene.friction) + "\n";
  for (int k = 0; k < scene.cubes; ++k)
    text +=
        "[[body]]\nname = \"cube" + std::to_string(k) +
        "\"\ngenerate = { shape = \"box\", cells = [2, 2, 2], cell_size = 0.005 }\nrotate = " + scene.turned +
        "\ntranslate = [0.0, 0.0, " + number(scene.height + k * (0.01 + scene.gap)) +
        "]\ndensity = " + scene.material.density +
        "\n  [[body.material]]\n  model = \"stable_neo_hookean\"\n  youngs_modulus = " +
        scene.material.modulus + "\n  poissons_ratio = 0.3\n";
  return text + plane_obstacle("[0.0, 0.0, 1.0]", "friction = " + number(scene.friction) + "\n");
}

/// Gravity on a slope.
std::array<double, 3> down_slope(double tangent) {
  const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
  return {g * tangent * cosine, 0.0, -g * cosine};
}

TEST(StiffBodies, SlideAndStickAsCoulombHasThem) {
  for (const Material& material : {pla, steel, diamond})
    for (const double friction : {0.0, 0.3, 0.6}) {
      Scene scene{material, 0.01, down_slope(0.5), friction};
      Simulator simulator = contact_simulator(text_of(scene));
      take_steps(simulator, 12);
      const double cosine = 1.0 / std::sqrt(1.25);
      const double expected = 12 * 0.01 * g * cosine * std::max(0.0, 0.5 - friction);
      EXPECT_NEAR(mean_velocity_of(simulator).x, expected, 1e-6) << material.name << ", μ = " << friction;
    }
}

TEST(StiffBodies, FallFreelyBeforeTheyTouch) {
  Scene scene;
  scene.turned = "[10.0, 30.0, 5.0]";
  scene.height = 0.1;
  Simulator simulator = contact_simulator(text_of(scene));
  take_steps(simulator, 10);
  EXPECT_NEAR(mean_velocity_of(simulator).z, -g * 0.1, 1e-10);
}

/// The energy of motion and of height. What elements hold is less than a millionth of it.
double energy_of(const Simulator& simulator) {
  double energy = 0.0;
  for (std::size_t i = 0; i < simulator.system().masses().size(); ++i)
    energy += simulator.system().masses()[i] *
              (0.5 * squared_norm(simulator.state().velocities[i]) + g * simulator.state().positions[i].z);
  return energy;
}

TEST(StiffBodies, TumbleWithoutGainingEnergy) {
  for (const Material& material : {pla, steel}) {
    Scene scene{material, 0.001};
    scene.friction = 0.5;
    scene.turned = "[10.0, 30.0, 5.0]";
    scene.height = 0.02;
    Simulator simulator = contact_simulator(text_of(scene));
    double before = energy_of(simulator);
    for (int step = 0; step < 150; ++step) {
      const StepReport report = simulator.step();
      ASSERT_FALSE(report.capped || report.contact.is_unconverged) << material.name << ", step " << step;
      const double now = energy_of(simulator);
      ASSERT_LE(now, before + 1e-6 * std::abs(before)) << material.name << ", step " << step;
      before = now;
    }
    // It lies on a face.
    double mass = 0.0, height = 0.0;
    for (std::size_t i = 0; i < simulator.system().masses().size(); ++i) {
      mass += simulator.system().masses()[i];
      height += simulator.system().masses()[i] * simulator.state().positions[i].z;
    }
    EXPECT_NEAR(height / mass, 0.005, 1e-6) << material.name;
  }
}

TEST(StiffBodies, SlideOnEachOther) {
  Scene scene{pla, 0.01, down_slope(0.2), 0.1, 2};
  scene.height = 0.0051;
  scene.gap = 0.0001;
  Simulator simulator = contact_simulator(text_of(scene));
  take_steps(simulator, 10);
  EXPECT_NEAR(mean_velocity_of(simulator).x, 10 * 0.01 * g * 0.1 / std::sqrt(1.04), 1e-4);
}

/// Turned cubes that hit a wall without friction keep their motion along it, at steps in which they turn far.
TEST(StiffBodies, KeepTheirMotionAlongAWall) {
  for (const Material& material : {pla, steel})
    for (const double step : {0.01, 0.005, 0.002}) {
      Scene scene{material, step, {0, 0, 0}};
      scene.turned = "[10.0, 30.0, 5.0]";
      scene.height = 0.02;
      std::string text = text_of(scene);
      text.replace(text.find("density"), 0, "velocity = [0.1, 0.0, -0.5]\n");
      Simulator simulator = contact_simulator(text);
      take_steps(simulator, 40);
      const Vec3 velocity = mean_velocity_of(simulator);
      EXPECT_NEAR(velocity.x, 0.1, 1e-10) << material.name << ", " << step;
      EXPECT_GE(velocity.z, -1e-9) << material.name << ", " << step;
    }
}

/// What a pin drags by its own size in a step is as it would be without stiff parts' own ways.
TEST(StiffBodies, StayAtPinsThatDragThem) {
  Scene scene{{"rubber", "1.2e6", "1200.0"}};
  scene.height = 0.5;
  std::string text = text_of(scene);
  text.replace(
      text.find("  [[body.material]]"), 0,
      "  [[body.group]]\n  name = \"a\"\n  indices = [0]\n  [[body.pin]]\n  group = \"a\"\n  times = "
      "[0.0, 0.2]\n  offsets = [[0, 0, 0], [-0.2, 0.0, 0.0]]\n");
  Simulator simulator = contact_simulator(text);
  for (int step = 0; step < 20; ++step) simulator.step();
  const VectorArray& x = simulator.state().positions;
  for (const Vec3& place : x) EXPECT_LT(norm(place - x[0]), 0.0185);
}

bool is_warned_of(const std::string& text) {
  const auto system = compile(assemble(parse_scene(text, "scene.toml", ".")), 1);
  const auto integrator = make_integrator(*system, system->assembly.scene.integrator);
  return is_too_stiff_for_contact(*system, step_choice(*system, *integrator, true));
}

TEST(StiffBodies, AreWarnedOfWhereStepsMayNotBeSolved) {
  constexpr Material beyond{"beyond matter", "1e15", "1200.0"};
  Scene one{steel};
  EXPECT_FALSE(is_warned_of(text_of(one)));
  one.material = beyond;
  EXPECT_TRUE(is_warned_of(text_of(one)));
  std::string sticking = text_of(one);
  sticking.replace(sticking.find("friction = "), std::string::npos, "law = \"sticking\"\n");
  EXPECT_FALSE(is_warned_of(sticking));
  Scene two{pla, 0.01, {0, 0, -g}, 0.3, 2};
  two.height = 0.0051;
  two.gap = 0.0001;
  EXPECT_FALSE(is_warned_of(text_of(two)));
  two.material = steel;
  EXPECT_TRUE(is_warned_of(text_of(two)));
}

std::unique_ptr<System> two_cubes(const std::string& more) {
  return compile(
      assemble(parse_scene(text_of({pla, 0.01, {0, 0, -g}, 0.0, 2, "[0.0, 0.0, 0.0]", 0.0051, 0.0001}) + more,
                           "scene.toml", ".")),
      1);
}

TEST(RigidMotions, TurnPartsWithoutStretchingThem) {
  const auto system = two_cubes("");
  const RigidMotions motions(*system, 1e-4);
  ASSERT_FALSE(motions.is_empty());
  const VectorArray& x = system->assembly.initial_positions;
  const Vec3 turn{0.3, -0.2, 0.5}, shift{0.01, 0.02, -0.03};
  VectorArray direction(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) direction[i] = cross(turn, x[i]) + shift;
  for (const double length : {1.0, 0.5, 2.0}) {
    VectorArray moved(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) moved[i] = x[i] + length * direction[i];
    const VectorArray straight = moved;
    motions.turn(x, direction, length, moved);
    const std::size_t each = x.size() / 2;
    Vec3 by_bends;
    for (std::size_t i = 0; i < x.size(); ++i) {
      by_bends += system->masses()[i] * (moved[i] - straight[i]);
      for (std::size_t j = i - i % each; j < i; ++j)
        EXPECT_NEAR(norm(moved[i] - moved[j]), norm(x[i] - x[j]), 1e-16) << length;
    }
    EXPECT_LE(norm(by_bends), 1e-18);
  }
}

/// A stencil that joins the first vertices of two bodies.
StencilMatrix joining(System& system, Index a, Index b) {
  StencilMatrix pairs;
  const std::vector<StencilVertices> stencils{{a, b, no_vertex, no_vertex}};
  const std::vector<StencilBlocks> blocks(1);
  pairs.assemble(*system.threads, system.masses().size(), stencils, blocks);
  return pairs;
}

TEST(RigidMotions, AreThoseOfStiffParts) {
  const auto system = two_cubes("");
  EXPECT_TRUE(RigidMotions(*system, 1e-14).is_empty());
  RigidMotions motions(*system, 1e-4);
  const VectorArray& x = system->assembly.initial_positions;
  const auto each = static_cast<Index>(x.size() / 2);
  const SlowMotions apart = motions.at(x, nullptr);
  ASSERT_EQ(apart.motions.size(), 12U);
  ASSERT_EQ(apart.groups.size(), 2U);
  EXPECT_EQ(apart.motions[5].group, 0U);
  EXPECT_EQ(apart.motions[6].group, 1U);
  EXPECT_EQ(apart.motions[6].first, each);
  EXPECT_EQ(apart.groups[1].end, 2 * each);
  const StencilMatrix pairs = joining(*system, 0, each);
  const SlowMotions& coupled = motions.at(x, &pairs);
  ASSERT_EQ(coupled.groups.size(), 1U);
  EXPECT_EQ(coupled.groups[0].end, 2 * each);
  for (const SlowMotion& motion : coupled.motions) EXPECT_EQ(motion.group, 0U);
}

/// A stiff cube that touches a soft one has the soft one's rows in its group, whichever is numbered first.
TEST(RigidMotions, HaveTheRowsOfWhatTheirPartsTouch) {
  for (const bool is_soft_first : {true, false}) {
    std::string text = text_of({pla, 0.01, {0, 0, -g}, 0.0, 2, "[0.0, 0.0, 0.0]", 0.0051, 0.0001});
    const std::size_t at = is_soft_first ? text.find("3e9") : text.rfind("3e9");
    text.replace(at, 3, "1e4");
    const auto system = compile(assemble(parse_scene(text, "scene.toml", ".")), 1);
    RigidMotions motions(*system, 1e-4);
    const VectorArray& x = system->assembly.initial_positions;
    const auto each = static_cast<Index>(x.size() / 2);
    const SlowMotions apart = motions.at(x, nullptr);
    ASSERT_EQ(apart.groups.size(), 1U);
    EXPECT_EQ(apart.groups[0].end - apart.groups[0].first, each);
    const StencilMatrix pairs = joining(*system, 0, each);
    const SlowMotions& coupled = motions.at(x, &pairs);
    ASSERT_EQ(coupled.motions.size(), 6U);
    EXPECT_EQ(coupled.groups[0].first, 0);
    EXPECT_EQ(coupled.groups[0].end, 2 * each);
  }
}

TEST(RigidMotions, TurnPartsAboutTheirOnlyPins) {
  for (const bool has_one : {true, false}) {
    const auto system = compile(assemble(parse_scene("[time]\nstep = 0.01\nsteps = 10\n[[body]]\nname = "
                                                     "\"cube\"\ngenerate = { shape = \"box\", cells = "
                                                     "[2, 2, 2], cell_size = 0.005 }\ntranslate = [0.0, 0.0, "
                                                     "0.1]\ndensity = 1200.0\n  [[body.material]]\n  "
                                                     "model = \"stable_neo_hookean\"\n  youngs_modulus = "
                                                     "3e9\n  poissons_ratio = 0.3\n  [[body.group]]\n  "
                                                     "name = \"a\"\n  indices = " +
                                                         std::string(has_one ? "[4]" : "[4, 20]") +
                                                         "\n  [[body.pin]]\n  group = \"a\"\n" +
                                                         plane_obstacle("[0.0, 0.0, 1.0]", ""),
                                                     "scene.toml", ".")),
                                1);
    const RigidMotions motions(*system, 1e-4);
    ASSERT_FALSE(motions.is_empty());
    const VectorArray& x = system->assembly.initial_positions;
    VectorArray direction(x.size()), moved(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) direction[i] = cross(Vec3{0.3, -0.2, 0.5}, x[i] - x[4]);
    motions.turn(x, direction, 1.0, moved);
    EXPECT_EQ(moved == VectorArray(x.size()), !has_one);
    EXPECT_EQ(moved[4], Vec3{});
    for (std::size_t i = 0; i < x.size() && has_one; ++i)
      EXPECT_NEAR(norm(x[i] - x[4] + direction[i] + moved[i]), norm(x[i] - x[4]), 1e-16);
  }
}

}  // namespace
}  // namespace electret::test
