// Solids whose vertices touch several surfaces at once, against motions and forces that are known in closed
// form.

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "dynamics/contact_scenes.hpp"
#include "support/allocation_counter.hpp"
#include "support/hollow_meshes.hpp"

namespace electret::test {
namespace {

constexpr double g = 9.81;

std::string text(const Vec3& v) {
  std::string all = "[";
  for (int axis = 0; axis < 3; ++axis) {
    std::array<char, 40> number{};
    std::snprintf(number.data(), number.size(), "%.17g", v[axis]);
    all += (axis > 0 ? ", " : "") + std::string(number.data());
  }
  return all + "]";
}

std::string replaced(std::string all, const std::string& from, const std::string& to) {
  const std::size_t at = all.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return all.replace(at, from.size(), to);
}

double mass_of(const Simulator& simulator) {
  double mass = 0.0;
  for (const double m : simulator.system().masses()) mass += m;
  return mass;
}

/// What the obstacles push with, by their numbers.
std::vector<Vec3> pushes(const Simulator& simulator, std::size_t obstacles) {
  std::vector<Vec3> sums(obstacles);
  for (const ContactForce& c : simulator.contacts())
    sums[static_cast<std::size_t>(c.obstacle)] += c.normal * c.direction + c.tangential;
  return sums;
}

/// A block with one edge down in the groove of two planes at 45 degrees, of which each bears m g cos θ/√2.
/// Gravity is that on a slope of `angle` along the groove.
std::string groove(double angle, double friction) {
  const std::string block =
      block_scene(text({g * std::sin(angle), 0.0, -g * std::cos(angle)}), "rotate = [45, 0, 0]\n");
  const double y = (0.075 - 0.05) / std::numbers::sqrt2, z = (0.075 + 0.05) / std::numbers::sqrt2;
  const std::string mu = "friction = " + std::to_string(friction) + "\n";
  return replaced(block, "translate = [0.0, 0.0, 0.05]", "translate = " + text({0.0, y, z})) +
         plane_obstacle("[0, 1, 1]", mu, "left") + plane_obstacle("[0, -1, 1]", mu, "right");
}

double slide_in_groove(double angle, double friction) {
  Simulator simulator = contact_simulator(groove(angle, friction));
  take_steps(simulator, 250);
  const double before = mean_velocity_of(simulator).x;
  take_steps(simulator, 20);
  return (mean_velocity_of(simulator).x - before) / 0.2;
}

TEST(ContactCorners, ABlockInAGrooveSlidesWithTheFrictionOfBothWalls) {
  EXPECT_NEAR(slide_in_groove(0.3, 0.0), g * std::sin(0.3), 1e-6 * g);
  const double exact = g * std::sin(0.6) - 0.3 * std::numbers::sqrt2 * g * std::cos(0.6);
  EXPECT_NEAR(slide_in_groove(0.6, 0.3), exact, 1e-6 * g);
}

TEST(ContactCorners, ABlockInAGrooveHoldsUpToTheConesAndSlidesBeyond) {
  const double friction = 0.4, cone = std::numbers::sqrt2 * friction;
  Simulator holds = contact_simulator(groove(std::atan(0.99 * cone), friction));
  take_steps(holds, 300);
  const VectorArray rest = holds.state().positions;
  take_steps(holds, 200);
  EXPECT_TRUE(holds.state().positions == rest);
  const double angle = std::atan(1.01 * cone);
  EXPECT_NEAR(slide_in_groove(angle, friction), g * (std::sin(angle) - cone * std::cos(angle)), 1e-6 * g);
}

const std::string wall_beside =
    "[[obstacle]]\nname = \"wall\"\nshape = \"plane\"\npoint = [0.075, 0.0, 0.0]\nnormal = [-1.0, 0.0, "
    "0.0]\n";

TEST(ContactCorners, FloorAndWallBearTheirShares) {
  Simulator simulator =
      contact_simulator(block_scene("[3.0, 0.0, -9.81]") + plane_obstacle("[0, 0, 1]", "") + wall_beside);
  take_steps(simulator, 400);
  const double mass = mass_of(simulator);
  const std::vector<Vec3> force = pushes(simulator, 2);
  EXPECT_LT(norm(force[0] - Vec3{0, 0, mass * g}), 1e-6 * mass * g);
  EXPECT_LT(norm(force[1] - Vec3{-3.0 * mass, 0, 0}), 1e-6 * mass * g);
  int both = 0;
  std::vector<int> of_vertex(simulator.state().positions.size());
  for (const ContactForce& c : simulator.contacts())
    both += ++of_vertex[static_cast<std::size_t>(c.vertex)] == 2;
  EXPECT_EQ(both, 4);
}

/// Gravity pulls along the edge of floor and wall, against the friction of both.
Simulator along_the_edge(double share) {
  const double floor = 0.3, wall = 0.5, pull = 3.0;
  return contact_simulator(block_scene(text({pull, share * (floor * g + wall * pull), -g})) +
                           plane_obstacle("[0, 0, 1]", "friction = 0.3\n") + wall_beside +
                           "friction = 0.5\n");
}

TEST(ContactCorners, FrictionOfFloorAndWallHoldsTogether) {
  Simulator holds = along_the_edge(0.99);
  take_steps(holds, 400);
  const VectorArray rest = holds.state().positions;
  take_steps(holds, 200);
  EXPECT_TRUE(holds.state().positions == rest);
  const std::vector<Vec3> force = pushes(holds, 2);
  const Vec3 all = force[0] + force[1], weight{-3.0, -0.99 * (0.3 * g + 1.5), g};
  EXPECT_LT(norm(all - mass_of(holds) * weight), 1e-6 * mass_of(holds) * g);
  Simulator slides = along_the_edge(1.01);
  take_steps(slides, 250);
  const double before = mean_velocity_of(slides).y;
  take_steps(slides, 20);
  EXPECT_NEAR((mean_velocity_of(slides).y - before) / 0.2, 0.01 * (0.3 * g + 1.5), 1e-6 * g);
}

/// The block of three by three by two cells of 0.05 m in the corner of a box.
std::string in_a_box(const std::string& gravity, const std::string& friction) {
  return block_scene(gravity) +
         "[[obstacle]]\nname = \"room\"\nshape = \"box\"\ncentre = [-0.425, -0.425, 0.5]\nsize = [1.0, 1.0, "
         "1.0]\n"
         "inside = true\n" +
         friction;
}

TEST(ContactCorners, ThreeFacesOfABoxBearTheirShares) {
  Simulator simulator = contact_simulator(in_a_box("[3.0, 2.0, -9.81]", ""));
  take_steps(simulator, 400);
  const double mass = mass_of(simulator);
  Vec3 sums;
  std::vector<int> of_vertex(simulator.state().positions.size());
  int most = 0;
  for (const ContactForce& c : simulator.contacts()) {
    sums += c.normal * c.direction;
    EXPECT_LT(norm(c.tangential), 1e-9);
    most = std::max(most, ++of_vertex[static_cast<std::size_t>(c.vertex)]);
  }
  EXPECT_LT(norm(sums - mass * Vec3{-3.0, -2.0, g}), 1e-6 * mass * g);
  EXPECT_EQ(most, 3);
  double deepest = 0.0;
  for (const Vec3& x : simulator.state().positions)
    deepest = std::max({deepest, x.x - 0.075, x.y - 0.075, -x.z});
  EXPECT_LT(deepest, 1e-15);
}

TEST(ContactCorners, FrictionInACornerOfThreeFacesHolds) {
  Simulator simulator = contact_simulator(in_a_box("[3.0, 2.0, -9.81]", "friction = 0.6\n"));
  take_steps(simulator, 300);
  const VectorArray rest = simulator.state().positions;
  take_steps(simulator, 100);
  EXPECT_TRUE(simulator.state().positions == rest);
}

TEST(ContactCorners, RunsHaveTheSameBitsOnAnyThreads) {
  const std::string scene = in_a_box("[3.0, 2.0, -9.81]", "friction = 0.3\n");
  const std::string thrown =
      replaced(scene, "density = 1000.0", "density = 1000.0\nvelocity = [-0.5, 1.0, 1.0]");
  Simulator one = contact_simulator(thrown, 1), two = contact_simulator(thrown, 2),
            three = contact_simulator(thrown, 3);
  for (Simulator* each : {&one, &two, &three}) take_steps(*each, 80);
  EXPECT_TRUE(one.state().positions == two.state().positions);
  EXPECT_TRUE(one.state().positions == three.state().positions);
  Simulator other = contact_simulator(thrown, 2);
  other.restore(one.state(), one.work());
  take_steps(one, 20);
  take_steps(other, 20);
  EXPECT_TRUE(one.state().positions == other.state().positions);
}

Simulator with_mesh(const std::string& text, const std::string& mesh) {
  return Simulator(
      compile(load_scene_text(text, "scene.toml", ".", {}, [&](const std::string&) { return mesh; }), 1));
}

std::string mesh_obstacle(const std::string& more) {
  return "[[obstacle]]\nname = \"mesh\"\nshape = \"mesh\"\nmesh = \"hollow.obj\"\n" + more;
}

double distance_of(const Simulator& a, const Simulator& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.state().positions.size(); ++i)
    largest = std::max(largest, norm(a.state().positions[i] - b.state().positions[i]));
  return largest;
}

/// The planes of a mesh's hollow push as planes of their own do.
TEST(ContactCorners, AGrooveInAMeshIsThatOfTwoPlanes) {
  for (const double angle : {0.2, 0.6}) {
    const std::string planes = groove(angle, 0.3), block = planes.substr(0, planes.find("[[obstacle]]"));
    Simulator by_planes = contact_simulator(planes);
    Simulator by_mesh = with_mesh(block + mesh_obstacle("friction = 0.3\n"), groove_mesh());
    for (Simulator* run : {&by_planes, &by_mesh}) take_steps(*run, 100);
    EXPECT_LT(distance_of(by_mesh, by_planes), 1e-9);
    const std::vector<Vec3> of_mesh = pushes(by_mesh, 1), of_planes = pushes(by_planes, 2);
    EXPECT_LT(norm(of_mesh[0] - of_planes[0] - of_planes[1]), 1e-6 * norm(of_mesh[0]));
    EXPECT_GT(norm(of_mesh[0]), 0.5 * mass_of(by_mesh) * g);
  }
}

/// A particle in the gap between two ridges of a mesh, which are round by the thickness: it rests on both at
/// the height √(t² - a²), and each bears m g/(2 cos β) with sin β = a/t.
TEST(ContactCorners, AParticleBetweenTwoRidgesOfAMeshRestsOnBoth) {
  const double half = 0.03, thickness = 0.05, height = 0.04;
  Simulator simulator = with_mesh(
      "[time]\nstep = 0.005\nsteps = 400\n[integrator]\ntolerance = 1e-12\n[gravity]\nacceleration = [0, 0, "
      "-9.81]\n" +
          particles("[0.002, 0, 0.06]", "") + mesh_obstacle("[contact]\nthickness = 0.05\n"),
      two_roofs_mesh(half));
  take_steps(simulator, 400);
  EXPECT_LT(norm(mean_velocity_of(simulator)), 1e-9);
  for (const Vec3& x : simulator.state().positions) EXPECT_LT(std::hypot(x.x, x.z - height), 1e-9);
  const std::span<const ContactForce> contacts = simulator.contacts();
  ASSERT_EQ(contacts.size(), 4U);
  for (const ContactForce& c : contacts) {
    EXPECT_NEAR(c.normal, 0.5 * 0.5 * g / (height / thickness), 1e-8);
    EXPECT_NEAR(std::abs(c.direction.x), half / thickness, 1e-8);
  }
}

TEST(ContactCorners, ACornerInAMeshIsThatOfThreePlanes) {
  const std::string thrown =
      replaced(block_scene("[-2, -1.5, -9.81]", "rotate = [20, 30, 10]\nvelocity = [-1, -1, 0]\n"),
               "translate = [0.0, 0.0, 0.05]", "translate = [0.3, 0.3, 0.2]");
  const std::string rub = "friction = 0.3\n";
  Simulator by_planes =
      contact_simulator(thrown + plane_obstacle("[1, 0, 0]", rub, "x") +
                        plane_obstacle("[0, 1, 0]", rub, "y") + plane_obstacle("[0, 0, 1]", rub, "z"));
  Simulator by_mesh = with_mesh(thrown + mesh_obstacle(rub), notched_mesh());
  for (Simulator* run : {&by_planes, &by_mesh}) take_steps(*run, 80);
  EXPECT_LT(distance_of(by_mesh, by_planes), 1e-8);
  int walls = 0;
  std::vector<int> of_vertex(by_mesh.state().positions.size());
  for (const ContactForce& c : by_mesh.contacts())
    walls = std::max(walls, ++of_vertex[static_cast<std::size_t>(c.vertex)]);
  EXPECT_GE(walls, 2);
}

/// Ridges and hollow edges meet at each vertex of the terrain.
TEST(ContactCorners, ACubeTumblesOnATerrainWithAThickness) {
  std::string cube =
      block_scene("[0, 0, -9.81]", "rotate = [-40, 10, 70]\nvelocity = [-1, 0.3, -1]\n", "2e5");
  cube = replaced(cube, "translate = [0.0, 0.0, 0.05]", "translate = [0.05, 0.1, 0.4]");
  for (const char* friction : {"0.0", "0.8"}) {
    Simulator simulator = with_mesh(
        cube + mesh_obstacle(std::string("friction = ") + friction + "\n[contact]\nthickness = 0.001\n"),
        terrain_mesh(13));
    take_steps(simulator, 90);
    double lowest = 1.0;
    for (const Vec3& x : simulator.state().positions) lowest = std::min(lowest, x.z);
    EXPECT_GT(lowest, 0.0) << friction;  // It is not inside.
    EXPECT_LT(lowest, 0.1) << friction;
  }
}

TEST(ContactCorners, StepsAllocateNothingOnceItSlides) {
  if (!AllocationCounter::works()) GTEST_SKIP();
  Simulator simulator = contact_simulator(groove(0.6, 0.3));
  take_steps(simulator, 20);
  const AllocationCounter counter;
  for (int k = 0; k < 5; ++k) simulator.step();
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace electret::test
