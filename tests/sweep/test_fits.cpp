/// Sweeps of fits on a scene whose loss has two minima that are known.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <numeric>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <electret/core/errors.hpp>
#include <electret/fit/run_job.hpp>
#include <electret/scene/read.hpp>
#include <electret/sweep/sweep_fit_run.hpp>
#include <electret/sweep/sweep_merge.hpp>
#include <electret/sweep/sweep_part.hpp>
#include <electret/sweep/sweep_state.hpp>

#include "../record/temporary_folder.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

/// A mass on a spring, pushed along it. It is back in its place after half a period and after a whole one.
constexpr const char* scene = R"([time]
step = 0.01
steps = 200
[integrator]
method = "verlet"
[[body]]
name = "bob"
mesh = "pair.obj"
mass = 1.0
velocity = [0.5, 0, 0]
[[body.springs]]
from = "edges"
stiffness = 3.0
[[body.group]]
name = "end"
indices = [0]
[[body.pin]]
group = "end"
)";

constexpr const char* fit_job = R"([fit]
scene = "scene.toml"
[[parameter]]
name = "body.bob.stiffness"
minimum = 1.0
maximum = 13.0
[[loss]]
of = "final_position:pair.obj"
)";

constexpr const char* job = R"([sweep]
fit = "fit.toml"
samples = 20
[[vary]]
key = "start.body.bob.stiffness"
range = [1.2, 12.0]
)";

/// The stiffness with which a mass of 1 kg has made `halves` half periods of the velocity Verlet scheme after
/// 200 steps of 0.01 s: its frequency ω obeys 2 (1 - cos ωh) = h² k/m.
double stiffness_of(double halves) {
  constexpr double h = 0.01;
  return 2.0 * (1.0 - std::cos(halves * std::numbers::pi / 200.0)) / (h * h);
}

class FitSweep : public ::testing::Test {
 protected:
  void SetUp() override {
    write("scene.toml", scene);
    write("fit.toml", fit_job);
    write("job.toml", job);
    write("pair.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  SweepPlan plan() { return plan_sweep(folder_ / "job.toml"); }
  std::string fault() {
    try {
      (void)plan();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  /// A sweep of its own, its runs done in this order in parts of so many.
  SweepResults results(const std::string& name, const std::vector<Count>& order, std::size_t block) {
    const SweepFolder folder(folder_ / name);
    folder.begin(plan(), false);
    const SweepPlan own = folder.plan();
    for (std::size_t k = 0; k < order.size(); k += block) {
      PartWriter part(folder, own, order[k], order[k]);
      for (std::size_t i = k; i < std::min(k + block, order.size()); ++i) part.run(order[i], {});
    }
    return merge_sweep(folder, own);
  }
  SweepResults results(const std::string& name) {
    std::vector<Count> order(static_cast<std::size_t>(plan().design.runs()));
    std::iota(order.begin(), order.end(), Count{0});
    return results(name, order, order.size());
  }
  std::string text_of(const std::string& name) {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  nlohmann::json summary(const std::string& name) {
    return nlohmann::json::parse(text_of(name + "/summary.json"));
  }

  TemporaryFolder folder_;
};

TEST_F(FitSweep, TwentyStartsFindAndCountBothMinima) {
  const SweepResults found = results("s");
  ASSERT_EQ(found.minima.minima.size(), 2U);
  std::vector<double> places;
  for (const FitMinimum& each : found.minima.minima) {
    EXPECT_LT(each.loss, 1e-20);
    EXPECT_GT(each.fits, 3);
    places.push_back(each.values.at(0));
  }
  EXPECT_EQ(found.minima.minima[0].fits + found.minima.minima[1].fits, 20);
  std::sort(places.begin(), places.end());
  EXPECT_NEAR(places[0], stiffness_of(1.0), 1e-8);
  EXPECT_NEAR(places[1], stiffness_of(2.0), 1e-8);
  const auto told = summary("s");
  EXPECT_EQ(told["distinct_minima"], 2);
  EXPECT_EQ(told["fits_elsewhere"], 0);
  ASSERT_EQ(told["minima"].size(), 2U);
  EXPECT_EQ(told["minima"][1]["fits"], found.minima.minima[1].fits);
  EXPECT_EQ(told["minima"][1]["values"]["body.bob.stiffness"], found.minima.minima[1].values[0]);
  EXPECT_EQ(told["best"], *found.best);
  EXPECT_THAT(text_of("s/runs.csv"),
              HasSubstr("run,status,start.body.bob.stiffness,loss,gradient_norm,evaluations,end,minimum,"
                        "fitted.body.bob.stiffness\n"));
  // The best scene is that of the smallest loss, and can be run where it lies.
  const Assembly best = load_scene(folder_ / "s/best.toml");
  EXPECT_EQ(find_parameter(best, "body.bob.stiffness").read(best),
            std::vector<double>{found.fitted[static_cast<std::size_t>(*found.best)]});
  EXPECT_EQ(found.losses[static_cast<std::size_t>(*found.best)],
            *std::min_element(found.losses.begin(), found.losses.end()));
}

TEST_F(FitSweep, ARowIsTheFitOfTheSameStart) {
  const SweepPlan sweep = plan();
  MeshStore meshes;
  const auto columns = sweep.columns();
  for (const Count run : {2, 11}) {
    SweepRow row = sweep_run(sweep, run, meshes);
    ASSERT_EQ(row.status, SweepStatus::done) << row.note;
    const auto overrides = sweep.design.overrides(run);
    const PlannedFit planned = plan_fit_job(folder_ / "fit.toml", overrides);
    FitJobOptions how;
    how.threads = 2;
    const FitJobResult found = run_fit_job(planned, folder_ / ("fit" + std::to_string(run)), how);
    const FitOutcome& outcome = found.result.outcomes.at(0);
    EXPECT_EQ(column_of(row, columns, "loss"), std::vector<double>{outcome.loss});
    EXPECT_EQ(column_of(row, columns, "fitted"), outcome.values);
    EXPECT_EQ(column_of(row, columns, "start"), outcome.start);
    EXPECT_EQ(column_of(row, columns, "start"), std::vector<double>{*sweep.design.number(run, 0)});
    EXPECT_EQ(column_of(row, columns, "gradient_norm"), std::vector<double>{outcome.gradient_norm});
    EXPECT_EQ(column_of(row, columns, "evaluations"),
              std::vector<double>{static_cast<double>(outcome.evaluations)});
    EXPECT_EQ(fit_end_of(column_of(row, columns, "end")[0]), outcome.end);
    EXPECT_EQ(column_of(row, columns, "steps"),
              std::vector<double>{200.0 * static_cast<double>(outcome.evaluations)});
  }
}

TEST_F(FitSweep, TheResultsDoNotDependOnWhoComputedThem) {
  const std::string wanted = results("whole").digest, table = text_of("whole/runs.csv");
  std::vector<Count> order(20);
  std::iota(order.begin(), order.end(), Count{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  for (const std::size_t block : {1U, 7U}) {
    const std::string name = "blocks" + std::to_string(block);
    EXPECT_EQ(results(name, order, block).digest, wanted);
    EXPECT_EQ(text_of(name + "/runs.csv"), table);
    EXPECT_EQ(summary(name)["minima"], summary("whole")["minima"]);
  }
  // A fit that is stopped half-way is no attempt, and done again from its start.
  const SweepFolder folder(folder_ / "stopped");
  folder.begin(plan(), false);
  std::stop_source source;
  source.request_stop();
  const SweepPlan own = folder.plan();
  {
    PartWriter part(folder, own, 0, 19);
    EXPECT_THROW(part.run(0, source.get_token()), Cancelled);
  }
  EXPECT_EQ(sweep_state(folder, own).attempts(0), 0);
  EXPECT_EQ(results("stopped", order, 20).digest, wanted);
}

TEST_F(FitSweep, TheSceneMayVaryToo) {
  write(
      "job.toml",
      "[sweep]\nfit = \"fit.toml\"\nset = [\"body.0.velocity=[1, 0, 0]\"]\n[[vary]]\nkey = \"body.0.mass\"\n"
      "values = [1.0, 1.2]\n[[vary]]\nkey = \"start.body.bob.stiffness\"\nvalues = [3, 11]\n");
  const SweepResults found = results("s");
  ASSERT_EQ(found.fitted.size(), 4U);
  for (std::size_t r = 0; r < 4; ++r)
    EXPECT_NEAR(found.fitted[r], stiffness_of(r % 2 == 0 ? 1.0 : 2.0) * (r < 2 ? 1.0 : 1.2), 1e-6);
  EXPECT_THAT(text_of("s/best.toml"), HasSubstr("velocity = [1, 0, 0]"));
}

TEST_F(FitSweep, AFitWithoutAResultIsARow) {
  write("job.toml",
        "[sweep]\nfit = \"fit.toml\"\nsamples = 30\n[[vary]]\nkey = \"start.body.bob.stiffness\"\n"
        "normal = [3, 2]\n[limits]\nfailures = 1.0\n");
  const SweepPlan sweep = plan();
  MeshStore meshes;
  int refused = 0;
  for (Count run = 0; run < 30; ++run) {
    const double start = *sweep.design.number(run, 0);
    const SweepRow row = sweep_run(sweep, run, meshes);
    EXPECT_EQ(row.status, start < 1.0 ? SweepStatus::refused : SweepStatus::done) << start;
    if (start >= 1.0) continue;
    ++refused;
    EXPECT_THAT(row.note, HasSubstr("is outside its limits"));
  }
  EXPECT_GT(refused, 0);
  write("job.toml", std::string(job) + "[limits]\nwall = \"0.000001s\"\n");
  EXPECT_EQ(sweep_run(plan(), 0, meshes).status, SweepStatus::timeout);
  // A step so long that every run diverges.
  write("job.toml", std::string(job) + "[[vary]]\nkey = \"time.step\"\nvalues = [3.0]\n");
  const SweepRow row = sweep_run(plan(), 0, meshes);
  EXPECT_EQ(row.status, SweepStatus::diverged) << row.note;
  const SweepResults found = results("diverged");
  EXPECT_EQ(found.minima.minima.size(), 0U);
  EXPECT_FALSE(found.best);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "diverged/best.toml"));
}

TEST_F(FitSweep, FindingsAreToldAtOnceAtTheirLines) {
  write("fit.toml", std::string(fit_job) + "[starts]\ncount = 3\n");
  write("job.toml",
        "[sweep]\nfit = \"fit.toml\"\nsamples = 20\nset = [\"integrator.metod='imex'\"]\n[[vary]]\n"
        "key = \"start.body.bob.stifness\"\nrange = [1, 2]\n[[vary]]\nkey = \"start.body.bob.stiffness\"\n"
        "range = [-1, 14]\n[keep]\nframes = 3\nquantities = { a = \"last of total\" }\n");
  const std::string all = fault();
  for (const char* said :
       {"job.toml:4:8: error: run 0: unknown key \"metod\"",
        "job.toml:6:7: error: run 0: \"body.bob.stifness\" is not fitted; allowed: body.bob.stiffness",
        "job.toml:9:7: error: at the end of its range: \"start\" = -1 is outside its limits",
        "\"start\" = 14 is outside its limits; allowed: 1 … 13", "\"frames\" of a fit",
        "\"quantities\" of a fit", "fit.toml:10:9: error: the fit has several starts of its own"})
    EXPECT_THAT(all, HasSubstr(said));
  write("fit.toml", std::string(fit_job) + "[optimizer]\n");
  write("job.toml", std::string(job) + "[[vary]]\nkey = \"body.0.mas\"\nvalues = [1]\n");
  EXPECT_THAT(fault(), HasSubstr("fit.toml:9:2: error: unknown key \"optimizer\""));
  EXPECT_THAT(fault(), HasSubstr("job.toml:8:7: error: run 0: unknown key \"mas\""));
  write("job.toml", "[sweep]\nfit = \"none.toml\"\n[[vary]]\nkey = \"start.a\"\nvalues = [1]\n");
  EXPECT_THAT(fault(), HasSubstr("job.toml:2:7: error: fit \"none.toml\""));
  write("job.toml",
        "[sweep]\nfit = \"fit.toml\"\nscene = \"scene.toml\"\n[[vary]]\nkey = \"start.a\"\nvalues = [1]\n");
  EXPECT_THAT(fault(), HasSubstr("exactly one of scene, fit is allowed"));
  write("fit.toml", fit_job);
  for (const char* values : {"[\"stiff\"]", "[0.5]", "[1, 2, 99]"}) {
    write("job.toml",
          std::string("[sweep]\nfit = \"fit.toml\"\n[[vary]]\nkey = \"start.body.bob.stiffness\"\n") +
              "values = " + values + "\n");
    EXPECT_THAT(fault(), HasSubstr("job.toml:4:7: error: run ")) << values;
  }
}

TEST_F(FitSweep, AStartThatTheParameterCannotHaveIsToldBeforeAnyRun) {
  std::string text = fit_job;
  const std::string limits = "minimum = 1.0\nmaximum = 13.0\n";
  write("fit.toml", text.replace(text.find(limits), limits.size(), ""));
  const std::string start = "[[vary]]\nkey = \"start.body.bob.stiffness\"\n";
  write("job.toml", "[sweep]\nfit = \"fit.toml\"\n" + start + "values = [3.0, 2.0, -1.0]\n");
  EXPECT_THAT(fault(), HasSubstr("job.toml:4:7: error: run 2: \"start\" = -1 is out of range"));
  write("job.toml", "[sweep]\nfit = \"fit.toml\"\nsamples = 2\n" + start + "range = [-0.001, 3]\n");
  EXPECT_THAT(fault(),
              HasSubstr("job.toml:5:7: error: at the end of its range: \"start\" = -0.001 is out of range"));
}

TEST_F(FitSweep, OneFaultHidesNoOtherOfAFit) {
  std::string fit = fit_job;
  write("fit.toml", fit.replace(fit.find("pair.obj"), 8, "none.obj"));
  write("job.toml",
        "[sweep]\nfit = \"fit.toml\"\n[[vary]]\nkey = \"body.0.mass\"\nrange = [3, 1]\npoints = 2\n"
        "[[vary]]\nkey = \"start.body.bob.stiffness\"\nvalues = [2, 50]\n[[vary]]\nkey = \"time.stp\"\n"
        "values = [0.01]\n");
  const std::string all = fault();
  EXPECT_THAT(all, HasSubstr("job.toml:5:9: error: the range from 3 to 1"));
  EXPECT_THAT(all, HasSubstr("job.toml:8:7: error: \"start\" = 50 is outside its limits"));
  EXPECT_THAT(all, HasSubstr("job.toml:11:7: error: "));
  write("job.toml",
        "[sweep]\nfit = \"fit.toml\"\n[[vary]]\nkey = \"body.0.mass\"\nrange = [3, 1]\npoints = 2\n");
  EXPECT_THAT(fault(), HasSubstr("none.obj"));
}

TEST_F(FitSweep, ANormalStartOutsideItsLimitsIsARefusedRun) {
  // Whatever the seed, some of the first runs start outside 1 … 13 or below 0, and others do not.
  for (const bool has_limits : {true, false}) {
    std::string fit = fit_job;
    if (!has_limits) fit.erase(fit.find("minimum"), fit.find("[[loss]]") - fit.find("minimum"));
    write("fit.toml", fit);
    bool did_first_fail = false;
    for (int seed = 1; seed < 20 && !did_first_fail; ++seed) {
      write("job.toml", "[sweep]\nfit = \"fit.toml\"\nsamples = 30\nseed = " + std::to_string(seed) +
                            "\n[[vary]]\nkey = \"start.body.bob.stiffness\"\nnormal = [3, 4]\n");
      const SweepPlan whole = plan();
      did_first_fail = whole.usual_run > 0;
      const double least = has_limits ? 1.0 : 0.0, most = has_limits ? 13.0 : 1e9;
      const double first = whole.design.number(0, 0).value(),
                   usual = whole.design.number(whole.usual_run, 0).value();
      EXPECT_EQ(did_first_fail, !(first >= least && first <= most));
      EXPECT_TRUE(usual >= least && usual <= most) << usual;
    }
    EXPECT_TRUE(did_first_fail);
  }
  write("job.toml",
        "[sweep]\nfit = \"fit.toml\"\nsamples = 30\n[[vary]]\nkey = \"start.body.bob.stiffness\"\n"
        "normal = [-30, 1]\n");
  EXPECT_THAT(fault(), HasSubstr("job.toml:5:7: error: run 0: "));
}

TEST_F(FitSweep, WhatGoesWrongWithTheMeshesIsToldAtTheJobsLine) {
  write("scene.toml",
        std::string(scene) + "[[body.group]]\nname = \"far\"\nbox = [[0.5, -1, -1], [5, 1, 1]]\n");
  const std::string start = "[sweep]\nfit = \"fit.toml\"\n",
                    key = "[[vary]]\nkey = \"body.0.group.1.box.0.0\"\n";
  write("job.toml", start + key + "values = [1.5, 0.5]\n");
  EXPECT_THAT(fault(), HasSubstr("job.toml:4:7: error: run 0: "));
  write("job.toml", start + key + "values = [0.5, 1.5]\n");
  EXPECT_THAT(fault(), HasSubstr("job.toml:4:7: error: run 1: "));
  // A sample is a refused run.
  bool did_first_fail = false;
  for (int seed = 1; seed < 20 && !did_first_fail; ++seed) {
    write("job.toml",
          start + "samples = 20\nseed = " + std::to_string(seed) + "\n" + key + "normal = [0.9, 0.25]\n");
    const SweepPlan whole = plan();
    did_first_fail = whole.usual_run > 0;
    EXPECT_EQ(did_first_fail, whole.design.number(0, 0).value() > 1.0);
  }
  EXPECT_TRUE(did_first_fail);
  // It is one beside a fault of the fit, too.
  write("fit.toml", std::string(fit_job) + "[optimizer]\n");
  const std::string all = fault();
  EXPECT_THAT(all, HasSubstr("unknown key \"optimizer\""));
  EXPECT_THAT(all, testing::Not(HasSubstr("far")));
}

TEST_F(FitSweep, GoesOnWithMoreStartsAndNothingElse) {
  const SweepResults before = results("s");
  std::string more = job;
  more.replace(more.find("20"), 2, "25");
  write("job.toml", more);
  const SweepFolder folder(folder_ / "s");
  folder.begin(plan(), false);
  EXPECT_EQ(sweep_state(folder, folder.plan()).missing, (std::vector<Count>{20, 21, 22, 23, 24}));
  write("fit.toml", std::string(fit_job) + "weight = 2.0\n");
  try {
    folder.begin(plan(), false);
    FAIL() << "another fit is no continuation";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the fit differs"));
  }
}

TEST_F(FitSweep, ATargetThatHasChangedIsRefused) {
  write("target.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");
  std::string text = fit_job;
  text.replace(text.find("pair.obj"), 8, "target.obj");
  write("fit.toml", text);
  const SweepPlan sweep = plan();
  MeshStore meshes;
  EXPECT_EQ(sweep_run(sweep, 0, meshes).status, SweepStatus::done);
  write("target.obj", "v 0 0 0\nv 1.1 0 0\nl 1 2\n");
  const SweepRow row = sweep_run(sweep, 0, meshes);
  EXPECT_EQ(row.status, SweepStatus::refused);
  EXPECT_THAT(row.note, HasSubstr("has changed since the sweep began"));
}

TEST_F(FitSweep, AFitThatAnotherProcessMakesInItsFolderIsMadeWithoutOne) {
  write("job.toml", std::string(job).replace(std::string(job).find("20"), 2, "3"));
  const SweepResults alone = results("alone");
  write("job.toml", text_of("job.toml") + "[limits]\nresumable = true\n");
  SweepFolder(folder_ / "s").begin(plan(), false);
  const RunLock other(folder_ / "s/runs/1");
  EXPECT_EQ(results("s").digest, alone.digest);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "s/runs/1"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s/runs/0"));
}

TEST_F(FitSweep, AFitThatHadEndedWithoutItsRowIsMadeAgain) {
  write("job.toml", std::string(job).replace(std::string(job).find("20"), 2, "3"));
  const SweepResults alone = results("alone");
  write("job.toml", text_of("job.toml") + "[keep]\ndirectories = \"all\"\n");
  EXPECT_EQ(results("s").digest, alone.digest);
  std::filesystem::remove_all(folder_ / "s/parts");
  EXPECT_EQ(results("s").digest, alone.digest);
}

}  // namespace
}  // namespace electret::test
