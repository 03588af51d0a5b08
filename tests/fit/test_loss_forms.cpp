/// What texts of losses make, and what is told of wrong ones.

#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/adjoint/gradient.hpp>
#include <electret/fit/loss_forms.hpp>
#include <electret/geometry/read.hpp>
#include <electret/scene/read.hpp>

#include "record/temporary_folder.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

Assembly pair_of_vertices() {
  return load_scene_text(
      "[time]\nstep = 0.1\nsteps = 2\n[[body]]\nname = \"a\"\nmass = 1\n"
      "generate = { shape = \"chain\", vertices = 2 }\n"
      "velocity = [1, 2, 0]\n"
      "[[body.group]]\nname = \"all\"\nindices = [0, 1]\n",
      "scene.toml", ".", {}, read_regular_file);
}

std::string refusal(const std::string& text, const std::string& folder = ".") {
  try {
    (void)parse_loss(text, pair_of_vertices(), {"job.toml", 3, 6}, folder);
  } catch (const InputError& error) {
    EXPECT_EQ(error.findings().size(), 1U);
    return to_string(error.findings()[0]);
  }
  return "none";
}

TEST(LossForms, AreRowsWithAMaker) {
  std::set<std::string_view> names;
  for (const LossForm& form : loss_forms()) {
    EXPECT_TRUE(names.insert(form.name).second) << form.name;
    EXPECT_NE(form.make, nullptr) << form.name;
    EXPECT_THAT(written_loss_forms(), HasSubstr(written(form)));
    EXPECT_THAT(loss_reference(), HasSubstr("| `" + written(form) + "` | "));
    // With an argument none is made without one; without, none with one.
    EXPECT_NE(refusal(std::string(form.name) + (form.argument.empty() ? ":x" : "")), "none") << form.name;
  }
}

TEST(LossText, ThatNamesNothingIsRefusedAtItsPlace) {
  EXPECT_EQ(refusal("enrgy"),
            "job.toml:3:6: error: there is no loss \"enrgy\"; allowed: " + written_loss_forms());
  EXPECT_THAT(refusal("energy:1"), HasSubstr("there is no loss \"energy:1\""));
  EXPECT_THAT(refusal("final_position:"), HasSubstr("\"final_position:\" names no file"));
  for (const char* bad :
       {"centre_of_mass", "centre_of_mass:1,2", "centre_of_mass:1,2,3,4", "centre_of_mass:1,2,nan"})
    EXPECT_THAT(refusal(bad), HasSubstr("does not name a place")) << bad;
}

TEST(LossText, OfWaysIsRefusedWithoutADirection) {
  for (const char* good : {"forward:0,0,2", "speed:1,0,0", "speed:1,0,0,10", "speed:1,0,0,0.5,a.all"})
    EXPECT_EQ(refusal(good), "none");
  for (const char* bad : {"forward:0,0,0", "forward:1,0", "speed:0,0,0", "speed:1,0", "forward:1,0,0,1"})
    EXPECT_THAT(refusal(bad), HasSubstr("does not name a direction")) << bad;
  for (const char* bad : {"speed:1,0,0,", "speed:1,0,0,x", "speed:1,0,0;2", "speed:1,0,0,1x"})
    EXPECT_THAT(refusal(bad), HasSubstr("has no number w")) << bad;
  EXPECT_THAT(refusal("speed:1,0,0,1,a.none"), HasSubstr("there is no group \"a.none\"; allowed: a.all"));
}

/// Of two steps at (1, 2, 0) m/s: -1 + w·2² each.
TEST(LossText, OfSpeedHoldsItsNumbers) {
  for (const auto& [text, expected] :
       {std::pair("speed:3,0,0", -2.0), {"speed:1,0,0,0.5", 2.0}, {"speed:1,0,0,0.5,a.all", 2.0}}) {
    Simulator run(compile(pair_of_vertices(), 1));
    EXPECT_NEAR(loss_of_run(run, *parse_loss(text, pair_of_vertices(), {"job.toml", 3, 6})), expected, 1e-13)
        << text;
  }
}

TEST(LossText, TellsTheGroupsThatItUses) {
  const TemporaryFolder folder;
  std::ofstream(folder / "m.csv") << "time,marker,x,y,z,weight\n0.1,a[1],1,2,3,1\n0.2,a.all,1,2,3,1\n";
  const auto groups = [&](const std::string& text) {
    return groups_of_loss(text, pair_of_vertices(), {"job.toml", 3, 6}, folder.path());
  };
  EXPECT_EQ(groups("markers:m.csv"), std::vector<std::string>{"a.all"});
  EXPECT_EQ(groups("speed:1,0,0,0.5,a.all"), std::vector<std::string>{"a.all"});
  for (const char* text : {"speed:1,0,0", "speed:1,0,0,0.5", "energy", "centre_of_mass:0,0,0"})
    EXPECT_EQ(groups(text), std::vector<std::string>{}) << text;
  EXPECT_THROW((void)groups("enrgy"), InputError);
}

TEST(LossText, FindsFilesFromItsFolder) {
  const TemporaryFolder folder;
  std::ofstream(folder / "goal.csv") << "x,y,z\n0,0,0\n1,0,0\n";
  std::ofstream(folder / "one.csv") << "x,y,z\n0,0,0\n";
  EXPECT_EQ(refusal("final_position:goal.csv", folder.path()), "none");
  EXPECT_EQ(refusal("final_position:" + (folder / "goal.csv"), "/elsewhere"), "none");
  EXPECT_THAT(refusal("final_position:one.csv", folder.path()),
              HasSubstr("one.csv: error: has 1 vertex, the scene has 2"));
  EXPECT_THAT(refusal("trajectory:none.h5", folder.path()), HasSubstr("give the trajectory.h5 of a run"));
}

}  // namespace
}  // namespace electret::test
