#include <set>

#include <gtest/gtest.h>

#include <electret/core/choice.hpp>
#include <electret/core/warning.hpp>

namespace electret {
namespace {

TEST(WarningText, HasPlaceAndAdvice) {
  const Warning warning{
      WarningKind::unused_group, {"scene.toml", 9, 8}, "group \"g\": not used", "leave: it"};
  EXPECT_EQ(to_string(warning), "scene.toml:9:8: warning: group \"g\": not used; leave: it");
  EXPECT_EQ(to_string(warning, "note"), "scene.toml:9:8: note: group \"g\": not used; leave: it");
}

TEST(WarningText, NamesTheProgramWhereThereIsNoPlace) {
  EXPECT_EQ(to_string({WarningKind::memory, {}, "too little", ""}), "electret: warning: too little");
}

TEST(WarningText, IsPrintable) {
  EXPECT_EQ(to_string({WarningKind::memory, {"a\nb", 1, 0}, "c\x1b", "d\n"}),
            "a\\x0ab:1: warning: c\\x1b; d\\x0a");
}

TEST(WarningKinds, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  int kinds = 0;
  for (; kinds <= static_cast<int>(WarningKind::disk); ++kinds)
    names.insert(name_of(static_cast<WarningKind>(kinds)));
  EXPECT_EQ(static_cast<int>(names.size()), kinds);
  EXPECT_THROW((void)name_of(static_cast<WarningKind>(kinds)), InternalError);
}

TEST(ChoiceText, IsNameAndReason) {
  EXPECT_EQ(to_string(Choice{"verlet", "no springs"}), "verlet: no springs");
  EXPECT_EQ(to_string(Choice{}), "");
  EXPECT_TRUE(Choice{}.empty());
}

}  // namespace
}  // namespace electret
