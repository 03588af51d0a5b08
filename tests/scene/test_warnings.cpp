#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/warnings.hpp>

#include "scene_text.hpp"

namespace electret::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<std::string> warnings_of(const std::string& text, const std::vector<std::string>& set = {}) {
  return scene_warnings(load(text, set).scene);
}

TEST(Warnings, SettingsOfAnotherSolverAreTold) {
  const std::string table = "[coulomb]\nddef.grid_points = 77\n";
  EXPECT_THAT(warnings_of(scene_with(table)),
              ElementsAre("scene.toml:9:20: warning: \"ddef.grid_points\" is used by the solver ddef alone, "
                          "the solver here is auto, which never takes ddef; write solver = \"ddef\", or "
                          "leave ddef.grid_points out"));
  EXPECT_THAT(warnings_of(scene_with(table + "ddef.half_taylor = true\nsolver = \"fmm\"")),
              ElementsAre(StartsWith("scene.toml:9:20: warning: \"ddef.grid_points\""),
                          StartsWith("scene.toml:10:20: warning: \"ddef.half_taylor\"")));
  EXPECT_THAT(warnings_of(scene_with("[coulomb]"), {"coulomb.ddef.grid_points=5"}),
              ElementsAre(StartsWith("--set coulomb.ddef.grid_points: warning: ")));
}

TEST(Warnings, WhatIsUsedIsNot) {
  EXPECT_THAT(warnings_of(scene_with("[coulomb]\nsolver = \"ddef\"\nddef.grid_points = 77")), IsEmpty());
  EXPECT_THAT(warnings_of(scene_with("[coulomb]\nddef.half_taylor = false")), IsEmpty());
  EXPECT_THAT(warnings_of(scene_with("")), IsEmpty());
}

}  // namespace
}  // namespace electret::testing
