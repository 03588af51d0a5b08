/// What a job's checks read before any run: values of many combinations, files that values name, and what is
/// right in a job that has faults.

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sweep_fixture.hpp"

namespace electret::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// "first, first + step, …", so many.
std::string ascending_list(double first, double step, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) text += (k > 0 ? ", " : "") + std::to_string(first + step * k);
  return text;
}

TEST_F(Sweep, EachListedValueOfManyCombinationsIsChecked) {
  // 1200 combinations: the last mass is first in run 1170, the last charge in run 29.
  write("job.toml", "[sweep]\nscene = \"scene.toml\"\n[[vary]]\nkey = \"body.0.mass\"\nvalues = [" +
                        ascending_list(0.1, 0.1, 39) +
                        ", \"much\"]\n[[vary]]\nkey = \"body.0.charge\"\nvalues = [" +
                        ascending_list(0.0, 1e-6, 29) + ", \"little\"]\n");
  const std::string all = fault();
  EXPECT_THAT(all, HasSubstr("job.toml:4:7: error: run 1170: "));
  EXPECT_THAT(all, HasSubstr("job.toml:7:7: error: run 29: "));
}

TEST_F(Sweep, FilesThatListedValuesNameAreRead) {
  const std::string start =
      "[sweep]\nscene = \"scene.toml\"\n[[vary]]\nkey = \"body.0.mass\"\nvalues = [0.1, 0.2]\n[[vary]]\n"
      "key = \"body.0.mesh\"\nvalues = [\"ball.obj\", ";
  write("job.toml", start + "\"none.obj\"]\n");
  const std::string all = fault();
  EXPECT_THAT(all, HasSubstr("job.toml:7:7: error: run 1: "));
  EXPECT_THAT(all, HasSubstr("none.obj"));
  // A sweep keeps their bytes, and is refused if they change.
  write("more.obj", std::string(sweep_mesh) + "# more\n");
  write("job.toml", start + "\"more.obj\"]\n");
  EXPECT_EQ(plan().files.at("more.obj"), std::string(sweep_mesh) + "# more\n");
}

std::string varied(const std::string& key, const std::string& more) {
  return "[[vary]]\nkey = \"" + key + "\"\n" + more + "\n";
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(Sweep, OneFaultHidesNoOther) {
  write("job.toml", "[sweep]\nscene = \"scene.toml\"\n" + varied("time.step", "range = [3, 1]\npoints = 2") +
                        varied("body.0.chrge", "values = [1e-6]") +
                        varied("body.0.mass", "values = [0.1, -2.5]") +
                        varied("integrator.method", "values = [\"imx\", \"imex\"]") +
                        varied("body.0.springs.0.stiffness", "range = [-7, 2]") +
                        "[keep]\nquantities = { x = \"last of totl\" }\nloss = \"centre_of_mass:0\"\n"
                        "frames = 1000\n");
  std::string scene = sweep_scene;
  write("scene.toml", scene.replace(scene.find("every = 2"), 9, "evry = 2"));
  const std::string all = fault();
  EXPECT_THAT(
      all, AllOf(HasSubstr("job.toml:5:9: error: the range from 3 to 1"), HasSubstr("job.toml:8:7: error: "),
                 HasSubstr("chrge"), HasSubstr("job.toml:11:7: error: "), HasSubstr("-2.5"),
                 HasSubstr("job.toml:14:7: error: "), HasSubstr("imx"), HasSubstr("job.toml:17:7: error: "),
                 HasSubstr("-7")));
  EXPECT_THAT(all, HasSubstr("scene.toml:9:1: error: "));
  EXPECT_THAT(all, HasSubstr("\"samples\" in [sweep] is missing"));
  EXPECT_EQ(count_of(all, "error: "), 7U) << all;
  // With a scene that can be read, what is kept is told with the rest, and so are files.
  scene = sweep_scene;
  write("scene.toml", scene.replace(scene.find("ball.obj"), 8, "none.obj"));
  write("job.toml", "[sweep]\nscene = \"scene.toml\"\n" + varied("time.step", "range = [3, 1]\npoints = 2") +
                        varied("body.0.mass", "values = [0.1, -2.5]"));
  EXPECT_THAT(fault(), AllOf(HasSubstr("job.toml:5:9: error: "), HasSubstr("job.toml:8:7: error: "),
                             HasSubstr("none.obj")));
  write("scene.toml", sweep_scene);
  write("job.toml", "[sweep]\nscene = \"scene.toml\"\n" + varied("time.step", "range = [3, 1]\npoints = 2") +
                        "[keep]\nquantities = { x = \"last of totl\" }\nframes = 1000\n");
  EXPECT_THAT(fault(), AllOf(HasSubstr("job.toml:5:9: error: "), HasSubstr("no column \"totl\""),
                             HasSubstr("1000 frames of 25 steps")));
}

TEST_F(Sweep, FaultsOfATableHideNoValues) {
  write("job.toml", "[sweep]\nscene = \"scene.toml\"\ntable = \"t.csv\"\n");
  write("t.csv", "a b,body.0.mass,body.0.charge\n1,-2.5,1e-6\n1,0.1,\"x#\"\n1,0.2,little\n");
  EXPECT_THAT(fault(), AllOf(HasSubstr("t.csv:1: error: \"a b\" is no key"), HasSubstr("-2.5"),
                             HasSubstr("\"x#\" cannot stand in a table"), HasSubstr("little")));
}

TEST_F(Sweep, ASceneIsNotBlamedForWhatAFaultyKeyWouldMend) {
  std::string scene = sweep_scene;
  write("scene.toml", scene.replace(scene.find("step = 0.02\n"), 12, ""));
  const std::string start = "[sweep]\nscene = \"scene.toml\"\n";
  // Nothing is known of the step.
  write("job.toml", start + varied("time.step", "values = []") + varied("body.0.mass", "values = [-2.5]"));
  std::string all = fault();
  EXPECT_THAT(all, AllOf(HasSubstr("\"values\" in [[vary]] is empty"), HasSubstr("-2.5")));
  EXPECT_EQ(count_of(all, "error: "), 2U) << all;
  // One end of a range that does not ascend stands for it.
  write("job.toml", start + varied("time.step", "range = [0.02, 0.01]"));
  all = fault();
  EXPECT_EQ(count_of(all, "error: "), 1U) << all;
  EXPECT_THAT(all, HasSubstr("job.toml:5:9: error: the range from 0.02 to 0.01"));
}

/// The scene with a duration in place of its number of steps, both of which vary in what follows.
std::string timed_scene() {
  std::string scene = sweep_scene;
  return scene.replace(scene.find("steps = 25"), 10, "duration = 0.1");
}

TEST_F(Sweep, WhatTheJobSetsForAllRunsIsToldAtItsOwnLine) {
  const std::string changing =
                        std::string(sweep_scene) + "[[change]]\nstep = 3\nset = [\"time.step=0.01\"]\n",
                    vary = varied("body.0.mass", "values = [0.1, 0.2]"),
                    start = "[sweep]\nscene = \"scene.toml\"\nset = [\"output.every=1\",\n       ";
  write("scene.toml", changing);
  write("job.toml", start + "\"time.steps=2\"]\n" + vary);
  std::string all = fault();
  EXPECT_THAT(all, AllOf(HasSubstr("job.toml:4:8: error: "),
                         HasSubstr("scene.toml:19:8: the change at step 3 is never made")));
  EXPECT_EQ(count_of(all, "error: "), 1U) << all;
  // The value that varies, if that causes it.
  write("job.toml", start + "\"time.steps=25\"]\n" + varied("time.steps", "values = [9, 2]"));
  EXPECT_THAT(fault(), AllOf(HasSubstr("job.toml:6:7: error: run 1: "), HasSubstr("scene.toml:19:8: the ")));
  // A setting that the scene needs.
  std::string scene = changing;
  write("scene.toml", scene.replace(scene.find("steps = 25\n"), 11, ""));
  write("job.toml", start + "\"time.steps=2\"]\n" + vary);
  EXPECT_THAT(fault(), AllOf(HasSubstr("job.toml:4:8: error: "), HasSubstr("scene.toml:18:8: the change")));
  // What the scene has without any of them is the scene's.
  scene = changing;
  write("scene.toml", scene.replace(scene.find("every = 2"), 9, "evry = 2"));
  write("job.toml", start + "\"time.steps=20\"]\n" + vary);
  all = fault();
  EXPECT_THAT(all, HasSubstr("scene.toml:9:1: error: unknown key \"evry\""));
  EXPECT_EQ(count_of(all, "error: "), 1U) << all;
}

TEST_F(Sweep, WhatTheJobRemovesOrReadsForAllRunsIsToldAtItsOwnLine) {
  write("scene.toml", std::string(sweep_scene) +
                          "[[body.group]]\nname = \"tip\"\nindices = [3]\n[[body.pin]]\ngroup = \"tip\"\n");
  const std::string start = "[sweep]\nscene = \"scene.toml\"\n",
                    vary = varied("body.0.mass", "values = [0.1, 0.2]");
  write("job.toml", start + "unset = [\"body.0.group\"]\n" + vary);
  EXPECT_THAT(fault(), AllOf(HasSubstr("job.toml:3:10: error: "), HasSubstr("scene.toml:22:9: ")));
  write("small.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write("job.toml", start + "set = [\"body.0.mesh=small.obj\"]\n" + vary);
  EXPECT_THAT(fault(), AllOf(HasSubstr("job.toml:3:8: error: "),
                             HasSubstr("scene.toml:20:11: group \"tip\" names vertex 3 of body \"ball\"")));
}

TEST_F(Sweep, ValuesThatStandTogetherAreCheckedTogetherBesideAFault) {
  write("scene.toml", timed_scene());
  const std::string start = "[sweep]\nscene = \"scene.toml\"\n",
                    fault_beside = varied("body.0.mass", "range = [3, 1]\npoints = 2");
  // Each step goes with its own duration only.
  write("job.toml", start + varied("time.step", "values = [0.5, 2]\ntogether = \"t\"") +
                        varied("time.duration", "values = [1.5, 4]\ntogether = \"t\"") + fault_beside);
  std::string all = fault();
  EXPECT_EQ(count_of(all, "error: "), 1U) << all;
  // A pair that does not fit is told, and so is a value that nothing mends.
  write("job.toml", start + varied("time.step", "values = [0.5, 2, 2]\ntogether = \"t\"") +
                        varied("time.duration", "values = [1.5, 3, -4]\ntogether = \"t\"") + fault_beside);
  all = fault();
  EXPECT_THAT(all, AllOf(HasSubstr("\"duration\" = 3 is 1.5 steps of \"step\" = 2"), HasSubstr("-4")));
  EXPECT_EQ(count_of(all, "error: "), 3U) << all;
  // Of lists that are not equally long, the values without a partner may have any.
  write("job.toml", start + varied("time.step", "values = [0.5, 2]\ntogether = \"t\"") +
                        varied("time.duration", "values = [1.5, 4, 7]\ntogether = \"t\""));
  all = fault();
  EXPECT_EQ(count_of(all, "error: "), 1U) << all;
  // What a key with a fault would be is not known.
  write("job.toml", start + varied("time.step", "range = [2, 0.5]\npoints = 2") +
                        varied("time.duration", "values = [0.7, 1, 3, -4]"));
  all = fault();
  EXPECT_THAT(all, AllOf(HasSubstr("the range from 2 to 0.5"), HasSubstr("-4")));
  EXPECT_EQ(count_of(all, "error: "), 2U) << all;
}

TEST_F(Sweep, RowsOfATableAreCheckedAsTheyAreBesideAFault) {
  write("scene.toml", timed_scene());
  write("job.toml", "[sweep]\nscene = \"scene.toml\"\ntable = \"t.csv\"\n");
  write("t.csv", "time.step,time.duration,body.0.mass\n0.5,1.5,1\n2,4,1\n2,4,\n,7,1\n0.5,0.75,1\n2,4,-3\n");
  const std::string all = fault();
  EXPECT_THAT(all, AllOf(HasSubstr("t.csv:4:5: error: run 2 has no value"),
                         HasSubstr("t.csv:5:1: error: run 3 has no value"),
                         HasSubstr("\"duration\" = 0.75 is 1.5 steps of \"step\" = 0.5"), HasSubstr("-3")));
  EXPECT_EQ(count_of(all, "error: "), 4U) << all;
}

TEST_F(Sweep, AFaultyTableHidesNothingOfItsOtherRowsAndTheScene) {
  std::string scene = sweep_scene;
  write("scene.toml", scene.replace(scene.find("every = 2"), 9, "evry = 2"));
  write("job.toml", "[sweep]\nscene = \"scene.toml\"\ntable = \"t.csv\"\n");
  // Rows of another length, more than are told at once.
  std::string table = "# masses\nbody.0.mass,body.0.charge\n0.1,1e-6\n-2.5,1e-6\n";
  for (int k = 0; k < 120; ++k) table += "0.1\n";
  write("t.csv", table + "0.1,little\n");
  std::string all = fault();
  EXPECT_THAT(all, AllOf(HasSubstr("t.csv:5:1: error: 1 value in this row"), HasSubstr("-2.5"),
                         HasSubstr("little"), HasSubstr("scene.toml:9:1: error: ")));
  // A list without values hides only what a value might mend.
  write("job.toml", "[sweep]\nscene = \"scene.toml\"\n" + varied("time.step", "values = []"));
  EXPECT_THAT(fault(),
              AllOf(HasSubstr("\"values\" in [[vary]] is empty"), HasSubstr("scene.toml:9:1: error: ")));
  scene.replace(scene.find("step = 0.02\n"), 12, "");
  write("scene.toml", scene);
  all = fault();
  EXPECT_THAT(all, AllOf(HasSubstr("is empty"), HasSubstr("\"evry\"")));
  EXPECT_EQ(count_of(all, "error: "), 2U) << all;
}

TEST_F(Sweep, EachWrongOneOfManyListedValuesIsFound) {
  // 1200 numbers: of those after the first 1000 one is too small, one is none that the key allows.
  const std::string start = "[sweep]\nscene = \"scene.toml\"\n";
  write("job.toml", start + varied("body.0.mass", "values = [" + ascending_list(0.1, 0.1, 1100) + ", -2.5, " +
                                                      ascending_list(200.0, 0.1, 97) + ", -3.5, \"much\"]"));
  std::string all = fault();
  EXPECT_THAT(all, AllOf(HasSubstr("job.toml:4:7: error: run 1100: "), HasSubstr("-2.5"),
                         HasSubstr("job.toml:4:7: error: run 1198: "), HasSubstr("-3.5"),
                         HasSubstr("job.toml:4:7: error: run 1199: "), HasSubstr("much")));
  EXPECT_EQ(count_of(all, "error: "), 3U) << all;
  // Of whole numbers, one that is none.
  std::string steps;
  for (int k = 10; k < 1110; ++k) steps += std::to_string(k) + ", ";
  write("job.toml", start + varied("time.steps", "values = [" + steps + "2.5, 3.5]"));
  all = fault();
  EXPECT_THAT(all, AllOf(HasSubstr("run 1100: "), HasSubstr("run 1101: ")));
  write("job.toml", start + varied("time.steps", "values = [" + steps + "1110]"));
  EXPECT_EQ(fault(), "");
}

/// A job whose masses follow a normal distribution, of which run 0 has one that no scene takes.
std::string normal_job(const std::string& normal, const std::string& samples) {
  for (int seed = 1; seed < 100; ++seed) {
    const std::string text = "[sweep]\nscene = \"scene.toml\"\nsamples = " + samples +
                             "\nseed = " + std::to_string(seed) + "\n" +
                             varied("integrator.method", "values = [\"imex\", \"verlet\"]") +
                             varied("body.0.mass", "normal = " + normal);
    Report report;
    const SweepDesign design = make_design(parse_sweep_job(text, "job.toml", ".", report), report);
    if (report.empty() && design.number(0, 1) <= 0.0) return text;
  }
  return "";
}

TEST_F(Sweep, ASampleThatTheSceneDoesNotTakeIsARefusedRun) {
  write("job.toml", normal_job("[0.1, 0.1]", "20"));
  const SweepPlan whole = plan();
  EXPECT_GT(whole.usual_run, 0);
  EXPECT_EQ(whole.usual_run % 2, 0);  // Its first combination.
  EXPECT_GT(whole.design.number(whole.usual_run, 1), 0.0);
  EXPECT_EQ(whole.vertices, 4);
  const SweepResults found = results("s", {0, whole.usual_run}, 2);
  EXPECT_EQ(found.status, (std::vector{SweepStatus::refused, SweepStatus::done}));
  // With no sample that the scene takes, nothing is begun; the job's line says why.
  write("job.toml", normal_job("[-5.0, 0.1]", "20"));
  EXPECT_THAT(fault(), HasSubstr("job.toml:9:7: error: run 0: "));
  // A wrong listed value is told, and the samples are not.
  std::string text = normal_job("[0.1, 0.1]", "20");
  write("job.toml", text.replace(text.find("verlet"), 6, "verlt"));
  EXPECT_THAT(fault(), AllOf(HasSubstr("verlt"), Not(HasSubstr("job.toml:9:7"))));
}

}  // namespace
}  // namespace electret::test
