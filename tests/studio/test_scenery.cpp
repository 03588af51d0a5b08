#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <electret/core/constants.hpp>
#include <electret/geometry/placing.hpp>
#include <electret/record/element_stress.hpp>
#include <electret/record/run.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/scene/read.hpp>
#include <electret/studio/session/system_info.hpp>

#include "studio/played.hpp"

namespace electret::studio {
namespace {

using test::put_text;
using test::TemporaryFolder;

const std::string filled = R"([time]
step = 0.01
steps = 2

[[body]]
name = "clo/th"
generate = { shape = "grid", width = 1.0, height = 1.0, rows = 3, columns = 3 }
mass = 1.0

  [[body.springs]]
  from = "edges"
  stiffness = 10.0

  [[body.group]]
  name = "corner/1"
  indices = [0]

[[body]]
name = "duck"
generate = { shape = "fill", surface = ")" ELECTRET_EXAMPLES R"(/duck.obj", cell_size = 0.3 }
density = 1000.0
translate = [3.0, 0.0, 0.0]

  [[body.material]]
  model = "corotated"
  youngs_modulus = 1e5
  poissons_ratio = 0.3
)";

TEST(StudioScenery, AFilledBodyShowsTheSurfaceItWasFilledFrom) {
  const Assembly assembly = load_scene_text(filled, "scene.toml", ".", {}, read_regular_file);
  const Scenery scenery = scenery_of(assembly, 1, 1);
  const auto& bodies = scenery.info.bodies;
  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_FALSE(bodies[0].filled);
  EXPECT_EQ(bodies[0].faces, 8);
  EXPECT_TRUE(bodies[1].filled);
  EXPECT_TRUE(bodies[1].solid);
  ASSERT_EQ(assembly.surfaces.size(), 1U);
  const CarriedSurface& surface = assembly.surfaces[0];
  EXPECT_EQ(bodies[1].shown_first, static_cast<Count>(assembly.masses.size()));
  EXPECT_EQ(bodies[1].shown_count, static_cast<Count>(surface.corners.size()));
  EXPECT_EQ(bodies[1].faces, static_cast<Count>(surface.faces.size()));
  const Topology topology = scenery.shown.topology(1);
  EXPECT_EQ(topology.points, scenery.shown.points());
  EXPECT_EQ(topology.faces[8][0], surface.faces[0][0] + static_cast<Index>(assembly.masses.size()));
  const Floats floats = scenery.shown.positions(assembly.initial_positions);
  Vec3 expected;
  for (std::size_t a = 0; a < 8 && surface.corners[5][a] >= 0; ++a)
    expected +=
        surface.weights[5][a] * assembly.initial_positions[static_cast<std::size_t>(surface.corners[5][a])];
  const std::size_t at = 3 * (assembly.masses.size() + 5);
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_EQ((*floats)[at + axis],
              static_cast<float>((expected - scenery.shown.centre())[static_cast<int>(axis)]));
}

TEST(StudioScenery, ARunShowsWhatItsSceneShowed) {
  const TemporaryFolder folder;
  put_text(folder.path() + "/scene.toml", filled);
  Assembly assembly = load_scene(folder.path() + "/scene.toml");
  const Scenery live = scenery_of(assembly, 1, 1);
  run_to_directory(compile(std::move(assembly), 1), folder.path() + "/run");
  const Shown run{TrajectoryReader(folder.path() + "/run/trajectory.h5")};
  const Topology a = live.shown.topology(1), b = run.topology(1);
  EXPECT_EQ(a.springs, b.springs);
  EXPECT_EQ(a.faces, b.faces);
  EXPECT_EQ(a.groups, b.groups);
  ASSERT_EQ(run.groups().size(), live.shown.groups().size());
  ASSERT_FALSE(run.groups().empty());
  EXPECT_EQ(run.groups()[0].name, "corner/1");
  EXPECT_EQ(a.points, b.points);
  EXPECT_EQ(a.origin, b.origin);
}

TEST(StudioScenery, StressAndEnergyAreThoseOfTheElements) {
  const Assembly assembly = load_scene_text(filled, "scene.toml", ".", {}, read_regular_file);
  const Scenery scenery = scenery_of(assembly, 1, 1);
  ASSERT_TRUE(scenery.scalars.has("stress"));
  VectorArray stretched = assembly.initial_positions;
  for (Vec3& x : stretched) x.z *= 1.05;
  const std::vector<ElementStress> elements = element_stresses(assembly, stretched);
  const Moment moment{stretched, std::nullopt, assembly.charges};
  const auto stress = scenery.scalars.values("stress", moment),
             energy = scenery.scalars.values("energy-density", moment);
  ASSERT_TRUE(stress && energy);
  // All elements are stretched alike, so that the mean at a vertex is the value of each.
  const auto corner = static_cast<std::size_t>(assembly.hexahedra.empty() ? assembly.tetrahedra[0][0]
                                                                          : assembly.hexahedra[0][0]);
  EXPECT_NEAR((*stress)[corner], elements[0].von_mises, 1e-6 * elements[0].von_mises);
  EXPECT_NEAR((*energy)[corner], elements[0].energy_density, 1e-6 * elements[0].energy_density);
  EXPECT_EQ((*stress)[0], 0.0);  // The cloth has no elements.
}

TEST(StudioScenery, ScalarsOfPoints) {
  const Assembly assembly = load_scene_text(R"([time]
step = 0.01
steps = 2
[coulomb]
[gravity]
acceleration = [0, -2, 0]
[[body]]
name = "pair"
generate = { shape = "chain", length = 2.0, vertices = 2 }
mass = 1.0
charge = 1e-6
)",
                                            "scene.toml", ".", {}, read_regular_file);
  const Scenery scenery = scenery_of(assembly, 1, 1);
  const VectorArray v{{3, 4, 0}, {0, 0, 0}};
  const Moment moment{assembly.initial_positions, VectorView(v), assembly.charges};
  EXPECT_EQ((*scenery.scalars.values("speed", moment))[0], 5.0);
  EXPECT_FALSE(scenery.scalars.values("speed", {assembly.initial_positions, std::nullopt, assembly.charges}));
  EXPECT_NEAR((*scenery.scalars.values("potential", moment))[0], coulomb_constant * 1e-6 / 2.0, 1e-6);
  EXPECT_FALSE(scenery.scalars.has("stress"));
  const auto height = *scenery.scalars.values("height", moment);
  EXPECT_NEAR(height[1] - height[0], assembly.initial_positions[1].y - assembly.initial_positions[0].y,
              1e-15);
}

TEST(StudioScenery, ObstaclesAreWhereTheyAreAndTurned) {
  const Assembly assembly = load_scene_text(R"([time]
step = 0.01
steps = 200
[[body]]
name = "dot"
generate = { shape = "chain", length = 1.0, vertices = 2 }
mass = 1.0
[[obstacle]]
name = "belt"
shape = "box"
centre = [1.0, 2.0, -9.0]
size = [1.0, 2.0, 3.0]
law = "penalty"
stiffness = 10.0
times = [0.0, 1.0]
offsets = [[0, 0, 0], [4, 0, 0]]
rotations = [[0, 0, 0], [0, 0, 90]]
)",
                                            "scene.toml", ".", {}, read_regular_file);
  const Scenery scenery = scenery_of(assembly, 1, 1);
  ASSERT_EQ(scenery.info.obstacles.size(), 1U);
  const ObstacleInfo& box = scenery.info.obstacles[0];
  EXPECT_EQ(box.size, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(box.vertices.size(), 8U);
  EXPECT_EQ(box.placement, (std::array<double, 7>{1, 2, -9, 0, 0, 0, 1}));
  EXPECT_TRUE(scenery.surroundings.placements_change());
  const Floats later = scenery.surroundings.placements_at(1.0);
  const Vec3 centre = scenery.shown.centre();
  EXPECT_FLOAT_EQ((*later)[0], static_cast<float>(5.0 - centre.x));
  EXPECT_NEAR((*later)[5], std::sqrt(0.5), 1e-6);
  EXPECT_NEAR((*later)[6], std::sqrt(0.5), 1e-6);
}

/// Turning a vector by the quaternion is turning it by the matrix, whichever of its components is largest.
TEST(StudioScenery, QuaternionsTurnAsAngles) {
  for (const Vec3& degrees : {Vec3{10, 20, 30}, Vec3{180, 0, 0}, Vec3{0, 180, 0}, Vec3{0, 0, 180},
                              Vec3{170, 10, 5}, Vec3{5, 175, -10}, Vec3{-3, 4, 178}}) {
    Assembly assembly = load_scene_text(
        "[time]\nstep = 0.01\nsteps = 2\n[[body]]\nname = \"dot\"\ngenerate = { shape = \"chain\", length = "
        "1.0, vertices = 2 }\n"
        "mass = 1.0\n[[obstacle]]\nname = \"b\"\nshape = \"box\"\ncentre = [9, 9, 9]\nsize = [1, 1, 1]\nlaw "
        "= \"penalty\"\n"
        "stiffness = 1.0\ntimes = [0.0]\nrotations = [[" +
            std::to_string(degrees.x) + ", " + std::to_string(degrees.y) + ", " + std::to_string(degrees.z) +
            "]]\n",
        "scene.toml", ".", {}, read_regular_file);
    const auto q = scenery_of(assembly, 1, 1).info.obstacles.at(0).placement;
    const Vec3 axis{q[3], q[4], q[5]}, v{0.3, -0.5, 0.7};
    const Vec3 turned = v + 2.0 * cross(axis, cross(axis, v) + q[6] * v), expected = rotation(degrees) * v;
    EXPECT_NEAR(norm(turned - expected), 0.0, 1e-12);
  }
}

}  // namespace
}  // namespace electret::studio
