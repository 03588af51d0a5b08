// What runs keep of contact.

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/dynamics/simulator.hpp>
#include <electret/record/compare.hpp>
#include <electret/record/describe.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/detail/ordered_file.hpp>
#include <electret/record/export.hpp>
#include <electret/record/observables.hpp>
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

TEST(ContactRun, EveryObstacleHasColumnsOfItsOwn) {
  const auto columns = [](const std::vector<std::string>& names) {
    return observables_header_with(names, false).substr(std::string_view(observables_header).size());
  };
  EXPECT_EQ(columns({"a"}), ",force_of_a_x,force_of_a_y,force_of_a_z");
  // A plain name keeps its column, wherever it stands.
  EXPECT_EQ(
      columns({"wall 1", "wall_1", "wall+1"}),
      ",force_of_wall_1_2_x,force_of_wall_1_2_y,force_of_wall_1_2_z,force_of_wall_1_x,force_of_wall_1_y,"
      "force_of_wall_1_z,force_of_wall_1_3_x,force_of_wall_1_3_y,force_of_wall_1_3_z");
  EXPECT_EQ(columns({"ö", "ü"}),
            ",force_of____x,force_of____y,force_of____z,force_of____2_x,force_of____2_y,"
            "force_of____2_z");
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

TEST(ContactRun, IsComparedByForcesAndStates) {
  const TemporaryFolder folder;
  run_to_directory(compile(sliding_block(), 1), folder / "a", {});
  run_to_directory(compile(sliding_block(), 1), folder / "same", {});
  Assembly rough = sliding_block();
  rough.obstacles[1].friction = 0.9;
  run_to_directory(compile(std::move(rough), 1), folder / "rough", {});
  const RunDifference same = compare(folder / "a", folder / "same");
  ASSERT_TRUE(same.contacts.has_value());
  EXPECT_TRUE(same.contacts->forces.identical && same.contacts->other_states == 0 && same.identical());
  const RunDifference other = compare(folder / "a", folder / "rough");
  ASSERT_TRUE(other.contacts.has_value());
  const TrajectoryReader a(folder / "a/trajectory.h5"), b(folder / "rough/trajectory.h5");
  double largest = 0.0;
  Count states = 0, first = -1;
  for (Count f = 0; f < a.frames(); ++f)
    for (Index v = 0; v < a.vertices(); ++v) {
      const auto of = [&](const TrajectoryReader& run) {
        std::pair<Vec3, ContactState> found{{}, ContactState::free};
        for (const ContactForce& c : run.contacts(f))
          if (c.vertex == v) found = {c.normal * c.direction + c.tangential, c.state};
        return found;
      };
      const auto one = of(a), two = of(b);
      largest = std::max(largest, norm(one.first - two.first));
      if (one.second == two.second) continue;
      ++states;
      if (first < 0) first = f;
    }
  EXPECT_GT(states, 0);
  EXPECT_EQ(other.contacts->forces.largest, largest);
  EXPECT_EQ(other.contacts->other_states, states);
  ASSERT_TRUE(other.contacts->first_state.has_value());
  EXPECT_EQ(other.contacts->first_state->frame, first);
  EXPECT_FALSE(other.identical());
  Assembly bare = sliding_block();
  bare.obstacles.clear(), bare.scene.obstacles.clear();
  run_to_directory(compile(std::move(bare), 1), folder / "bare", {});
  const RunDifference without = compare(folder / "a", folder / "bare");
  EXPECT_FALSE(without.contacts.has_value());
  EXPECT_TRUE(std::any_of(without.mismatches.begin(), without.mismatches.end(), [](const Mismatch& m) {
    return m.what == "contacts" && m.first == "stored" && m.second == "none";
  }));
}

TEST(ContactRun, IsExportedPerVertex) {
  const TemporaryFolder folder;
  run_to_directory(compile(sliding_block(), 1), folder / "run", {});
  const TrajectoryReader run(folder / "run/trajectory.h5");
  export_run(folder / "run", "csv", folder / "csv");
  std::istringstream table(read_file(folder / "csv/block.csv"));
  std::string header, row;
  std::getline(table, header);
  EXPECT_EQ(header, "frame,time,vertex,x,y,z,vx,vy,vz,charge,cx,cy,cz,contact");
  std::size_t pushed = 0;
  for (Count f = 0; f < run.frames(); ++f) {
    const std::vector<ContactForce> contacts = run.contacts(f);
    for (Index v = 0; v < run.vertices(); ++v) {
      std::getline(table, row);
      std::vector<double> numbers;
      std::istringstream cells(row);
      for (std::string cell; std::getline(cells, cell, ',');)
        numbers.push_back(std::strtod(cell.c_str(), nullptr));
      ASSERT_EQ(numbers.size(), 14U);
      const auto own = std::find_if(contacts.begin(), contacts.end(),
                                    [&](const ContactForce& c) { return c.vertex == v; });
      const bool touches = own != contacts.end();
      pushed += touches ? 1 : 0;
      EXPECT_EQ(numbers[13], touches ? static_cast<double>(own->state) : 0.0);
      EXPECT_EQ((Vec3{numbers[10], numbers[11], numbers[12]}),
                touches ? own->normal * own->direction + own->tangential : Vec3{});
    }
  }
  EXPECT_GT(pushed, 50U);
  for (const char* format : {"vtu", "vtp"}) {
    export_run(folder / "run", format, folder / format);
    const std::string file = read_file(folder / (std::string(format) + "/block_0010." + format));
    EXPECT_THAT(file, HasSubstr("type=\"Float64\" Name=\"contact_force\" NumberOfComponents=\"3\""));
    EXPECT_THAT(file, HasSubstr("type=\"UInt8\" Name=\"contact_state\" NumberOfComponents=\"1\""));
  }
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

/// Six particles at 5 m/s, two of which come down on a shelf of 2 mm.
Assembly particles_above_a_shelf(double step, const std::string& law) {
  return assemble(parse_scene("[time]\nstep = " + std::to_string(step) + R"(
duration = 0.05
[[body]]
name = "rain"
mass = 1.0
generate = { shape = "grid", rows = 2, columns = 3, width = 3.0, height = 0.1 }
rotate = [7.0, 0.0, 0.0]
translate = [0.0, 0.0, 0.1]
velocity = [0.0, 0.0, -5.0]
[[obstacle]]
name = "shelf"
shape = "box"
centre = [0.0, 0.0, -0.012]
size = [2.0, 2.0, 0.002]
)" + law,
                              "scene.toml", "."));
}

/// Once, with the vertices, and a step that is small enough. A step in which nothing goes through is not
/// told, nor is one that brings vertices to rest.
TEST(ContactRun, TellsOnceOfVerticesThatWentThroughAnObstacle) {
  const TemporaryFolder folder;
  const auto told = [&](double step, const std::string& obstacle, const std::string& name) {
    run_to_directory(compile(particles_above_a_shelf(step, obstacle), 1), folder / name, {});
    const RunResult result = read_summary(folder / (name + "/summary.json"));
    std::vector<std::string> texts;
    for (const std::string& text : result.warnings)
      if (text.find("unseen in step") != std::string::npos) texts.push_back(text);
    EXPECT_EQ(texts.empty(), result.contact->passing_steps == 0) << name;
    return texts;
  };
  for (const std::string law : {"", "law = \"sticking\"\n"}) {
    const auto texts = told(0.01, law, "fast" + std::to_string(law.size()));
    ASSERT_EQ(texts.size(), 1U) << law;
    EXPECT_THAT(texts[0],
                HasSubstr("vertex 4 of \"rain\" and 1 more went through obstacle \"shelf\" unseen in "
                          "step 3: it moved by 0.05 m"));
    EXPECT_THAT(texts[0], HasSubstr("use a step of about 0.0002 s"));
    EXPECT_THAT(told(0.0002, law, "slow" + std::to_string(law.size())), ::testing::IsEmpty());
  }
}

}  // namespace
}  // namespace electret::test
