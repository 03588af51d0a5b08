/// What the files of a merge hold of each run, and which states a run keeps.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/dynamics/simulator.hpp>
#include <electret/geometry/csv.hpp>
#include <electret/record/result_table.hpp>
#include <electret/scene/read.hpp>

#include "sweep_fixture.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* job_with_a_diverging_run = R"([sweep]
scene = "scene.toml"
[[vary]]
key = "time.step"
values = [0.01, 0.02, 10.0, 0.015]
[[vary]]
key = "integrator.method"
values = ["verlet"]
[keep]
quantities = { first = "first of total", most = "max of kinetic", end = "last of total" }
loss = "centre_of_mass:0,0,1"
)";

double number_in_cell(const std::string& text) {
  if (text == "nan") return std::nan("");
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  EXPECT_TRUE(error == std::errc() && end == text.data() + text.size()) << text;
  return number;
}

/// Whether both are the same number, or both none.
bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

TEST_F(Sweep, TheTableOfRunsHasEachResultInItsPlace) {
  write("job.toml", job_with_a_diverging_run);
  // Run 0 is missing, so that no row has the number of its run.
  const SweepResults found = results("s", {1, 2, 3}, 2);
  const SweepFolder folder(folder_ / "s");
  const SweepPlan own = folder.plan();
  EXPECT_EQ(found.status,
            (std::vector<SweepStatus>{SweepStatus::done, SweepStatus::diverged, SweepStatus::done}));
  const TextTable table = parse_text_csv(file_text(folder.table()), "runs.csv");
  const std::vector<std::string> columns{"run",   "status", "time.step", "integrator.method",
                                         "first", "most",   "end",       "loss"};
  EXPECT_EQ(table.columns, columns);
  ASSERT_EQ(table.rows(), 3U);
  MeshStore meshes;
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(table(r, 0).text, std::to_string(found.runs[r]));
    EXPECT_EQ(table(r, 1).text, name_of(found.status[r]));
    EXPECT_EQ(table(r, 2).text, own.design.value(found.runs[r], 0));
    EXPECT_EQ(table(r, 3).text, "verlet");
    const SweepRow alone = sweep_run(own, found.runs[r], meshes);
    for (std::size_t q = 0; q < 3; ++q) {
      EXPECT_EQ(own.quantities[q].name, table.columns[4 + q]);
      EXPECT_TRUE(same(number_in_cell(table(r, 4 + q).text), alone.values[4][q])) << r << ", " << q;
      EXPECT_TRUE(same(found.quantities[3 * r + q], alone.values[4][q])) << r << ", " << q;
    }
    EXPECT_TRUE(same(number_in_cell(table(r, 7).text), found.losses[r])) << r;
    // Else one column in place of another would not be seen.
    EXPECT_NE(table(r, 4).text, table(r, 5).text);
    EXPECT_NE(table(r, 5).text, table(r, 6).text);
  }
  EXPECT_EQ(std::isnan(found.losses[1]), true);
  EXPECT_FALSE(std::isnan(found.losses[0]));
}

TEST_F(Sweep, MergedResultsTellWhereEachRowComesFrom) {
  write("job.toml", job_with_a_diverging_run);
  const SweepFolder folder(folder_ / "s");
  folder.begin(plan(), false);
  const SweepPlan own = folder.plan();
  {
    PartWriter died(folder, own, 1, 3);
    died.begin(3);
    died.begin(3);
    died.begin(1);
    died.take_back(1);
  }
  {
    PartWriter part(folder, own, 2, 3);
    part.run(2, {});
    part.run(3, {});
  }
  (void)merge_sweep(folder, own);
  const ResultTableReader merged(folder.results());
  EXPECT_EQ(merged.all("results/run"), (std::vector<double>{2, 3}));
  EXPECT_EQ(merged.all("provenance/attempt"), (std::vector<double>{1, 3}));
  EXPECT_EQ(merged.all("provenance/part"), (std::vector<double>{1, 1}));
  EXPECT_EQ(
      merged.texts("design/time.step"),
      (std::vector<std::string>{std::string(own.design.value(2, 0)), std::string(own.design.value(3, 0))}));
  const std::vector<std::string> parts = merged.texts("parts");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(folder.parts() + "/" + parts[1], folder.part_files().at(1));
  EXPECT_EQ(merged.attribute("job"), job_with_a_diverging_run);
  EXPECT_EQ(merged.attribute("scene"), sweep_scene);
  std::string inputs;
  for (const Fingerprint& each : own.identity()) inputs += each.part + ": " + each.value + "\n";
  EXPECT_EQ(merged.attribute("inputs"), inputs);
  for (const char* part : {"the scene: ", "[keep]: ", "the file ball.obj: "})
    EXPECT_THAT(inputs, HasSubstr(part));
}

TEST_F(Sweep, KeptFramesAreTheStatesOfTheirSteps) {
  std::string text = sweep_job;
  text.insert(text.find("quantities"), "directories = \"all\"\n");
  for (const bool in_folder : {false, true}) {
    write("job.toml", in_folder ? text : sweep_job);
    const SweepPlan own = plan();
    MeshStore meshes;
    const SweepRow row = sweep_run(own, 1, meshes, {}, {}, in_folder ? folder_ / "run" : "");
    ASSERT_EQ(row.status, SweepStatus::done) << row.note;
    const auto columns = own.columns();
    const auto numbers = [&](const std::string& name) {
      const auto at = std::find_if(columns.begin(), columns.end(),
                                   [&](const ResultColumn& column) { return column.name == name; });
      return row.values.at(static_cast<std::size_t>(at - columns.begin()));
    };
    // 25 steps are no multiple of the four frames: frame k is that of step (k + 1)·25/4, rounded down.
    std::vector<double> positions, velocities;
    const auto put = [](VectorView from, std::vector<double>& to) {
      for (const Vec3& v : from)
        for (int axis = 0; axis < 3; ++axis) to.push_back(v[axis]);
    };
    Simulator simulator(compile(load_scene(folder_ / "scene.toml", own.design.overrides(1))));
    for (const Count step : {6, 12, 18, 25}) {
      while (simulator.state().step < step) simulator.step();
      put(simulator.state().positions, positions);
      put(simulator.state().velocities, velocities);
    }
    EXPECT_EQ(numbers("positions"), positions) << in_folder;
    EXPECT_EQ(numbers("velocities"), velocities) << in_folder;
  }
}

}  // namespace
}  // namespace electret::test
