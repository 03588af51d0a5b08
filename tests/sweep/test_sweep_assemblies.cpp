/// What a job's checks find only with the meshes: where it is told, and of which runs.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sweep_fixture.hpp"

namespace electret::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// The scene with a group of the vertices from `x` on, of which the furthest is at 1.
std::string grouped_scene(const std::string& x) {
  return std::string(sweep_scene) + "[[body.group]]\nname = \"end\"\nbox = [[" + x +
         ", -1, -1], [5, 5, 5]]\n[[body.pin]]\ngroup = \"end\"\n";
}

class SweepAssemblies : public Sweep {
 protected:
  void SetUp() override {
    Sweep::SetUp();
    write("scene.toml", grouped_scene("0.5"));
  }
  /// What is told of a job with these lines in [sweep] and these tables.
  std::string told(const std::string& own, const std::string& tables) {
    write("job.toml", "[sweep]\nscene = \"scene.toml\"\n" + own + tables);
    return fault();
  }
};

const std::string edge = "[[vary]]\nkey = \"body.0.group.0.box.0.0\"\n";
constexpr const char* empty_group = "scene.toml:20:7: group \"end\" is empty";

TEST_F(SweepAssemblies, AreToldAtTheJobsLineWhateverTheOrderOfTheValues) {
  const std::string mass = "[[vary]]\nkey = \"body.0.mass\"\nvalues = [0.1, 0.2]\n";
  EXPECT_THAT(told("", edge + "values = [0.5, 1.5]\n"),
              HasSubstr(std::string("job.toml:4:7: error: run 1: ") + folder_.path() + "/" + empty_group));
  EXPECT_THAT(told("", edge + "values = [1.5, 0.5]\n"),
              HasSubstr(std::string("job.toml:4:7: error: run 0: ") + folder_.path() + "/" + empty_group));
  // The key that causes it is not the first one.
  EXPECT_THAT(told("", mass + edge + "values = [1.5, 0.5]\n"), HasSubstr("job.toml:7:7: error: run 0: "));
  EXPECT_THAT(told("", mass + edge + "values = [0.5, 1.5]\n"), HasSubstr("job.toml:7:7: error: run 1: "));
  EXPECT_THAT(told("", edge + "values = [0.5, 1.5]\n" + mass), HasSubstr("job.toml:4:7: error: run 2: "));
  // Of many combinations each value is assembled once.
  std::string many;
  for (int k = 1; k <= 150; ++k) many += std::to_string(k) + (k < 150 ? ", " : "");
  EXPECT_THAT(
      told("", "[[vary]]\nkey = \"body.0.mass\"\nvalues = [" + many + "]\n" + edge + "values = [0.5, 1.5]\n"),
      HasSubstr("job.toml:7:7: error: run 1: "));
  EXPECT_THAT(told("", edge + "values = [" + many + "]\n"), HasSubstr("job.toml:4:7: error: run 1: "));
}

TEST_F(SweepAssemblies, OfATableAreToldWithTheirRun) {
  write("t.csv", "body.0.mass,body.0.group.0.box.0.0\n0.1,0.5\n0.2,0.6\n0.3,1.5\n");
  EXPECT_THAT(told("table = \"t.csv\"\n", ""),
              AllOf(HasSubstr("job.toml:3:9: error: run 2: "), HasSubstr(empty_group)));
}

TEST_F(SweepAssemblies, OfTheSceneAsItStandsAreToldAtItsLine) {
  const std::string mass = "[[vary]]\nkey = \"body.0.mass\"\nvalues = [0.1, 0.2]\n";
  write("scene.toml", grouped_scene("1.5"));
  const std::string all = told("", mass);
  EXPECT_THAT(all,
              AllOf(HasSubstr("scene.toml:20:7: error: group \"end\" is empty"), Not(HasSubstr("run 0"))));
  // Some values mend it, so that the others are at fault.
  EXPECT_THAT(told("", edge + "values = [0.5, 1.25]\n"), HasSubstr("job.toml:4:7: error: run 1: "));
  EXPECT_EQ(told("", edge + "values = [0.5, 0.6]\n"), "");
  // It does not hide what is kept.
  EXPECT_THAT(told("", mass + "[keep]\nquantities = { x = \"last of totl\" }\n"),
              HasSubstr("scene.toml:20:7: error: "));
}

TEST_F(SweepAssemblies, OfRangesAreThoseOfTheirEnds) {
  EXPECT_THAT(told("samples = 5\n", edge + "range = [0.25, 1.5]\n"),
              HasSubstr("job.toml:5:7: error: at the end of its range: "));
  EXPECT_EQ(told("samples = 5\n", edge + "range = [0.25, 0.75]\n"), "");
}

TEST_F(SweepAssemblies, ASampleThatTheMeshesDoNotTakeIsARefusedRun) {
  bool did_first_fail = false;
  for (int seed = 1; seed < 20; ++seed) {
    EXPECT_EQ(told("samples = 20\nseed = " + std::to_string(seed) + "\n", edge + "normal = [0.9, 0.25]\n"),
              "")
        << seed;
    const SweepPlan whole = plan();
    const bool is_first_bad = whole.design.number(0, 0).value() > 1.0;
    EXPECT_EQ(whole.usual_run > 0, is_first_bad);
    EXPECT_EQ(whole.vertices, 4);
    EXPECT_LE(whole.design.number(whole.usual_run, 0).value(), 1.0);
    if (!is_first_bad || did_first_fail) continue;
    did_first_fail = true;
    const SweepResults found = results("s", {0, whole.usual_run}, 2);
    EXPECT_EQ(found.status, (std::vector{SweepStatus::refused, SweepStatus::done}));
  }
  EXPECT_TRUE(did_first_fail);
  // With no sample that they take nothing is begun.
  EXPECT_THAT(told("samples = 20\n", edge + "normal = [3.0, 0.1]\n"),
              AllOf(HasSubstr("job.toml:5:7: error: run 0: "), HasSubstr(empty_group)));
  // A listed value is at fault, whatever the samples are.
  EXPECT_THAT(told("samples = 20\n",
                   edge + "values = [1.5, 0.5]\n[[vary]]\nkey = \"body.0.mass\"\nnormal = [5, 0.1]\n"),
              HasSubstr("job.toml:5:7: error: run 0: "));
}

TEST_F(SweepAssemblies, ALossesFileIsToldAtTheJobsLine) {
  EXPECT_THAT(
      told("",
           "[[vary]]\nkey = \"body.0.mass\"\nvalues = [0.1]\n[keep]\nloss = \"final_position:none.obj\"\n"),
      AllOf(HasSubstr("job.toml:7:8: error: "), HasSubstr("none.obj")));
}

}  // namespace
}  // namespace electret::test
