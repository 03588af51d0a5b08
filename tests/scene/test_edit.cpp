/// Edits of a scene's text: what changes, and that nothing else does.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/scene/edit.hpp>

namespace electret::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* ball = R"(# A ball.
[scene]
name = "ball"   # its name

[time]
step = 0.01     # s
steps = 100

[coulomb]
solver = "direct"
ddef.grid_points = 1000

[[body]]
name = "a"
generate = { shape = "sphere", vertices = 30 }  # a sphere
mass = 1.0

  # Springs.
  [[body.springs]]
  from = "edges"
  stiffness = 3.0

  [[body.group]]
  name = "g"
  indices = [
    1,  # the first
    2,
  ]

# The charge outside.
[[external_charge]]
charge = 1e-6
position = [0, 0, 1]
)";

std::string edited(const std::string& text, const std::vector<TextEdit>& edits) {
  return edited_text(text, "ball.toml", edits);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// Expects that setting `key` replaces `from`, which the text has, by `to`.
void expect_set(const std::string& text, const std::string& key, const std::string& value,
                const std::string& from, const std::string& to) {
  SCOPED_TRACE(key + "=" + value);
  EXPECT_EQ(edited(text, {TextEdit::set(key, value)}), replaced(text, from, to));
}

void expect_removed(const std::string& text, const std::string& key, const std::string& from,
                    const std::string& to = "") {
  SCOPED_TRACE(key);
  EXPECT_EQ(edited(text, {TextEdit::remove(key)}), replaced(text, from, to));
}

std::string findings_of_edits(const std::string& text, const std::vector<TextEdit>& edits) {
  try {
    return "no findings: " + edited(text, edits);
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Edit, AValueTakesThePlaceOfTheOldOnesCharacters) {
  expect_set(ball, "time.step", "2.5e-3", "0.01     # s", "2.5e-3     # s");
  expect_set(ball, "scene.name", "two words", "\"ball\"   #", "\"two words\"   #");
  expect_set(ball, "scene.name", "'x'  # why", "\"ball\"   #", "'x'   #");
  expect_set(ball, "coulomb.ddef.grid_points", "5", "points = 1000", "points = 5");
  expect_set(ball, "body.0.generate.vertices", "+3_1", "30 }", "+3_1 }");
  expect_set(ball, "body.0.generate", "{shape='grid'}", "{ shape = \"sphere\", vertices = 30 }",
             "{shape='grid'}");
  expect_set(ball, "body.0.group.0.indices.0", "7", "    1,  #", "    7,  #");
  expect_set(ball, "body.0.group.0.indices", "[3]", "[\n    1,  # the first\n    2,\n  ]", "[3]");
  expect_set(ball, "external_charge.0.position.2", "-2", "[0, 0, 1]", "[0, 0, -2]");
}

TEST(Edit, ANewKeyIsTheLastOfItsSection) {
  expect_set(ball, "time.duration", "1", "steps = 100\n", "steps = 100\nduration = 1\n");
  expect_set(ball, "body.0.charge", "1e-6", "mass = 1.0\n", "mass = 1.0\ncharge = 1e-6\n");
  expect_set(ball, "body.0.springs.0.neighbours", "6", "  stiffness = 3.0\n",
             "  stiffness = 3.0\n  neighbours = 6\n");
  expect_set(ball, "coulomb.ddef.half_taylor", "true", "points = 1000\n",
             "points = 1000\nddef.half_taylor = true\n");
  expect_set(ball, "body.0.constants.a", "2", "mass = 1.0\n", "mass = 1.0\nconstants.a = 2\n");
  expect_set(ball, "body.0.constants.größe", "2", "mass = 1.0\n", "mass = 1.0\nconstants.\"größe\" = 2\n");
  expect_set(ball, "external_charge.0.times.0", "2", "[0, 0, 1]\n", "[0, 0, 1]\ntimes = [2]\n");
  expect_set("[time]\n[coulomb]\n", "time.step", "1", "[time]\n", "[time]\nstep = 1\n");
  expect_set("  [time]", "time.step", "1", "[time]", "[time]\n  step = 1");
  expect_set("# Title.\n", "x", "1", "# Title", "x = 1\n# Title");
}

TEST(Edit, ANewTableComesBelowWhatItBelongsTo) {
  const std::string text = ball;
  EXPECT_EQ(edited(text, {TextEdit::set("damping.drag", "2")}), text + "\n[damping]\ndrag = 2\n");
  EXPECT_EQ(edited(text, {TextEdit::set("gravity", "{ acceleration = [0, 0, -9.81] }")}),
            text + "\n[gravity]\nacceleration = [0, 0, -9.81]\n");
  EXPECT_EQ(edited(text, {TextEdit::set("external_charge.1.charge", "2e-6")}),
            text + "\n[[external_charge]]\ncharge = 2e-6\n");
  expect_set(text, "body.0.springs.1.stiffness", "4", "stiffness = 3.0\n",
             "stiffness = 3.0\n\n  [[body.springs]]\n  stiffness = 4\n");
  expect_set(text, "body.0.pin.0", "{ group = \"g\" }", "    2,\n  ]\n",
             "    2,\n  ]\n\n  [[body.pin]]\n  group = \"g\"\n");
  EXPECT_EQ(
      edited(text, {TextEdit::append("body.0.springs", {"from = \"nearest\"", "# soft", "stiffness = 1"})}),
      replaced(text, "stiffness = 3.0\n",
               "stiffness = 3.0\n\n  [[body.springs]]\n  from = \"nearest\"\n  # soft\n  stiffness = 1\n"));
  const std::string dense = "[time]\nstep = 1\n[[contact.pair]]\nbody = 'a'\n[output]\nevery = 2\n";
  expect_set(dense, "contact.friction", "0.5", "body = 'a'\n", "body = 'a'\n[contact]\nfriction = 0.5\n");
  EXPECT_EQ(edited("", {TextEdit::set("time.step", "1"), TextEdit::set("time.steps", "2"),
                        TextEdit::set("output.every", "3")}),
            "[time]\nstep = 1\nsteps = 2\n\n[output]\nevery = 3\n");
}

TEST(Edit, ListsAndBracesGrowAtTheirEnd) {
  expect_set(ball, "body.0.group.0.indices.2", "9", "    2,\n  ]", "    2,\n    9,\n  ]");
  expect_set(ball, "external_charge.0.position.3", "9", "[0, 0, 1]", "[0, 0, 1, 9]");
  expect_set(ball, "body.0.generate.radius", "2", "vertices = 30 }", "vertices = 30, radius = 2 }");
  expect_set("a = []\nb = {}\n", "a.0", "1", "[]", "[1]");
  expect_set("a = []\nb = {}\n", "b.c", "1", "{}", "{ c = 1 }");
  expect_set("a = [1, 2,]", "a.2", "3", "2,]", "2, 3,]");
  expect_set("a = [\n  1, # one\n  2 # two\n]", "a.2", "3", "2 # two\n", "2, # two\n  3\n");
  expect_set("a = [\n  1, # one\n  2, # two\n]", "a.2", "3", "2, # two\n", "2, # two\n  3,\n");
  expect_set("a = { b.c = 1, d = 2 }", "a.b.e", "3", "d = 2", "d = 2, b.e = 3");
  expect_set("a = [{ b = 1 }]", "a.1.b", "2", "[{ b = 1 }]", "[{ b = 1 }, { b = 2 }]");
}

TEST(Edit, WhatIsRemovedTakesItsLines) {
  expect_removed(ball, "time.step", "step = 0.01     # s\n");
  expect_removed(ball, "coulomb.ddef", "ddef.grid_points = 1000\n");
  expect_removed(ball, "coulomb.ddef.grid_points", "ddef.grid_points = 1000\n");
  expect_removed(ball, "coulomb", "[coulomb]\nsolver = \"direct\"\nddef.grid_points = 1000\n\n");
  expect_removed(ball, "body.0.springs.0", "\n  [[body.springs]]\n  from = \"edges\"\n  stiffness = 3.0\n",
                 "\n");
  expect_removed(ball, "body.0.springs", "\n  [[body.springs]]\n  from = \"edges\"\n  stiffness = 3.0\n",
                 "\n");
  expect_removed(ball, "body.0.generate.shape", "{ shape = \"sphere\", vertices", "{ vertices");
  expect_removed(ball, "body.0.generate.vertices", ", vertices = 30 }", " }");
  expect_removed(ball, "body.0.group.0.indices.0", "    1,  # the first\n");
  expect_removed(ball, "body.0.group.0.indices.1", "    2,\n");
  expect_removed(ball, "body.0.group.0.indices", "  indices = [\n    1,  # the first\n    2,\n  ]\n");
  expect_removed(ball, "external_charge.0.position.2", ", 1]", "]");
  expect_removed("a = [1]\nb = 2\n", "a.0", "a = [1]\n");
  expect_removed("a = { b = 1 }", "a.b", "{ b = 1 }", "{}");
}

TEST(Edit, CommentsOnLinesOfTheirOwnStay) {
  const std::string gone = edited(ball, {TextEdit::remove("body"), TextEdit::remove("external_charge")});
  for (const char* comment : {"# A ball.\n", "  # Springs.\n", "# The charge outside.\n"})
    EXPECT_THAT(gone, HasSubstr(comment));
  EXPECT_THAT(gone, testing::Not(HasSubstr("[[")));
}

TEST(Edit, AddedAndRemovedTheTextIsAsBefore) {
  const auto back = [](const char* key, const char* added) {
    EXPECT_EQ(edited(ball, {TextEdit::set(key, "1"), TextEdit::remove(added)}), ball) << key;
  };
  for (const char* key : {"time.duration", "body.0.generate.radius", "body.0.group.0.indices.2",
                          "coulomb.ddef.half_taylor", "external_charge.0.width"})
    back(key, key);
  back("damping.drag", "damping");
  back("external_charge.1.charge", "external_charge.1");
  back("body.0.springs.1.stiffness", "body.0.springs.1");
  back("body.0.pin.0.group", "body.0.pin");
  back("body.1.mass", "body.1");
}

TEST(Edit, TablesAreSetKeyByKey) {
  expect_set(ball, "time", "{ steps = 7, step = 0.01 }", "steps = 100", "steps = 7");
  expect_set(ball, "coulomb", "{ ddef.grid_points = 7 }", "solver = \"direct\"\nddef.grid_points = 1000\n",
             "ddef.grid_points = 7\n");
  expect_set(ball, "body.0.springs", "[{ from = 'edges' }, { stiffness = 1 }]",
             "from = \"edges\"\n  stiffness = 3.0\n",
             "from = 'edges'\n\n  [[body.springs]]\n  stiffness = 1\n");
  expect_set(ball, "time", "{ step.a = 1, steps = 100 }", "0.01     #", "{ a = 1 }     #");
  expect_set("[[a.b]]\nc = 1\n", "a", "{ b.c.d = 1 }", "[[a.b]]\nc = 1\n", "[a]\nb.c.d = 1\n");
  expect_set(ball, "coulomb", "{}", "solver = \"direct\"\nddef.grid_points = 1000\n", "");
  expect_set("a.b = 1\nc = 2\n", "a", "{}", "a.b = 1\nc = 2\n", "c = 2\n\n[a]\n");
  expect_set("[a.b]\nc = 1\n", "a.b", "3", "[a.b]\nc = 1\n", "[a]\nb = 3\n");
}

TEST(Edit, ANumberIsTheNameOfAKeyInATableOfDottedKeys) {
  expect_set("time.step = 0.01\n", "time.1", "3", "time.step = 0.01\n", "time.step = 0.01\ntime.1 = 3\n");
  expect_set("a.b.c = 1\n", "a.b.2.d", "3", "a.b.c = 1\n", "a.b.c = 1\na.b.2.d = 3\n");
}

TEST(Edit, KeysAreRenamedWhereverTheyStand) {
  const std::string text = "[a.b]\nb = { b = 1, b.c = 2 }\n";
  EXPECT_EQ(edited(ball, {TextEdit::rename("body.0.mass", "total_mass")}),
            replaced(ball, "mass = 1.0", "total_mass = 1.0"));
  EXPECT_EQ(edited("[[a]]\n[[a.b]]\nc = 1\n[a.d]\n", {TextEdit::rename("a", "x y")}),
            "[[\"x y\"]]\n[[\"x y\".b]]\nc = 1\n[\"x y\".d]\n");
  EXPECT_EQ(edited("a.b = 1\na.c = 2\n", {TextEdit::rename("a", "d")}), "d.b = 1\nd.c = 2\n");
  EXPECT_EQ(edited("a = { b.c = 1, b.d = 2 }\n", {TextEdit::rename("a.b", "e")}),
            "a = { e.c = 1, e.d = 2 }\n");
}

TEST(Edit, LineEndsAndTheByteOrderMarkStay) {
  const std::string text = "\xEF\xBB\xBF[time]\r\nstep = 1\r\n\r\n[a]\r\nb = [\r\n  1,\r\n]\r\n# End.";
  EXPECT_EQ(edited(text, {TextEdit::set("time.steps", "2"), TextEdit::set("a.b.1", "2"),
                          TextEdit::set("c.d", "[\n1]"), TextEdit::set("time.step", "3")}),
            "\xEF\xBB\xBF[time]\r\nstep = 3\r\nsteps = 2\r\n\r\n[a]\r\nb = [\r\n  1,\r\n  2,\r\n]\r\n# End."
            "\r\n\r\n[c]\r\nd = [\r\n1]");
  EXPECT_EQ(edited("[a]\r\nb = 1\r\n", {TextEdit::remove("a"), TextEdit::set("c", "1")}), "c = 1\r\n");
  EXPECT_EQ(edited("\xEF\xBB\xBF# Title.", {TextEdit::set("a", "1")}),
            "\xEF\xBB\xBF"
            "a = 1\n# Title.");
}

TEST(Edit, TextsOverLinesAndQuotedKeysAreUnderstood) {
  const std::string text =
      "\"a\\u00e9\" = \"\"\"\n[x]\n# no comment\\\n\"\" \"\"\"\"\"  # one\n'b.c'.d = ''' ''''\n\"e f\".'g' = "
      "'\"#'\n";
  expect_set(text, "aé", "1", "\"\"\"\n[x]\n# no comment\\\n\"\" \"\"\"\"\"", "1");
  expect_set(text, "e f.g", "1", "'\"#'", "1");
  expect_set(text, "e f.h", "1", "'\"#'\n", "'\"#'\n\"e f\".h = 1\n");
  expect_removed(text, "aé", text.substr(0, text.find("'b.c'")));
}

TEST(Edit, FindsAllThatIsWrongAndChangesNothing) {
  EXPECT_EQ(findings_of_edits("a = 1\nb = [1\n", {TextEdit::set("a", "2")}).find("ball.toml:"), 0U);
  const std::string found = findings_of_edits(
      ball,
      {TextEdit::set("body.2.mass", "1"), TextEdit::remove("time.stpes"), TextEdit::set("time.step", "3"),
       TextEdit::rename("time.stpe", "x"), TextEdit::rename("time.step", "steps"),
       TextEdit::set("body.0", "1"), TextEdit::append("coulomb", {"a = 1"}),
       TextEdit::append("body.0.pin", {"[a]"}), TextEdit::append("body.0.pin", {"a = ", "b = 1"}),
       TextEdit::append("body.0.group.0.indices.0", {}), TextEdit::set("body.0.x=y", "1"),
       TextEdit::set("time.step", "\xff")});
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 10) << found;
  EXPECT_THAT(found,
              StartsWith("--set body.2.mass: error: \"body.2.mass\" leads nowhere: there is no number 2"));
  EXPECT_THAT(found, HasSubstr("\n--unset time.stpes: error: \"time.stpes\" cannot be removed: there is no "
                               "\"stpes\"; did you mean \"steps\"?"));
  EXPECT_THAT(found, HasSubstr("\nrename time.stpe: error: \"time.stpe\" cannot be renamed: there is no key "
                               "\"stpe\"; did you mean \"step\"?"));
  EXPECT_THAT(found, HasSubstr("there is a key \"steps\" already"));
  EXPECT_THAT(found,
              HasSubstr("\n--set body.0: error: \"body.0\" cannot be written in this text: the items of "
                        "the list \"body\" have headers, [[body]], and are tables; allowed: a table"));
  EXPECT_THAT(found, HasSubstr("\nappend coulomb: error: \"coulomb\" is no list"));
  EXPECT_THAT(found, HasSubstr("\nappend body.0.pin: error: \"body.0.pin\" has a header among its lines"));
  EXPECT_THAT(found, HasSubstr("\nappend body.0.pin:1:"));
  EXPECT_THAT(found, HasSubstr("it is no dotted key"));
  EXPECT_THAT(found, HasSubstr("not valid UTF-8"));
}

TEST(Edit, OverridesAreEdits) {
  EXPECT_EQ(edited(ball, {edit_of_override(" time.step = 3 "), edit_of_override("--unset coulomb.solver ")}),
            replaced(replaced(ball, "= 0.01", "= 3"), "solver = \"direct\"\n", ""));
  for (const char* wrong : {"time.step", "=3", "time.step=\n3"})
    EXPECT_THROW((void)edit_of_override(wrong), InputError) << wrong;
}

}  // namespace
}  // namespace electret::test
