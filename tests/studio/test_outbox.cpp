#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/studio/server/outbox.hpp>

namespace electret::studio {
namespace {

using Kind = Outbox::Kind;

Outbox::Message message(Kind kind, const std::string& text) {
  return {std::make_shared<std::string>(text), kind};
}

std::vector<std::string> taken(Outbox& outbox) {
  std::vector<std::string> texts;
  while (!outbox.empty()) texts.push_back(*outbox.pop().bytes);
  return texts;
}

TEST(StudioOutbox, KeepsTheOrder) {
  Outbox outbox;
  for (const auto& [kind, text] : std::vector<std::pair<Kind, std::string>>{{Kind::other, "a"},
                                                                            {Kind::system, "b"},
                                                                            {Kind::rows, "c"},
                                                                            {Kind::topology, "d"},
                                                                            {Kind::other, "e"}})
    EXPECT_TRUE(outbox.push(message(kind, text)));
  EXPECT_THAT(taken(outbox), ::testing::ElementsAre("a", "b", "c", "d", "e"));
}

TEST(StudioOutbox, TheNewestOfWhatDescribesAllTakesThePlaceOfTheOlder) {
  Outbox outbox;
  EXPECT_TRUE(outbox.push(message(Kind::system, "one")));
  EXPECT_TRUE(outbox.push(message(Kind::other, "state")));
  EXPECT_TRUE(outbox.push(message(Kind::rows_anew, "rows")));
  EXPECT_TRUE(outbox.push(message(Kind::rows, "more")));
  EXPECT_TRUE(outbox.push(message(Kind::system, "two")));
  EXPECT_TRUE(outbox.push(message(Kind::rows_anew, "again")));
  EXPECT_TRUE(outbox.push(message(Kind::rows, "last")));
  EXPECT_THAT(taken(outbox), ::testing::ElementsAre("state", "two", "again", "last"));
}

TEST(StudioOutbox, IsBoundedForAPageThatNeverReads) {
  // Scenes that are opened again and again fill nothing, however large they are.
  Outbox outbox;
  const std::string large(std::size_t{3} << 20, 'x');
  for (int k = 0; k < 100; ++k)
    for (const Kind kind : {Kind::document, Kind::system, Kind::topology, Kind::asked_frame, Kind::picture,
                            Kind::gradient, Kind::rows_anew})
      EXPECT_TRUE(outbox.push(message(kind, large)));
  EXPECT_EQ(outbox.size(), 7U);
  // Energies and states do, until the page is dropped.
  const std::string row(1000, 'x');
  int pushed = 0;
  while (outbox.push(message(pushed % 2 == 0 ? Kind::rows : Kind::other, row))) ASSERT_LT(++pushed, 1100);
  EXPECT_EQ(pushed, static_cast<int>(Outbox::most / 1000));
}

TEST(StudioOutbox, WhatIsTakenMakesRoom) {
  Outbox outbox;
  const std::string half(Outbox::most / 2, 'x');
  for (int k = 0; k < 20; ++k) {
    EXPECT_TRUE(outbox.push(message(Kind::rows, half)));
    EXPECT_TRUE(outbox.push(message(Kind::other, half)));
    // Rows that are void make room, too.
    if (k % 2 == 0) {
      EXPECT_TRUE(outbox.push(message(Kind::rows_anew, "")));
    }
    while (!outbox.empty()) static_cast<void>(outbox.pop());
  }
}

TEST(StudioOutbox, KindsOfEvents) {
  EXPECT_EQ(kind_of(FieldsInfo{}), Kind::fields);
  EXPECT_EQ(kind_of(ChangesInfo{}), Kind::changes);
  EXPECT_EQ(kind_of(EnergyRows{0, {}, true}), Kind::rows_anew);
  EXPECT_EQ(kind_of(EnergyRows{4, {}, false}), Kind::rows);
  EXPECT_EQ(kind_of(DocumentInfo{}), Kind::document);
  EXPECT_EQ(kind_of(SystemInfo{}), Kind::system);
  EXPECT_EQ(kind_of(std::make_shared<const Topology>()), Kind::topology);
  EXPECT_EQ(kind_of(StateInfo{}), Kind::other);
  EXPECT_EQ(kind_of(Answer{}), Kind::other);
}

}  // namespace
}  // namespace electret::studio
