/// \file
/// A writer of contacts and of pairs of bodies is stopped before each of its writes; what is left must be
/// readable, and lead on.

#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/record/trajectory_reader.hpp>
#include <electret/record/trajectory_writer.hpp>

#include "record/file_calls.hpp"
#include "record/made_run.hpp"
#include "record/temporary_folder.hpp"

namespace electret {
namespace {

using test::child;
using test::FileCalls;
using test::MadeRun;
using test::TemporaryFolder;

constexpr Index vertices = 8;
constexpr Count frames_of_rows = 24;

/// Frame f has rows whose number changes, and numbers that hardly compress.
struct RunOfRows {
  MadeRun run{vertices, false};
  std::vector<ContactForce> contacts;
  std::vector<PairForce> pairs;

  [[nodiscard]] TrajectoryHeader header() const {
    TrajectoryHeader header = run.header();
    header.obstacles = {"floor", "ball"};
    header.has_contact_pairs = true;
    return header;
  }

  FrameView frame(Count f) {
    FrameView view = run.frame(f);
    contacts.clear(), pairs.clear();
    const auto number = static_cast<double>(f);
    for (Index k = 0; f > 0 && k < (7 * f) % 5; ++k) {
      const double push = 1.0 + std::abs(std::sin(3.0 * number + k));
      contacts.push_back(
          {k, k % 2, ContactState::slip, push, {std::cos(number * k), 0.0, 0.0}, {0.0, 0.0, 1.0}});
      PairForce& pair = pairs.emplace_back();
      pair.pair = {PairKind::edge_edge, {k, k + 1, k + 2, k + 3}};
      pair.gap = 1e-3 * push, pair.normal = pair.tangential = push, pair.slips = k % 2 == 0;
      pair.direction = {0.0, 1.0, 0.0}, pair.friction = {push, 0.0, 0.0};
    }
    view.contacts = contacts, view.pairs = pairs;
    return view;
  }
};

/// How many frames there are, all of them as they were made.
Count whole_frames(const std::string& path) {
  const TrajectoryReader reader(path);
  RunOfRows made;
  for (Count f = 0; f < reader.frames(); ++f) {
    made.frame(f);
    EXPECT_TRUE(reader.positions(f) == made.run.positions) << f;
    const auto contacts = reader.contacts(f);
    const auto pairs = reader.contact_pairs(f);
    EXPECT_EQ(contacts.size(), made.contacts.size()) << f;
    EXPECT_EQ(pairs.size(), made.pairs.size()) << f;
    if (::testing::Test::HasFailure()) break;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      EXPECT_EQ(contacts[k].vertex, made.contacts[k].vertex);
      EXPECT_EQ(contacts[k].normal, made.contacts[k].normal);
      EXPECT_EQ(contacts[k].tangential, made.contacts[k].tangential);
      EXPECT_EQ(pairs[k].pair, made.pairs[k].pair);
      EXPECT_EQ(pairs[k].gap, made.pairs[k].gap);
      EXPECT_EQ(pairs[k].slips, made.pairs[k].slips);
    }
  }
  return reader.frames();
}

void write_rest(TrajectoryWriter& writer, Count from) {
  RunOfRows made;
  for (Count f = from; f < frames_of_rows; ++f) writer.write(made.frame(f));
  writer.close();
}

void write_all(const std::string& path, const OutputOptions& options) {
  RunOfRows made;
  TrajectoryWriter writer(path, made.header(), options, made.frame(0));
  write_rest(writer, 1);
}

class StoppedRows : public ::testing::TestWithParam<int> {};

TEST_P(StoppedRows, AreReadAndGoneOnFromEveryWrite) {
  const test::WithoutSyncs fast;
  const TemporaryFolder folder;
  const OutputOptions options{1, true, "double", GetParam()};
  const std::string path = folder / "t.h5";
  int status = test::stopped_status;
  for (int k = 1; status != 0; k += 7) {
    std::filesystem::remove(path);
    status = child(folder.path(), FileCalls::Plan::stop, k, [&] { write_all(path, options); });
    ASSERT_TRUE(status == 0 || status == test::stopped_status) << k;
    if (!std::filesystem::exists(path)) continue;
    const Count frames = whole_frames(path);
    ASSERT_FALSE(HasFailure()) << "stopped before call " << k;
    const Count keep = 1 + frames / 2;
    if (keep > frames) continue;
    TrajectoryWriter writer(path, options, keep);
    write_rest(writer, keep);
    ASSERT_EQ(whole_frames(path), frames_of_rows) << k;
    ASSERT_FALSE(HasFailure()) << "gone on from before call " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Compressions, StoppedRows, ::testing::Values(0, 3));

}  // namespace
}  // namespace electret
