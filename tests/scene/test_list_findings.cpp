#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene_text.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

std::string last_line(const std::string& text) {
  return text.substr(text.rfind('\n') + 1);
}

TEST(ListFindings, WhatAFileHasMoreIsToldAfterTheList) {
  const std::string scene =
      "[time]\nstep = 1\nsteps = 1\n[[body]]\nmesh = \"square.obj\"\nmasses = \"m.csv\"\n";
  Files files = usual_files();
  files["m.csv"] = "m\n";
  for (int row = 0; row < 100; ++row) files["m.csv"] += "0,1\n";
  EXPECT_EQ(last_line(findings_of(scene, {}, files)), "m.csv: error: and 50 more like these");
  files["m.csv"] = "m\n";
  for (int row = 0; row < 100; ++row) files["m.csv"] += "-1\n";
  EXPECT_THAT(last_line(findings_of(scene, {}, files)),
              HasSubstr("m.csv:21: error: \"masses\" from \"m.csv\" has 80 more faults of this kind"));
}

TEST(ListFindings, WhatCoincidesMoreIsToldAfterTheList) {
  Files files = usual_files();
  for (int v = 0; v < 100; ++v) files["points.obj"] += "v 0 0 0\n";
  const std::string text =
      "[coulomb]\n[time]\nstep = 1\nsteps = 1\n[[body]]\nmesh = \"points.obj\"\nmass = 1\n";
  EXPECT_THAT(last_line(findings_of(text + "charge = 1\n", {}, files)),
              HasSubstr("79 more pairs of charged vertices coincide"));
  files["external.obj"] = files["points.obj"];
  EXPECT_THAT(
      last_line(findings_of(text + "[[external_charge]]\ncharge = 1\nmesh = \"external.obj\"\n", {}, files)),
      HasSubstr("80 more points of this external charge are on vertices"));
}

TEST(ListFindings, ManyOfOneKindAreCutShort) {
  std::string list = "charges = [";
  for (int i = 0; i < 1000; ++i) list += "nan, ";
  const std::string found = findings_of(scene_with(list + "]"));
  EXPECT_LE(std::count(found.begin(), found.end(), '\n'), 30);
  EXPECT_THAT(last_line(found), HasSubstr("980 more faults"));
}

TEST(ListFindings, EachBadPairIsTold) {
  const auto with = [](const std::string& pairs) {
    return findings_of(
        scene_with("[[body.springs]]\nfrom = \"pairs\"\nstiffness = 1\npairs = [" + pairs + "]"));
  };
  const std::string found = with("[0, 1], [0, 9], [1, 2], [8, 1]");
  EXPECT_THAT(found, HasSubstr("[0, 9] names vertex 9 of body \"a\", which has 4; allowed: 0 … 3"));
  EXPECT_THAT(found, HasSubstr("[8, 1] names vertex 8"));
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 1);
  const std::string twice = with("[0, 1], [1, 0], [2, 3], [2, 3]");
  EXPECT_THAT(twice, HasSubstr("[1, 0] is written twice"));
  EXPECT_THAT(twice, HasSubstr("[2, 3] is written twice"));
  std::string many, repeated;
  for (int i = 0; i < 100; ++i) many += "[0, " + std::to_string(10 + i) + "], ", repeated += "[0, 1], ";
  EXPECT_THAT(with(many), HasSubstr("80 more faults"));
  EXPECT_THAT(with(repeated), HasSubstr("79 more faults"));
}

TEST(ListFindings, EachBadKeyFrameIsTold) {
  const auto with = [](const std::string& lists) {
    return findings_of(scene_with("[[external_charge]]\ncharge = 1\nwidth = 1\n" + lists));
  };
  const std::string places = "positions = [[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0]]\n";
  const std::string found = with("times = [0, 2, 1, 3, 3]\n" + places);
  EXPECT_THAT(found, HasSubstr("does not increase at 1 after 2"));
  EXPECT_THAT(found, HasSubstr("does not increase at 3 after 3"));
  const std::string both = with("times = [0, 2, 1, 3]\n" + places);
  EXPECT_THAT(both, HasSubstr("does not increase at 1 after 2"));
  EXPECT_THAT(both, HasSubstr("\"positions\" has 5 entries, \"times\" has 4"));
  std::string many;
  for (int i = 0; i < 100; ++i) many += "0, ";
  EXPECT_THAT(with("times = [" + many + "]\n" + places), HasSubstr("79 more faults"));
}

}  // namespace
}  // namespace electret::test
