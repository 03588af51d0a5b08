/// What pages are told of the session: what was done, and the files of its folder.

#include <algorithm>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studio/handled.hpp"

namespace electret::studio {
namespace {

using test::Handled;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SessionInfo told(Handled& session, int page = 1) {
  session.must(AskSession{}, page);
  return *session.heard.last<SessionInfo>();
}

TEST(StudioJournal, HasEditsPullsAndChargesInTheOrderOfSteps) {
  Handled session(test::blob_scene("0.01", "20.0", "[coulomb]\nsoftening = 0.1\n"));
  session.loaded();
  EXPECT_THAT(told(session).journal, IsEmpty());
  session.step(2);
  session.pull(3, 0.2, {0.0, 0.0, 0.1});
  session.step(3);
  session.must(HandEnd{0, false});
  session.step(1);
  session.must(SetCharge{0, std::nullopt, 1e-8});
  session.must(BallBegin{0, {0.0, 0.0, 2.0}, -3e-7, 0.2});
  session.step(2);
  session.pull(9, 0.0, {0.0, 0.05, 0.0});
  session.step(1);
  session.must(HandEnd{0, true});
  session.step(1);
  const SessionInfo info = told(session, 2);
  EXPECT_EQ(session.heard.events[session.heard.events.size() - 2].first, 2);
  ASSERT_EQ(info.journal.size(), 4U);
  EXPECT_EQ(info.all, 4);
  EXPECT_EQ(info.journal[0].step, 2);
  EXPECT_NEAR(info.journal[0].time, 0.02, 1e-12);
  EXPECT_THAT(info.journal[0].what, HasSubstr("pull at "));
  EXPECT_THAT(info.journal[0].what, HasSubstr("of blob"));
  ASSERT_TRUE(info.journal[0].until);
  EXPECT_EQ(*info.journal[0].until, 6);
  EXPECT_EQ(info.journal[1].step, 6);
  EXPECT_THAT(info.journal[1].what, HasSubstr("body.0.charge=1e-08"));
  EXPECT_EQ(info.journal[2].step, 6);
  EXPECT_EQ(info.journal[2].what, "charge of -3e-07 C in the hand");
  EXPECT_FALSE(info.journal[2].until);
  EXPECT_EQ(info.journal[3].step, 8);
  EXPECT_EQ(info.journal[3].what, "tack on 1 vertex of blob");
  // Another future has none of what came later.
  session.seek(4);
  session.pull(3, 0.2, {0.0, 0.0, 0.1});
  session.step(1);
  EXPECT_EQ(told(session).journal.size(), 2U);
}

TEST(StudioJournal, NamesTheFilesAndTheirSizes) {
  Handled session(test::blob_scene("0.01", "20.0"));
  session.loaded();
  EXPECT_THAT(told(session).files, IsEmpty());
  session.step(3);
  const auto is_written = [&] { return std::filesystem::exists(session.session()); };
  while (!is_written()) session.machine->work();
  const SessionInfo info = told(session);
  EXPECT_EQ(info.folder, session.options.output);
  const auto found = std::find_if(info.files.begin(), info.files.end(),
                                  [](const SessionFile& each) { return each.name == "session.toml"; });
  ASSERT_NE(found, info.files.end());
  EXPECT_EQ(found->bytes, std::filesystem::file_size(session.session()));
}

}  // namespace
}  // namespace electret::studio
