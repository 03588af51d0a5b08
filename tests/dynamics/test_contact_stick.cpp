// Obstacles with friction = "stick": what touches them does not slide, however steep they are, and leaves
// freely.

#include <cmath>

#include "dynamics/contact_scenes.hpp"

namespace electret::test {
namespace {

constexpr double g = 9.81, h = 0.01;

std::string particle_scene(const std::string& gravity, const std::string& rest) {
  return "[time]\nstep = 0.01\nsteps = 400\n[integrator]\ntolerance = 1e-12\n[gravity]\nacceleration = " +
         gravity + "\n" + rest;
}

/// A slab that is wide enough not to tip over on a slope of 70 degrees.
std::string slab_scene(const std::string& friction) {
  const double angle = 70.0 * std::acos(-1.0) / 180.0;
  return "[time]\nstep = 0.01\nsteps = 2000\n[integrator]\ntolerance = 1e-9\n[gravity]\nacceleration = [" +
         std::to_string(g * std::sin(angle)) + ", 0.0, " + std::to_string(-g * std::cos(angle)) +
         "]\n[[body]]\nname = \"slab\"\n"
         "generate = { shape = \"box\", cells = [8, 3, 1], cell_size = 0.05 }\ntranslate = [0, 0, 0.025]\n"
         "density = 1000.0\n  [[body.material]]\n  model = \"stable_neo_hookean\"\n  youngs_modulus = 1e6\n"
         "  poissons_ratio = 0.3\n" +
         plane_obstacle("[0, 0, 1]", friction);
}

TEST(ContactStick, HoldsWhereNoCoefficientWould) {
  Simulator slides = contact_simulator(slab_scene("friction = 2.0\n"));
  take_steps(slides, 200);
  EXPECT_GT(mean_velocity_of(slides).x, 0.5);  // (tan 70° - 2) g cos 70° for 2 s is 5 m/s.
  Simulator holds = contact_simulator(slab_scene("friction = \"stick\"\n"));
  take_steps(holds, 800);
  const VectorArray rest = holds.state().positions;
  take_steps(holds, 1000);
  EXPECT_TRUE(holds.state().positions == rest);
  for (const Vec3& x : rest) EXPECT_GE(x.z, -1e-18);  // Its rounding is that of places.
}

/// A step of implicit Euler: v' = v + h a, x' = x + h v'. The first that would end below the ground ends on
/// it instead, where it began.
TEST(ContactStick, ParticlesStayWhereTheyLand) {
  Simulator simulator = contact_simulator(
      particle_scene("[0.5, 0, -9.81]", particles("[0, 0, 0]", "velocity = [2.0, -1.0, 1.0]") +
                                            plane_obstacle("[0, 0, 1]", "friction = \"stick\"\n")));
  const Vec3 start = simulator.state().positions[0];
  const Vec3 a{0.5, 0.0, -g};
  Vec3 x = start, v{2.0, -1.0, 1.0};
  while (x.z + h * (v.z + h * a.z) >= 0.0) v += h * a, x += h * v;
  x.z = 0.0;
  take_steps(simulator, 60);
  EXPECT_GT(x.x - start.x, 0.3);
  EXPECT_LT(norm(simulator.state().positions[0] - x), 1e-12);
  EXPECT_EQ(mean_velocity_of(simulator), Vec3{});
}

/// It pushes, and never pulls.
TEST(ContactStick, LetsGoOfWhatIsPulledAway) {
  Simulator simulator = contact_simulator(particle_scene(
      "[0, 0, 0]", particles("[0, 0, 0]", "charge = 1e-6\n") +
                       "[[electric_field]]\nexpression = [\"1e6\", \"0\", \"2e6*(t - 0.5)\"]\n" +
                       plane_obstacle("[0, 0, 1]", "friction = \"stick\"\n")));
  const Vec3 start = simulator.state().positions[0];
  take_steps(simulator, 45);
  EXPECT_EQ(simulator.state().positions[0], start);
  take_steps(simulator, 55);
  const Vec3 end = simulator.state().positions[0];
  EXPECT_GT(end.z, 0.01);
  EXPECT_GT(end.x - start.x, 0.1);
}

TEST(ContactStick, TakesBodiesAlongWithTheObstacle) {
  Simulator simulator = contact_simulator(particle_scene(
      "[0, 0, -9.81]",
      particles("[0, 0, 0]", "") + plane_obstacle("[0, 0, 1]",
                                                  "friction = \"stick\"\ntimes = [0, 0.1, 0.5]\n"
                                                  "offsets = [[0, 0, 0], [0.3, 0, 0], [0.1, 0.2, 0]]\n")));
  const Vec3 start = simulator.state().positions[1];
  take_steps(simulator, 50);
  EXPECT_LT(norm(simulator.state().positions[1] - start - Vec3{0.1, 0.2, 0.0}), 1e-12);
}

TEST(ContactStick, IsOfOneBodyWhereItIsThatOfAPair) {
  Simulator simulator = contact_simulator(
      particle_scene("[0, 0, -9.81]", particles("[0, 0, 0]", "velocity = [1, 0, 0]", 2, "a") +
                                          particles("[0, 9, 0]", "velocity = [1, 0, 0]", 2, "b") +
                                          plane_obstacle("[0, 0, 1]", "friction = 0.1\n") +
                                          "[[contact.pair]]\nbetween = [\"b\", \"ground\"]\n"
                                          "friction = \"stick\"\n"));
  take_steps(simulator, 20);
  EXPECT_NEAR(simulator.state().velocities[0].x, 1.0 - 20 * h * 0.1 * g, 1e-12);
  EXPECT_EQ(simulator.state().velocities[2], Vec3{});
}

/// The wall has no friction: only the floor holds along the edge of the two.
TEST(ContactStick, HoldsInACornerWithASmoothWall) {
  const std::string wall = plane_obstacle("[0, 1, 0]", "", "wall");
  const auto pushed = [&](const std::string& floor) {
    Simulator simulator = contact_simulator(particle_scene(
        "[40, -5, -9.81]", particles("[0, 0.5, 0]", "") + plane_obstacle("[0, 0, 1]", floor) + wall));
    const double start = simulator.state().positions[0].x;
    take_steps(simulator, 30);
    return simulator.state().positions[0].x - start;
  };
  EXPECT_EQ(pushed("friction = \"stick\"\n"), 0.0);
  EXPECT_GT(pushed("friction = 2.0\n"), 0.5);
}

/// Landing flat, on an edge and on a corner.
TEST(ContactStick, NoStepOfItsGridStaysUnconverged) {
  int steps = 0, yielding = 0;
  for (const char* turned : {"[0, 0, 0]", "[40, 0, 10]", "[35, 40, 10]", "[20, 30, 10]"})
    for (const char* modulus : {"1e4", "1e5", "1e6", "1e7"})
      for (const double step : {0.002, 0.005, 0.01})
        for (const double impact : {1.0, 4.0}) {
          const auto text = [](double value) { return std::to_string(value); };
          Simulator simulator = contact_simulator(
              "[time]\nstep = " + text(step) + "\nsteps = 1000\n[integrator]\ntolerance = 1e-9\n" +
              "[gravity]\nacceleration = [0, 0, -9.81]\n[[body]]\nname = \"cube\"\n" +
              "generate = { shape = \"box\", cells = [2, 2, 2], cell_size = 0.1 }\ntranslate = [0, 0, "
              "0.19]\n" +
              "rotate = " + turned + "\nvelocity = [" + text(0.5 * impact) + ", 0.2, " + text(-impact) +
              "]\ndensity = 1000.0\n  [[body.material]]\n  model = \"stable_neo_hookean\"\n" +
              "  youngs_modulus = " + modulus + "\n  poissons_ratio = 0.3\n" +
              plane_obstacle("[0, 0, 1]", "friction = \"stick\"\n"));
          for (double time = 0.0; time < 0.25; time += step, ++steps) {
            const StepReport report = simulator.step();
            EXPECT_FALSE(report.contact.is_unconverged)
                << turned << " " << modulus << " " << step << " " << impact << " at " << time;
            yielding += report.counts.of("yielding_contacts") > 0 ? 1 : 0;
          }
        }
  RecordProperty("steps", steps);
  RecordProperty("yielding", yielding);
  EXPECT_LT(yielding, steps / 20);
}

}  // namespace
}  // namespace electret::test
