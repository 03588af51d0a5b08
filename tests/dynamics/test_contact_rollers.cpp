// Vertices on rollers that touch obstacles: planes of symmetry, rails, and rollers that push, against motions
// and forces that are known in closed form.

#include <cmath>
#include <numbers>

#include "dynamics/contact_scenes.hpp"
#include "dynamics/matched_vertices.hpp"
#include "support/allocation_counter.hpp"

namespace electret::test {
namespace {

constexpr double g = 9.81, h = 0.01;

std::string start_of_scene(const std::string& gravity) {
  return "[time]\nstep = 0.01\nsteps = 4000\n[integrator]\ntolerance = 1e-12\n[gravity]\nacceleration = " +
         gravity + "\n";
}

/// A roller for all vertices within a box, or a part of one.
std::string roller(const std::string& hold, const std::string& more = "",
                   const std::string& box = "[[-9, -9, -9], [9, 9, 9]]", const std::string& name = "roller") {
  return "  [[body.group]]\n  name = \"" + name + "\"\n  box = " + box + "\n  [[body.pin]]\n  group = \"" +
         name + "\"\n  " + hold + "\n" + more;
}

/// The sum of what rollers have borne in the last step, N.
Vec3 borne(const Simulator& simulator) {
  Vec3 sum;
  for (const Vec3& reaction : simulator.pin_reactions()) sum += reaction;
  return sum;
}

Vec3 pushed(const Simulator& simulator) {
  Vec3 sum;
  for (const ContactForce& c : simulator.contacts()) sum += c.normal * c.direction + c.tangential;
  return sum;
}

double mass_of(const Simulator& simulator) {
  double mass = 0.0;
  for (const double m : simulator.system().masses()) mass += m;
  return mass;
}

/// A block above a plane, or the part of it that lies on one side of planes of symmetry.
Simulator block_on_slope(const std::string& cells, const std::string& middle, const std::string& rollers,
                         const std::string& obstacle, const std::string& gravity) {
  return contact_simulator(start_of_scene(gravity) + R"(
[[body]]
name = "block"
generate = { shape = "box", cells = )" +
                           cells + ", cell_size = 0.05 }\ntranslate = " + middle + R"(
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e5
  poissons_ratio = 0.4
)" + rollers + obstacle);
}

struct Slope {
  std::string name, gravity, obstacle;
  double moves = 0.0;  ///< The vertices' mean velocity along x at the end is more, m/s.
};

class ContactSymmetry : public testing::TestWithParam<Slope> {};

TEST_P(ContactSymmetry, APartMovesAsTheWhole) {
  const Slope& on = GetParam();
  const std::string of_y = roller("normal = [0, -2, 0]", "", "[[-9, -0.001, -9], [9, 0.001, 9]]", "y");
  Simulator whole = block_on_slope("[3, 4, 2]", "[0.075, 0, 0.052]", "", on.obstacle, on.gravity);
  Simulator half = block_on_slope("[3, 2, 2]", "[0.075, 0.05, 0.052]", of_y, on.obstacle, on.gravity);
  for (Simulator* run : {&whole, &half}) take_steps(*run, 60);
  EXPECT_GT(mean_velocity_of(whole).x, on.moves);
  EXPECT_LT(largest_distance(half, whole), 1e-9);
  const Vec3 of_half = pushed(half), of_whole = pushed(whole);
  EXPECT_GT(norm(of_half), 0.5 * mass_of(half) * g);
  EXPECT_LT(norm(Vec3{2.0 * of_half.x - of_whole.x, of_whole.y, 2.0 * of_half.z - of_whole.z}),
            1e-6 * norm(of_whole));
  // The plane bears what the other half would: by symmetry nothing along itself.
  double most = 0.0;
  for (const Vec3& reaction : half.pin_reactions()) {
    EXPECT_TRUE(reaction.x == 0.0 && reaction.z == 0.0);
    most = std::max(most, std::abs(reaction.y));
  }
  EXPECT_GT(most, 1e-3 * mass_of(half) * g);
}

const std::string on_plane =
    "[[obstacle]]\nname = \"ground\"\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n";

INSTANTIATE_TEST_SUITE_P(
    Obstacles, ContactSymmetry,
    testing::Values(Slope{"slides", "[4.0, 0.0, -9.81]", on_plane + "friction = 0.2\n", 0.9},
                    Slope{"holds", "[4.0, 0.0, -9.81]", on_plane + "friction = 0.8\n", -1e-3},
                    Slope{"is_held", "[4.0, 0.0, -9.81]", on_plane + "law = \"sticking\"\n", -1e-3},
                    Slope{"slides_on_a_cylinder", "[4.0, 0.0, -9.81]",
                          "[[obstacle]]\nname = \"ground\"\nshape = \"cylinder\"\ncentre = [0, 0, -5]\n"
                          "axis = [0, 1, 0]\nradius = 5\nlength = 9\nfriction = 0.1\n",
                          0.9},
                    Slope{"slides_in_a_groove", "[4.0, 0.0, -9.81]",
                          "[[obstacle]]\nname = \"l\"\nshape = \"plane\"\npoint = [0, 0.1, 0]\nnormal = [0, "
                          "-0.3, 1]\nfriction = 0.1\n"
                          "[[obstacle]]\nname = \"r\"\nshape = \"plane\"\npoint = [0, -0.1, 0]\nnormal = [0, "
                          "0.3, 1]\nfriction = 0.1\n",
                          0.9}),
    [](const auto& each) { return each.param.name; });

/// A bead of 0.5 kg on a rail falls by g·a and stops where the rail meets a plane of normal n. The plane then
/// bears λ = m g a_z/(n·a), and the rail what is left of the weight.
TEST(ContactRollers, ABeadOnARailFallsOntoAPlane) {
  const Vec3 a{0.6, 0.0, 0.8}, n = (1.0 / std::sqrt(1.09)) * Vec3{0.3, 0.0, 1.0};
  Simulator simulator = contact_simulator(start_of_scene("[0, 0, -9.81]") +
                                          particles("[0, 0, 0.3]", roller("axis = [0.6, 0, 0.8]")) +
                                          plane_obstacle("[0.3, 0, 1]", "friction = 0.4\n"));
  const VectorArray start = simulator.state().positions;
  const int falls = 5;
  take_steps(simulator, falls);
  const double way = 0.5 * g * a.z * h * h * falls * (falls + 1);
  for (std::size_t i = 0; i < start.size(); ++i)
    EXPECT_LT(norm(simulator.state().positions[i] - (start[i] - way * a)), 1e-14);
  EXPECT_EQ(simulator.contacts().size(), 0U);
  take_steps(simulator, 60);
  const double lambda = 0.5 * g * a.z / dot(n, a);
  ASSERT_EQ(simulator.contacts().size(), start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    const Vec3 end = start[i] - (dot(n, start[i]) / dot(n, a)) * a;
    EXPECT_LT(norm(simulator.state().positions[i] - end), 1e-14);
    EXPECT_LT(norm(simulator.state().velocities[i]), 1e-13);
    EXPECT_EQ(simulator.contacts()[i].state, ContactState::stick);
    EXPECT_NEAR(simulator.contacts()[i].normal, lambda, 1e-10);
    EXPECT_LT(norm(simulator.contacts()[i].tangential), 1e-10);
    EXPECT_LT(norm(simulator.pin_reactions()[i] - (Vec3{0, 0, 0.5 * g} - lambda * n)), 1e-10);
  }
}

/// What sticks stays where the step began: above the plane by less than the way of a step.
TEST(ContactRollers, ABeadOnARailIsHeldByWhatSticks) {
  Simulator simulator = contact_simulator(start_of_scene("[0, 0, -9.81]") +
                                          particles("[0, 0, 0.3]", roller("axis = [0.6, 0, 0.8]")) +
                                          plane_obstacle("[0.3, 0, 1]", "law = \"sticking\"\n"));
  take_steps(simulator, 60);
  const VectorArray rest = simulator.state().positions;
  take_steps(simulator, 5);
  ASSERT_EQ(simulator.contacts().size(), rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    EXPECT_EQ(simulator.state().positions[i], rest[i]);
    EXPECT_LT(dot({0.3, 0.0, 1.0}, rest[i]), h * std::sqrt(2.0 * g * 0.4));
    EXPECT_GE(dot({0.3, 0.0, 1.0}, rest[i]), 0.0);
    const Vec3 all = simulator.contacts()[i].normal * simulator.contacts()[i].direction +
                     simulator.contacts()[i].tangential + simulator.pin_reactions()[i];
    EXPECT_LT(norm(all - Vec3{0, 0, 0.5 * g}), 1e-10);
  }
}

/// Rollers bear alone what a parallel wall would: without pressure there is no friction.
TEST(ContactRollers, AWallParallelToWhatIsHeldBearsNothing) {
  for (const char* hold : {"normal = [0, 0, 1]", "axis = [1, 0, 0]"})
    for (const char* law : {"friction = 0.5\n", "law = \"sticking\"\n"})
      for (const char* place : {"[0, 0, 0]", "[0, 0, 0.001]"}) {
        Simulator simulator =
            contact_simulator(start_of_scene("[2, 0, -9.81]") + particles(place, roller(hold)) +
                              plane_obstacle("[0, 0, 1]", law));
        take_steps(simulator, 20);
        EXPECT_EQ(simulator.contacts().size(), 0U) << hold << law;
        for (const Vec3& v : simulator.state().velocities)
          EXPECT_LT(norm(v - Vec3{20 * h * 2.0, 0, 0}), 1e-14) << hold << law;
        EXPECT_LT(norm(borne(simulator) - Vec3{0, 0, mass_of(simulator) * g}), 1e-10) << hold << law;
      }
}

/// Rollers push a particle along x over a floor at the velocity v. Gravity pulls it along y by s μ g, so that
/// in the end it slides at tan = s/√(1 - s²) to x, and rollers bear μ m g √(1 - s²).
TEST(ContactRollers, FrictionTurnsAgainstTheWholeSlide) {
  const double mu = 0.4, v = 0.3, s = 0.6;
  Simulator simulator = contact_simulator(
      start_of_scene("[0, " + std::to_string(s * mu * g) + ", -9.81]") +
      particles("[0, 0, 0]",
                roller("normal = [1, 0, 0]", "  times = [0, 40]\n  offsets = [[0, 0, 0], [12, 0, 0]]\n")) +
      plane_obstacle("[0, 0, 1]", "friction = 0.4\n"));
  take_steps(simulator, 1500);
  const double across = v * s / std::sqrt(1.0 - s * s);
  for (const Vec3& velocity : simulator.state().velocities)
    EXPECT_LT(norm(velocity - Vec3{v, across, 0}), 1e-9);
  EXPECT_LT(norm(borne(simulator) - Vec3{mu * mass_of(simulator) * g * std::sqrt(1.0 - s * s), 0, 0}), 1e-8);
  for (const ContactForce& c : simulator.contacts()) EXPECT_EQ(c.state, ContactState::slip);
  const AllocationCounter counter;
  take_steps(simulator, 5);
  EXPECT_TRUE(counter.count() == 0 || !AllocationCounter::works());
}

/// A step begins with the vertex where its roller has brought it, so that a slope is no surprise.
TEST(ContactRollers, AreWhereTheyAreFromAStepsFirstPlaceOn) {
  Simulator simulator = contact_simulator(
      start_of_scene("[0, 0, -9.81]") +
      particles("[0, 0, 0]", roller("normal = [1, 0, 0]",
                                    "  times = [0, 0.05, 40]\n  offsets = [[0, 0, 0], [0.005, 0, 0], [12, 0, "
                                    "0]]\n")) +
      plane_obstacle("[-0.3, 0, 1]", ""));
  for (int step = 0; step < 10; ++step) EXPECT_EQ(simulator.step().elastic_iterations, 0) << step;
  for (const Vec3& x : simulator.state().positions) EXPECT_NEAR(x.z, 0.3 * x.x, 1e-15);
}

/// The rollers bear μ N, whether they move the block along the floor or the floor moves below it.
TEST(ContactRollers, PushABlockAgainstTheFrictionOfAFloor) {
  const std::string back = "[[-9, -9, -9], [0.001, 9, 9]]";
  const std::string ways = "times = [0, 0.5, 40]\noffsets = [[0, 0, 0], [0.05, 0, 0], [7.95, 0, 0]]\n";
  Simulator pushed_on =
      block_on_slope("[3, 2, 2]", "[0.075, 0, 0.05]", roller("normal = [1, 0, 0]", ways, back),
                     plane_obstacle("[0, 0, 1]", "friction = 0.3\n"), "[0, 0, -9.81]");
  Simulator belt = block_on_slope("[3, 2, 2]", "[0.075, 0, 0.05]", roller("normal = [1, 0, 0]", "", back),
                                  plane_obstacle("[0, 0, 1]", "friction = 0.3\n" + ways), "[0, 0, -9.81]");
  for (Simulator* run : {&pushed_on, &belt}) {
    take_steps(*run, 600);
    const double friction = 0.3 * mass_of(*run) * g, sign = run == &belt ? -1.0 : 1.0;
    EXPECT_NEAR(borne(*run).x, sign * friction, 1e-6 * friction);
    EXPECT_NEAR(pushed(*run).x, -sign * friction, 1e-6 * friction);
    EXPECT_NEAR(pushed(*run).z, mass_of(*run) * g, 1e-6 * mass_of(*run) * g);
    const WorkAccounts before = run->work();
    take_steps(*run, 10);
    const WorkAccounts& after = run->work();
    const double lost = friction * 10 * h * 0.2;
    EXPECT_NEAR(after.dissipation - before.dissipation, lost, 1e-6 * lost);
    EXPECT_NEAR(after.pin_work - before.pin_work, run == &belt ? 0.0 : lost, 1e-6 * lost);
    EXPECT_NEAR(after.keyframe_work - before.keyframe_work, run == &belt ? lost : 0.0, 1e-6 * lost);
  }
}

}  // namespace
}  // namespace electret::test
