// Files of markers: what they mean, and what is told of wrong ones.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/fit/loss_forms.hpp>
#include <electret/fit/marker_file.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/read.hpp>

#include "record/temporary_folder.hpp"

namespace electret::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A solid of 2 × 1 × 1 hexahedra of 0.5 m around the origin, then a chain; ten steps of 0.1 s.
Assembly chain_and_solid() {
  return load_scene_text(
      "[time]\nstep = 0.1\nsteps = 10\n"
      "[[body]]\nname = \"a.b\"\ndensity = 1\n"
      "generate = { shape = \"box\", cells = [2, 1, 1], cell_size = 0.5, element = \"hex\" }\n"
      "[[body.material]]\nmodel = \"linear\"\nyoungs_modulus = 1\npoissons_ratio = 0\n"
      "[[body.group]]\nname = \"left\"\nattribute = \"left\"\n"
      "[[body]]\nname = \"a\"\nmass = 1\ngenerate = { shape = \"chain\", vertices = 2 }\n",
      "scene.toml", ".", {}, read_regular_file);
}

MarkerTargets read(const std::string& rows, const std::string& header = "time,marker,x,y,z,weight\n") {
  const TemporaryFolder folder;
  std::ofstream(folder / "m.csv") << header << rows;
  return read_markers(folder / "m.csv", chain_and_solid());
}

std::string findings(const std::string& rows, const std::string& header = "time,marker,x,y,z,weight\n") {
  try {
    read(rows, header);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MarkerFile, HoldsVerticesGroupsAndPointsOfSolids) {
  const MarkerTargets got = read(
      "0.5,a[1],1,2,3,1\n"
      "0.1,a.b.left,1,,-2,0.5\n"
      "0.5, \"a.b(0.3 0.125 -0.1)\" ,,,4,2\n"
      "0.2,a[1],0,0,0,0\n"
      "7.3,a[1],0,0,0,1\n");
  ASSERT_EQ(got.markers.size(), 3U);
  EXPECT_THAT(got.markers[0].vertices, ElementsAre(13));
  EXPECT_THAT(got.markers[1].weights, ElementsAre(0.25, 0.25, 0.25, 0.25));
  ASSERT_EQ(got.targets.size(), 4U) << "the row beyond the run does not count";
  EXPECT_EQ(got.targets[0].step, 1);
  EXPECT_EQ(got.targets[0].marker, 1U);
  EXPECT_EQ(got.targets[0].is_measured, (std::array{true, false, true}));
  EXPECT_EQ(got.targets[0].weight, 0.5);
  EXPECT_EQ(got.targets[1].step, 2);
  EXPECT_EQ(got.targets[3].is_measured, (std::array{false, false, true}));
  EXPECT_THAT(got.groups, ElementsAre("a.b.left"));

  const Assembly a = chain_and_solid();
  Vec3 place;
  for (std::size_t k = 0; k < 8; ++k)
    place +=
        got.markers[2].weights[k] * a.rest_positions[static_cast<std::size_t>(got.markers[2].vertices[k])];
  EXPECT_LT(norm(place - Vec3{0.3, 0.125, -0.1}), 1e-12);
}

/// Every vertex of a solid is a point of it, the first one too.
TEST(MarkerFile, HoldsPointsAtVertices) {
  for (const char* element : {"hex", "tet"})
    for (const std::string moved : {"0.0", "1e3", "1e5"}) {
      const Assembly a = load_scene_text(
          "[time]\nstep = 0.1\nsteps = 1\n[[body]]\nname = \"a\"\ndensity = 1\n"
          "generate = { shape = \"box\", cells = [2, 1, 2], cell_size = 0.1, element = \"" +
              std::string(element) + "\" }\ntranslate = [" + moved + ", " + moved + ", -" + moved +
              "]\n[[body.material]]\nmodel = \"linear\"\nyoungs_modulus = 1\npoissons_ratio = 0\n",
          "scene.toml", ".", {}, read_regular_file);
      const TemporaryFolder folder;
      std::ofstream file(folder / "m.csv");
      file.precision(17);
      file << "time,marker,x,y,z,weight\n";
      for (const Vec3& x : a.rest_positions)
        file << "0.1,a(" << x.x << " " << x.y << " " << x.z << "),0,0,0,1\n";
      file.close();
      const MarkerTargets got = read_markers(folder / "m.csv", a);
      ASSERT_EQ(got.targets.size(), a.rest_positions.size()) << element << moved;
      for (std::size_t v = 0; v < got.targets.size(); ++v) {
        const BodyMarker& marker = got.markers[got.targets[v].marker];
        for (std::size_t k = 0; k < marker.vertices.size(); ++k)
          EXPECT_NEAR(marker.weights[k], marker.vertices[k] == static_cast<Index>(v) ? 1.0 : 0.0, 1e-8);
      }
    }
}

TEST(MarkerFile, IsToldWhatIsWrongWhere) {
  EXPECT_THAT(findings("", "time,marker,x,y,z\n"),
              HasSubstr("m.csv:1:1: error: there is no column \"weight\""));
  EXPECT_THAT(findings("0.15,a[1],1,2,3,1\n"),
              HasSubstr("m.csv:2:1: error: no step of the run ends at 0.15 s"));
  EXPECT_THAT(findings("-0.1,a[1],1,2,3,1\n"), HasSubstr("no step of the run ends at -0.1"));
  EXPECT_THAT(findings("x,a[1],1,2,3,1\n"), HasSubstr("m.csv:2:1: error: \"x\" is not a number"));
  EXPECT_THAT(findings("0.1,a[2],1,2,3,1\n"),
              HasSubstr("m.csv:2:5: error: body \"a\" has no vertex 2; allowed: 0 … 1"));
  EXPECT_THAT(findings("0.1,c[2],1,2,3,1\n"), HasSubstr("unknown marker \"c[2]\"; allowed: BODY[VERTEX]"));
  EXPECT_THAT(findings("0.1,a[1,1,2,3,1\n"), HasSubstr("unknown marker \"a[1\""));
  EXPECT_THAT(findings("0.1,a.right,1,2,3,1\n"),
              HasSubstr("there is no group \"a.right\"; allowed: a.b.left"));
  for (const char* far : {"0.8 0 0", "9 0 0", "1e3 0 0", "1e9 1e9 0"})
    EXPECT_THAT(findings("0.1,a.b(" + std::string(far) + "),1,2,3,1\n"),
                HasSubstr("no element of body \"a.b\" holds the point " + std::string(far) + " at rest"));
  EXPECT_EQ(findings("0.1,a.b(0.52 0 0),1,2,3,1\n"), "") << "a little outside";
  EXPECT_THAT(findings("0.1,a.b(0 0),1,2,3,1\n"), HasSubstr("a marker's point is \"0 0\"; allowed: three"));
  EXPECT_THAT(findings("0.1,a(0 0 0),1,2,3,1\n"), HasSubstr("body \"a\" has no volume elements"));
  EXPECT_THAT(findings("0.1,a[0],,,,1\n"), HasSubstr("m.csv:2:10: error: the row has no coordinate"));
  EXPECT_THAT(findings("0.1,a[0],1,q,2,1\n"), HasSubstr("m.csv:2:12: error: \"q\" is not a number"));
  EXPECT_THAT(findings("0.1,a[0],1,1,2,-1\n"), HasSubstr("the weight -1 is negative"));
  EXPECT_THAT(findings("0.1,a[0],1,1,2,\n"), HasSubstr("an empty value"));
  EXPECT_THAT(findings("9,a[0],1,1,2,1\n"),
              HasSubstr("none of its 1 row is within the run; allowed: times up to 1 s"));
  // All at once, a marker at fault once.
  const std::string all = findings("0.15,c[0],1,1,2,1\n0.1,c[0],1,1,2,-1\n");
  EXPECT_THAT(all, HasSubstr("no step of the run"));
  EXPECT_THAT(all, HasSubstr("the weight -1"));
  EXPECT_EQ(all.find("unknown marker"), all.rfind("unknown marker"));
}

/// A recording may be longer than the run, at times of its own.
TEST(MarkerFile, MayGoOnAfterTheRunAtAnyTime) {
  const MarkerTargets got =
      read("1.0,a[1],1,2,3,1\n1.05,a[1],1,2,3,1\n1.0000001,a[1],1,2,3,1\n1e30,a[1],1,2,3,1\n");
  ASSERT_EQ(got.targets.size(), 2U);
  EXPECT_EQ(got.targets[1].step, 10);
  EXPECT_THAT(findings("0.95,a[1],1,2,3,1\n"), HasSubstr("no step of the run ends at 0.9"));
  EXPECT_THAT(findings("1.05,a[1],1,2,q,1\n"), HasSubstr("\"q\" is not a number"));
}

/// Cameras called `names` see the bodies.
Assembly filmed(const std::vector<std::string>& names) {
  Assembly assembly = chain_and_solid();
  for (const std::string& name : names) {
    assembly.scene.cameras.push_back({.name = name});
    assembly.cameras.push_back({"camera." + name, {}});
  }
  return assembly;
}

PixelTargets read_seen(const std::string& rows, const std::string& header,
                       const std::vector<std::string>& cameras) {
  const TemporaryFolder folder;
  std::ofstream(folder / "p.csv") << header << rows;
  return read_pixels(folder / "p.csv", filmed(cameras));
}

std::string pixel_findings(const std::string& rows, const std::string& header = "time,marker,u,v,weight\n",
                           const std::vector<std::string>& cameras = {"one"}) {
  try {
    read_seen(rows, header, cameras);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PixelFile, HoldsWhatCamerasSaw) {
  const PixelTargets alone = read_seen("0.5,a[1],10,-20,1\n0.1,a.b.left,,3,0.5\n7.3,a[1],0,0,1\n",
                                       "time,marker,u,v,weight\n", {"one"});
  ASSERT_EQ(alone.targets.size(), 2U) << "the row beyond the run does not count";
  EXPECT_EQ(alone.targets[0].step, 1);
  EXPECT_EQ(alone.targets[0].is_measured, (std::array{false, true}));
  EXPECT_EQ(alone.targets[0].weight, 0.5);
  EXPECT_EQ(alone.targets[1].coordinates, (std::array{10.0, -20.0}));
  EXPECT_EQ(alone.targets[1].camera, 0U);
  EXPECT_THAT(alone.markers[alone.targets[1].marker].vertices, ElementsAre(13));
  EXPECT_THAT(alone.groups, ElementsAre("a.b.left"));

  const PixelTargets both = read_seen("two,0.1,a[0],1,2,1\none,0.1,a[0],3,4,1\n",
                                      "camera,time,marker,u,v,weight\n", {"one", "two"});
  ASSERT_EQ(both.targets.size(), 2U);
  EXPECT_EQ(both.markers.size(), 1U);
  EXPECT_EQ(both.targets[0].camera, 1U);
  EXPECT_EQ(both.targets[1].camera, 0U);
}

TEST(PixelFile, MayGoOnAfterTheRunAtAnyTime) {
  const PixelTargets got =
      read_seen("1.0,a[1],1,2,1\n1.05,a[1],1,2,1\n1e30,a[1],1,2,1\n", "time,marker,u,v,weight\n", {"one"});
  ASSERT_EQ(got.targets.size(), 1U);
  EXPECT_EQ(got.targets[0].step, 10);
  EXPECT_THAT(pixel_findings("0.95,a[1],1,2,1\n"), HasSubstr("no step of the run ends at 0.9"));
}

TEST(PixelFile, IsToldWhatIsWrongWhere) {
  EXPECT_THAT(pixel_findings("", "time,marker,u,weight\n"),
              HasSubstr("p.csv:1:1: error: there is no column \"v\"; expected columns time, marker, u, v and "
                        "weight"));
  EXPECT_THAT(pixel_findings("", "time,marker,u,v,weight\n", {}),
              HasSubstr("p.csv:1:1: error: the scene has no camera"));
  EXPECT_THAT(pixel_findings("", "time,marker,u,v,weight\n", {"one", "two"}),
              HasSubstr("there is no column \"camera\"; expected one, because the scene has 2 cameras"));
  EXPECT_THAT(pixel_findings("0.1,a[0],1,2,1,tow\n", "time,marker,u,v,weight,camera\n", {"one", "two"}),
              HasSubstr("p.csv:2:16: error: the scene has no camera \"tow\"; did you mean \"two\"?"));
  EXPECT_THAT(pixel_findings("0.1,a[0],,,1\n"),
              HasSubstr("p.csv:2:10: error: the row has no coordinate; allowed: at least one of u and v"));
  EXPECT_THAT(pixel_findings("0.1,a[0],x,2,1\n"), HasSubstr("p.csv:2:10: error: \"x\" is not a number"));
  // All at once.
  const std::string all = pixel_findings("0.15,c[0],1,1,-1\n0.1,a[0],1,nan,1\n");
  for (const char* part : {"no step of the run", "unknown marker", "the weight -1", "p.csv:3:12"})
    EXPECT_THAT(all, HasSubstr(part));
}

TEST(PixelFile, IsNamedByALoss) {
  const TemporaryFolder folder;
  std::ofstream(folder / "p.csv") << "time,marker,u,v,weight\n0.1,a[1],1,2,1\n";
  EXPECT_NE(parse_loss("pixels:p.csv", filmed({"one"}), {"job.toml", 3, 6}, folder.path()), nullptr);
  EXPECT_THROW((void)parse_loss("pixels:p.csv", chain_and_solid(), {"job.toml", 3, 6}, folder.path()),
               InputError);
  std::ofstream(folder / "p.csv") << "time,marker,u,v,weight\n0.1,a[1],1,2,1\n0.2,a.b.left,1,2,1\n";
  EXPECT_THAT(groups_of_loss("pixels:p.csv", filmed({"one"}), {"job.toml", 3, 6}, folder.path()),
              ElementsAre("a.b.left"));
}

TEST(MarkerFile, IsNamedByALoss) {
  const TemporaryFolder folder;
  std::ofstream(folder / "m.csv") << "time,marker,x,y,z,weight\n0.1,a[1],1,2,3,1\n";
  EXPECT_NE(parse_loss("markers:m.csv", chain_and_solid(), {"job.toml", 3, 6}, folder.path()), nullptr);
  EXPECT_THROW((void)parse_loss("markers:none.csv", chain_and_solid(), {"job.toml", 3, 6}, folder.path()),
               InputError);
}

}  // namespace
}  // namespace electret::test
