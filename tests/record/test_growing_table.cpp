/// Tables of results that are read while a writer adds rows: a reader meets any moment of a flush, and a
/// flush falls between any two of its reads.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/record/result_table.hpp>
#include <electret/record/unreadable_error.hpp>

#include "file_calls.hpp"
#include "temporary_folder.hpp"

namespace electret::test {
namespace {

using Kind = ResultColumn::Kind;

/// A row of `wide` fills a chunk, of which a node of HDF5's index holds 64.
const std::vector<ResultColumn> growing_columns{{"status", {}, Kind::whole}, {"wide", {600}, Kind::single}};

void add_growing_rows(ResultTableWriter& table, Count first, Count last) {
  for (Count run = first; run < last; ++run) {
    const auto number = static_cast<double>(run + 1);
    table.begin(run);
    table.add(run, {{number}, std::vector<double>(600, number)}, run % 5 == 0 ? "a note" : "");
  }
}

/// What is wrong with the table as a reader finds it, which must have `least` rows or more; "": nothing.
std::string growing_fault(const std::string& path, std::size_t least) {
  try {
    const ResultTableReader table(path);
    const std::size_t rows = table.runs().size();
    if (rows < least) return "it has " + std::to_string(rows) + " rows";
    const std::vector<double> status = table.all("status"), wide = table.all("wide");
    if (status.size() != rows || wide.size() != 600 * rows) return "a column has another length";
    for (std::size_t r = 0; r < rows; ++r) {
      const auto number = static_cast<double>(r + 1);
      if (table.runs()[r] != static_cast<Count>(r) || status[r] != number || wide[600 * r + 599] != number)
        return "row " + std::to_string(r) + " is another one";
      if (table.note(r) != (r % 5 == 0 ? "a note" : ""))
        return "row " + std::to_string(r) + " has another note";
    }
    const std::vector<bool> sound = table.sound_rows(growing_columns);
    return std::count(sound.begin(), sound.end(), false) == 0 ? "" : "a row is not sound";
  } catch (const UnreadableError& error) {
    return error.what();
  }
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void apply(const FileCall& call, std::string& bytes) {
  if (call.name == "ftruncate") bytes.resize(static_cast<std::size_t>(call.offset));
  if (call.name != "pwrite") return;
  const auto at = static_cast<std::size_t>(call.offset);
  bytes.resize(std::max(bytes.size(), at + call.bytes.size()));
  std::copy(call.bytes.begin(), call.bytes.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

/// A table of `first` rows, and the writes by which it gets `last`.
struct Growth {
  Growth(const std::string& path, Count first, Count last) {
    ResultTableWriter table(path, growing_columns, {});
    add_growing_rows(table, 0, first);
    before = bytes_of(path);
    FileCalls calls(path);
    calls.keep();
    add_growing_rows(table, first, last);
    writes = calls.made();
    after = before;
    for (const FileCall& call : writes) apply(call, after);
  }

  std::string before, after;
  std::vector<FileCall> writes;
};

TEST(GrowingTable, IsReadBesideAnEndThatWasReadBeforeAFlush) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.h5";
  const Growth growth(folder / "made.h5", 3, 100);
  constexpr std::size_t superblock = 96;
  std::ofstream(path, std::ios::binary)
      << growth.before.substr(0, superblock) + growth.after.substr(superblock);
  EXPECT_EQ(growing_fault(path, 100), "");
}

TEST(GrowingTable, IsReadAtEachMomentOfAFlush) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.h5";
  const Growth growth(folder / "made.h5", 62, 67);  // The index's first node splits.
  ASSERT_GT(growth.writes.size(), 20U);
  std::string bytes = growth.before;
  for (std::size_t k = 0; k < growth.writes.size(); ++k) {
    apply(growth.writes[k], bytes);
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(growing_fault(path, 62), "") << "after write " << k << " of " << growth.writes.size();
  }
}

TEST(GrowingTable, IsReadWhenRowsAreAddedBetweenAnyTwoReads) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.h5";
  // Of the index, the first node splits, then the second.
  for (const auto& [first, last] : {std::pair<Count, Count>{60, 80}, {110, 140}}) {
    const Growth growth(folder / "made.h5", first, last);
    int reads = 1;
    for (int k = 1; k <= reads; ++k) {
      std::ofstream(path, std::ios::binary) << growth.before;
      FileCalls calls(path);
      int made = 0;
      calls.before_reads([&] {
        // In place, as the writer does: the reader has it open.
        if (++made == k) std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << growth.after;
      });
      EXPECT_EQ(growing_fault(path, static_cast<std::size_t>(first)), "") << "before read " << k;
      reads = made;
    }
    EXPECT_GT(reads, 50) << "each block is a read of its own";
  }
}

TEST(GrowingTable, IsReadWhileAProcessAddsRows) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.h5";
  { ResultTableWriter(path, growing_columns, {}).close(); }
  const pid_t child = fork();
  if (child == 0) {
    try {
      ResultTableWriter table(path + ".new", growing_columns, {});
      rename((path + ".new").c_str(), path.c_str());
      add_growing_rows(table, 0, 400);
      table.close();
      _exit(0);
    } catch (...) {
      _exit(1);
    }
  }
  int status = 0;
  pid_t ended = 0;
  for (int k = 0; k < 300 && ended == 0; ++k) {
    EXPECT_EQ(growing_fault(path, 0), "") << "opening " << k;
    ended = waitpid(child, &status, WNOHANG);
  }
  if (ended == 0) waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(growing_fault(path, 400), "");
}

TEST(GrowingTable, ARowThatItsIndexLacksIsUnreadable) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.h5";
  const Growth growth(folder / "made.h5", 3, 4);
  // In the index of `wide` the last row gets another number. A node is 24 bytes and then, for each chunk, two
  // whole numbers of 4 bytes, the chunk's place in three of 8, and its address. Behind "TREE" are type, level
  // and the number of chunks.
  std::string bytes = growth.after;
  int changed = 0;
  for (std::size_t at = bytes.find("TREE"); at != std::string::npos; at = bytes.find("TREE", at + 4)) {
    if (bytes[at + 4] != 1 || bytes[at + 6] != 4) continue;
    bytes[at + 24 + 3 * 40 + 8] = 100;
    ++changed;
  }
  ASSERT_EQ(changed, 1);
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_THAT(growing_fault(path, 0), ::testing::HasSubstr("rows of its dataset wide are unreadable"));
}

}  // namespace
}  // namespace electret::test
