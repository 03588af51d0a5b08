#include "finding_rows.hpp"

namespace electret::test {

std::vector<FindingRow> body_findings() {
  return {
      // Names, groups and vertices.
      {"  group = \"left\"", "  group = @\"lfet\"", "no group \"lfet\"; did you mean \"left\""},
      {"  group = \"right\"", "  group = @\"middle\"",
       "no group \"middle\"; allowed: left, right; [[body.group]] names groups: attribute = \"middle\" there "
       "takes the "
       "vertices that the mesh file calls so"},
      {"  name = \"right\"", "  name = @\"left\"", "two groups of body \"a\" are called \"left\""},
      {"", "[[body]]\nname = @\"a\"\nmesh = \"square.obj\"\nmass = 1\ntranslate = [5, 0, 0]\n",
       "two bodies are called \"a\""},
      {"  name = \"right\"", "  name = @\"le\u2215ft\"",
       "the name \"le\u2215ft\" has the character as which runs keep \"/\""},
      {"  name = \"right\"", "  name = @\"\u2024\"", "write \"/\" or \".\" itself"},
      {"name = \"a\"", "name = @\"\"", "empty"},
      {"[[1, 0, 0], [1, 1, 0]]", "@[[5, 5, 5], [6, 6, 6]]", "group \"right\" is empty"},
      {"indices = [0, 2]", "indices = @[]", "empty"},
      {"indices = [0, 2]", "indices = @[0, 4]", "vertex 4 of body \"a\", which has 4"},
      {"indices = [0, 2]", "indices = [0, @-1]", "-1"},
      {"indices = [0, 2]", "attribute = @\"loewr\"", "did you mean \"lower\""},
      {"group = \"right\"", "group = \"right\"\n  [[body.pin]]\n  group = @\"right\"",
       "vertex 1 of body \"a\" is pinned by"},
      // Springs.
      {"from = \"edges\"", "from = @\"diagonals\"", "\"diagonals\" yields no spring"},
      {"from = \"edges\"", "from = \"pairs\"\n  pairs = @[[0, 9]]", "the pair [0, 9] names vertex 9"},
      {"from = \"edges\"", "from = \"pairs\"\n  pairs = @[[0, 1], [1, 0]]", "written twice"},
      {"from = \"edges\"", "from = \"pairs\"\n  pairs = [@[1, 1]]", "to itself"},
      {"from = \"edges\"", "from = \"pairs\"\n  pairs = [@[0, 1, 2]]", "a list of 3"},
      {"from = \"edges\"", "from = \"pairs\"\n  pairs = @[]", "empty"},
      {"stiffness = 10.0", "stiffnesses = @[1, 2]", "has 2 entries; allowed: 5"},
      {"stiffness = 10.0", "stiffness = 1\n  rest_lengths = @[1, 1, 1, 1, 1, 1]",
       "has 6 entries; allowed: 5"},
      {"stiffness = 10.0", "modulus = @1\n  rest_length_scale = 0", "rest length 0"},
      // Loads.
      {"  [[body.springs]]", "  @[[body.load]]\n  [[body.springs]]",
       "neither \"group\" nor \"forces\" is written in [[body.load]]"},
      {"  [[body.springs]]", "  @[[body.load]]\n  [[body.springs]]",
       "neither \"force\" nor \"forces\" is written in [[body.load]]"},
      {"  [[body.springs]]", "  @[[body.load]]\n  group = \"left\"\n  [[body.springs]]",
       "neither \"force\" nor \"forces\""},
      {"  [[body.springs]]", "  @[[body.load]]\n  force = [0, 0, 1]\n  [[body.springs]]",
       "neither \"group\" nor \"forces\""},
      {"  [[body.springs]]", "  [[body.load]]\n  group = @\"lfet\"\n  force = [0, 0, 1]\n  [[body.springs]]",
       "no group \"lfet\"; did you mean \"left\""},
      {"  [[body.springs]]", "  [[body.load]]\n  group = @\"\"\n  force = [0, 0, 1]\n  [[body.springs]]",
       "empty"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  @forces = [[0, 0, 1]]\n  [[body.springs]]",
       "\"forces\" contradicts \"group\" in [[body.load]]"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  @forces = [[0, 0, 1]]\n  "
       "[[body.springs]]",
       "\"forces\" contradicts \"force\" in [[body.load]]"},
      {"  [[body.springs]]", "  [[body.load]]\n  group = \"left\"\n  force = @3.0\n  [[body.springs]]",
       "allowed: 3 numbers, in N"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, @nan]\n  [[body.springs]]",
       "nan, not a finite number"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  @value = 2\n  [[body.springs]]",
       "unknown key \"value\" in [[body.load]]; did you mean \"values\""},
      {"  [[body.springs]]", "  [[body.load]]\n  forces = @[[0, 0, 1]]\n  [[body.springs]]",
       "has 1 entry; allowed: 4"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  forces = [[0, 0, 1], @[0, 0], [0, 0, 1], [0, 0, 1]]\n  [[body.springs]]",
       "a list of 2"},
      {"  [[body.springs]]", "  [[body.load]]\n  forces = @\"nothing.csv\"\n  [[body.springs]]",
       "file \"nothing.csv\" cannot be read"},
      {"  [[body.springs]]", "  [[body.load]]\n  forces = \"wide.csv\"\n  [[body.springs]]", "2 columns",
       "wide.csv:1:1"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  @times = [0, 1]\n  [[body.springs]]",
       "without values"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  @values = [0, 1]\n  [[body.springs]]",
       "\"values\" is written without \"times\""},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  @interpolation = \"step\"\n  "
       "[[body.springs]]",
       "without key-frames"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  times = @[0, 0]\n  values = [0, 1]\n  "
       "[[body.springs]]",
       "does not increase"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  times = [0, 1, 2]\n  values = @[0, 1]\n  "
       "[[body.springs]]",
       "\"values\" has 2 entries, \"times\" has 3"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  times = [0, 1]\n  values = [0, @inf]\n  "
       "[[body.springs]]",
       "inf, not a finite number"},
      // Charges.
      {"mass = 2.0", "mass = 2.0\ninitial_positions = @[[0,0,0],[5,0,0],[0,0,0],[6,0,0]]",
       "vertex 0 of body \"a\" and vertex 2 of body \"a\" coincide"},
      {"position = [2.0, 0.0, 0.0]", "position = @[1.0, 1.0, 0.0]", "vertex 3 of body \"a\" is on a point"},
  };
}

}  // namespace electret::test
