/// Jobs of sweeps as read, and what docs/sweeps.md says of them.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/sweep/job.hpp>

namespace electret::test {
namespace {

using ::testing::HasSubstr;

std::string findings_of(const std::string& text) {
  Report report;
  try {
    (void)parse_sweep_job(text, "job.toml", ".", report);
    report.throw_if_any("job.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SweepJob, IsReadWithItsDefaults) {
  Report report;
  const SweepJob job = parse_sweep_job(
      "[sweep]\nscene = \"s.toml\"\nset = [\"a=1\"]\n[[vary]]\nkey = \"p\"\nvalues = [1, 2.5, \"imex\", "
      "true]\n"
      "[[vary]]\nkeys = [\"q\", \"r\"]\nrange = [1, 2]\n[keep]\nquantities = { b = \"max of kinetic\", a = "
      "\"last of "
      "total\" }\n[limits]\nwall = \"1.5h\"\n",
      "job.toml", "folder", report);
  ASSERT_TRUE(report.empty());
  EXPECT_EQ(job.sweep.method, "random");
  EXPECT_EQ(job.sweep.seed, 1);
  ASSERT_EQ(job.vary.size(), 2U);
  EXPECT_EQ(job.vary[0].values.texts, (std::vector<std::string>{"1", "2.5", "imex", "true"}));
  EXPECT_EQ(job.vary[1].keys, (std::vector<std::string>{"q", "r"}));
  ASSERT_EQ(job.keep.quantities.size(), 2U);
  EXPECT_EQ(job.keep.quantities[0].first, "b") << "quantities keep the order of the file";
  EXPECT_EQ(job.limits.attempts, 3);
  EXPECT_EQ(duration_of(job.limits.wall), 5400.0);
  EXPECT_EQ(job.source.at("keep.quantities.a").line, 11);
}

TEST(SweepJob, EveryFindingIsToldAtOnce) {
  const std::string all = findings_of(
      "[sweep]\nset = [1]\nmethod = \"grid\"\n[[vary]]\nvalues = []\nrange = [1, 2]\n[[vary]]\nkey = "
      "\"a\"\nrange = [3, "
      "1]\n[[vary]]\nkey = \"b\"\nrange = [0, 1]\nscale = \"log\"\n[[vary]]\nkey = \"c\"\nnormal = [1, "
      "0]\n[[vary]]\nkey "
      "= \"d\"\nrange = [1, 2, 3]\n[[vary]]\nkey = \"e\"\nvalues = [[1], 2]\n[keep]\nframs = 3\nquantities = "
      "{ x = 1 "
      "}\n[limits]\nwall = \"10\"\nfailures = 2\n[[vary]]\nkey = \"f\"\nvalues = [1]\npoints = "
      "3\n[[vary]]\nkey = "
      "\"g\"\nrange = [1, 2]\ntogether = \"t\"\n[other]\n");
  for (const char* said :
       {"neither \"scene\" nor \"fit\" is written in [sweep]", "job.toml:2:8", "job.toml:3:10",
        "job.toml:5:10", "job.toml:9:9: error: the range from 3 to 1",
        "job.toml:12:9: error: a logarithmic scale from 0", "job.toml:16:10",
        "job.toml:19:9: error: \"range\" has 3 numbers", "job.toml:22:11", "unknown key \"frams\"",
        "job.toml:25:20", "job.toml:27:8: error: \"10\" is no time", "job.toml:28:12",
        "\"points\" without \"range\"", "sampled keys cannot advance together", "unknown key \"other\""})
    EXPECT_THAT(all, HasSubstr(said));
}

TEST(SweepJob, OneKeyAndOneKindOfValuesAreNeeded) {
  const std::string start = "[sweep]\nscene = \"s\"\n[[vary]]\n";
  EXPECT_THAT(findings_of(start + "values = [1]\n"), HasSubstr("\"key\""));
  EXPECT_THAT(findings_of(start + "key = \"a\"\n"), HasSubstr("\"values\""));
  EXPECT_THAT(findings_of(start + "key = \"a\"\nkeys = [\"b\"]\nvalues = [1]\n"), HasSubstr("\"keys\""));
  EXPECT_EQ(findings_of(start + "key = \"a\"\nvalues = [1]\n"), "");
}

TEST(SweepJob, TimesHaveAUnit) {
  EXPECT_EQ(duration_of("90s"), 90.0);
  EXPECT_EQ(duration_of("10 min"), 600.0);
  for (const char* wrong : {"", "10", "min", "0s", "-1s", "1d", "1 minute", "inf s", "1s "})
    EXPECT_FALSE(duration_of(wrong)) << wrong;
}

TEST(SweepReference, IsInTheDocumentation) {
  const auto path = std::filesystem::path(ELECTRET_SOURCE_FOLDER) / "docs/sweeps.md";
  std::ifstream file(path);
  std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string begin = "<!-- job: begin -->\n", end = "<!-- job: end -->",
                    reference = sweep_job_reference();
  ASSERT_NE(page.find(begin), std::string::npos);
  const auto first = page.find(begin) + begin.size();
  const auto length = page.find(end) - first;
  if (std::getenv("ELECTRET_RENEW_DOCS") != nullptr) {
    std::ofstream(path) << page.replace(first, length, reference);
    GTEST_SKIP() << "docs/sweeps.md was renewed";
  }
  EXPECT_EQ(page.substr(first, length), reference)
      << "renew the page: ELECTRET_RENEW_DOCS=1 test_sweep --gtest_filter='SweepReference*'";
}

}  // namespace
}  // namespace electret::test
