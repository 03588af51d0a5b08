#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/scene/schema.hpp>

#include "scene_text.hpp"
#include "schema_cases.hpp"
#include "written.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;

TEST(Schema, EveryKeyArrives) {
  auto all = schema_cases();
  // An external charge at the origin would be on a vertex of the square.
  for (auto& [key, c] : all)
    if (c.text.find("[[external_charge]]\ncharge = 5\n") != std::string::npos &&
        c.text.find("position") == std::string::npos)
      c.text += "position = [0, 0, 9]\n";
  for (const SchemaTable& table : scene_schema())
    for (const SchemaRow& row : table.rows) {
      if (row.is_later) continue;
      const std::string key = table.name + "." + row.key;
      ASSERT_TRUE(all.contains(key)) << "no test writes " << key;
      EXPECT_EQ(findings_of(all[key].text), "") << key;
      if (findings_of(all[key].text).empty()) {
        EXPECT_TRUE(all[key].arrived(load(all[key].text))) << key;
      }
      all.erase(key);
    }
  for (const auto& [key, c] : all) ADD_FAILURE() << key << " is not in the schema";
}

TEST(Schema, EveryRowIsDescribed) {
  for (const SchemaTable& table : scene_schema()) {
    EXPECT_FALSE(table.description.empty()) << table.name;
    for (const SchemaRow& row : table.rows) {
      EXPECT_FALSE(row.description.empty()) << row.key;
      EXPECT_TRUE(row.is_later || (!row.type.empty() && row.slot != nullptr)) << row.key;
    }
    for (const Alternatives& choice : table.alternatives)
      for (const auto& key : choice.keys) EXPECT_NE(table.row(key), nullptr) << key;
  }
}

TEST(Schema, DefaultsAreWhatTheSchemaSays) {
  const std::map<std::string, std::string> within = {
      {"body", scene_with("")},
      {"body.springs", with_springs("stiffness = 1\n")},
      {"body.group_charge", with_group_charge("times = [0, 1]\nvalues = [1, 2]\n")},
      {"body.pin", with_pin("times = [0, 1]\noffsets = [[0, 0, 0], [0, 0, 1]]\n")},
      {"body.load", with_load("group = \"g\"\nforce = [0, 0, 1]\ntimes = [0, 1]\nvalues = [1, 2]\n")},
      {"body.muscle",
       with_material("[[body.muscle]]\nfibre = [1, 0, 0]\nstiffness = 1\ntimes = [0, 1]\nvalues = [1, 2]\n")},
      {"obstacle", with_obstacle("times = [0, 1]\noffsets = [[0, 0, 0], [0, 0, -1]]\n")},
      {"contact.pair", scene_with("[contact]\nagainst = [\"self\"]\nthickness = 0.1\n[[contact.pair]]\n"
                                  "between = [\"a\", \"a\"]\nfriction = 0.5\n")},
      {"hydrodynamics", scene_with("[[hydrodynamics]]\n")},
      {"camera", scene_with("[[camera]]\nname = \"c\"\nposition = [0, -1, 1]\ntowards = [0, 1, 0]\n"
                            "focal_length = 900\n")},
      {"grab", scene_with("[[grab]]\nbody = \"a\"\nvertices = [1]\nstiffness = 1\ntimes = [0, 1]\n"
                          "targets = [[0, 0, 1], [0, 0, 2]]\n")},
      {"external_charge",
       scene_with("translate = [0, 0, 1]\n[[external_charge]]\ntimes = [0, 1]\ncharges = [1, 2]\n")}};
  int tested = 0;
  for (const SchemaTable& table : scene_schema())
    for (const SchemaRow& row : table.rows) {
      if (row.default_value.empty()) continue;
      const std::string known =
          within.contains(table.name) ? within.at(table.name) : scene_with("[" + table.name + "]\n");
      std::string line = row.key + " = " + row.default_value + "\n";
      std::string base = known;
      if (row.key == "neighbours") base += "from = \"nearest\"\n";
      EXPECT_EQ(findings_of(base + line), "") << line;
      EXPECT_EQ(written(load(base + line)), written(load(base))) << table.name << ": " << line;
      ++tested;
    }
  EXPECT_GT(tested, 25);
}

TEST(Schema, LaterKeysAreRefused) {
  for (const SchemaTable& table : scene_schema())
    for (const SchemaRow& row : table.rows)
      for (const auto& word : row.later_choices) {
        const std::string line = row.key + " = \"" + word + "\"";
        const std::string text = table.name == "body.springs" ? with_springs("stiffness = 1\n" + line)
                                                              : scene_with(table.title() + "\n" + line);
        EXPECT_THAT(findings_of(text),
                    HasSubstr(row.key + " \"" + word + "\" is not available in this version"));
      }
}

TEST(Schema, DocumentationHoldsTheReference) {
  const auto path = std::filesystem::path(ELECTRET_SOURCE_FOLDER) / "docs/scene-format.md";
  std::ifstream file(path);
  std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string begin = "<!-- reference: begin -->\n", end = "<!-- reference: end -->";
  ASSERT_NE(page.find(begin), std::string::npos);
  ASSERT_NE(page.find(end), std::string::npos);
  const auto first = page.find(begin) + begin.size();
  const auto length = page.find(end) - first;
  if (std::getenv("ELECTRET_RENEW_DOCS") != nullptr) {
    std::ofstream(path) << page.replace(first, length, schema_reference());
    GTEST_SKIP() << "docs/scene-format.md was renewed";
  }
  EXPECT_EQ(page.substr(first, length), schema_reference())
      << "renew the page: ELECTRET_RENEW_DOCS=1 test_scene "
         "--gtest_filter=Schema.DocumentationHoldsTheReference";
}

TEST(Schema, DocumentedScenesAreRight) {
  std::ifstream file(std::filesystem::path(ELECTRET_SOURCE_FOLDER) / "docs/scene-format.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string begin = "```toml\n";
  int scenes = 0;
  for (auto at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1), ++scenes) {
    const auto first = at + begin.size();
    const std::string scene = page.substr(first, page.find("```", first) - first);
    EXPECT_EQ(findings_of(scene), "") << scene;
    EXPECT_GT(load(scene).masses.size(), 0U) << scene;
  }
  EXPECT_GE(scenes, 2);
}

}  // namespace
}  // namespace electret::test
