// Gradients through exact contact against differences of whole runs: sticking, slipping and landing, on
// planes and spheres at rest and in motion, of springs and of elements.

#include <fstream>

#include <gtest/gtest.h>

#include <electret/adjoint/differences.hpp>
#include <electret/adjoint/gradient.hpp>
#include <electret/core/errors.hpp>
#include <electret/scene/read.hpp>

#include "adjoint/adjoint_scene.hpp"
#include "record/temporary_folder.hpp"

namespace electret::test {
namespace {

struct Case {
  std::string name;
  std::string obstacle;
  std::vector<std::string> parameters;
  std::string velocity = "[0.8, -0.1, -0.3]";
  bool solid = true;
  std::string modulus = "4e4";  ///< Of the solid, Pa.
};

std::string text_of(const Case& c) {
  const std::string material = R"(
  density = 500.0
  [[body.material]]
  model = "stable_neo_hookean"
  poissons_ratio = 0.3
  youngs_modulus = )" + c.modulus +
                               "\n";
  const std::string springs = R"(
  mass = 0.3
  [[body.springs]]
  from = "volume"
  stiffness = 900.0
)";
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
velocity = )" +
         c.velocity + (c.solid ? material : springs) + c.obstacle;
}

std::string obstacle(const std::string& rest) {
  return "\n[[obstacle]]\nname = \"ground\"\nlaw = \"exact\"\n" + rest;
}

double loss_of(Assembly assembly) {
  Simulator simulator(compile(std::move(assembly), 1, IdleForces::kept));
  MixedLoss loss;
  return loss_of_run(simulator, loss);
}

class ContactGradient : public testing::TestWithParam<Case> {};

void expect_gradient_of_differences(const Assembly& assembly, const std::vector<std::string>& parameters) {
  Simulator simulator(compile(assembly, 1, IdleForces::kept));
  MixedLoss loss;
  const LossAndGradient got = loss_and_gradient(simulator, loss);
  EXPECT_EQ(got.report.capped_steps, 0);
  for (const std::string& name : parameters) {
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

TEST_P(ContactGradient, IsThatOfDifferences) {
  const Case& c = GetParam();
  const TemporaryFolder folder;
  std::ofstream(folder / "octahedron.obj") << "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
                                              "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\n"
                                              "f 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
  expect_gradient_of_differences(assemble(parse_scene(text_of(c), "scene.toml", folder.path())),
                                 c.parameters);
}

/// On a slope of 70 degrees some vertices can neither stick nor leave, and slide by the largest friction.
TEST(ContactGradientWhereVerticesYield, IsThatOfDifferences) {
  const Assembly assembly = assemble(parse_scene(R"(
[time]
step = 0.01
steps = 4
[integrator]
tolerance = 1e-13
max_iterations = 500
[gravity]
acceleration = [9.2, 0.1, -3.4]
[[body]]
name = "slab"
generate = { shape = "box", cells = [4, 2, 1], cell_size = 0.05 }
translate = [0.0, 0.0, 0.025]
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e5
  poissons_ratio = 0.3
[[obstacle]]
name = "ground"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
friction = "stick"
)",
                                                 "scene.toml", "."));
  Simulator simulator(compile(assembly, 1));
  Count yielding = 0;
  for (int k = 0; k < 4; ++k) yielding += simulator.step().counts.of("yielding_contacts");
  EXPECT_GT(yielding, 0);
  expect_gradient_of_differences(assembly, {"body.slab.velocity", "body.slab.youngs_modulus", "gravity"});
}

const std::vector<std::string> of_solid{"body.block.velocity", "body.block.youngs_modulus", "gravity"},
    of_springs{"body.block.velocity", "body.block.stiffness", "gravity"};

/// A roller for one side of the block or a part of it, which is what the block's keys end with.
std::string roller(const std::string& box, const std::string& more) {
  return "  [[body.group]]\n  name = \"side\"\n  box = " + box + "\n  [[body.pin]]\n  group = \"side\"\n" +
         more;
}

std::vector<std::string> with(std::vector<std::string> more, std::vector<std::string> all) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// x of the first vertex at the end.
class LastPlace : public Loss {
 public:
  [[nodiscard]] bool reads(Count step, Count last_step) const override { return step == last_step; }
  void start() override { value_ = 0.0; }
  void observe(const LossPoint& at) override { value_ = at.state.positions[0].x; }
  [[nodiscard]] double value() const override { return value_; }
  void add_derivatives(const LossPoint&, double factor, const LossGradients& out) override {
    out.positions[0].x += factor;
  }

 private:
  double value_ = 0.0;
};

/// A particle stops after K steps at h (K v - μ g h K (K + 1)/2), so that dx/dμ = -g h² K (K + 1)/2.
TEST(StoppingDistance, ByFrictionIsAnalytic) {
  const Assembly assembly = assemble(
      parse_scene("[time]\nstep = 0.01\nsteps = 50\n[integrator]\ntolerance = 1e-13\n[gravity]\nacceleration "
                  "= [0, 0, -9.81]\n"
                  "[[body]]\nname = \"dust\"\ngenerate = { shape = \"chain\", vertices = 2 }\nmass = 1.0\n"
                  "velocity = [1.0, 0.0, 0.0]\n" +
                      obstacle("shape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nfriction = 0.3\n"),
                  "scene.toml", "."));
  Simulator simulator(compile(assembly, 1, IdleForces::kept));
  LastPlace loss;
  const LossAndGradient got = loss_and_gradient(simulator, loss);
  const double g = 9.81, h = 0.01, steps = std::floor(1.0 / (0.3 * g * h));
  const double exact = -g * h * h * steps * (steps + 1.0) / 2.0;
  EXPECT_NEAR(find_parameter(assembly, "obstacle.ground.friction").pull(got.gradient)[0], exact,
              1e-12 * std::abs(exact));
}

INSTANTIATE_TEST_SUITE_P(
    Obstacles, ContactGradient,
    testing::Values(
        Case{"slips_on_a_plane",
             obstacle("shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\nfriction = "
                      "0.3\n"),
             with({"obstacle.ground.friction", "obstacle.ground.point"}, of_solid)},
        Case{"sticks_to_a_plane",
             obstacle("shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\nfriction = "
                      "1.9\n"),
             with({"obstacle.ground.point"}, of_solid)},
        Case{
            "slips_on_a_ball",
            obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\nfriction = 0.2\n"),
            with({"obstacle.ground.friction", "obstacle.ground.centre", "obstacle.ground.radius"}, of_solid)},
        Case{"sticks_to_a_ball",
             obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\nfriction = 1.8\n"),
             with({"obstacle.ground.centre", "obstacle.ground.radius"}, of_solid)},
        Case{"stuck_to_a_plane_for_good",
             obstacle("shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\nfriction = "
                      "\"stick\"\n"),
             with({"obstacle.ground.point"}, of_solid)},
        Case{"stuck_to_a_turning_ball_for_good",
             obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\nfriction = \"stick\"\n"
                      "times = [0.0, 0.2]\nrotations = [[0, 0, 0], [20.0, 30.0, -50.0]]\n"),
             with({"obstacle.ground.rotations", "obstacle.ground.centre", "obstacle.ground.radius"},
                  of_solid)},
        Case{"stuck_to_the_floor_at_a_wall",
             obstacle("shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\nfriction = "
                      "\"stick\"\n") +
                 "[[obstacle]]\nname = \"wall\"\nshape = \"plane\"\npoint = [0.0, -0.102, 0.0]\nnormal = "
                 "[0.02, 1.0, 0.01]\nfriction = 0.2\n",
             with({"obstacle.ground.point", "obstacle.wall.point"}, of_solid), "[0.2, -0.6, -0.3]"},
        Case{"slips_without_friction",
             obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\n"),
             with({"obstacle.ground.centre", "obstacle.ground.radius"}, of_solid)},
        Case{"on_a_conveyor",
             obstacle(
                 "shape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\nfriction = 0.4\n"
                 "times = [0.0, 0.05, 0.2]\noffsets = [[0, 0, 0], [0.02, -0.03, 0.003], [0.2, 0.0, 0.0]]\n"),
             with({"obstacle.ground.friction", "obstacle.ground.offsets"}, of_solid)},
        Case{"on_a_turning_ball",
             obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\nfriction = 0.5\n"
                      "times = [0.0, 0.2]\nrotations = [[0, 0, 0], [20.0, 30.0, -50.0]]\n"),
             with({"obstacle.ground.friction", "obstacle.ground.rotations", "obstacle.ground.centre"},
                  of_solid)},
        Case{"friction_of_all_and_of_a_pair",
             obstacle("shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\n") +
                 "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\ncentre = [0.12, 0.0, -0.497]\nradius = "
                 "0.5\n"
                 "[contact]\nfriction = 0.3\n[[contact.pair]]\nbetween = [\"block\", \"ball\"]\nfriction = "
                 "0.2\n",
             with({"contact.friction", "contact.pair.0.friction"}, of_solid)},
        Case{"slips_on_a_thick_edge",
             obstacle("shape = \"box\"\ncentre = [0.01, 0.0, -0.30284]\nsize = [0.4, 2.0, 0.4]\nrotate = [0, "
                      "45, 0]\n"
                      "friction = 0.2\n[contact]\nthickness = 0.02\n"),
             with({"obstacle.ground.friction", "obstacle.ground.centre"}, of_solid)},
        Case{"slips_along_floor_and_wall",
             obstacle("shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\nfriction = "
                      "0.3\n") +
                 "[[obstacle]]\nname = \"wall\"\nshape = \"plane\"\npoint = [0.0, -0.102, 0.0]\nnormal = "
                 "[0.02, 1.0, 0.01]\nfriction = 0.2\n",
             with({"obstacle.ground.friction", "obstacle.ground.point", "obstacle.wall.friction",
                   "obstacle.wall.point", "body.block.positions"},
                  of_solid),
             "[0.8, -0.6, -0.3]"},
        Case{"rests_on_floor_and_wall",
             obstacle("shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\nfriction = "
                      "1.9\n") +
                 "[[obstacle]]\nname = \"wall\"\nshape = \"plane\"\npoint = [0.0, -0.102, 0.0]\nnormal = "
                 "[0.02, 1.0, 0.01]\nfriction = 1.5\n",
             with({"obstacle.ground.point", "obstacle.wall.point"}, of_solid), "[0.2, -0.6, -0.3]"},
        Case{"slips_in_a_corner_of_a_box",
             obstacle(
                 "shape = \"box\"\ncentre = [0.0, 0.0, 0.062]\nsize = [0.212, 0.212, 0.13]\nrotate = [1.0, "
                 "2.0, 0.5]\ninside = true\nfriction = 0.1\n"),
             with({"obstacle.ground.friction", "obstacle.ground.centre"}, of_solid), "[0.8, -0.6, -0.3]"},
        Case{"slips_in_a_can",
             obstacle("shape = \"cylinder\"\ncentre = [0.0, 0.0, 0.2]\naxis = [0.02, 0.01, 1.0]\nradius = "
                      "0.147\nlength = 0.4064\ninside = true\nfriction = 0.15\n"),
             with({"obstacle.ground.friction", "obstacle.ground.centre", "obstacle.ground.radius"}, of_solid),
             "[0.8, -0.6, -0.3]"},
        Case{"rollers_push_over_a_plane",
             roller("[[-1, -1, -1], [-0.099, 1, 1]]",
                    "  normal = [1.0, 0.1, 0.2]\n  times = [0.0, 0.03, 0.2]\n  offsets = [[0, 0, 0], [0.02, "
                    "0.001, 0.004], [0.16, 0.0, 0.01]]\n") +
                 obstacle(
                     "shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\nfriction "
                     "= 0.3\n"),
             with({"obstacle.ground.friction", "obstacle.ground.point", "body.block.pin[side].offsets",
                   "body.block.positions"},
                  of_solid)},
        Case{"rollers_on_a_ball",
             roller("[[-1, -1, -1], [-0.099, 1, 1]]",
                    "  normal = [1.0, 0.1, 0.2]\n  times = [0.0, 0.03, 0.2]\n  offsets = [[0, 0, 0], [0.02, "
                    "0.001, 0.004], [0.16, 0.0, 0.01]]\n") +
                 obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\nfriction = 0.2\n"),
             with({"obstacle.ground.friction", "obstacle.ground.centre", "obstacle.ground.radius",
                   "body.block.pin[side].offsets"},
                  of_solid)},
        Case{"rests_on_a_plane_of_symmetry_and_a_floor",
             roller("[[-1, -1, -1], [1, -0.099, 1]]", "  normal = [0, 1, 0]\n") +
                 obstacle(
                     "shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\nfriction "
                     "= 1.9\n"),
             with({"obstacle.ground.point", "body.block.positions"}, of_solid), "[0.2, 0.0, -0.3]"},
        Case{"rollers_in_a_groove",
             roller("[[-1, -1, -1], [-0.099, 1, 1]]",
                    "  normal = [1.0, 0.1, 0.0]\n  times = [0.0, 0.2]\n  offsets = [[0, 0, 0], [0.1, 0.0, "
                    "0.0]]\n") +
                 obstacle(
                     "shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\nfriction "
                     "= 0.3\n") +
                 "[[obstacle]]\nname = \"wall\"\nshape = \"plane\"\npoint = [0.0, -0.102, 0.0]\nnormal = "
                 "[0.02, 1.0, 0.01]\nfriction = 0.2\n",
             with({"obstacle.ground.friction", "obstacle.ground.point", "obstacle.wall.point",
                   "body.block.pin[side].offsets"},
                  of_solid),
             "[0.8, -0.6, -0.3]"},
        Case{"rails_end_on_a_ball",
             roller("[[-1, -1, -1], [-0.099, 1, 1]]",
                    "  axis = [0.2, 0.1, 1.0]\n  times = [0.0, 0.2]\n  offsets = [[0, 0, 0], [0.1, 0.05, "
                    "0.0]]\n") +
                 obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\nfriction = 0.2\n"),
             with({"obstacle.ground.centre", "obstacle.ground.radius", "body.block.pin[side].offsets",
                   "body.block.positions"},
                  of_solid)},
        Case{"slips_as_stiff_as_stone",
             obstacle("shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\nfriction = "
                      "0.3\n"),
             {"body.block.velocity", "obstacle.ground.friction", "gravity"},
             "[0.8, -0.1, -0.3]",
             true,
             "1e10"},
        Case{
            "slips_on_a_capsule",
            obstacle(
                "shape = \"capsule\"\ncentre = [0.01, 0.02, -0.2]\naxis = [1.0, 0.1, 0.05]\nradius = 0.2\n"
                "length = 0.6\nfriction = 0.2\n"),
            with({"obstacle.ground.friction", "obstacle.ground.centre", "obstacle.ground.radius"}, of_solid)},
        Case{"slips_on_a_mesh",
             obstacle(
                 "shape = \"mesh\"\nmesh = \"octahedron.obj\"\nscale = 0.6\ntranslate = [0.03, 0.02, -0.59]\n"
                 "friction = 0.2\n"
                 "[contact]\nthickness = 0.02\n"),
             with({"obstacle.ground.friction", "obstacle.ground.translate"}, of_solid)},
        Case{"springs_slip_on_a_ball",
             obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\nfriction = 0.2\n"),
             with({"obstacle.ground.friction", "obstacle.ground.centre", "obstacle.ground.radius"},
                  of_springs),
             "[0.8, -0.1, -0.3]", false},
        Case{"springs_stick_to_a_ball",
             obstacle("shape = \"sphere\"\ncentre = [0.01, 0.02, -0.5]\nradius = 0.5\nfriction = 1.8\n"),
             with({"obstacle.ground.centre", "obstacle.ground.radius"}, of_springs), "[0.3, -0.1, -0.3]",
             false},
        Case{"springs_stick_to_a_plane",
             obstacle("shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\nfriction = "
                      "1.9\n"),
             with({"obstacle.ground.point"}, of_springs), "[0.3, -0.1, -0.3]", false},
        Case{"springs_on_a_plane",
             obstacle("shape = \"plane\"\npoint = [0.0, 0.0, -0.003]\nnormal = [0.05, 0.02, 1.0]\nfriction = "
                      "0.3\n"),
             {"body.block.velocity", "body.block.stiffness", "body.block.masses", "obstacle.ground.friction"},
             "[0.8, -0.1, -0.3]",
             false}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace electret::test
