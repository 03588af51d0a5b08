#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/record/trajectory_writer.hpp>

#include "record/made_run.hpp"
#include "record/temporary_folder.hpp"

namespace electret {
namespace {

using test::MadeRun;
using test::TemporaryFolder;
using ::testing::HasSubstr;

template <class Action>
std::string io_error_of(Action&& action) {
  try {
    action();
  } catch (const IoError& error) {
    return error.what();
  }
  return "(no IoError)";
}

struct Case {
  const char* name;
  OutputOptions options;
  bool charges_change;

  friend void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }
};

class Trajectory : public ::testing::TestWithParam<Case> {};

TEST_P(Trajectory, RoundTripsThroughTheReaderAndH5py) {
  const TemporaryFolder folder;
  const std::string path = folder / "trajectory.h5";
  MadeRun run(33, GetParam().charges_change);
  {
    TrajectoryWriter writer(path, run.header(), GetParam().options, run.frame(0));
    for (Count f = 1; f < 200; ++f) writer.write(run.frame(f));
    EXPECT_EQ(writer.frames(), 200);
    writer.close();
  }
  const TrajectoryReader reader(path);
  ASSERT_EQ(reader.frames(), 200);
  EXPECT_EQ(reader.vertices(), 33);
  EXPECT_EQ(reader.has_velocities(), GetParam().options.velocities);
  EXPECT_EQ(reader.charges_change(), GetParam().charges_change);
  EXPECT_EQ(reader.single_precision(), GetParam().options.precision == "single");
  EXPECT_EQ(reader.scene(), "[time]\nstep = 0.5\n");
  EXPECT_EQ(reader.overrides(), "body.0.mass=2\ntime.step = 0.5");
  EXPECT_EQ(reader.time_step(), 0.5);
  EXPECT_EQ(reader.masses(), run.masses);
  EXPECT_EQ(reader.rest_positions(), run.rest);
  EXPECT_EQ(reader.faces(), run.faces);
  EXPECT_EQ(reader.body_offsets(), run.body_offsets);
  EXPECT_TRUE(reader.has_pin_reactions());
  EXPECT_EQ(reader.pins(), run.pins);
  ASSERT_EQ(reader.springs().size(), run.springs.size());
  for (std::size_t s = 0; s < run.springs.size(); ++s) {
    EXPECT_EQ(reader.springs()[s], (Edge{run.springs[s].i, run.springs[s].j}));
    EXPECT_EQ(reader.spring_stiffness()[s], run.springs[s].stiffness);
    EXPECT_EQ(reader.spring_rest_length()[s], run.springs[s].rest_length);
  }
  for (Count f = 0; f < 200; f += 7) {
    run.frame(f);
    EXPECT_EQ(reader.positions(f), run.positions);
    EXPECT_EQ(reader.pin_reactions(f), run.reactions);
    if (reader.has_velocities()) {
      EXPECT_EQ(reader.velocities(f), run.velocities);
    }
    if (reader.charges_change()) {
      EXPECT_EQ(reader.charges(f), run.charges);
    }
  }
  const std::string command =
      std::string(ELECTRET_TEST_PYTHON) + " " + ELECTRET_TEST_SOURCE + "/check_trajectories.py " + path;
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_P(Trajectory, CutBackAndGoneOnWithReadsTheSame) {
  const TemporaryFolder folder;
  const std::string path = folder / "trajectory.h5";
  MadeRun run(33, GetParam().charges_change);
  {
    TrajectoryWriter writer(path, run.header(), GetParam().options, run.frame(0));
    for (Count f = 1; f < 150; ++f) writer.write(run.frame(f));
  }  // Not closed: as a killed one.
  EXPECT_EQ(TrajectoryReader(path).frames(), 150);
  {
    TrajectoryWriter writer(path, GetParam().options, 100);
    EXPECT_EQ(TrajectoryReader(path).frames(), 100);
    for (Count f = 100; f < 300; ++f) writer.write(run.frame(f));
    writer.close();
  }
  EXPECT_EQ(TrajectoryReader(path).frames(), 300);
  const std::string command =
      std::string(ELECTRET_TEST_PYTHON) + " " + ELECTRET_TEST_SOURCE + "/check_trajectories.py " + path;
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(io_error_of([&] { TrajectoryWriter(path, GetParam().options, 301); }),
              HasSubstr("300 frames where the checkpoint has 301"));
  EXPECT_EQ(TrajectoryReader(path).frames(), 300);
}

INSTANTIATE_TEST_SUITE_P(, Trajectory,
                         ::testing::Values(Case{"plain", {1, true, "double", 0}, false},
                                           Case{"key_framed", {1, true, "double", 0}, true},
                                           Case{"single", {1, true, "single", 0}, false},
                                           Case{"without_velocities", {1, false, "double", 0}, false},
                                           Case{"compressed", {1, true, "double", 6}, true}),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(TrajectoryFile, HoldsEmptySpringsAndLeavesOutFacesThatAreNot) {
  const TemporaryFolder folder;
  MadeRun run(1, false);
  TrajectoryWriter writer(folder / "t.h5", run.header(), {}, run.frame(0));
  const TrajectoryReader reader(folder / "t.h5");  // While it is being written.
  EXPECT_EQ(reader.springs().size(), 0u);
  EXPECT_EQ(reader.spring_stiffness().size(), 0u);
  EXPECT_EQ(reader.faces().size(), 0u);
  EXPECT_EQ(reader.frames(), 1);
}

TEST(TrajectoryFile, WithoutPinsHasNoReactions) {
  const TemporaryFolder folder;
  MadeRun run(3, false);
  run.pins.clear(), run.reactions.clear();
  TrajectoryWriter(folder / "t.h5", run.header(), {}, run.frame(0)).close();
  const TrajectoryReader reader(folder / "t.h5");
  EXPECT_FALSE(reader.has_pin_reactions());
  EXPECT_TRUE(reader.pins().empty());
  EXPECT_TRUE(reader.pin_reactions(0).empty());
  const hdf5::Handle file = hdf5::open_for_reading(folder / "t.h5");
  EXPECT_FALSE(hdf5::has_dataset(file.get(), "pins"));
  EXPECT_FALSE(hdf5::has_dataset(file.get(), "pin_reactions"));
}

TEST(TrajectoryFile, SinglePrecisionIsOfPlacesAndVelocitiesAlone) {
  const TemporaryFolder folder;
  MadeRun run(3, true);
  run.frame(0);
  run.charges = {0.1, 1e-300, -1.0 / 3.0};
  const FrameView frame{0.0, run.positions, run.velocities, run.charges, run.reactions};
  TrajectoryWriter(folder / "t.h5", run.header(), {1, true, "single", 0}, frame).close();
  EXPECT_EQ(TrajectoryReader(folder / "t.h5").charges(0), run.charges);
  const hdf5::Handle file = hdf5::open_for_reading(folder / "t.h5");
  EXPECT_TRUE(hdf5::stored_as_single(file.get(), "positions"));
  EXPECT_TRUE(hdf5::stored_as_single(file.get(), "velocities"));
  EXPECT_FALSE(hdf5::stored_as_single(file.get(), "charges"));
}

TEST(TrajectoryFile, NamesItsBodiesAndGroups) {
  const TemporaryFolder folder;
  MadeRun run(6, false);
  TrajectoryHeader header = run.header();
  header.body_names = {"torus", "ü.b"};
  const std::vector<Count> offsets = {0, 3, 6};
  header.body_offsets = offsets;
  header.springs = {};
  const std::vector<NamedGroup> groups = {{1, "left/upper", {3, 5}}, {1, ".", {4}}, {0, "none", {}}};
  header.groups = groups;
  TrajectoryWriter(folder / "t.h5", header, {}, run.frame(0)).close();
  const TrajectoryReader reader(folder / "t.h5");
  EXPECT_EQ(reader.body_names(), header.body_names);
  using Groups = std::map<std::string, std::map<std::string, std::vector<Index>>>;
  EXPECT_EQ(reader.groups(),
            (Groups{{"torus", {{"none", {}}}}, {"ü.b", {{"left\u2215upper", {3, 5}}, {"\u2024", {4}}}}}));
  const std::string script =
      std::string(ELECTRET_TEST_PYTHON) + " -c \"import h5py; f = h5py.File('" + (folder / "t.h5") +
      "'); assert list(f['body_names'].asstr()) == ['torus', 'ü.b'];"
      "g = f['groups/ü.b/left\u2215upper']; assert list(g) == [3, 5] and g.dtype == 'i4'\"";
  EXPECT_EQ(std::system(script.c_str()), 0);
}

TEST(TrajectoryFile, TimesAreThoseOfWholeFrames) {
  const TemporaryFolder folder;
  MadeRun run(3, false);
  TrajectoryWriter(folder / "t.h5", run.header(), {}, run.frame(0)).close();
  const std::string script = std::string(ELECTRET_TEST_PYTHON) + " -c \"import h5py; f = h5py.File('" +
                             (folder / "t.h5") + "', 'r+'); f['time'].resize((2,)); f['time'][1] = 9.0\"";
  ASSERT_EQ(std::system(script.c_str()), 0);
  EXPECT_EQ(TrajectoryReader(folder / "t.h5").times(), std::vector<double>{0.0});
}

TEST(TrajectoryFile, KeepsASceneOfMoreThan64Kilobytes) {
  const TemporaryFolder folder;
  MadeRun run(2, false);
  TrajectoryHeader header = run.header();
  header.scene = std::string(300000, 'x');
  TrajectoryWriter(folder / "t.h5", header, {}, run.frame(0)).close();
  EXPECT_EQ(TrajectoryReader(folder / "t.h5").scene(), header.scene);
}

TEST(TrajectoryFile, ChunksHold64FramesButNotTooManyBytes) {
  EXPECT_EQ(frames_per_chunk(24 * 145, 0), 64);
  EXPECT_EQ(frames_per_chunk(24 * 682, 0), 64);
  EXPECT_EQ(frames_per_chunk(24 * 10000, 0), 4);
  EXPECT_EQ(frames_per_chunk(24 * 100000, 0), 1);
  EXPECT_EQ(frames_per_chunk(24 * 10000000, 0), 1);
  EXPECT_EQ(frames_per_chunk(24, 1), 1);
}

TEST(TrajectoryFile, OfFewLargeFramesIsNotMuchLargerThanThey) {
  const TemporaryFolder folder;
  const std::string path = folder / "large.h5";
  MadeRun run(20000, false);
  TrajectoryWriter writer(path, run.header(), {}, run.frame(0));
  for (Count f = 1; f < 11; ++f) writer.write(run.frame(f));
  writer.close();
  // Positions, velocities and reactions of every fourth vertex; the last chunk of each may be unfilled.
  constexpr double frames = 11.0 * 24.0 * (2.0 * 20000.0 + 5000.0), chunk = 1048576.0;
  constexpr double header = 20000.0 * (8 + 8 + 24 + 8 + 16 + 4) + 5000.0 * 4;
  EXPECT_LT(static_cast<double>(std::filesystem::file_size(path)), frames + header + 3.0 * chunk + 1e5);
}

TEST(TrajectoryFile, SaysWhatIsWrongWithAFileItCannotRead) {
  const TemporaryFolder folder;
  EXPECT_THAT(io_error_of([&] { TrajectoryReader(folder / "none.h5"); }), HasSubstr("there is no file"));
  std::ofstream(folder / "text.h5") << "not HDF5";
  EXPECT_THAT(io_error_of([&] { TrajectoryReader(folder / "text.h5"); }),
              HasSubstr("not a readable HDF5 file"));
  const std::string path = folder / "cut.h5";
  MadeRun run(50, false);
  {
    TrajectoryWriter writer(path, run.header(), {}, run.frame(0));
    writer.close();
  }
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_THAT(io_error_of([&] { TrajectoryReader{path}; }), HasSubstr(path));
  const std::string script = std::string(ELECTRET_TEST_PYTHON) + " -c \"import h5py; h5py.File('" +
                             (folder / "v.h5") + "', 'w').attrs['format_version'] = 99; h5py.File('" +
                             (folder / "other.h5") + "', 'w')\"";
  ASSERT_EQ(std::system(script.c_str()), 0);
  EXPECT_THAT(io_error_of([&] { TrajectoryReader(folder / "v.h5"); }), HasSubstr("format version is 99"));
  EXPECT_THAT(io_error_of([&] { TrajectoryReader(folder / "other.h5"); }),
              HasSubstr("not a trajectory of Electret"));
  EXPECT_THAT(io_error_of([&] { TrajectoryWriter(folder / "no/such/t.h5", run.header(), {}, run.frame(0)); }),
              HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace electret
