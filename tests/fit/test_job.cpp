/// Fitting jobs as read, and what docs/gradients.md says of them and of losses.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/fit/job.hpp>
#include <electret/fit/loss_forms.hpp>

namespace electret::test {
namespace {

using ::testing::HasSubstr;

TEST(FitJob, IsReadWithItsDefaults) {
  const FitJob job = parse_fit_job(
      "[fit]\nscene = \"s.toml\"\nset = [\"a=1\", \"b=2\"]\n[[parameter]]\nname = \"p\"\nmaximum = 3\n"
      "[[loss]]\nof = \"energy\"\n[[loss]]\nof = \"energy\"\nweight = -2.0\n[starts]\ncount = 4\n",
      "job.toml", "folder");
  EXPECT_EQ(job.fit.scene, "s.toml");
  EXPECT_EQ(job.fit.set, (std::vector<std::string>{"a=1", "b=2"}));
  ASSERT_EQ(job.parameters.size(), 1U);
  EXPECT_EQ(job.parameters[0].maximum, 3.0);
  EXPECT_FALSE(job.parameters[0].start);
  EXPECT_EQ(job.parameters[0].scale, "auto");
  ASSERT_EQ(job.losses.size(), 2U);
  EXPECT_EQ(job.losses[1].weight, -2.0);
  EXPECT_EQ(job.optimiser.method, "lbfgs");
  EXPECT_EQ(job.starts.count, 4);
  EXPECT_EQ(job.source.at("loss.1.of").line, 10);
}

TEST(FitJob, EveryFindingIsToldAtOnce) {
  try {
    parse_fit_job(
        "[fit]\nset = [1]\n[[parameter]]\nnme = \"p\"\nscale = \"log\"\n[optimiser]\nmethod = \"bfgs\"\nrate "
        "= 0\n"
        "[horizons]\n[other]\n[starts]\ncount = 10000000000\n",
        "job.toml", ".");
    FAIL() << "nothing was found";
  } catch (const InputError& error) {
    const std::string all = error.what();
    for (const char* said :
         {"\"scene\" is missing in [fit]", "job.toml:2:8", "unknown key \"nme\"", "\"name\" is missing",
          "job.toml:5:9", "job.toml:7:10", "job.toml:8:8", "\"durations\" is missing", "job.toml:12:9",
          "unknown key \"other\"", "[[loss]] is missing"})
      EXPECT_THAT(all, HasSubstr(said));
  }
}

/// docs/gradients.md has `reference` between the comments "MARK: begin" and "MARK: end".
class FitReference : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

INSTANTIATE_TEST_SUITE_P(All, FitReference,
                         ::testing::Values(std::pair("job", fit_job_reference()),
                                           std::pair("losses", loss_reference())),
                         [](const auto& tested) { return tested.param.first; });

TEST_P(FitReference, IsInTheDocumentation) {
  const auto& [mark, reference] = GetParam();
  const auto path = std::filesystem::path(ELECTRET_SOURCE_FOLDER) / "docs/gradients.md";
  std::ifstream file(path);
  std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string begin = "<!-- " + mark + ": begin -->\n", end = "<!-- " + mark + ": end -->";
  ASSERT_NE(page.find(begin), std::string::npos);
  const auto first = page.find(begin) + begin.size();
  const auto length = page.find(end) - first;
  if (std::getenv("ELECTRET_RENEW_DOCS") != nullptr) {
    std::ofstream(path) << page.replace(first, length, reference);
    GTEST_SKIP() << "docs/gradients.md was renewed";
  }
  EXPECT_EQ(page.substr(first, length), reference) << "renew the page: ELECTRET_RENEW_DOCS=1 test_fit "
                                                      "--gtest_filter='*FitReference*'";
}

}  // namespace
}  // namespace electret::test
