#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene_text.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

TEST(Coincidence, MattersOnlyWhenCharged) {
  const std::string doubled = "initial_positions = [[0,0,0],[0,0,0],[1,0,0],[2,0,0]]\n";
  EXPECT_THAT(findings_of(scene_with(doubled + "charge = 1", "[coulomb]\n")),
              HasSubstr("coincide at [0, 0, 0]"));
  EXPECT_EQ(findings_of(scene_with(doubled + "charge = 1")), "");
  EXPECT_EQ(findings_of(scene_with(doubled, "[coulomb]\n")), "");
  EXPECT_EQ(findings_of(scene_with(doubled + "charges = [1, 0, 1, 1]", "[coulomb]\n")), "");
  EXPECT_EQ(findings_of(scene_with(doubled + "charge = 1", "[coulomb]\nsoftening = 0.1\n")), "");
  const std::string group =
      "[[body.group]]\nname = \"g\"\nindices = [1]\n[[body.group_charge]]\ngroup = \"g\"\n";
  EXPECT_EQ(findings_of(scene_with(doubled + "charge = 1\n" + group + "value = 0", "[coulomb]\n")), "");
  EXPECT_THAT(
      findings_of(scene_with(doubled + "charges = [1, 0, 1, 1]\n" + group + "times = [0, 1]\nvalues = [2, 0]",
                             "[coulomb]\n")),
      HasSubstr("vertex 0 of body \"a\" and vertex 1 of body \"a\" coincide"));
}

TEST(Coincidence, IsFoundAcrossBodiesAndWithZerosOfEitherSign) {
  const std::string other =
      "charge = 1\n[[body]]\nname = \"b\"\nmesh = \"square.obj\"\nmass = 1\ncharge = 1\n";
  const std::string found = findings_of(scene_with(other + "translate = [-0.0, 0, 0]", "[coulomb]\n"));
  EXPECT_THAT(found, HasSubstr("vertex 0 of body \"a\" and vertex 0 of body \"b\" coincide"));
  EXPECT_THAT(found, HasSubstr("vertex 3 of body \"a\" and vertex 3 of body \"b\" coincide"));
  EXPECT_EQ(findings_of(scene_with(other + "translate = [0, 0, 1e-9]", "[coulomb]\n")), "");
}

TEST(Coincidence, ExternalPointsMustNotTouchVertices) {
  const std::string moved =
      "[[external_charge]]\ncharge = 1\ntimes = [0, 1]\npositions = [[1, 0, 0], [5, 5, 5]]\n";
  EXPECT_THAT(findings_of(scene_with(moved)), HasSubstr("vertex 1 of body \"a\" is on a point"));
  EXPECT_EQ(findings_of(scene_with(moved + "width = 0.1")), "");
  EXPECT_THAT(
      findings_of(scene_with("[[external_charge]]\ncharge = 1\nmesh = \"quad.obj\"\nposition = [1, 1, 0]")),
      HasSubstr("vertex 3 of body \"a\" is on a point"));
}

}  // namespace
}  // namespace electret::test
