/// Runs without a result: which are done again, and which of their rows counts.

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sweep_fixture.hpp"

namespace electret::test {
namespace {

TEST_F(Sweep, RunsWithoutAResultAreDoneAgainWhereTheyAreAskedFor) {
  const SweepPlan whole = plan();
  const SweepFolder folder(folder_ / "s");
  folder.begin(whole, false);
  {
    PartWriter part(folder, whole, 0, 0);
    part.run(0, {});
    part.begin(1);
    part.add(row_without_result(whole, 1, SweepStatus::timeout, "slow"));
    for (int attempt = 0; attempt < 3; ++attempt) part.begin(2);
    part.add(row_without_result(whole, 2, SweepStatus::lost, "died"));
    part.begin(3);
    part.add(row_without_result(whole, 3, SweepStatus::failed, "out of memory"));
  }
  SweepState state = sweep_state(folder, whole);
  EXPECT_EQ(state.missing, (std::vector<Count>{4, 5}));
  EXPECT_EQ(state.ended(), 4);
  EXPECT_EQ(state.counts.without_result(), 3);
  EXPECT_EQ(state.attempts(2), 3);
  state.ask_again({SweepStatus::timeout, SweepStatus::lost});
  EXPECT_EQ(state.missing, (std::vector<Count>{1, 2, 4, 5}));
  EXPECT_EQ(state.ended(), 2);
  EXPECT_EQ(state.counts.without_result(), 1);
  EXPECT_EQ(state.attempts(2), 0);
  ASSERT_EQ(state.without_result.size(), 1U);
  EXPECT_EQ(state.without_result.front().run, 3);
  // A new row counts if it is better: of a result rather than any other, of any other rather than `lost`.
  {
    PartWriter part(folder, whole, 1, 2);
    part.run(1, {});
    part.add(row_without_result(whole, 2, SweepStatus::timeout, "slow at last"));
    part.add(row_without_result(whole, 3, SweepStatus::lost, "died at last"));
  }
  state = sweep_state(folder, whole);
  EXPECT_EQ(state.statuses, (std::vector<signed char>{0, 0, 4, 3, -1, -1}));
  ASSERT_EQ(state.without_result.size(), 2U);
  EXPECT_EQ(state.without_result.front().note, "slow at last");
  EXPECT_EQ(state.without_result.back().note, "out of memory");
  EXPECT_EQ(find_row(folder, whole, 2).value().note, "slow at last");
  EXPECT_EQ(merge_sweep(folder, whole).status,
            (std::vector{SweepStatus::done, SweepStatus::done, SweepStatus::timeout, SweepStatus::failed}));
}

TEST_F(Sweep, OfEqualRowsWithoutAResultTheLaterAttemptCounts) {
  const SweepPlan whole = plan();
  // Whatever the names of the parts are, by which they are read.
  for (const auto& [first, second] : {std::pair<Count, Count>{0, 5}, {5, 0}}) {
    const SweepFolder folder(folder_ / std::to_string(first));
    folder.begin(whole, false);
    const auto add = [&](Count name, SweepStatus status, const std::string& note) {
      PartWriter part(folder, whole, name, name);
      part.begin(1);
      part.add(row_without_result(whole, 1, status, note));
    };
    const auto told = [&] {
      const SweepRow row = sweep_state(folder, whole).without_result.at(0);
      const SweepRow shown = find_row(folder, whole, 1).value();
      EXPECT_EQ(shown.note, row.note);
      EXPECT_EQ(shown.status, row.status);
      EXPECT_EQ(merge_sweep(folder, whole).status, std::vector{row.status});
      return std::string(name_of(row.status)) + " " + row.note;
    };
    add(first, SweepStatus::timeout, "longer than 1s");
    EXPECT_EQ(told(), "timeout longer than 1s");
    add(second, SweepStatus::timeout, "longer than 9s");
    EXPECT_EQ(told(), "timeout longer than 9s");
    add(first, SweepStatus::failed, "out of memory");
    EXPECT_EQ(told(), "failed out of memory");
    add(second, SweepStatus::lost, "died");  // No run has ended so.
    EXPECT_EQ(told(), "failed out of memory");
  }
}

TEST_F(Sweep, TheCausesOfTheFirstRunsAreToldWhicheverPartHasThem) {
  write("job.toml",
        "[sweep]\nscene = \"scene.toml\"\n[[vary]]\nkey = \"body.0.mass\"\nrange = [1, 2]\npoints = 250\n");
  const SweepPlan whole = plan();
  const SweepFolder folder(folder_ / "s");
  folder.begin(whole, false);
  for (const auto& [first, last] : {std::pair<Count, Count>{0, 4}, {100, 249}, {5, 99}}) {
    PartWriter part(folder, whole, first, last);
    for (Count run = first; run <= last; ++run)
      part.add(row_without_result(whole, run, SweepStatus::failed, "cause " + std::to_string(run)));
  }
  const SweepState state = sweep_state(folder, whole);
  ASSERT_EQ(state.without_result.size(), 100U);
  for (const SweepRow& row : state.without_result) EXPECT_EQ(row.note, "cause " + std::to_string(row.run));
}

}  // namespace
}  // namespace electret::test
