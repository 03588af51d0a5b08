// What runs keep of contact.

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/record/describe.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/detail/ordered_file.hpp>
#include <electret/record/summary.hpp>
#include <electret/scene/read.hpp>

#include "record/temporary_folder.hpp"
#include "record/whole_runs.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

/// A block that lands on a floor and slides on it, and a ball that nothing touches.
Assembly sliding_block() {
  return assemble(parse_scene(R"(
[time]
step = 0.01
steps = 30
[output]
every = 2
[gravity]
acceleration = [1.0, 0.0, -9.81]
[[body]]
name = "block"
generate = { shape = "box", cells = [2, 2, 1], cell_size = 0.05 }
translate = [0.0, 0.0, 0.035]
velocity = [0.6, 0.0, 0.0]
density = 1000.0
  [[body.material]]
  model = "stable_neo_hookean"
  youngs_modulus = 1e5
  poissons_ratio = 0.3
[[obstacle]]
name = "ball"
shape = "sphere"
centre = [0.0, 0.0, 9.0]
radius = 0.5
[[obstacle]]
name = "the floor, below"
shape = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
friction = 0.4
)",
                              "scene.toml", "."));
}

TEST(ContactRun, FramesHoldWhatObstaclesPushWith) {
  const TemporaryFolder folder;
  const RunResult result = run_to_directory(compile(sliding_block(), 1), folder / "run", {});
  const TrajectoryReader run(folder / "run/trajectory.h5");
  ASSERT_EQ(run.frames(), 16);
  ASSERT_TRUE(run.has_contacts());
  EXPECT_THAT(run.contact_obstacles(), ::testing::ElementsAre("ball", "the floor, below"));
  EXPECT_TRUE(run.contacts(0).empty());
  Simulator simulator(compile(sliding_block(), 2));
  std::istringstream table(read_file(folder / "run/observables.csv"));
  std::string header, row;
  std::getline(table, header);
  EXPECT_THAT(header, HasSubstr("smallest_charge_distance,force_of_ball_x,force_of_ball_y,force_of_ball_z,"
                                "force_of_the_floor__below_x"));
  std::getline(table, row);
  ContactSums sums;
  std::size_t most = 0;
  for (Count frame = 1; frame < run.frames(); ++frame) {
    for (int k = 0; k < 2; ++k) {
      const StepReport report = simulator.step();
      sums.sticking += report.contact.sticking;
      sums.slipping += report.contact.slipping;
    }
    const std::vector<ContactForce> kept = run.contacts(frame);
    const auto now = simulator.contacts();
    ASSERT_EQ(kept.size(), now.size()) << frame;
    Vec3 sum;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      EXPECT_EQ(kept[k].vertex, now[k].vertex);
      EXPECT_EQ(kept[k].obstacle, 1);
      EXPECT_EQ(kept[k].state, now[k].state);
      EXPECT_EQ(kept[k].tangential, now[k].tangential);
      EXPECT_NEAR(kept[k].normal, now[k].normal, 1e-15 * now[k].normal);
      sum += now[k].normal * now[k].direction + now[k].tangential;
    }
    most = std::max(most, kept.size());
    std::getline(table, row);
    std::vector<double> numbers;
    std::istringstream cells(row);
    for (std::string cell; std::getline(cells, cell, ',');)
      numbers.push_back(std::strtod(cell.c_str(), nullptr));
    ASSERT_EQ(numbers.size(), 18U);
    EXPECT_EQ((Vec3{numbers[12], numbers[13], numbers[14]}), Vec3{});
    EXPECT_EQ((Vec3{numbers[15], numbers[16], numbers[17]}), sum);
  }
  EXPECT_GE(most, 9U);
  const RunResult read = read_summary(folder / "run/summary.json");
  for (const auto& contact : {result.contact, read.contact}) {
    ASSERT_TRUE(contact.has_value());
    EXPECT_EQ(contact->sticking, sums.sticking);
    EXPECT_EQ(contact->slipping, sums.slipping);
    EXPECT_GT(contact->slipping, 9);
    EXPECT_EQ(contact->unconverged_steps, 0);
    EXPECT_LT(contact->largest_penetration, 1e-15);
  }
  const RunDescription described = describe(folder / "run");
  ASSERT_EQ(described.contacts.size(), 1U);
  EXPECT_EQ(described.contacts[0].name, "the floor, below");
  EXPECT_GT(described.contacts[0].force.z, 0.0);
}

TEST(ContactRun, GoesOnInTheMiddleOfSliding) {
  const TemporaryFolder folder;
  run_to_directory(compile(sliding_block(), 1), folder / "whole", {});
  for (const bool killed : {false, true}) {
    const std::string part = folder / (killed ? "killed" : "stopped");
    StopAfter stop(13);
    run_to_directory(compile(sliding_block(), 1), part, stop.options);
    if (killed) make_killed(part + "/checkpoint.h5");
    run_to_directory(compile(sliding_block(), 3), part, resumed());
    expect_same_run(folder / "whole", part);
    const TrajectoryReader one(folder / "whole/trajectory.h5"), other(part + "/trajectory.h5");
    for (Count f = 0; f < one.frames(); ++f) {
      const auto a = one.contacts(f), b = other.contacts(f);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k].tangential, b[k].tangential);
    }
    const RunResult whole = read_summary(folder / "whole/summary.json"),
                    again = read_summary(part + "/summary.json");
    EXPECT_EQ(whole.contact->slipping, again.contact->slipping);
    EXPECT_EQ(whole.contact->sticking, again.contact->sticking);
  }
}

TEST(ContactRun, AnotherNumberInAFrameIsFoundByResume) {
  const TemporaryFolder folder;
  StopAfter stop(20);
  run_to_directory(compile(sliding_block(), 1), folder / "run", stop.options);
  make_killed(folder / "run/checkpoint.h5");
  {
    hdf5::OrderedFile file(folder / "run/trajectory.h5", hdf5::OrderedFile::Mode::modify);
    hdf5::Handle states = hdf5::open_growing(file.id(), "contact/states");
    const double other = 1.0;  // It slips.
    hdf5::append_rows(states.get(), hdf5::shape_of(file.id(), "contact/states").at(0) - 1, 1,
                      std::span(&other, 1));
    states.close();
    file.close();
  }
  EXPECT_THAT(message_of<UnreadableError>(
                  [&] { run_to_directory(compile(sliding_block(), 1), folder / "run", resumed()); }),
              HasSubstr("their sum is another"));
}

TEST(ContactRun, RunsWithoutExactObstaclesHaveNone) {
  const TemporaryFolder folder;
  Assembly assembly = sliding_block();
  assembly.obstacles.clear(), assembly.scene.obstacles.clear();
  run_to_directory(compile(std::move(assembly), 1), folder / "run", {});
  const TrajectoryReader run(folder / "run/trajectory.h5");
  EXPECT_FALSE(run.has_contacts());
  EXPECT_THAT(message_of<UnreadableError>([&] { (void)run.contacts(0); }),
              HasSubstr("contacts were not stored"));
  EXPECT_EQ(read_file(folder / "run/summary.json").find("\"contact\""), std::string::npos);
  EXPECT_EQ(read_file(folder / "run/observables.csv").find("force_of"), std::string::npos);
}

}  // namespace
}  // namespace electret::test
