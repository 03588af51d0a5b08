#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/toml_text.hpp>
#include <electret/studio/session/scene_edits.hpp>
#include <electret/studio/session/text_history.hpp>

namespace electret::studio {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Document read(const std::string& text) {
  std::vector<Finding> findings;
  Document document(text, "scene.toml", {}, findings);
  EXPECT_THAT(findings, IsEmpty()) << text;
  return document;
}

Change between(const std::string& before, const std::string& after) {
  return difference(read(before).root(), read(after).root());
}

/// The tree after a change, as text with sorted keys.
std::string after_change(const std::string& before, const Change& change) {
  Document document = read(before);
  std::vector<Finding> findings;
  for (const std::string& key : change.unset) document.unset(key, Location{}, findings);
  for (const std::string& assignment : change.set) document.set(assignment, Location{}, findings);
  EXPECT_THAT(findings, IsEmpty());
  return toml_text(document.root());
}

TEST(StudioEdits, ADifferenceNamesWhatDiffers) {
  const std::string before =
      "[a]\nx = 1\ny = [1.0, 2.0, 3.0, 4.0]\n[[list]]\nname = \"p\"\n[[list]]\nname = \"q\"\nz = true\n";
  EXPECT_THAT(between(before, before + "# a comment\n").set, IsEmpty());
  Change change = between(
      before,
      "[a]\ny = [1.0, 2.0, 5.0, 4.0]\nw = \"t\"\n[[list]]\nname = \"p\"\n[[list]]\nname = \"r\"\nz = true\n"
      "[[list]]\nname = \"s\"\n");
  EXPECT_THAT(change.unset, ElementsAre("a.x"));
  EXPECT_THAT(change.set,
              ElementsAre("a.y.2=5.0", "a.w=\"t\"", "list.1.name=\"r\"", "list.2={ name = \"s\" }"));
  change = between(before, "[a]\nx = 1\ny = [1.0, 2.0]\n[[list]]\nname = \"p\"\n");
  EXPECT_THAT(change.unset, ElementsAre("list.1"));
  EXPECT_THAT(change.set, ElementsAre("a.y=[1.0, 2.0]"));
}

/// A scene's text with random parts.
std::string random_text(std::mt19937& random) {
  const auto one_of = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::string text = "[time]\nstep = 0." + std::to_string(1 + one_of(3)) + "\n";
  if (one_of(2) == 0) text += "[gravity]\nacceleration = [0.0, 0.0, " + std::to_string(one_of(3)) + ".5]\n";
  for (int b = one_of(3) + 1; b > 0; --b) {
    text += "[[body]]\nname = \"b" + std::to_string(b) + "\"\n";
    if (one_of(2) == 0) text += "charge = " + std::to_string(one_of(3)) + "e-7\n";
    if (one_of(2) == 0) {
      text += "charges = [";
      for (int k = 0; k < 12; ++k) text += std::to_string(one_of(8) == 0 ? 2 : 1) + ".0, ";
      text += "]\n";
    }
    for (int k = one_of(4); k > 0; --k)
      text += "  [[body.group_charge]]\n  group = \"g" + std::to_string(one_of(3)) + "\"\n" +
              (one_of(2) == 0 ? "  value = 1e-7\n" : "  times = [0.0, 1.0]\n  values = [1.0, 2.0]\n");
  }
  return text;
}

TEST(StudioEdits, ADifferenceLeadsFromEachTextToEachOther) {
  std::mt19937 random(20250101);
  for (int k = 0; k < 2000; ++k) {
    const std::string before = random_text(random), after = random_text(random);
    const Change change = between(before, after);
    const Change rest = difference(read(after_change(before, change)).root(), read(after).root());
    ASSERT_TRUE(rest.set.empty() && rest.unset.empty()) << before << "\nto\n" << after;
  }
}

TEST(StudioEdits, ChangesOfOneStepAreTakenTogether) {
  const std::vector<std::vector<std::string>> moves{{"a=1"}, {"b=2"},   {"a=3"}, {"a.0=4"},
                                                    {"a=5"}, {"a.0=6"}, {"a=7"}};
  std::vector<Change> changes;
  for (const auto& set : moves) add_change({4, set, {}}, changes);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].set.front(), "b=2");
  EXPECT_EQ(changes[0].set.back(), "a=7");
  add_change({4, {"a=1"}, {"b"}}, changes);
  EXPECT_EQ(changes.size(), 2U);
  add_change({5, {"a=1"}, {}}, changes);
  EXPECT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes_override({{3, {"a=\"x\""}, {}}, {4, {}, {"b"}}}),
            R"(change=[{ step = 3, set = ["a=\"x\""] }, { step = 4, unset = ["b"] }])");
  EXPECT_EQ(changes_override({}), "--unset change");
}

/// What `add_change` makes of `all` after `set` at one step, looked for one by one.
std::vector<std::string> added_slowly(std::vector<std::string> set, const std::vector<std::string>& all) {
  for (const std::string& assignment : all) {
    const std::string key = key_of_override(assignment);
    auto same = std::find_if(set.rbegin(), set.rend(),
                             [&](const std::string& each) { return key_of_override(each) == key; });
    const auto is_within = [&](const std::string& each) { return each.starts_with(key + "."); };
    if (same != set.rend() && std::none_of(set.rbegin(), same, is_within)) set.erase(std::next(same).base());
    set.push_back(assignment);
  }
  return set;
}

TEST(StudioEdits, ChangesOfOneStepAreThoseThatAreLookedForOneByOne) {
  std::mt19937 random(7);
  const std::vector<std::string> keys{"a", "a.0", "a.1", "a.1.x", "ab", "b.0", "b"};
  for (int k = 0; k < 2000; ++k) {
    std::vector<std::string> expected;
    std::vector<Change> changes;
    for (int n = 0; n < 4; ++n) {
      std::vector<std::string> more;
      for (int m = 0; m < 3; ++m)
        more.push_back(keys[random() % keys.size()] + "=" + std::to_string(3 * n + m) + ".5");
      expected = n == 0 ? more : added_slowly(expected, more);
      add_change({4, more, {}}, changes);
    }
    ASSERT_EQ(changes.size(), 1U);
    ASSERT_EQ(changes[0].set, expected);
  }
}

TEST(StudioHistory, IsBounded) {
  TextHistory history;
  history.begin("0");
  for (int k = 1; k <= 300; ++k) history.put(std::to_string(k));
  int undone = 0;
  while (history.can_undo()) history.undo(), ++undone;
  EXPECT_EQ(undone, static_cast<int>(TextHistory::most_states));
  EXPECT_EQ(history.text(), "100");
  const std::string large(std::size_t{20} << 20, 'x');
  history.begin("");
  for (int k = 0; k < 10; ++k) history.put(large + std::to_string(k));
  undone = 0;
  while (history.can_undo()) history.undo(), ++undone;
  EXPECT_EQ(undone, 3);
}

TEST(StudioHistory, AGestureIsOneState) {
  TextHistory history;
  history.begin("a");
  for (const char* text : {"b", "c", "d"}) history.put(text, 1.0);
  history.put("e", 2.0);
  history.put("f");
  history.put("g");
  EXPECT_EQ(history.undone().text, "f");
  for (const char* text : {"f", "e", "d", "a"}) {
    history.undo();
    EXPECT_EQ(history.text(), text);
  }
  history.redo();
  EXPECT_EQ(history.text(), "d");
  history.put("x", 1.0);  // The gesture has ended.
  EXPECT_FALSE(history.can_redo());
  history.undo();
  EXPECT_EQ(history.text(), "d");
}

}  // namespace
}  // namespace electret::studio
