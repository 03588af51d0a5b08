#include <algorithm>
#include <initializer_list>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "finding_rows.hpp"

namespace electret::test {

const char* const finding_scene = R"toml([scene]
name = "base"
[time]
step = 0.5
duration = 2.0
[integrator]
method = "imex"
tolerance = 1e-6
[coulomb]
solver = "auto"
softening = 0.0
[gravity]
acceleration = [0.0, 0.0, -9.81]
[damping]
drag = 0.0
[output]
every = 1
[[body]]
name = "a"
mesh = "square.obj"
scale = 1.0
rotate = [0.0, 0.0, 0.0]
mass = 2.0
charge = 1e-6
  [[body.springs]]
  from = "edges"
  stiffness = 10.0
  [[body.group]]
  name = "left"
  indices = [0, 2]
  [[body.group]]
  name = "right"
  box = [[1, 0, 0], [1, 1, 0]]
  [[body.group_charge]]
  group = "left"
  value = -3e-6
  # Lifted.
  [[body.pin]]
  group = "right"
  times = [0, 1, 2]
  offsets = [[0, 0, 0], [0, 0, 1], [0, 0, 2]]
[[external_charge]]
charge = -42e-6
position = [2.0, 0.0, 0.0]
[[electric_field]]
expression = ["-y", "x", "a*sin(t)"]
constants = { a = 2.0 }
)toml";

Files finding_files() {
  Files files = usual_files();
  files["bad.obj"] = "v 0 0 0\nv 1 0 x\nf 1 2 9\n";
  files["empty.obj"] = "# nothing\n";
  files["points.obj"] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nl 1 2\nl 3 4\n";
  files["inside_out.obj"] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
  files["mixed.obj"] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 4 2\nf 1 4 3\nf 2 3 4\n";
  files["bad.ply"] = "plyy\n";
  files["three.csv"] = "mass\n1\n2\n3\n";
  files["wide.csv"] = "mass,charge\n1,1\n2,2\n3,3\n4,4\n";
  files["negative.csv"] = "mass\n1\n-1\n1\n1\n";
  files["word.csv"] = "mass\nheavy\n1\n1\n1\n";
  return files;
}

namespace {

using ::testing::HasSubstr;

constexpr char mark = '@';

/// The scene with a row's fault and its @.
std::string marked(const FindingRow& row) {
  std::string text = finding_scene;
  const std::string from = row.from;
  if (from.empty()) return text + row.to;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), row.to);
}

/// How findings name the place at byte `at` of the scene: columns count characters.
std::string place_at(const std::string& text, std::size_t at, bool line_alone) {
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::string place = "scene.toml:" + std::to_string(line) + ":";
  if (line_alone) return place;
  const std::string above = text.substr(0, at),
                    before = above.substr(above.rfind('\n') + 1);  // npos + 1 is 0.
  const auto column = 1 + std::count_if(before.begin(), before.end(), [](char c) {
                        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
                      });
  return place + std::to_string(column) + ":";
}

/// How a finding of the row's fault begins.
std::string beginning(const FindingRow& row) {
  const std::string text = marked(row), place = row.place;
  const auto at = text.find(mark);
  if (at != std::string::npos) return place_at(text, at, place == "line");
  const auto named = text.find(place);
  return named == std::string::npos ? place : place_at(text, named, false);
}

std::vector<FindingRow> all_rows() {
  std::vector<FindingRow> all;
  for (const auto& rows :
       {syntax_findings(), value_findings(), body_findings(), obstacle_findings(), water_findings(),
        camera_findings(), ball_findings(), grab_findings(), file_findings()})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

TEST(Findings, TheSceneWithoutFaultsHasNone) {
  EXPECT_EQ(findings_of(finding_scene, {}, finding_files()), "");
}

class FindingTable : public ::testing::TestWithParam<FindingRow> {};

TEST_P(FindingTable, IsFoundWhereItStands) {
  const FindingRow& row = GetParam();
  const std::string found = findings_of(edited(row), {}, finding_files()), place = beginning(row);
  bool matches = false;
  std::size_t start = 0;
  while (start < found.size()) {
    const auto end = std::min(found.find('\n', start), found.size());
    const std::string line = found.substr(start, end - start);
    EXPECT_THAT(line, HasSubstr("error: "));
    matches |= line.starts_with(place) && line.find(row.word) != std::string::npos;
    start = end + 1;
  }
  EXPECT_TRUE(matches) << "edit: " << row.to << "\nwanted: " << place << " … " << row.word << "\nfound:\n"
                       << found;
}

INSTANTIATE_TEST_SUITE_P(Syntax, FindingTable, ::testing::ValuesIn(syntax_findings()));
INSTANTIATE_TEST_SUITE_P(Values, FindingTable, ::testing::ValuesIn(value_findings()));
INSTANTIATE_TEST_SUITE_P(Bodies, FindingTable, ::testing::ValuesIn(body_findings()));
INSTANTIATE_TEST_SUITE_P(Obstacles, FindingTable, ::testing::ValuesIn(obstacle_findings()));
INSTANTIATE_TEST_SUITE_P(Water, FindingTable, ::testing::ValuesIn(water_findings()));
INSTANTIATE_TEST_SUITE_P(Cameras, FindingTable, ::testing::ValuesIn(camera_findings()));
INSTANTIATE_TEST_SUITE_P(Balls, FindingTable, ::testing::ValuesIn(ball_findings()));
INSTANTIATE_TEST_SUITE_P(Grabs, FindingTable, ::testing::ValuesIn(grab_findings()));
INSTANTIATE_TEST_SUITE_P(Files, FindingTable, ::testing::ValuesIn(file_findings()));

TEST(Findings, OneMistakeIsToldOnce) {
  std::size_t more = 0;
  for (const FindingRow& row : all_rows()) {
    const std::string found = findings_of(edited(row), {}, finding_files());
    more += static_cast<std::size_t>(std::count(found.begin(), found.end(), '\n'));
  }
  // A handful of rows make two faults (a misspelt required key is unknown and missing, …).
  EXPECT_LE(more, all_rows().size() / 6);
}

TEST(Findings, AllComeAtOnceInOrder) {
  std::string text = finding_scene;
  for (const auto& [from, to] : std::initializer_list<std::pair<std::string, std::string>>{
           {"[time]\nstep = 0.5", "@[time]\n@stpe = 0.5"},
           {"method = \"imex\"", "method = @\"multirate\""},
           {"drag = 0.0", "drag = @nan"},
           {"square.obj", "bad.obj"},
           {"stiffness = 10.0", "stiffness = @\"stiff\""},
           {"value = -3e-6", "value = -3e-6\n  @times = [0]"},
           {"\"-y\"", "\"-y@)\""}})
    text.replace(text.find(from), from.size(), to);
  std::vector<std::string> lines;
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    lines.push_back(place_at(text, at, false));
    text.erase(at, 1);
  }
  lines.insert(lines.end(), {"--set output.every:", "bad.obj:2:7:", "bad.obj:3:7:"});
  ASSERT_EQ(lines.size(), 10U);
  const std::string found = findings_of(text, {"output.every=0"}, finding_files());
  std::size_t last = 0;
  for (const std::string& line : lines) {
    const auto at = found.find(line + " error");
    EXPECT_NE(at, std::string::npos) << line << "\n" << found;
    EXPECT_GE(at, last) << line << "\n" << found;
    last = at;
  }
}

TEST(Findings, EachIsOneLineWhateverTheInputHolds) {
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  for (const char* fault :
       {"x = [1\n2]\n", "x = 'a\n",
        "\"a\\nb\" = 1\n[time]\nstep = 1\nsteps = 1\n[[body]]\nmesh = \"quad.obj\"\nmass = 1\n"})
    EXPECT_EQ(lines(findings_of(fault)), 0) << findings_of(fault);
  const std::string shape =
      "[time]\nstep = 1\nsteps = 1\n[[body]]\nmass = 1\ngenerate = { shape = \"a\\nb\" }\n";
  EXPECT_EQ(lines(findings_of(shape)), 0);
  EXPECT_THAT(findings_of(shape), HasSubstr("a\\x0ab"));
}

TEST(Findings, EndlessKeysAreRefused) {
  std::string key = "a";
  for (int i = 0; i < 20000; ++i) key += ".a";
  EXPECT_THAT(findings_of(key + " = 1\n"), HasSubstr("1000 parts"));
  EXPECT_THAT(findings_of("[" + key + "]\n"), HasSubstr("1000 parts"));
  EXPECT_THAT(findings_of("a = " + std::string(20000, '[')), HasSubstr("syntax"));
}

TEST(Findings, AMeshThatIsMissingIsNotCounted) {
  const std::string scene = "[time]\nstep = 0.5\nsteps = 4\n[[body]]\nname = \"a\"\nmesh = \"beam.stl\"\n";
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const std::string only = findings_of(scene + "mass = 1\n"), masses = findings_of(scene + "masses = [1]\n");
  EXPECT_THAT(only, HasSubstr("\"beam.stl\" is unknown"));
  EXPECT_THAT(masses, HasSubstr("\"beam.stl\" is unknown"));
  EXPECT_EQ(lines(masses), lines(only)) << masses;
  EXPECT_THAT(findings_of(scene + "masses = \"none.csv\"\n"), HasSubstr("there is no such file"));
}

}  // namespace

std::string edited(const FindingRow& row) {
  std::string text = marked(row);
  std::erase(text, mark);
  return text;
}

}  // namespace electret::test
