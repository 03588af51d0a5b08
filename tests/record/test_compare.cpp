#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/record/compare.hpp>
#include <electret/record/describe.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/energy_table.hpp>
#include <electret/record/run.hpp>
#include <electret/record/trajectory_reader.hpp>

#include "record/made_scene.hpp"
#include "record/temporary_folder.hpp"

namespace electret {
namespace {

using test::made_assembly;
using test::made_system;
using test::SceneWishes;
using test::TemporaryFolder;

TEST(Compare, MeasuresWhatItsWordsSay) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  run_to_directory(made_system(wishes), folder / "a");
  wishes.charge *= 1.0 + 1e-9;
  run_to_directory(made_system(wishes), folder / "b");
  const RunDifference difference = compare(folder / "a", folder / "b");
  const TrajectoryReader a(folder / "a/trajectory.h5"), b(folder / "b/trajectory.h5");
  double squares = 0.0, largest = 0.0;
  DifferencePlace where;
  Count first = -1;
  for (Count f = 0; f < a.frames(); ++f) {
    const auto x = a.velocities(f), y = b.velocities(f);
    double magnitude = 0.0, worst = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double distance = norm(x[i] - y[i]);
      squares += distance * distance;
      magnitude = std::max({magnitude, norm(x[i]), norm(y[i])});
      worst = std::max(worst, distance);
      if (distance > largest) {
        largest = distance;
        where = {f, static_cast<Index>(i), a.times()[static_cast<std::size_t>(f)]};
      }
    }
    if (first < 0 && worst > 1e-12 * magnitude) first = f;
  }
  ASSERT_TRUE(difference.velocities.has_value());
  const auto count = static_cast<double>(a.frames() * a.vertices());
  EXPECT_NEAR(difference.velocities->root_mean_square, std::sqrt(squares / count), 1e-12 * largest);
  EXPECT_EQ(difference.velocities->largest, largest);
  EXPECT_EQ(difference.velocities->where.frame, where.frame);
  EXPECT_EQ(difference.velocities->where.vertex, where.vertex);
  EXPECT_EQ(difference.velocities->where.time, where.time);
  ASSERT_TRUE(difference.velocities->first.has_value());
  EXPECT_EQ(difference.velocities->first->frame, first);
  EXPECT_LT(first, a.frames() - 1);

  const auto before = read_energies(folder / "a/energy.csv"), after = read_energies(folder / "b/energy.csv");
  double kinetic = 0.0, scale = 0.0, time = 0.0;
  for (std::size_t r = 0; r < before.size(); ++r) {
    scale = std::max({scale, std::abs(before[r].energies.total()), std::abs(after[r].energies.total())});
    const double change = std::abs(before[r].energies.kinetic - after[r].energies.kinetic);
    if (change > kinetic) kinetic = change, time = before[r].time;
  }
  EXPECT_EQ(difference.energies[0].column, "kinetic");
  EXPECT_EQ(difference.energies[0].largest, kinetic);
  EXPECT_EQ(difference.energies[0].time, time);
  EXPECT_DOUBLE_EQ(difference.energies[0].relative, kinetic / scale);
}

TEST(Describe, AddsUpMassesAndCharges) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.steps = 3;
  wishes.key_frames = false;
  const Assembly assembly = made_assembly(wishes);
  run_to_directory(compile(assembly, 1), folder / "run");
  const RunDescription d = describe(folder / "run");
  double mass = 0.0, charge = 0.0;
  for (std::size_t i = 0; i < assembly.masses.size(); ++i) {
    mass += assembly.masses[i];
    charge += assembly.charges[i];
  }
  EXPECT_DOUBLE_EQ(d.total_mass, mass);
  EXPECT_DOUBLE_EQ(d.total_charge, charge);
}

TEST(Compare, ARunAndItsFirstHalfAreNotIdentical) {
  const TemporaryFolder folder;
  SceneWishes wishes;
  wishes.steps = 20;
  wishes.every = 1;
  run_to_directory(made_system(wishes), folder / "half");
  wishes.steps = 40;
  run_to_directory(made_system(wishes), folder / "whole");
  const RunDifference difference = compare(folder / "half", folder / "whole");
  EXPECT_TRUE(difference.mismatches.empty());
  EXPECT_EQ(difference.frames, 21);
  EXPECT_TRUE(difference.positions->identical);
  EXPECT_FALSE(difference.identical());
}

TEST(Compare, EnergiesOfATotalOfNothingHaveNoRelativeDifference) {
  const TemporaryFolder folder;
  for (const char* name : {"one", "two"}) {
    run_to_directory(made_system({}), folder / name);
    RowFile energies(folder / (std::string(name) + "/energy.csv"), energy_header);
    const double part = name == std::string("one") ? 1.0 : 2.0;
    for (int k = 0; k < 3; ++k)
      energies.append(energy_row({0.1 * k, {part, 0.0, 0.0, 0.0, -part}, part, 0.0}));
  }
  const RunDifference difference = compare(folder / "one", folder / "two");
  ASSERT_EQ(difference.energies.size(), 8u);
  EXPECT_EQ(difference.energies[0].largest, 1.0);
  EXPECT_EQ(difference.energies[6].column, "work");
  EXPECT_EQ(difference.energies[6].largest, 1.0);
  for (const EnergyDifference& column : difference.energies) EXPECT_EQ(column.relative, 0.0) << column.column;
}

TEST(Compare, FindsOtherNamesAndArrays) {
  const TemporaryFolder folder;
  Assembly a = made_assembly({}), b = a;
  b.faces[0][2] = 5;
  b.groups = {{0, "left", {1, 2}}};
  run_to_directory(compile(a, 1), folder / "a");
  run_to_directory(compile(b, 1), folder / "b");
  const RunDifference difference = compare(folder / "a", folder / "b");
  ASSERT_EQ(difference.mismatches.size(), 2u);
  const std::string faces = std::to_string(a.faces.size());
  EXPECT_EQ(difference.mismatches[0].what, "faces (1 of " + faces + " differ, first number 0)");
  EXPECT_EQ(difference.mismatches[0].first, std::to_string(a.faces[0][2]));
  EXPECT_EQ(difference.mismatches[0].second, "5");
  EXPECT_THAT(difference.mismatches[1].what, ::testing::StartsWith("groups (\"left\" of "));
  EXPECT_EQ(difference.mismatches[1].first, "absent");
  EXPECT_EQ(difference.mismatches[1].second, "2 members");
}

TEST(Compare, NamesTheValuesAndTheLineThatDiffer) {
  const TemporaryFolder folder;
  Assembly a = made_assembly({}), b = a;
  a.scene.text = "one\ntwo\nthree\n", b.scene.text = "one\nzwei\nthree\n";
  b.masses[1] = 2.0 * a.masses[1];
  b.masses[2] = 2.0 * a.masses[2];
  run_to_directory(compile(a, 1), folder / "a");
  run_to_directory(compile(b, 1), folder / "b");
  const auto found = compare(folder / "a", folder / "b").mismatches;
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].what, "scene text (from line 2)");
  EXPECT_EQ(found[0].first, "\"two\"");
  EXPECT_EQ(found[0].second, "\"zwei\"");
  EXPECT_EQ(found[1].what, "masses (2 of " + std::to_string(a.masses.size()) + " differ, first number 1)");
  EXPECT_EQ(std::stod(found[1].second), 2.0 * std::stod(found[1].first));
}

}  // namespace
}  // namespace electret
