// Contact against motions that are known in closed form.

#include <cmath>
#include <numbers>
#include <sstream>

#include <electret/geometry/generators.hpp>

#include "dynamics/contact_scenes.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

constexpr double g = 9.81, h = 0.01;

TEST(ContactAcceptance, ABlockHoldsForTenSecondsWithoutMovingABit) {
  Simulator simulator = contact_simulator(block_scene("[4.85, 0.0, -9.81]") +  // .989 of the cone
                                          plane_obstacle("[0.0, 0.0, 1.0]", "friction = 0.5\n"));
  take_steps(simulator, 300);
  const VectorArray rest = simulator.state().positions;
  take_steps(simulator, 1000);
  EXPECT_TRUE(simulator.state().positions == rest);
}

/// v_k = v - k μ g h until the friction of a step stops it.
TEST(ContactAcceptance, ParticlesStopWhereCoulombsLawSays) {
  const double v = 1.0, mu = 0.3;
  Simulator simulator = contact_simulator(
      "[time]\nstep = 0.01\nsteps = 100\n[integrator]\ntolerance = 1e-12\n"
      "[gravity]\nacceleration = [0, 0, -9.81]\n" +
      particles("[0, 0, 0]", "velocity = [1.0, 0.0, 0.0]") + plane_obstacle("[0, 0, 1]", "friction = 0.3\n"));
  const double start = simulator.state().positions[0].x;
  const double steps = std::floor(v / (mu * g * h));
  const double exact = h * (steps * v - mu * g * h * steps * (steps + 1.0) / 2.0);
  take_steps(simulator, 60);
  for (const Vec3& x : simulator.state().positions) {
    EXPECT_NEAR(x.x - start, exact, 1e-12);
    EXPECT_NEAR(x.x - start, v * v / (2.0 * mu * g), 0.5 * v * h * 1.001);  // of continuous time
    EXPECT_EQ(x.z, 0.0);
  }
  EXPECT_EQ(mean_velocity_of(simulator), Vec3{});
}

TEST(ContactAcceptance, BodiesOfOnePairStopEarlier) {
  Simulator simulator = contact_simulator(
      "[time]\nstep = 0.01\nsteps = 100\n[integrator]\ntolerance = 1e-12\n"
      "[gravity]\nacceleration = [0, 0, -9.81]\n" +
      particles("[0, 0, 0]", "velocity = [1.0, 0.0, 0.0]", 2, "a") +
      particles("[0, 9, 0]", "velocity = [1.0, 0.0, 0.0]", 2, "b") + plane_obstacle("[0, 0, 1]", "") +
      "[contact]\nfriction = 0.1\n[[contact.pair]]\nbetween = [\"b\", \"ground\"]\nfriction = 0.4\n");
  take_steps(simulator, 20);
  EXPECT_NEAR(simulator.state().velocities[0].x, 1.0 - 20 * h * 0.1 * g, 1e-12);
  EXPECT_NEAR(simulator.state().velocities[2].x, 1.0 - 20 * h * 0.4 * g, 1e-12);
}

/// A wall at x = 0 behind which a charged sheet pulls at the block with Q E. It holds iff m g ≤ μ Q E.
Simulator on_wall(double share, double friction) {
  // 48 vertices of 1e-6 C; 300 x 300 x 200 mm³ / 8 = 2.25 kg.
  const double mass = 1000.0 * 0.15 * 0.15 * 0.1, charge = 48e-6;
  const double field = mass * g / (friction * share * charge);
  return contact_simulator(block_scene("[0.0, 0.0, -9.81]", "charge = 1e-6\nrotate = [0, 90, 0]\n") +
                           "[[electric_field]]\nexpression = [\"-e\", \"0\", \"0\"]\nconstants = { e = " +
                           std::to_string(field) + " }\n" +
                           "[[obstacle]]\nname = \"wall\"\nshape = \"plane\"\npoint = [-0.05, 0, 0]\n"
                           "normal = [1, 0, 0]\nfriction = " +
                           std::to_string(friction) + "\n");
}

TEST(ContactAcceptance, ElectroAdhesionHoldsUpToTheCone) {
  Simulator holds = on_wall(0.99, 0.6);
  take_steps(holds, 400);
  const VectorArray rest = holds.state().positions;
  take_steps(holds, 200);
  EXPECT_TRUE(holds.state().positions == rest);
  Simulator slides = on_wall(1.01, 0.6);
  take_steps(slides, 400);
  const double before = mean_velocity_of(slides).z;
  take_steps(slides, 20);
  const double exact = -g * (1.0 - 1.0 / 1.01);
  EXPECT_NEAR((mean_velocity_of(slides).z - before) / (20 * h), exact, 1e-6 * g);
}

/// On a slope the field's force comes on top of the weight's: the block holds iff m g sin θ ≤ μ (m g cos θ +
/// Q E).
TEST(ContactAcceptance, ElectroAdhesionAddsToTheWeightOnASlope) {
  const double angle = std::numbers::pi / 6.0, friction = 0.4, charge = 48e-6;
  const double mass = 1000.0 * 0.15 * 0.15 * 0.1;
  const auto on_slope = [&](double share) {
    const double field = mass * g * (std::sin(angle) / (friction * share) - std::cos(angle)) / charge;
    return contact_simulator(block_scene("[" + std::to_string(g * std::sin(angle)) + ", 0.0, " +
                                             std::to_string(-g * std::cos(angle)) + "]",
                                         "charge = 1e-6\n") +
                             "[[electric_field]]\nexpression = [\"0\", \"0\", \"-e\"]\nconstants = { e = " +
                             std::to_string(field) + " }\n" +
                             plane_obstacle("[0, 0, 1]", "friction = " + std::to_string(friction) + "\n"));
  };
  Simulator holds = on_slope(0.99);
  take_steps(holds, 400);
  EXPECT_EQ(mean_velocity_of(holds), Vec3{});
  Simulator slides = on_slope(1.01);
  take_steps(slides, 200);
  const double before = mean_velocity_of(slides).x;
  take_steps(slides, 20);
  const double exact = g * std::sin(angle) * (1.0 - 1.0 / 1.01);
  EXPECT_NEAR((mean_velocity_of(slides).x - before) / (20 * h), exact, 1e-6 * g);
}

/// Two joined vertices in a groove of two planes, each on one of them, slide along it: each plane bears
/// m g cos θ/(2 cos β), so that a = g sin θ - μ g cos θ/cos β.
TEST(ContactAcceptance, AWedgeInAGrooveSlidesWithTheFrictionOfBothFaces) {
  const double theta = 0.6, beta = 0.5, mu = 0.3;
  const auto text = [](double value) { return std::to_string(value); };
  const std::string planes =
      plane_obstacle("[0, " + text(std::sin(beta)) + ", " + text(std::cos(beta)) + "]", "friction = 0.3\n",
                     "l") +
      plane_obstacle("[0, " + text(-std::sin(beta)) + ", " + text(std::cos(beta)) + "]", "friction = 0.3\n",
                     "r");
  Simulator simulator = contact_simulator(
      "[time]\nstep = 0.01\nsteps = 1000\n[integrator]\ntolerance = 1e-12\n[gravity]\nacceleration = [" +
      text(g * std::sin(theta)) + ", 0, " + text(-g * std::cos(theta)) + "]\n" +
      particles("[0, -0.5, " + text(0.5 * std::tan(beta) + 1e-4) + "]",
                "[[body.springs]]\nfrom = \"nearest\"\nneighbours = 1\nstiffness = 2000\n") +
      planes);
  take_steps(simulator, 400);
  const double before = mean_velocity_of(simulator).x;
  take_steps(simulator, 20);
  const double exact = g * std::sin(theta) - mu * g * std::cos(theta) / std::cos(beta);
  EXPECT_NEAR((mean_velocity_of(simulator).x - before) / (20 * h), exact, 1e-5 * g);
}

/// A ball that rolls gains a = g sin θ/(1 + I/(m R²)): 3/5 of g sin θ for a shell, 5/7 for a ball of one
/// density. It has facets, over each of which it falls a little. The inertia is about the axis along y.
double rolling_acceleration(const Simulator& simulator, double slope, double height, double radius) {
  double inertia = 0.0, mass = 0.0;
  for (std::size_t i = 0; i < simulator.state().positions.size(); ++i) {
    const Vec3 arm = simulator.state().positions[i] - Vec3{0, 0, height};
    inertia += simulator.system().masses()[i] * (arm.x * arm.x + arm.z * arm.z);
    mass += simulator.system().masses()[i];
  }
  return g * std::sin(slope) / (1.0 + inertia / (mass * radius * radius));
}

std::string downhill(double slope) {
  return "[gravity]\nacceleration = [" + std::to_string(g * std::sin(slope)) + ", 0, " +
         std::to_string(-g * std::cos(slope)) + "]\n";
}

/// Tetrahedra within the sphere of 642 vertices. 821 of them roll 1.3 % too fast, and 1483 1.1 %.
TEST(ContactAcceptance, ASolidBallRollsAndDoesNotSlide) {
  GeneratorSpec spec;
  spec.shape = "sphere";
  spec.parameters = {{"radius", 0.1}, {"vertices", 642.0}};
  const Mesh sphere = generate(spec);
  std::ostringstream obj;
  obj.precision(17);
  for (const Vec3& x : sphere.vertices) obj << "v " << x.x << " " << x.y << " " << x.z << "\n";
  for (const Triangle& t : triangulated(sphere.polygons))
    obj << "f " << t[0] + 1 << " " << t[1] + 1 << " " << t[2] + 1 << "\n";
  const double theta = 0.35, step = 0.005;
  const std::string text =
      "[time]\nstep = 0.005\nsteps = 1000\n" + downhill(theta) +
      "[[body]]\nname = \"ball\"\ngenerate = { shape = \"fill\", surface = \"ball.obj\", cell_size = 0.025 "
      "}\n"
      "translate = [0, 0, 0.1001]\ndensity = 1000.0\n[[body.material]]\nmodel = \"stable_neo_hookean\"\n"
      "youngs_modulus = 1e6\npoissons_ratio = 0.3\n" +
      plane_obstacle("[0, 0, 1]", "friction = 1.0\n");
  Simulator simulator(compile(
      assemble(parse_scene(text, "scene.toml", "."), [&](const std::string&) { return obj.str(); }), 1));
  const double exact = rolling_acceleration(simulator, theta, 0.1001, 0.1);
  EXPECT_NEAR(exact, 5.0 / 7.0 * g * std::sin(theta), 0.005 * exact);
  take_steps(simulator, 40);
  EXPECT_NEAR(mean_velocity_of(simulator).x / (40 * step), exact, 0.02 * exact);
}

TEST(ContactAcceptance, AShellRollsAndDoesNotSlide) {
  const double theta = 0.35, radius = 0.1, step = 0.005;
  Simulator simulator = contact_simulator(
      "[time]\nstep = 0.005\nsteps = 1000\n" + downhill(theta) +
      "[[body]]\nname = \"ball\"\ngenerate = { shape = \"sphere\", radius = 0.1, vertices = 642 }\n"
      "translate = [0, 0, 0.1]\ntotal_mass = 1.0\n[[body.springs]]\nfrom = \"nearest\"\nneighbours = 18\n"
      "stiffness = 20000\n" +
      plane_obstacle("[0, 0, 1]", "friction = 1.0\n"));
  const double exact = rolling_acceleration(simulator, theta, radius, radius);
  const double inertia = 1.0 * radius * radius * (g * std::sin(theta) / exact - 1.0);  // Of 1 kg.
  EXPECT_NEAR(exact, 0.6 * g * std::sin(theta), 0.01 * exact);
  take_steps(simulator, 40);
  EXPECT_NEAR(mean_velocity_of(simulator).x / (40 * step), exact, 0.03 * exact);
  const State& state = simulator.state();
  const Vec3 velocity = mean_velocity_of(simulator);
  Vec3 centre;
  double spin = 0.0;
  for (const Vec3& x : state.positions) centre += (1.0 / static_cast<double>(state.positions.size())) * x;
  for (std::size_t i = 0; i < state.positions.size(); ++i)
    spin += simulator.system().masses()[i] *
            cross(state.positions[i] - centre, state.velocities[i] - velocity).y / inertia;
  EXPECT_NEAR(spin * radius, velocity.x, 0.02 * velocity.x);
}

TEST(ContactAcceptance, AThickPlaneIsHigher) {
  std::string text = block_scene("[0.0, 0.0, -9.81]") +
                     plane_obstacle("[0.0, 0.0, 1.0]", "friction = 0.5\n") + "[contact]\nthickness = 0.01\n";
  text.replace(text.find("translate = [0.0, 0.0, 0.05]"), 28, "translate = [0.0, 0.0, 0.07]");
  Simulator simulator = contact_simulator(text);
  take_steps(simulator, 100);
  double lowest = 1.0;
  for (const Vec3& x : simulator.state().positions) lowest = std::min(lowest, x.z);
  EXPECT_NEAR(lowest, 0.01, 1e-15);
}

/// A particle that friction holds on the corner of a thick box keeps the thickness from the corner.
TEST(ContactAcceptance, CornersOfThickBoxesAreRound) {
  const Vec3 corner{0.5, 0.5, 0.5},
      up = (1.0 / std::sqrt(0.5 * 0.5 + 0.6 * 0.6 + 0.7 * 0.7)) * Vec3{0.5, 0.6, 0.7};
  const auto text = [](const Vec3& v) {
    return "[" + std::to_string(v.x) + ", " + std::to_string(v.y) + ", " + std::to_string(v.z) + "]";
  };
  Simulator simulator = contact_simulator(
      "[time]\nstep = 0.01\nsteps = 1000\n[integrator]\ntolerance = 1e-12\n[gravity]\nacceleration = " +
      text(-g * up) +
      "\n[[body]]\nname = \"p\"\ngenerate = { shape = \"chain\", vertices = 2, length = 9.0 }\n" +
      "mass = 1.0\ninitial_positions = [" + text(corner + 0.25 * up) + ", [90, 90, 90]]\n" +
      "[[obstacle]]\nname = \"box\"\nshape = \"box\"\ncentre = [0, 0, 0]\nsize = [1, 1, 1]\nfriction = 1.0\n"
      "[contact]\nthickness = 0.2\n");
  take_steps(simulator, 60);
  EXPECT_NEAR(norm(simulator.state().positions[0] - corner), 0.2, 1e-12);
  EXPECT_LT(norm(simulator.state().positions[0] - (corner + 0.2 * up)), 1e-5);
}

TEST(ContactAcceptance, AVertexThatWouldPassThroughAThickObstacleEndsTheRun) {
  const std::string shot =
      "[time]\nstep = 0.01\nsteps = 100\n" + particles("[0, 0, 0.27]", "velocity = [0.0, 0.0, -5.0]") +
      "[[obstacle]]\nname = \"sheet\"\nshape = \"box\"\ncentre = [0, 0, 0]\nsize = [9, 9, 0.002]\n";
  Simulator through = contact_simulator(shot);
  take_steps(through, 9);
  EXPECT_LT(through.state().positions[0].z, -0.1);  // Nothing looks at the way between steps.
  Simulator refused = contact_simulator(shot + "[contact]\nthickness = 0.004\n");
  take_steps(refused, 4);
  try {
    for (int k = 0; k < 5; ++k) refused.step();
    FAIL();
  } catch (const DivergenceError& error) {
    EXPECT_NE(
        error.cause().find("it moves by 0.05 m in one step, through obstacle.sheet, which is 0.004 m thick"),
        std::string::npos)
        << error.what();
    EXPECT_NE(error.advice().find("a thickness of at least 0.05 m"), std::string::npos) << error.advice();
    EXPECT_EQ(error.step(), refused.state().step + 1);
  }
  EXPECT_GE(refused.state().step, 4);
  EXPECT_GT(refused.state().positions[0].z, 0.0);
}

/// A particle that slides off the edge of a box and is driven down beside it: its way cuts the edge.
TEST(ContactAcceptance, AWayThatCutsAnEdgeNamesAThicknessWithWhichItGoesOn) {
  const std::string thrown =
      "[time]\nstep = 0.01\nsteps = 100\n[gravity]\nacceleration = [0, 0, -300]\n" +
      particles("[0.447, 0, 0.507]", "velocity = [3.0, 0.0, 0.0]") +
      "[[obstacle]]\nname = \"box\"\nshape = \"box\"\ncentre = [0, 0, 0]\nsize = [1, 9, 1]\n";
  Simulator refused = contact_simulator(thrown + "[contact]\nthickness = 0.0001\n");
  std::string advice;
  try {
    for (int k = 0; k < 5; ++k) refused.step();
    FAIL();
  } catch (const DivergenceError& error) {
    EXPECT_NE(error.cause().find("and so cuts an edge of obstacle.box "), std::string::npos) << error.what();
    EXPECT_NE(error.advice().find("or none"), std::string::npos) << error.advice();
    advice = error.advice();
  }
  const std::string before = "a thickness of at least ";
  ASSERT_NE(advice.find(before), std::string::npos) << advice;
  const double enough = std::stod(advice.substr(advice.find(before) + before.size()));
  EXPECT_LT(enough, 0.006);  // The way is 0.03 m long, and more.
  Simulator goes_on = contact_simulator(thrown + "[contact]\nthickness = " + std::to_string(enough) + "\n");
  for (int k = 0; k < 5; ++k) goes_on.step();
  EXPECT_LT(goes_on.state().positions[0].z, 0.3);
}

/// Its vertices go round the edges, by ways of many thicknesses, and so on by turned ones.
TEST(ContactAcceptance, ABlockSlidesOffTheEdgeOfAThickBox) {
  const auto pushed = [](double speed, const char* modulus, double turn) {
    std::string text =
        block_scene("[0.0, 0.0, -9.81]", "velocity = [" + std::to_string(speed) + ", 0.0, 0.0]\n", modulus) +
        "[[obstacle]]\nname = \"table\"\nshape = \"box\"\ncentre = [0, 0, -0.201]\n"
        "size = [0.4, 0.4, 0.4]\nfriction = 0.2\nrotate = [0, 0, " +
        std::to_string(turn) + "]\n[contact]\nthickness = 0.001\n";
    return text.replace(text.find("1e-9"), 4, "1e-6");
  };
  for (const auto& [speed, modulus, turn] : {std::tuple(1.0, "1e4", 0.0), std::tuple(2.0, "1e4", 30.0),
                                             std::tuple(1.5, "2e4", 45.0), std::tuple(4.0, "1e5", 10.0)}) {
    Simulator simulator = contact_simulator(pushed(speed, modulus, turn));
    for (int k = 0; k < 40; ++k) EXPECT_NO_THROW(simulator.step()) << speed << " m/s, step " << k;
    EXPECT_LT(simulator.state().positions[0].z, 0.1);
  }
}

TEST(ContactAcceptance, ABodyThatAParameterMovesInsideIsARunWithoutAValue) {
  Assembly assembly = assemble(parse_scene(
      block_scene("[0.0, 0.0, -9.81]") + plane_obstacle("[0.0, 0.0, 1.0]", ""), "scene.toml", "."));
  for (Vec3& x : assembly.initial_positions) x.z -= 1e-5;  // A step of differences.
  EXPECT_NO_THROW(compile(assembly, 1));
  for (Vec3& x : assembly.initial_positions) x.z -= 0.01;
  EXPECT_THROW(compile(assembly, 1), DivergenceError);
}

TEST(ContactAcceptance, OnlyContactGroupsAndBodiesThatAreNamedTouch) {
  const std::string two = "[time]\nstep = 0.01\nsteps = 100\n[gravity]\nacceleration = [0, 0, -9.81]\n" +
                          particles("[0, 0, 0.01]", "[[body.group]]\nname = \"g\"\nindices = [1]\n", 2, "a") +
                          particles("[0, 9, 0.01]", "", 2, "b") + plane_obstacle("[0, 0, 1]", "");
  const auto heights = [](const std::string& text) {
    Simulator simulator = contact_simulator(text);
    take_steps(simulator, 20);
    std::string touching;
    for (const Vec3& x : simulator.state().positions) touching += x.z == 0.0 ? 'x' : x.z < -0.1 ? '-' : '?';
    return touching;
  };
  EXPECT_EQ(heights(two), "xxxx");
  EXPECT_EQ(heights(two + "[contact]\nbodies = [\"b\"]\n"), "--xx");
  std::string grouped = two;
  grouped.replace(grouped.find("indices = [1]\n"), 14, "indices = [1]\n[[body.contact]]\ngroup = \"g\"\n");
  EXPECT_EQ(heights(grouped), "-xxx");
}

TEST(ContactAcceptance, StepsAllocateNothingOnceItSlides) {
  if (!AllocationCounter::works()) GTEST_SKIP();
  Simulator simulator = contact_simulator(block_scene("[5.2, 0.0, -9.81]") +
                                          plane_obstacle("[0.0, 0.0, 1.0]", "friction = 0.5\n"));
  take_steps(simulator, 20);
  const AllocationCounter counter;
  for (int k = 0; k < 5; ++k) simulator.step();
  EXPECT_EQ(counter.count(), 0);
}

TEST(ContactAcceptance, ContactsOfAStepAreTold) {
  Simulator simulator = contact_simulator(block_scene("[5.2, 0.0, -9.81]") +
                                          plane_obstacle("[0.0, 0.0, 1.0]", "friction = 0.5\n"));
  EXPECT_TRUE(simulator.contacts().empty());
  take_steps(simulator, 200);
  const StepReport report = simulator.step();
  EXPECT_EQ(report.contact.slipping, 16);
  EXPECT_EQ(report.contact.sticking, 0);
  EXPECT_LT(report.contact.penetration, 1e-15);
  ASSERT_EQ(simulator.contacts().size(), 16U);
  double mass = 0.0, push = 0.0;
  for (const double m : simulator.system().masses()) mass += m;
  for (const ContactForce& c : simulator.contacts()) {
    EXPECT_EQ(c.obstacle, 0);
    EXPECT_EQ(c.state, ContactState::slip);
    EXPECT_NEAR(norm(c.tangential), 0.5 * c.normal, 1e-6 * c.normal);
    push += c.normal;
  }
  EXPECT_NEAR(push, mass * g, 1e-4 * mass * g);
  ASSERT_TRUE(simulator.abandon_step());
  EXPECT_EQ(simulator.contacts().size(), 16U);
  simulator.restart();
  EXPECT_TRUE(simulator.contacts().empty());
}

}  // namespace
}  // namespace electret::test
