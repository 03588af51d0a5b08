#include "finding_rows.hpp"

namespace electret::test {

std::vector<FindingRow> syntax_findings() {
  return {
      // Syntax.
      {"step = 0.5", "step = @= 0.5", "syntax"},
      {"step = 0.5", "@step 0.5", "syntax", "line"},
      {"[time]", "@[time", "syntax", "line"},
      {"name = \"base\"", "@name = \"base", "syntax", "line"},
      {"step = 0.5", "step = 0.5\n@step = 0.6", "syntax", "line"},
      {"[gravity]", "@[time]", "syntax", "line"},
      {"drag = 0.0", "@drag = 1e999", "syntax", "line"},
      {"every = 1", "@every = 99999999999999999999", "syntax", "line"},
      {"[0, 1, 2]", "[0, 1, 2", "syntax", "offsets ="},
      {"\"base\"", "@\"\xff\"", "syntax", "line"},
      {"name = \"base\"", "@name = base", "; a text is written between quotes: \"base\"", "line"},
      {"name = \"base\"", "@name = base.toml  # mine", "between quotes: \"base.toml\"", "line"},
      {"name = \"base\"", "@name = \"C:\\Users\\base\"", "; between \"…\" a backslash begins", "line"},
      {"step = 0.5", "@step = 0,5", "; numbers have a decimal point", "line"},
      {"[time]", "[[body.springs]]\nstiffness = 1\n[time]", "; a [[table]] comes before the [[table.…]]",
       "scene.toml"},
      {"step = 0.5", "step = @= 0.5", "; allowed: TOML 1.0"},
      {"[0, 1, 2]", "[0, 1, 2", "; allowed: TOML 1.0", "offsets ="},
      // Keys.
      {"  [[body.springs]]", "  [[springs]]", "unknown key \"springs\"; did you mean [[body.springs]]?",
       "scene.toml"},
      {"[coulomb]", "[@ddef]\n[coulomb]", "unknown key \"ddef\"; did you mean [coulomb.ddef]?"},
      {"step = 0.5", "@stpe = 0.5", "did you mean \"step\""},
      {"step = 0.5", "stpe = 0.5", "\"step\" is missing", "[time]"},
      {"[scene]", "[@secne]", "did you mean \"scene\""},
      {"scale = 1.0", "@scael = 1.0", "did you mean \"scale\""},
      {"solver = \"auto\"", "@sovler = \"auto\"", "unknown key \"sovler\" in [coulomb]"},
      {"  stiffness = 10.0", "  stiffness = 10.0\n  @stifness = 1", "did you mean \"stiffness\""},
      {"  from = \"edges\"", "  @colour = \"red\"", "allowed: from, stiffness"},
      {"  [[body.springs]]", "  [[body.@sprigns]]", "did you mean \"springs\""},
      {"position = [2.0", "@positoin = [2.0", "did you mean \"position\""},
      {"", "[[@obstacel]]\nname = \"x\"\n", "did you mean \"obstacle\""},
      // Wrong types.
      {"step = 0.5", "step = @\"fast\"", "\"fast\", a text; allowed: number"},
      {"step = 0.5", "step = @true", "\"step\" in [time] is true"},
      {"step = 0.5", "step = @1979-05-27", "1979-05-27, a date"},
      {"every = 1", "every = @1.5", "1.5, a number; allowed: whole number"},
      {"every = 1", "velocities = @1", "true or false"},
      {"mesh = \"square.obj\"", "mesh = @3", "allowed: text"},
      {"acceleration = [0.0, 0.0, -9.81]", "acceleration = @-9.81", "3 numbers"},
      {"acceleration = [0.0, 0.0, -9.81]", "acceleration = @[0, -9.81]", "a list of 2"},
      {"rotate = [0.0, 0.0, 0.0]", "rotate = [0.0, @\"x\", 0.0]", "\"x\", a text"},
      {"[0, 1, 2]", "@7", "list of numbers"},
      {"indices = [0, 2]", "indices = [0, @2.5]", "2.5, a number"},
      {"[gravity]", "@[[gravity]]", "not a table"},
      {"[[external_charge]]", "@[external_charge]", "[[external_charge]]"},
      {"[time]", "@[[time]]", "\"time\" is a list of 1, not a table"},
      {"[\"-y\", \"x\", \"a*sin(t)\"]", "[\"-y\", \"x\", @0]", "3 expressions"},
      {"[\"-y\", \"x\", \"a*sin(t)\"]", "@\"-y\"", "3 expressions"},
      {"constants = { a = 2.0 }", "constants = { a = @\"2\" }", "\"2\", a text"},
  };
}

}  // namespace electret::test
