/// Tables of results: what is written is read, also after a kill at any moment, and a flipped bit is seen.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/record/result_table.hpp>
#include <electret/record/unreadable_error.hpp>

#include "temporary_folder.hpp"

namespace electret::test {
namespace {

using ::testing::ElementsAre;
using Kind = ResultColumn::Kind;

const std::vector<ResultColumn> columns{
    {"status", {}, Kind::whole}, {"group/values", {2}, Kind::number}, {"big", {3, 100}, Kind::single}};

std::vector<std::vector<double>> row_of(Count run) {
  const auto number = static_cast<double>(run);
  return {{number}, {number + 0.1, -number}, std::vector<double>(300, number / 3.0)};
}

TEST(ResultTable, ReadsWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.h5";
  {
    ResultTableWriter table(path, columns, {{"host", "a"}});
    table.begin(7);
    table.add(7, row_of(7), "");
    table.begin(3);
    table.add(3, row_of(3), "why \u00e4 not");
    table.add_rows({4, 5}, {{4, 5}, {4.1, -4, 5.1, -5}, std::vector<double>(600, 1.0 / 3.0)});
    table.begin(9);
    const ResultTableReader while_open(path);
    EXPECT_THAT(while_open.started(), ElementsAre(7, 3, 9));
    table.add_texts("texts", {"x", "y"});
    table.close();
  }
  const ResultTableReader table(path);
  EXPECT_THAT(table.runs(), ElementsAre(7, 3, 4, 5));
  EXPECT_EQ(table.note(0), "");
  EXPECT_EQ(table.note(1), "why \u00e4 not");
  EXPECT_EQ(table.note(2), "");
  EXPECT_EQ(table.note(3), "");
  EXPECT_THAT(table.all("group/values"), ElementsAre(7.1, -7, 3.1, -3, 4.1, -4, 5.1, -5));
  EXPECT_EQ(table.rows("big", 1, 1), std::vector<double>(300, 1.0));
  EXPECT_EQ(table.rows("big", 3, 1)[0], static_cast<double>(1.0F / 3.0F));
  EXPECT_EQ(table.attribute("host"), "a");
  EXPECT_THROW((void)table.attribute("other"), UnreadableError);
  EXPECT_TRUE(table.has("status"));
  EXPECT_FALSE(table.has("other"));
  EXPECT_THAT(table.sound_rows(columns), ElementsAre(true, true, true, true));
  EXPECT_THROW((void)ResultTableReader(folder / "none.h5"), UnreadableError);
}

TEST(ResultTable, ALongListOfTextsIsWrittenInBlocks) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.h5";
  std::vector<std::string> texts;
  for (int k = 0; k < 40'000; ++k)
    texts.push_back(std::string(static_cast<std::size_t>(k % 7), 'x') + std::to_string(k));
  {
    ResultTableWriter table(path, columns, {});
    table.add_texts("design/key", texts.size(), [&](std::size_t k) -> std::string_view { return texts[k]; });
    table.add_texts("design/none", 0, [&](std::size_t k) -> std::string_view { return texts[k]; });
    table.add_rows({4}, row_of(4));
    table.flush();
    EXPECT_THAT(ResultTableReader(path).runs(), ElementsAre(4));
    table.add_rows({5}, row_of(5));
    table.close();
  }
  EXPECT_THAT(ResultTableReader(path).runs(), ElementsAre(4, 5));
  EXPECT_EQ(ResultTableReader(path).texts("design/key"), texts);
  EXPECT_TRUE(ResultTableReader(path).texts("design/none").empty());
  EXPECT_THROW((void)ResultTableReader(path).texts("design/other"), UnreadableError);
}

TEST(ResultTable, AFlippedBitOfARowIsSeen) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.h5";
  {
    ResultTableWriter table(path, columns, {});
    for (const Count run : {1, 2, 3}) table.add(run, row_of(run), "");
    table.close();
  }
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const double value = 2.1;
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&value), 8));
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 4);
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_THAT(ResultTableReader(path).sound_rows(columns), ElementsAre(true, false, true));
}

TEST(ResultTable, AKilledWriterLeavesWholeRows) {
  const TemporaryFolder folder;
  std::mt19937 random(1);
  std::size_t most = 0;
  // On a busy machine a writer may get no processor before it is killed. Then others are tried, which live
  // longer.
  for (int round = 0; round < 12 || (most <= 10 && round < 60); ++round) {
    const std::string path = folder / (std::to_string(round) + ".h5");
    const pid_t child = fork();
    if (child == 0) {
      try {
        ResultTableWriter table(path, columns, {});
        for (Count run = 0;; ++run) {
          table.begin(run);
          table.add(run, row_of(run), run % 5 == 0 ? "note" : "");
        }
      } catch (...) {
      }
      _exit(1);
    }
    const int more = 20 * std::max(round - 11, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + more + static_cast<int>(random() % 60)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    if (access(path.c_str(), F_OK) != 0) continue;
    std::unique_ptr<ResultTableReader> table;
    try {
      table = std::make_unique<ResultTableReader>(path);
    } catch (const UnreadableError&) {
      continue;  // The file was just being made.
    }
    const std::size_t rows = table->runs().size();
    most = std::max(most, rows);
    EXPECT_GE(table->started().size() + 1, rows);
    EXPECT_LE(table->started().size(), rows + 1);
    for (const char* name : {"status", "group/values", "big"})
      EXPECT_NO_THROW((void)table->all(name)) << name;
    const std::vector<bool> sound = table->sound_rows(columns);
    EXPECT_EQ(std::count(sound.begin(), sound.end(), false), 0) << "of " << rows;
  }
  EXPECT_GT(most, 10U);
}

}  // namespace
}  // namespace electret::test
