#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/record/trajectory_writer.hpp>
#include <electret/render/charge_colours.hpp>
#include <electret/render/labelled.hpp>
#include <electret/render/picture_moment.hpp>
#include <electret/render/run_pictures.hpp>

#include "../record/temporary_folder.hpp"

namespace electret {
namespace {

constexpr const char* scene = R"([time]
step = 0.5
steps = 2
[gravity]
acceleration = [0, -9.81, 0]
[[body]]
generate = { shape = "chain", length = 1.0, vertices = 3 }
mass = 1.0
[[external_charge]]
charge = -1e-6
times = [0, 1]
positions = [[0, 2, 0], [0, 3, 0]]
)";

constexpr const char* field = "[[electric_field]]\nexpression = [\"2\", \"0\", \"0\"]\n";

/// Two bodies, a triangle and two vertices with a spring, of three frames.
class RunPicturesTest : public testing::Test {
 protected:
  void write(const std::string& text, double charge = 2e-6, const std::vector<CarriedSurface>& surfaces = {},
             const std::vector<PairForce>& pairs = {}) {
    const std::vector<double> masses(5, 1.0);
    std::vector<double> charges{charge, 0.0, -0.5 * charge, 0.0, 0.0};
    VectorArray x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {3, 0, 0}, {3, 0.5, 0}};
    const std::vector<Spring> springs{{3, 4, 1.0, 0.5}};
    const std::vector<Triangle> faces{{0, 1, 2}};
    const std::vector<Count> offsets{0, 3, 5};
    TrajectoryHeader header;
    header.masses = masses;
    header.charges = charges;
    header.charges_change = true;
    header.rest_positions = x;
    header.springs = springs;
    header.faces = faces;
    header.body_offsets = offsets;
    header.surfaces = surfaces;
    header.scene = text;
    header.time_step = 0.5;
    header.body_names = {"leaf", "rod"};
    header.has_contact_pairs = !pairs.empty();
    const VectorArray v(5);
    TrajectoryWriter writer(
        folder_ / "trajectory.h5", header, {},
        {.time = 0.0, .positions = x, .velocities = v, .charges = charges, .pairs = pairs});
    for (int f = 1; f < 3; ++f) {
      for (Vec3& each : x) each.y -= 1.0;
      charges[0] *= 2.0;
      writer.write({0.5 * f, x, v, charges});
    }
    writer.close();
  }

  test::TemporaryFolder folder_;
};

TEST_F(RunPicturesTest, DrawsSurfacesSpringsVerticesAndChargesOfAFrame) {
  write(std::string(scene) + field);
  RunPictures run(folder_.path(), {.field_arrows = 3});
  EXPECT_EQ(run.times(), (std::vector<double>{0.0, 0.5, 1.0}));
  EXPECT_TRUE(run.remarks().empty());
  EXPECT_EQ(run.up(), (Vec3{0, 1, 0})) << "against gravity";
  run.choose({0, 2});
  EXPECT_EQ(run.largest_charge(), 8e-6);
  const Picture picture = run.picture(2);
  ASSERT_EQ(picture.surfaces.size(), 1U);
  EXPECT_EQ(picture.surfaces[0].positions[2], (Vec3{0, -1, 0}));
  EXPECT_EQ(picture.surfaces[0].faces, (std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_EQ(picture.surfaces[0].colours[0].red, charge_colour(1.0).red);
  EXPECT_EQ(picture.surfaces[0].colours[2].blue, charge_colour(-0.125).blue);
  ASSERT_EQ(picture.balls.size(), 3U);  // the second body's vertices, and the external charge
  EXPECT_EQ(picture.balls[1].centre, (Vec3{3, -1.5, 0}));
  EXPECT_EQ(picture.balls[2].centre, (Vec3{0, 3, 0}));
  EXPECT_EQ(picture.balls[2].colour.blue, charge_colour(-1.0).blue);
  ASSERT_EQ(picture.rods.size(), 1U + 2U * 9U);  // the spring, and nine arrows of two parts
  EXPECT_EQ(picture.rods[0].from, (Vec3{3, -2, 0}));
  EXPECT_GT(picture.rods[1].to.x, picture.rods[1].from.x) << "along the field";
  EXPECT_NEAR(picture.rods[1].to.y, picture.rods[1].from.y, 1e-12);
  ASSERT_TRUE(picture.ground);
  EXPECT_LT(*picture.ground, -2.0);
  EXPECT_GT(*picture.ground, -3.0);
}

TEST_F(RunPicturesTest, AFilledBodyShowsTheSurfaceThatItCarries) {
  // Three points on a line through the leaf's first two vertices, the last beyond them.
  CarriedSurface surface;
  for (const double part : {0.0, 0.5, 2.0}) {
    surface.corners.push_back({0, 1, -1, -1, -1, -1, -1, -1});
    surface.weights.push_back({1.0 - part, part, 0, 0, 0, 0, 0, 0});
  }
  surface.faces = {{2, 1, 0}};
  write(scene, 2e-6, {surface});
  RunPictures run(folder_.path(), {});
  run.choose({0});
  const Picture picture = run.picture(0);
  ASSERT_EQ(picture.surfaces.size(), 1U);
  EXPECT_EQ(picture.surfaces[0].faces, (std::vector<Triangle>{{2, 1, 0}}));
  EXPECT_EQ(picture.surfaces[0].positions[2], (Vec3{2, 0, 0}));
  EXPECT_EQ(picture.surfaces[0].colours[1].red, charge_colour(0.5).red) << "half way from 2 µC to none";
  const Ball around = run.around();
  EXPECT_LE(norm(Vec3{2, 0, 0} - around.centre), around.radius);
}

/// The rod's edge and the leaf's three, of which two meet in vertex 1, the point that is nearest to the rod:
/// they count together. The pair of vertex 4 and the leaf slips, over the same vertex. What does not push has
/// no mark.
TEST_F(RunPicturesTest, MarksWhereBodiesPushEachOtherAndTheirFriction) {
  const Vec3 towards{-1, 0, 0};
  const auto pair = [&](PairKind kind, std::array<Index, 4> vertices, double push, const Vec3& friction,
                        bool slips) {
    return PairForce{{kind, vertices}, 2.0, push, norm(friction), slips, towards, friction};
  };
  write(scene, 2e-6, {},
        {pair(PairKind::vertex_triangle, {4, 0, 1, 2}, 1.0, {0, -0.5, 0}, true),
         pair(PairKind::edge_edge, {0, 1, 3, 4}, 3.0, {0, 1, 0}, false),
         pair(PairKind::edge_edge, {0, 2, 3, 4}, 0.0, {0, 9, 0}, true),
         pair(PairKind::edge_edge, {1, 2, 3, 4}, 5.0, {0, 1, 0}, false)});
  RunPictures unmarked(folder_.path(), {});
  unmarked.choose({0, 1});
  EXPECT_TRUE(unmarked.picture(0).marks.balls.empty());
  RunPictures run(folder_.path(), {.contacts = true});
  run.choose({0, 1});
  const Picture picture = run.picture(0);
  ASSERT_EQ(picture.marks.balls.size(), 2U);
  // Vertices 1 and 3 with 8 N and 2 N of friction; then vertices 1 and 4.
  const Ball &sticks = picture.marks.balls[0], &slips = picture.marks.balls[1];
  EXPECT_EQ(sticks.centre, (Vec3{2, 0, 0}));
  EXPECT_EQ(slips.centre, (Vec3{2, 0.25, 0}));
  EXPECT_GT(sticks.colour.green, sticks.colour.red);
  EXPECT_GT(slips.colour.red, slips.colour.green);
  ASSERT_EQ(picture.marks.rods.size(), 4U);
  const Vec3 arrow = picture.marks.rods[1].to - picture.marks.rods[0].from;
  EXPECT_NEAR(norm(arrow), 0.25 * std::sqrt(13.0) * 2.0 / std::sqrt(68.0), 1e-12);
  EXPECT_GT(arrow.y, 0.0);
  // On the leaf, which is named first: opposite to the friction on vertex 4.
  EXPECT_GT(picture.marks.rods[3].to.y, picture.marks.rods[2].from.y);
}

TEST_F(RunPicturesTest, DrawsObstaclesBelowTheBodies) {
  const std::string penalty = "law = \"penalty\"\nstiffness = 1\n";
  write(std::string(scene) + "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\npoint = [7, -1.5, 7]\n" +
        "normal = [0, 2, 0]\n" + penalty + "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\n" +
        "centre = [0, 1, 2]\nradius = 2.25\n" + penalty +
        "[[obstacle]]\nname = \"slope\"\nshape = \"plane\"\n" + "point = [-9, 0, 0]\nnormal = [1, 1, 0]\n" +
        penalty);
  RunPictures run(folder_.path(), {});
  run.choose({0, 2});
  const Picture picture = run.picture(0);
  // The leaf's lowest vertex is 0.5 m below the floor in the last frame; one of the first is 0.25 m in the
  // ball.
  const double margin = 0.002 * std::sqrt(18.0);  // of the size of both frames
  EXPECT_NEAR(picture.ground.value(), -2.05 - margin, 1e-12);
  const Ball& ball = picture.balls.back();
  EXPECT_EQ(ball.centre, (Vec3{0, 1, 2}));
  EXPECT_NEAR(ball.radius, 2.25 - 0.225, 1e-12) << "a tenth at most";
  ASSERT_EQ(picture.surfaces.size(), 2U);
  for (const Vec3& corner : picture.surfaces[1].positions)
    EXPECT_NEAR(dot(corner - Vec3{-9, 0, 0}, Vec3{1, 1, 0}), -std::sqrt(2.0) * margin, 1e-12);
  const Ball around = run.around();
  EXPECT_LE(norm(Vec3{0, 1, 2} - around.centre) + ball.radius, around.radius + 1e-12);

  run.choose({0});
  EXPECT_NEAR(run.picture(0).ground.value(), -1.5 - 0.002 * std::sqrt(10.0), 1e-12)
      << "nothing is below it then";
}

TEST_F(RunPicturesTest, DrawsEveryShapeWhereItIsAtTheTime) {
  const std::string
      box = "[[obstacle]]\nname = \"box\"\nshape = \"box\"\ncentre = [9, 0, 0]\nsize = [2, 4, 6]\n",
      can =
          "[[obstacle]]\nname = \"can\"\nshape = \"cylinder\"\ncentre = [0, 0, 0]\naxis = [0, 0, 1]\n"
          "radius = 20\nlength = 40\ninside = true\n",
      pill =
          "[[obstacle]]\nname = \"pill\"\nshape = \"capsule\"\ncentre = [0, 9, 0]\naxis = [0, 1, 0]\n"
          "radius = 1\nlength = 2\n",
      penalty = "law = \"penalty\"\nstiffness = 1\n";
  write(std::string(scene) + box + penalty +
        "times = [0, 1e9]\noffsets = [[0, 0, 0], [1e9, 0, 0]]\nrotations = [[0, 0, 90], [0, 0, 90]]\n" + can +
        penalty + pill + penalty);
  RunPictures run(folder_.path(), {});
  run.choose({0, 2});
  for (const Count frame : {0, 2}) {
    const Picture picture = run.picture(frame);
    ASSERT_EQ(picture.surfaces.size(), 3U) << "the body, the box and the capsule";
    const double moved = run.times()[static_cast<std::size_t>(frame)];
    Vec3 low{1e9, 1e9, 1e9}, high = -low;
    for (const Vec3& x : picture.surfaces[1].positions)
      for (int axis = 0; axis < 3; ++axis)
        low[axis] = std::min(low[axis], x[axis]), high[axis] = std::max(high[axis], x[axis]);
    const double margin = 0.002 * std::sqrt(18.0);
    EXPECT_LE(norm(high - Vec3{11.0 + moved - margin, 1.0 - margin, 3.0 - margin}), 1e-9) << frame;
    EXPECT_LE(norm(low - Vec3{7.0 + moved + margin, -1.0 + margin, -3.0 + margin}), 1e-9) << frame;
    const auto edges = std::count_if(picture.rods.begin(), picture.rods.end(), [&](const Rod& rod) {
      return std::abs(std::abs(rod.from.z) - 20.0 - margin) < 1e-9;
    });
    EXPECT_GT(edges, 100) << "those of the can, which bodies are inside of";
  }
}

TEST_F(RunPicturesTest, OptionsLeaveOutAndAdd) {
  write(std::string(scene) + field);
  RunPictures run(
      folder_.path(),
      {.springs = true, .vertices = true, .ground = false, .external_charges = false, .up = Vec3{0, 0, 5}});
  run.choose({0});
  const Picture picture = run.picture(0);
  EXPECT_EQ(run.up(), (Vec3{0, 0, 1}));
  EXPECT_FALSE(picture.ground);
  EXPECT_EQ(picture.balls.size(), 5U);
  EXPECT_EQ(picture.rods.size(), 1U);
}

/// As one that was held in a hand of the studio for a time.
TEST_F(RunPicturesTest, AnExternalChargeIsDrawnWhileItIsNot0) {
  std::string text = scene;
  const std::string fixed = "charge = -1e-6\ntimes = [0, 1]\npositions = [[0, 2, 0], [0, 3, 0]]\n";
  text.replace(text.find(fixed), fixed.size(),
               "interpolation = \"step\"\ntimes = [0, 0.5, 1]\ncharges = [0, -1e-6, 0]\n"
               "positions = [[0, 2, 0], [0, 2, 0], [0, 2, 0]]\n");
  write(text);
  RunPictures run(folder_.path(), {});
  run.choose({0, 1, 2});
  for (const Count frame : {0, 1, 2})
    EXPECT_EQ(run.picture(frame).balls.size(), frame == 1 ? 3U : 2U) << frame;
  EXPECT_EQ(run.picture(1).balls[2].colour.blue, charge_colour(-1.0).blue);
}

TEST_F(RunPicturesTest, WithoutChargesBodiesHaveAColourEach) {
  write(scene, 0.0);
  RunPictures run(folder_.path(), {});
  run.choose({1});
  const Picture picture = run.picture(1);
  EXPECT_EQ(run.largest_charge(), 0.0);
  EXPECT_NE(picture.surfaces[0].colours[0].red, picture.balls[0].colour.red);
}

TEST_F(RunPicturesTest, TheFrameHoldsEveryChosenFrame) {
  write(scene);
  RunPictures run(folder_.path(), {});
  Framing all(run.up(), {}, 1.0), first(run.up(), {}, 1.0);
  run.choose({0, 1, 2});
  run.add_to(all);
  const Ball around = run.around();
  for (const Vec3& x : {Vec3{0, -2, 0}, Vec3{1, 0, 0}, Vec3{3, 0.5, 0}, Vec3{0, 3, 0}})
    EXPECT_LE(norm(x - around.centre), around.radius);
  run.choose({0});
  run.add_to(first);
  const auto distance = [](const Camera& camera) { return norm(camera.eye - camera.target); };
  EXPECT_GT(distance(all.camera()), 1.2 * distance(first.camera()));
}

TEST_F(RunPicturesTest, ASceneThatIsNoneIsRemarkedAndDrawn) {
  write("nonsense");
  RunPictures run(folder_.path(), {});
  ASSERT_EQ(run.remarks().size(), 1U);
  EXPECT_NE(run.remarks()[0].find("scene"), std::string::npos);
  run.choose({0});
  EXPECT_EQ(run.picture(0).surfaces.size(), 1U);
}

TEST_F(RunPicturesTest, FoldersAndFramesThatAreNotThereAreRefused) {
  EXPECT_THROW(RunPictures(folder_ / "none", {}), InputError);
  EXPECT_THROW(RunPictures(folder_.path(), {}), InputError);
  write(scene);
  RunPictures run(folder_.path(), {});
  EXPECT_THROW(run.choose({3}), std::invalid_argument);
  EXPECT_THROW(run.choose({-1}), std::invalid_argument);
  run.choose({1});
  EXPECT_THROW((void)run.picture(0), std::invalid_argument);
}

TEST(ChargeColours, AreRedWhiteAndBlue) {
  EXPECT_GT(charge_colour(1.0).red, charge_colour(1.0).blue + 0.4);
  EXPECT_GT(charge_colour(-1.0).blue, charge_colour(-1.0).red + 0.4);
  EXPECT_GT(charge_colour(0.0).green, 0.9);
  EXPECT_EQ(charge_colour(7.0).red, charge_colour(1.0).red);
  double last = 2.0;
  for (double part = 0.0; part <= 1.0; part += 0.05) {
    EXPECT_LT(charge_colour(part).green, last) << "ever darker";
    last = charge_colour(part).green;
  }
}

TEST(ChargeColours, TextHasAPrefix) {
  EXPECT_EQ(charge_text(0.0), "0");
  EXPECT_EQ(charge_text(2.5e-6), "2.5 µC");
  EXPECT_EQ(charge_text(-3e-9), "-3 nC");
  EXPECT_EQ(charge_text(1.0), "1 C");
  EXPECT_EQ(charge_text(9.999e-7), "1 µC");
  EXPECT_EQ(charge_text(1.6e-19), "0.00016 fC");
}

/// Width and height of a PNG picture.
std::array<unsigned, 2> png_size(const std::string& png) {
  const auto number = [&](std::size_t at) {
    unsigned value = 0;
    for (std::size_t k = 0; k < 4; ++k) value = value << 8U | static_cast<unsigned char>(png[at + k]);
    return value;
  };
  EXPECT_EQ(png.substr(1, 3), "PNG");
  return {number(16), number(20)};
}

TEST(Labelled, PicturesKeepTheirSizeAndStripsHoldAll) {
  Image image{.width = 64, .height = 48};
  image.pixels.assign(64 * 48, {200, 10, 30});
  EXPECT_EQ(png_size(labelled_png(image, {})), (std::array<unsigned, 2>{64, 48}));
  EXPECT_NE(labelled_png(image, {}), labelled_png(image, {.caption = "t = 1 s"}));
  EXPECT_EQ(labelled_png(image, {}), labelled_png(image, {.largest_charge = 1.0})) << "no room for a scale";
  Image wide{.width = 400, .height = 300};
  wide.pixels.assign(400 * 300, {200, 10, 30});
  EXPECT_NE(labelled_png(wide, {}), labelled_png(wide, {.largest_charge = 1.0}));
  const auto [width, height] = png_size(strip_png({image, image, image}, {"a", "b", "c"}, 2, 0.0));
  EXPECT_GE(width, 2U * 64);
  EXPECT_LT(width, 3U * 64);
  EXPECT_GE(height, 2U * 48);
  EXPECT_THROW((void)strip_png({}, {}, 2, 0.0), std::invalid_argument);
  EXPECT_THROW((void)strip_png({image}, {}, 2, 0.0), std::invalid_argument);
  EXPECT_THROW((void)strip_png({image}, {"a"}, 0, 0.0), std::invalid_argument);
  EXPECT_THROW((void)strip_png({image, {1, 1, {{}}}}, {"a", "b"}, 2, 0.0), std::invalid_argument);
  EXPECT_THROW((void)labelled_png({4, 4, {}}, {}), std::invalid_argument);
}

TEST(PictureOfAMoment, NeedsOneRowPerVertex) {
  PictureMoment moment;
  moment.bodies.resize(1);
  moment.bodies[0].count = 2;
  moment.rest_positions = moment.positions = {{0, 0, 0}, {1, 0, 0}};
  moment.values = {1e-6, -2e-6};
  RunPictures pictures(moment, {});
  pictures.choose({0});
  EXPECT_EQ(pictures.largest_charge(), 2e-6);
  EXPECT_THROW(pictures.choose({1}), std::invalid_argument);
  ASSERT_EQ(pictures.picture(0).balls.size(), 2U);
  const auto red_of = [](const RunPictures& of) { return of.picture(0).balls[0].colour.red; };
  const double red = red_of(pictures);
  moment.largest = 1e-5;  // The scale goes on beyond the charges: colours are paler.
  RunPictures wider(moment, {});
  wider.choose({0});
  EXPECT_EQ(wider.largest_charge(), 1e-5);
  EXPECT_NE(red_of(wider), red);
  moment.colour = [](double value) { return Colour{value > 0.0 ? 0.25 : 0.75, 0.0, 0.0}; };
  RunPictures own(moment, {});
  own.choose({0});
  EXPECT_EQ(red_of(own), 0.25);
  for (const auto spoil : {&PictureMoment::rest_positions, &PictureMoment::positions}) {
    PictureMoment wrong = moment;
    (wrong.*spoil).pop_back();
    EXPECT_THROW(RunPictures(wrong, {}), std::invalid_argument);
  }
  moment.values.pop_back();
  EXPECT_THROW(RunPictures(moment, {}), std::invalid_argument);
}

}  // namespace
}  // namespace electret
