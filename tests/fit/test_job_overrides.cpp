/// Changes of a fitting job from outside.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/fit/job_overrides.hpp>

namespace electret::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* text = R"([fit]
scene = "s.toml"
set = ["time.step=0.1"]
[[parameter]]
name = "body.a.charge[x=1]"
[[parameter]]
name = "body.a.stiffness"
start = 2.0
[[loss]]
of = "energy"
)";

FitJob job_with(const std::vector<std::string>& overrides, Report& report) {
  FitJob job = parse_fit_job(text, "fit.toml", ".", report);
  override_job(job, overrides, report);
  return job;
}

std::string findings_of(const std::vector<std::string>& overrides) {
  Report report;
  (void)job_with(overrides, report);
  try {
    report.throw_if_any("fit.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(JobOverrides, SetStartsAndTheScene) {
  Report report;
  const FitJob job = job_with(
      {"--unset gravity", "start.body.a.stiffness=5e1", "start.body.a.charge[x=1]=-1", "time.steps=3"},
      report);
  EXPECT_TRUE(report.empty());
  EXPECT_EQ(job.parameters[0].start, -1.0);
  EXPECT_EQ(job.parameters[1].start, 50.0);
  EXPECT_EQ(job.fit.set, (std::vector<std::string>{"time.step=0.1", "time.steps=3"}));
  EXPECT_EQ(job.fit.unset, std::vector<std::string>{"gravity"});
  EXPECT_EQ(job.overrides.size(), 4U);
  EXPECT_EQ(job.source.at("parameter.1.start").file, "--set start.body.a.stiffness");
}

TEST(JobOverrides, WrongStartsAreToldAtOnce) {
  const std::string all = findings_of({"start.body.b.charge=1", "start.body.a.stiffness=stiff",
                                       "start.body.a.stiffness", "start.body.a.stiffness=nan"});
  EXPECT_THAT(all, HasSubstr("--set start.body.b.charge: error: \"body.b.charge\" is not fitted; allowed: "
                             "body.a.charge[x=1], body.a.stiffness"));
  EXPECT_THAT(all, HasSubstr("\"stiff\" is no number"));
  EXPECT_THAT(all, HasSubstr("\"nan\" is no number"));
  EXPECT_THAT(all, HasSubstr("there is no \"=\""));
}

}  // namespace
}  // namespace electret::test
