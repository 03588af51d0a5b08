#include "finding_rows.hpp"

namespace electret::test {

std::vector<FindingRow> file_findings() {
  return {
      // Files and meshes.
      {"mesh = \"square.obj\"", "mesh = @\"nothing.obj\"", "file \"nothing.obj\" cannot be read"},
      {"mesh = \"square.obj\"", "mesh = @\"\"", "empty"},
      {"mesh = \"square.obj\"", "mesh = @\"square.stl\"", "format of \"square.stl\" is unknown"},
      {"mesh = \"square.obj\"", "mesh = \"bad.obj\"", "\"x\"", "bad.obj:2:7: error"},
      {"mesh = \"square.obj\"", "mesh = \"bad.obj\"", "9", "bad.obj:3:"},
      {"mesh = \"square.obj\"", "mesh = \"empty.obj\"", "vert", "empty.obj: error"},
      {"mesh = \"square.obj\"", "mesh = \"bad.ply\"", "ply", "bad.ply:1"},
      {"position = [2.0, 0.0, 0.0]", "mesh = @\"nothing.ply\"", "file \"nothing.ply\" cannot be read"},
      {"mass = 2.0", "masses = @\"nothing.csv\"", "file \"nothing.csv\" cannot be read"},
      {"mass = 2.0", "masses = @\"three.csv\"", "has 3 entries; allowed: 4"},
      {"mass = 2.0", "masses = \"wide.csv\"", "2 columns", "wide.csv:1:1"},
      {"mass = 2.0", "masses = \"negative.csv\"", "-1 is out of range", "negative.csv:3"},
      {"mass = 2.0", "masses = \"word.csv\"", "heavy", "word.csv:2:1"},
      {"charge = 1e-6", "charges = @[1, 2, 3]", "has 3 entries; allowed: 4"},
      {"charge = 1e-6", "velocities = [[0, 0, 0], @[1, 0]]", "a list of 2"},
      {"mesh = \"square.obj\"", "generate = { shape = @\"gird\" }",
       "unknown shape \"gird\"; did you mean \"grid\"? allowed: torus"},
      {"mesh = \"square.obj\"", "generate = { shape = @\"cube\" }", "unknown shape \"cube\"; allowed: torus"},
      {"mesh = \"square.obj\"", "generate = { shape = \"grid\", rowz = @3 }", "\"rowz\""},
      {"mesh = \"square.obj\"", "generate = { shape = \"grid\", rows = @true }", "is true"},
      {"mesh = \"square.obj\"", "generate = { shape = @3 }", "\"shape\" in \"generate\" is 3"},
      // Expressions.
      {"\"-y\"", "\"-@yy\"", "unknown name \"yy\""},
      {"\"a*sin(t)\"", "\"a*@sni(t)\"", "did you mean \"sin\""},
      {"\"a*sin(t)\"", "\"a*sin(t@\"", "\")\""},
      {"\"-y\", \"x\"", "\"é\", \"@$\"", "\"$\""},
      {"\"x\"", "\"@\"", "empty"},
      {"\"x\"", "@\"2 \\u002b\"", "too early"},
      {"{ a = 2.0 }", "{ b = 2.0 }", "unknown name \"a\"", "a*sin(t)\"]"},
      {"{ a = 2.0 }", "{ a = 2.0, @sin = 1 }", "cannot be called \"sin\""},
      {"{ a = 2.0 }", "{ a = 2.0, @charges = 1 }", "cannot be called \"charges\""},
      {"{ a = 2.0 }", "{ a = 2.0, @\"b c\" = 1 }", "cannot be called \"b c\""},
      {"{ a = 2.0 }", "{ a = @inf }", "inf"},
  };
}

}  // namespace electret::test
