/// Files and folders that stand beside their place until they are whole.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/unfinished.hpp>

#include "record/temporary_folder.hpp"

namespace electret {
namespace {

using test::TemporaryFolder;
namespace fs = std::filesystem;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

TEST(Unfinished, IsLeftToTheProcessThatMadeIt) {
  const TemporaryFolder folder;
  std::optional<Unfinished> file(std::in_place, folder / "table");
  const pid_t child = ::fork();
  if (child == 0) {
    file.reset();
    ::_exit(0);
  }
  ASSERT_GT(child, 0);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(file->name()));
  const std::string name = file->name();
  file.reset();
  EXPECT_FALSE(fs::exists(name));
}

TEST(Unfinished, TwoOfOnePathDoNotMeet) {
  const TemporaryFolder folder;
  const std::string path = folder / "table";
  write(path, "old");
  Unfinished first(path), second(path);
  EXPECT_NE(first.name(), second.name());
  write(first.name(), "first");
  write(second.name(), "second");
  EXPECT_EQ(read_file(path), "old");
  second.put_in_place();
  EXPECT_EQ(read_file(path), "second");
  first.put_in_place();
  EXPECT_EQ(read_file(path), "first") << "the last one stands, whole";
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"table"});
}

/// Ends a child that has `path` unfinished, as a kill does.
void kill_while_writing(const std::string& path, Unfinished::Kind kind = Unfinished::Kind::file) {
  const pid_t child = ::fork();
  if (child == 0) {
    const Unfinished unfinished(path, kind);
    if (kind == Unfinished::Kind::folder) write(unfinished.name() + "/inside", "half");
    ::_exit(0);
  }
  ASSERT_GT(child, 0);
  ::waitpid(child, nullptr, 0);
}

TEST(Unfinished, TakesNoNameThatIsInUse) {
  const TemporaryFolder folder;
  std::string used;
  {
    const Unfinished probe(folder / "table");
    used = probe.name();
  }
  fs::create_directory(used);
  write(used + "/file", "another's");
  {
    Unfinished file(folder / "table");
    EXPECT_NE(file.name(), used);
    file.put_in_place();
  }
  EXPECT_EQ(read_file(used + "/file"), "another's");
}

TEST(Unfinished, RemovesWhatKilledProcessesLeftOfTheSamePathAndNothingElse) {
  const TemporaryFolder folder;
  for (int kill = 0; kill < 2; ++kill) kill_while_writing(folder / "table");
  kill_while_writing(folder / "table2");
  kill_while_writing(folder / "report", Unfinished::Kind::folder);
  const Unfinished alive(folder / "table");
  write(folder / "table.mine.part", "mine");
  fs::create_symlink(folder / "table.mine.part", folder / "table.1-0.part");
  EXPECT_EQ(names_in(folder.path()).size(), 5U) << "one of table was removed with the other's beginning";
  write_file_whole(folder / "table", "text");
  const auto names = names_in(folder.path());
  EXPECT_THAT(names, ::testing::IsSupersetOf({"table", "table.1-0.part", "table.mine.part"}));
  EXPECT_TRUE(fs::exists(alive.name()));
  EXPECT_EQ(names.size(), 6U) << "of table2 and report something is left";
  write_file_whole(folder / "table2", "text");
  Unfinished(folder / "report", Unfinished::Kind::folder).put_in_place();
  EXPECT_EQ(names_in(folder.path()).size(), 6U) << "both are in place";
  EXPECT_TRUE(fs::is_empty(folder / "report"));
}

TEST(Unfinished, ALongTextIsWrittenInPieces) {
  const TemporaryFolder folder;
  const std::string path = folder / "table";
  write(path, "before");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  int pieces = 0;
  const auto next = [&] { return pieces < 5 ? std::to_string(pieces++) + ";" : std::string(); };
  write_file_in_pieces(path, next);
  EXPECT_EQ(read_file(path), "0;1;2;3;4;");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
  int given = 0;
  const auto fails = [&]() -> std::string {
    if (++given == 3) throw IoError("no more");
    return "other";
  };
  EXPECT_THROW(write_file_in_pieces(path, fails), IoError);
  EXPECT_EQ(read_file(path), "0;1;2;3;4;");
  EXPECT_EQ(names_in(folder.path()).size(), 1U);
}

TEST(Unfinished, IsAllThatAFolderHoldsAfterAKillAtItsFirstFile) {
  const TemporaryFolder folder;
  constexpr std::array<std::string_view, 2> ours{"note.json", "table"};
  EXPECT_TRUE(holds_only_unfinished(folder.path(), ours)) << "nothing at all";
  write(folder / "note.json.17-0.part", "{");
  write(folder / "table.4-12.part", "");
  EXPECT_TRUE(holds_only_unfinished(folder.path(), ours));
  write(folder / "thesis", "mine");
  EXPECT_FALSE(holds_only_unfinished(folder.path(), ours));
  remove_unfinished(folder.path(), ours);
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"thesis"});
  EXPECT_THROW((void)holds_only_unfinished(folder / "none", ours), IoError);
}

TEST(Unfinished, TakesNoFolderThatIsInUse) {
  const TemporaryFolder folder;
  const Unfinished first(folder / "report", Unfinished::Kind::folder);
  write(first.name() + "/report.md", "first");
  Unfinished second(folder / "report", Unfinished::Kind::folder);
  EXPECT_NE(first.name(), second.name());
  EXPECT_TRUE(fs::is_empty(second.name()));
  second.put_in_place();
  EXPECT_EQ(read_file(first.name() + "/report.md"), "first");
}

TEST(Unfinished, LeavesAloneWhatTakesItsNameAfterIt) {
  const TemporaryFolder folder;
  std::optional<Unfinished> second;
  {
    Unfinished first(folder / "table");
    const std::string name = first.name();
    first.put_in_place();
    second.emplace(folder / "table");
    EXPECT_EQ(second->name(), name);
    write(name, "second");
  }
  second->put_in_place();
  EXPECT_EQ(read_file(folder / "table"), "second");
}

TEST(Unfinished, LeavesNothingUnlessItIsPutInPlace) {
  const TemporaryFolder folder;
  {
    const Unfinished file(folder / "table"), report(folder / "report", Unfinished::Kind::folder);
    write(file.name(), "half");
    fs::create_directory(report.name() + "/inputs");
    write(report.name() + "/inputs/half", "half");
    EXPECT_EQ(names_in(folder.path()).size(), 2U);
  }
  EXPECT_TRUE(names_in(folder.path()).empty());
  fs::create_directory(folder / "taken");
  write(folder / "taken/file", "mine");
  EXPECT_THROW(Unfinished(folder / "taken").put_in_place(), IoError) << "a file over a folder";
  EXPECT_THROW(Unfinished(folder / "taken", Unfinished::Kind::folder).put_in_place(), IoError);
  EXPECT_THROW(write_file_whole(folder / "taken", "text"), IoError);
  EXPECT_THROW(Unfinished(folder / "nowhere/table"), IoError);
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"taken"});
  EXPECT_EQ(read_file(folder / "taken/file"), "mine");
}

TEST(Unfinished, PutsAFolderInPlaceWithWhatItHolds) {
  const TemporaryFolder folder;
  Unfinished report(folder / "report", Unfinished::Kind::folder);
  write(report.name() + "/report.md", "text");
  report.put_in_place();
  EXPECT_EQ(read_file(folder / "report/report.md"), "text");
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"report"});
}

TEST(Unfinished, IsKnownByItsName) {
  const TemporaryFolder folder;
  const Unfinished file(folder / "summary.json");
  const std::string name = fs::path(file.name()).filename().string();
  EXPECT_TRUE(is_unfinished_name(name, "summary.json")) << name;
  EXPECT_TRUE(is_unfinished_name("summary.json.1-0.part", "summary.json"));
  for (const char* other :
       {"summary.json", "summary.json.part", "summary.json.1.part", "summary.json.1-.part",
        "summary.json.-1.part", "summary.json.1-0.part2", "summary.json.a-0.part", "summary.json1-0.part",
        "summary.json_1-0.part", "summary.json.1-0.copy", "summary.json.1-a.part", "other.json.1-0.part",
        "history.json.1-0.part"})
    EXPECT_FALSE(is_unfinished_name(other, "summary.json")) << other;
}

TEST(Unfinished, TellsWhichFileItWillBe) {
  EXPECT_EQ(finished_name("summary.json.1-0.part"), "summary.json");
  EXPECT_EQ(finished_name("a.3.csv.12-34.part"), "a.3.csv");
  for (const char* other :
       {"summary.json", "summary.json.part", "summary.json.1-.part", "a-1.part", ".1-0.part", ""})
    EXPECT_EQ(finished_name(other), "") << other;
}

TEST(Unfinished, LinksAreFollowedAndStay) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "deep");
  write(folder / "deep/table", "old");
  fs::create_symlink("deep/table", folder / "first");
  fs::create_symlink("first", folder / "second");
  fs::create_symlink("deep/made", folder / "nothing");
  fs::create_symlink("loop", folder / "loop");
  for (const std::string name : {"first", "second", "nothing"}) {
    write_file_whole(folder / name, name);
    EXPECT_TRUE(fs::is_symlink(folder / name)) << name;
    EXPECT_EQ(read_file(folder / name), name);
  }
  EXPECT_FALSE(fs::is_symlink(folder / "deep/table"));
  EXPECT_FALSE(fs::is_symlink(folder / "deep/made"));
  EXPECT_EQ(names_in(folder / "deep"), (std::vector<std::string>{"made", "table"}));
  EXPECT_THROW(write_file_whole(folder / "loop", "text"), IoError);
}

TEST(Unfinished, OnlyAFileIsReplaced) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder / "link");
  fs::create_directory(folder / "taken");
  for (const std::string name : {"pipe", "link", "taken"}) {
    try {
      write_file_whole(folder / name, "text");
      ADD_FAILURE() << name;
    } catch (const IoError& error) {
      EXPECT_EQ(error.path(), folder / name);
      EXPECT_THAT(error.what(), ::testing::StartsWith("cannot write " + (folder / name) + ": "));
    }
  }
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"link", "pipe", "taken"}));
}

}  // namespace
}  // namespace electret
