/// A job from its file to the files of its fit, without the command.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/fit/run_job.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/scene/read.hpp>

#include "record/temporary_folder.hpp"

namespace electret::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* chain = R"toml(
[time]
step = 0.02
steps = 4
[integrator]
tolerance = 1e-12
[[body]]
name = "chain"
generate = { shape = "chain", vertices = 3 }
mass = 1.0
velocity = [0.5, 0.0, 0.0]
  [[body.springs]]
  stiffness = 40.0
)toml";

constexpr const char* velocity_job = R"toml(
[fit]
scene = "scene.toml"
[[parameter]]
name = "body.chain.velocity"
[[loss]]
of = "centre_of_mass:1.2,0.1,0"
)toml";

class Jobs : public testing::Test {
 protected:
  Jobs() { put("scene.toml", chain); }
  void put(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  std::string job(const std::string& text = velocity_job) {
    put("job.toml", text);
    return folder / "job.toml";
  }
  std::map<std::string, std::string> files(const std::string& name) {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(folder / name))
      all[entry.path().filename().string()] = read_file(entry.path().string());
    return all;
  }
  const TemporaryFolder folder;
};

TEST_F(Jobs, TellEverythingThatIsWrongAtOnce) {
  const std::string file =
      job("[fit]\nscene = \"scene.toml\"\n[[parameter]]\nname = \"body.chain.nothing\"\n"
          "[[loss]]\nof = \"enrgy\"\n[horizons]\ndurations = [0.03]\n");
  try {
    (void)plan_fit_job(file);
    FAIL() << "it was planned";
  } catch (const InputError& error) {
    std::vector<Count> lines;
    for (const Finding& finding : error.findings()) lines.push_back(finding.where.line);
    EXPECT_THAT(lines, ElementsAre(4, 6, 8)) << error.what();
  }
}

TEST_F(Jobs, WarnOfTheSceneAsTheFitStarts) {
  EXPECT_THAT(fit_warnings(plan_fit_job(job()), 1), IsEmpty());
  put("scene.toml", std::string(chain).replace(std::string(chain).find("40.0"), 4, "1e14"));
  const auto warnings = fit_warnings(plan_fit_job(job()), 1);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].kind, WarningKind::time_step);
}

TEST_F(Jobs, CountTheGroupsOfTheirLossesAsUsed) {
  put("scene.toml", std::string(chain) + "  [[body.group]]\n  name = \"tip\"\n  indices = [2]\n");
  EXPECT_EQ(fit_warnings(plan_fit_job(job()), 1).at(0).kind, WarningKind::unused_group);
  put("m.csv", "time,marker,x,y,z,weight\n0.04,chain.tip,1,0,0,1\n");
  for (const char* loss : {"markers:m.csv", "speed:1,0,0,0,chain.tip"}) {
    std::string text = velocity_job;
    text.replace(text.find("centre_of_mass:1.2,0.1,0"), 24, loss);
    EXPECT_THAT(fit_warnings(plan_fit_job(job(text)), 1), IsEmpty()) << loss;
  }
}

TEST_F(Jobs, LeaveTheFilesOfTheirFitWhereverTheyAreStopped) {
  const PlannedFit planned = plan_fit_job(job());
  FitJobOptions options;
  options.threads = 1;
  Count runs = 0;
  options.observe = [&](const FitEvaluation&) { ++runs; };
  const FitJobResult whole = run_fit_job(planned, folder / "whole", options);
  EXPECT_TRUE(whole.converged());
  EXPECT_FALSE(whole.ended);
  EXPECT_EQ(whole.capped_steps, 0);
  EXPECT_EQ(whole.steps, 4 * runs);
  EXPECT_EQ(convergence_notice(whole.result.outcomes[whole.result.best]), "");
  ASSERT_GT(runs, 2);
  for (Count stop = 1; stop < runs; ++stop) {
    const std::string directory = "stopped" + std::to_string(stop);
    std::stop_source source;
    options.mode = FitMode::fresh;
    options.stop = source.get_token();
    Count seen = 0;
    options.observe = [&](const FitEvaluation&) {
      if (++seen == stop) source.request_stop();
    };
    EXPECT_THROW((void)run_fit_job(planned, folder / directory, options), Cancelled);
    EXPECT_THAT(files(directory).at("fit.json"), HasSubstr("\"status\": \"interrupted\""));
    options.mode = FitMode::resume;
    options.stop = {};
    options.observe = {};
    EXPECT_TRUE(run_fit_job(planned, folder / directory, options).converged());
    EXPECT_EQ(files(directory), files("whole")) << stop;
  }
}

constexpr const char* sampled_job = R"toml(
[fit]
scene = "scene.toml"
[[parameter]]
name = "body.chain.stiffness"
start = 2e3
minimum = 1e3
maximum = 1e7
[[parameter]]
name = "body.chain.velocity"
minimum = -1.0
maximum = 3.0
[[loss]]
of = "centre_of_mass:1.2,0.1,0"
[starts]
sample = "limits"
best_of = 8
count = 2
)toml";

TEST_F(Jobs, BeginAtTheBestOfRandomStarts) {
  const PlannedFit planned = plan_fit_job(job(sampled_job));
  ASSERT_EQ(planned.plan.samples.size(), 8U);
  std::size_t small = 0, large = 0;
  for (const auto& sample : planned.plan.samples) {
    ASSERT_EQ(sample.size(), 4U);
    EXPECT_TRUE(sample[0] > 1e3 && sample[0] < 1e7) << sample[0];
    for (int axis = 1; axis < 4; ++axis) EXPECT_TRUE(sample[axis] > -1.0 && sample[axis] < 3.0);
    small += sample[0] < 1e5 ? 1 : 0;
    large += sample[0] > 1e5 ? 1 : 0;
  }
  EXPECT_TRUE(small >= 2U && large >= 2U) << "evenly on the logarithmic scale, and not around the start";
  FitJobOptions options;
  options.threads = 1;
  const FitJobResult found = run_fit_job(planned, folder / "fit", options);
  const std::vector<double> losses =
      scan_loss(planned.plan.assembly, planned.plan.parameters, *planned.plan.loss, planned.plan.samples, 1);
  EXPECT_EQ(found.after.samples, losses);
  const auto best = static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) - losses.begin());
  ASSERT_EQ(found.result.outcomes.size(), 2U);
  EXPECT_EQ(found.result.outcomes[0].start, planned.plan.samples[best]);
  std::vector<double> ascending = losses;
  std::sort(ascending.begin(), ascending.end());
  const auto second =
      static_cast<std::size_t>(std::find(losses.begin(), losses.end(), ascending[1]) - losses.begin());
  EXPECT_EQ(found.result.outcomes[1].start, planned.plan.samples[second]);
  const double mean = std::accumulate(losses.begin(), losses.end(), 0.0) / 8.0;
  EXPECT_NEAR(mean_of_samples(losses), mean, 1e-15 * mean);
  EXPECT_EQ(mean_of_samples({2.0, INFINITY, 4.0}), 3.0);
  const auto written = files("fit");
  EXPECT_THAT(written.at("fit.json"), HasSubstr("\"samples\": {"));
  EXPECT_THAT(written.at("samples.csv"), HasSubstr("sample,loss,\"body.chain.stiffness\""));
  EXPECT_THAT(written.at("samples.csv"), HasSubstr(fmt::format("\n8,{:.17g},", losses[7])));
  EXPECT_THAT(written.at("fit.json"), HasSubstr(fmt::format("\"best_loss\": {}", ascending[0])));
}

/// A fit that goes on does not run its random starts again.
TEST_F(Jobs, KeepTheLossesOfTheirRandomStarts) {
  const PlannedFit planned = plan_fit_job(job(sampled_job));
  FitJobOptions options;
  options.threads = 1;
  (void)run_fit_job(planned, folder / "whole", options);
  std::stop_source source;
  options.stop = source.get_token();
  options.observe = [&](const FitEvaluation&) { source.request_stop(); };
  EXPECT_THROW((void)run_fit_job(planned, folder / "stopped", options), Cancelled);
  options.mode = FitMode::resume;
  options.stop = {};
  options.observe = {};
  Count sampled = 0;
  options.after = [&](std::string_view part, const Progress&) { sampled += part == "samples" ? 1 : 0; };
  (void)run_fit_job(planned, folder / "stopped", options);
  EXPECT_EQ(sampled, 0);
  EXPECT_EQ(files("stopped"), files("whole"));
  // Stopped after three of them, it runs five.
  std::stop_source early;
  options.mode = FitMode::fresh;
  options.stop = early.get_token();
  options.after = [&](std::string_view, const Progress& progress) {
    if (progress.done == 3) early.request_stop();
  };
  EXPECT_THROW((void)run_fit_job(planned, folder / "early", options), Cancelled);
  EXPECT_THAT(files("early").at("fit.json"), HasSubstr("\"status\": \"interrupted\""));
  // What a kill leaves of the next one's line does not count.
  std::ofstream(folder / "early/samples.csv", std::ios::app) << "4,1.5";
  options.mode = FitMode::resume;
  options.stop = {};
  options.after = [&](std::string_view part, const Progress&) { sampled += part == "samples" ? 1 : 0; };
  (void)run_fit_job(planned, folder / "early", options);
  EXPECT_EQ(sampled, 5);
  EXPECT_EQ(files("early"), files("whole"));
}

/// Losses of another target are none of this fit.
TEST_F(Jobs, DoNotMixRandomStartsOfAnotherTarget) {
  put("m.csv", "time,marker,x,y,z,weight\n0.08,chain[2],2,0,0,1\n");
  std::string text = sampled_job;
  text.replace(text.find("centre_of_mass:1.2,0.1,0"), 24, "markers:m.csv");
  FitJobOptions options;
  options.threads = 1;
  std::stop_source early;
  options.stop = early.get_token();
  options.after = [&](std::string_view, const Progress& progress) {
    if (progress.done == 3) early.request_stop();
  };
  const std::string file = job(text);
  EXPECT_THROW((void)run_fit_job(plan_fit_job(file), folder / "fit", options), Cancelled);
  const auto before = files("fit");
  put("m.csv", "time,marker,x,y,z,weight\n0.08,chain[2],20,0,0,1\n");
  options.mode = FitMode::resume;
  options.stop = {};
  options.after = {};
  try {
    (void)run_fit_job(plan_fit_job(file), folder / "fit", options);
    FAIL() << "it went on";
  } catch (const InputError& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("its targets or this program have changed"));
  }
  EXPECT_EQ(files("fit"), before);
  options.mode = FitMode::overwrite;
  EXPECT_NO_THROW((void)run_fit_job(plan_fit_job(file), folder / "fit", options));
}

/// Only then are the scene's values no start.
TEST_F(Jobs, DrawTheBestOfWhateverTheScenesValuesAre) {
  std::string text = sampled_job;
  text.erase(text.find("start = 2e3\n"), 12);
  EXPECT_NO_THROW((void)plan_fit_job(job(text))) << "the scene has 40 N/m, the minimum is 1000";
  text.replace(text.find("best_of = 8"), 11, "best_of = 0");
  EXPECT_THROW((void)plan_fit_job(job(text)), InputError);
}

/// verlet diverges from 3333 N/m on.
TEST_F(Jobs, CountTheRandomStartsThatDiverge) {
  std::string text = sampled_job;
  text.replace(text.find("maximum = 1e7"), 13, "maximum = 1e4");
  text.replace(text.find("scene = \"scene.toml\""), 20,
               "scene = \"scene.toml\"\nset = [\"integrator.method=verlet\", \"time.steps=400\"]");
  FitJobOptions options;
  options.threads = 1;
  const FitJobResult found = run_fit_job(plan_fit_job(job(text)), folder / "fit", options);
  const auto diverged = static_cast<std::size_t>(std::count(
      found.after.samples.begin(), found.after.samples.end(), std::numeric_limits<double>::infinity()));
  ASSERT_TRUE(diverged > 0 && diverged < 8) << diverged;
  EXPECT_EQ(diverged_samples(found.after.samples), diverged);
  EXPECT_THAT(files("fit").at("fit.json"), HasSubstr(fmt::format("\"diverged\": {}", diverged)));
}

TEST_F(Jobs, ThatFailSaySo) {
  std::string text = velocity_job;
  text.replace(text.find("scene = \"scene.toml\""), 20,
               "scene = \"scene.toml\"\nset = [\"integrator.method=verlet\", \"time.steps=400\", "
               "\"body.0.springs.0.stiffness=1e7\"]");
  const std::string file = job(text);
  FitJobOptions options;
  options.threads = 1;
  EXPECT_THROW((void)run_fit_job(plan_fit_job(file), folder / "fit", options), DivergenceError);
  EXPECT_THAT(files("fit").at("fit.json"), HasSubstr("\"status\": \"failed\""));
  EXPECT_THAT(files("fit").at("fit.json"), HasSubstr("\"cause\": \"diverged at step "));
  try {
    (void)run_fit_job(plan_fit_job(file), folder / "fit", options);
    FAIL() << "it was replaced";
  } catch (const InputError& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("holds a fit that failed; --resume goes on with it"));
  }
  options.mode = FitMode::resume;
  EXPECT_THROW((void)run_fit_job(plan_fit_job(file), folder / "fit", options), DivergenceError);
}

TEST_F(Jobs, SayWhyNoStartCanBeDrawn) {
  const auto findings = [&](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    try {
      (void)plan_fit_job(job(text));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(findings(sampled_job, "maximum = 3.0", ""),
              HasSubstr("\"body.chain.velocity\" has no maximum, between which starts could be drawn"));
  EXPECT_THAT(findings(sampled_job, "minimum = 1e3\n", "minimum = 0.0\n"), HasSubstr("scale = \"linear\""));
  EXPECT_THAT(findings(sampled_job, "sample = \"limits\"\n", ""),
              HasSubstr("allowed: with sample = \"limits\""));
  EXPECT_THAT(findings(sampled_job, "best_of = 8", "best_of = 1"),
              HasSubstr("the best 2 of 1 random starts; allowed: \"best_of\" from \"count\" on"));
}

TEST_F(Jobs, ThatHaveEndedSaySo) {
  const PlannedFit planned = plan_fit_job(job());
  FitJobOptions options;
  options.threads = 1;
  (void)run_fit_job(planned, folder / "fit", options);
  options.mode = FitMode::resume;
  options.observe = [](const FitEvaluation&) { FAIL() << "a run of a fit that has ended"; };
  const FitJobResult again = run_fit_job(planned, folder / "fit", options);
  ASSERT_TRUE(again.ended);
  EXPECT_TRUE(again.converged());
  EXPECT_THAT(again.ended->rows, testing::Contains(testing::Pair("ended", HasSubstr("small"))));
}

TEST_F(Jobs, TellTheStepsOfEachRunAndThePartsAfterIt) {
  const PlannedFit planned = plan_fit_job(job());
  FitJobOptions options;
  options.threads = 1;
  Count steps = 0;
  std::vector<std::string> parts;
  options.steps = [&](const Progress&) { ++steps; };
  options.after = [&](std::string_view part, const Progress&) {
    if (parts.empty() || parts.back() != part) parts.emplace_back(part);
  };
  const FitJobResult found = run_fit_job(planned, folder / "fit", options);
  EXPECT_GE(steps, 2 * found.steps) << "forward and back";
  EXPECT_THAT(parts, ElementsAre("identifiability")) << "no scan, and a velocity has no sign to reverse";
}

TEST_F(Jobs, ThatDoNotConvergeSayWhatHelps) {
  const FitJobResult found = run_fit_job(
      plan_fit_job(job(std::string(velocity_job) + "[optimiser]\nevaluations = 1\n")), folder / "fit", {});
  EXPECT_FALSE(found.converged());
  EXPECT_THAT(convergence_notice(found.result.outcomes[found.result.best]),
              HasSubstr("the fit has not converged after 1 run: the number of evaluations is used up, at a "
                        "gradient of"));
}

/// Whatever is fitted, the scene that is written is one that runs.
TEST_F(Jobs, WriteScenesThatPassTheirCheck) {
  const std::string pinned =
      std::string(chain) +
      "  [[body.group]]\n  name = \"p\"\n  indices = [0]\n  [[body.pin]]\n  group = \"p\"\n";
  const std::string floor =
      "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, -0.03]\nnormal = [0, 0, 1]\n";
  const std::string falling =
      std::string(chain).replace(std::string(chain).find("0.0, 0.0]"), 9, "0.0, -1.0]");
  const std::string charged =
      std::string(chain) +
      "  [[body.group_charge]]\n  group = \"all\"\n  value = 1e-7\n  [[body.group]]\n  name = "
      "\"all\"\n  indices = [0, 1, 2]\n[coulomb]\n[[external_charge]]\ncharge = 1e-7\n"
      "position = [0.5, 0.4, 0]\n";
  struct Case {
    std::string scene, parameter, loss, rest;
  };
  const std::vector<Case> cases{
      {pinned + "  times = [0.02, 0.06]\n  offsets = [[0, 0, 0], [0.1, 0, 0]]\n", "body.chain.pin[p].offsets",
       "centre_of_mass:0.6,0.1,0", "start = 0.05"},
      {pinned + "  times = [-0.02, 0.02, 0.08]\n  offsets = [[-0.1, 0, 0], [0.1, 0, 0], [0.2, 0, 0]]\n",
       "body.chain.pin[p].offsets", "centre_of_mass:0.6,0.1,0",
       "minimum = -0.3\nmaximum = 0.4\n[starts]\nsample = \"limits\"\nbest_of = 4"},
      {falling + floor, "obstacle.floor.point", "centre_of_mass:0.54,0,0.0002", ""},
      {charged, "external_charge.0.position", "centre_of_mass:0.53,0.01,0", ""},
      {charged, "body.chain.positions", "centre_of_mass:0.6,0.1,0", ""}};
  std::size_t number = 0;
  FitJobOptions options;
  options.threads = 1;
  for (const Case& each : cases) {
    const std::string name = "fit" + std::to_string(number++);
    SCOPED_TRACE(each.scene + each.parameter);
    put("scene.toml", each.scene);
    const std::string text = "[fit]\nscene = \"scene.toml\"\n[[loss]]\nof = \"" + each.loss +
                             "\"\n[optimiser]\nevaluations = 30\n[[parameter]]\nname = \"" + each.parameter +
                             "\"\n" + each.rest + "\n";
    try {
      (void)run_fit_job(plan_fit_job(job(text)), folder / name, options);
    } catch (const InputError& error) {
      ADD_FAILURE() << error.what();
      continue;
    }
    EXPECT_NO_THROW((void)load_scene(folder / (name + "/fitted.toml")));
  }
}

TEST_F(Jobs, TakeNoLossToleranceForALossThatMayBeNegative) {
  const auto message = [&](const std::string& of, const std::string& weight) {
    std::string text = std::string(velocity_job) + weight + "[optimiser]\nloss_tolerance = 1e-9\n";
    text.replace(text.find("centre_of_mass:1.2,0.1,0"), 24, of);
    try {
      (void)plan_fit_job(job(text));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message("forward:1,0,0", ""),
              HasSubstr("\"loss_tolerance\" = 1e-09, but the loss \"forward:1,0,0\" may be negative"));
  EXPECT_THAT(message("energy", ""), HasSubstr("may be negative"));
  EXPECT_THAT(message("speed:1,0,0", ""), HasSubstr("may be negative"));
  EXPECT_THAT(message("centre_of_mass:1,0,0", "weight = -2.0\n"), HasSubstr("of weight -2 may be negative"));
  EXPECT_THAT(message("centre_of_mass:1,0,0", "weight = 2.0\n"), IsEmpty());
}

}  // namespace
}  // namespace electret::test
