#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene_text.hpp"

namespace electret::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A valid scene with something of everything.
constexpr const char* base = R"toml([scene]
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

/// An obstacle behind the scene: from line 48 on.
#define EXACT "[[obstacle]]\nname = \"a\"\nlaw = \"exact\"\nshape = \"plane\"\n"
#define OBSTACLE "[[obstacle]]\nlaw = \"penalty\"\nstiffness = 1\n"
#define FLOOR OBSTACLE "name = \"floor\"\nshape = \"plane\"\n"
#define ABOVE "point = [0, 0, 0]\nnormal = [0, 0, 1]\n"
#define BALL OBSTACLE "name = \"ball\"\nshape = \"sphere\"\n"

struct Row {
  const char* from;  ///< What is replaced in the base scene; "" puts `to` at the end.
  const char* to;
  const char* place;  ///< "LINE:COLUMN" or "LINE" in scene.toml, or how the finding begins.
  const char* word;
};

const std::vector<Row>& table() {
  static const std::vector<Row> rows = {
      // Syntax.
      {"step = 0.5", "step = = 0.5", "4:8", "syntax"},
      {"step = 0.5", "step 0.5", "4", "syntax"},
      {"[time]", "[time", "3", "syntax"},
      {"name = \"base\"", "name = \"base", "2", "syntax"},
      {"step = 0.5", "step = 0.5\nstep = 0.6", "5", "syntax"},
      {"[gravity]", "[time]", "12", "syntax"},
      {"drag = 0.0", "drag = 1e999", "15", "syntax"},
      {"every = 1", "every = 99999999999999999999", "17", "syntax"},
      {"[0, 1, 2]", "[0, 1, 2", "41:3", "syntax"},
      {"\"base\"", "\"\xff\"", "2", "syntax"},
      {"name = \"base\"", "name = base", "2", "; a text is written between quotes: \"base\""},
      {"name = \"base\"", "name = base.toml  # mine", "2", "between quotes: \"base.toml\""},
      {"name = \"base\"", "name = \"C:\\Users\\base\"", "2", "; between \"…\" a backslash begins"},
      {"step = 0.5", "step = 0,5", "4", "; numbers have a decimal point"},
      {"[time]", "[[body.springs]]\nstiffness = 1\n[time]", "scene.toml",
       "; a [[table]] comes before the [[table.…]]"},
      {"step = 0.5", "step = = 0.5", "4:8", "; allowed: TOML 1.0"},
      {"[0, 1, 2]", "[0, 1, 2", "41:3", "; allowed: TOML 1.0"},
      // Keys.
      {"  [[body.springs]]", "  [[springs]]", "scene.toml",
       "unknown key \"springs\"; did you mean [[body.springs]]?"},
      {"[coulomb]", "[ddef]\n[coulomb]", "9:2", "unknown key \"ddef\"; did you mean [coulomb.ddef]?"},
      {"step = 0.5", "stpe = 0.5", "4:1", "did you mean \"step\""},
      {"step = 0.5", "stpe = 0.5", "3:1", "\"step\" is missing"},
      {"[scene]", "[secne]", "1:2", "did you mean \"scene\""},
      {"scale = 1.0", "scael = 1.0", "21:1", "did you mean \"scale\""},
      {"solver = \"auto\"", "sovler = \"auto\"", "10:1", "unknown key \"sovler\" in [coulomb]"},
      {"  stiffness = 10.0", "  stiffness = 10.0\n  stifness = 1", "28:3", "did you mean \"stiffness\""},
      {"  from = \"edges\"", "  colour = \"red\"", "26:3", "allowed: from, stiffness"},
      {"  [[body.springs]]", "  [[body.sprigns]]", "25", "did you mean \"springs\""},
      {"position = [2.0", "positoin = [2.0", "44:1", "did you mean \"position\""},
      {"", "[[obstacel]]\nname = \"x\"\n", "48", "did you mean \"obstacle\""},
      // Wrong types.
      {"step = 0.5", "step = \"fast\"", "4:8", "\"fast\", a text; allowed: number"},
      {"step = 0.5", "step = true", "4:8", "\"step\" in [time] is true"},
      {"step = 0.5", "step = 1979-05-27", "4:8", "1979-05-27, a date"},
      {"every = 1", "every = 1.5", "17:9", "1.5, a number; allowed: whole number"},
      {"every = 1", "velocities = 1", "17:14", "true or false"},
      {"mesh = \"square.obj\"", "mesh = 3", "20:8", "allowed: text"},
      {"acceleration = [0.0, 0.0, -9.81]", "acceleration = -9.81", "13:16", "3 numbers"},
      {"acceleration = [0.0, 0.0, -9.81]", "acceleration = [0, -9.81]", "13:16", "a list of 2"},
      {"rotate = [0.0, 0.0, 0.0]", "rotate = [0.0, \"x\", 0.0]", "22:16", "\"x\", a text"},
      {"[0, 1, 2]", "7", "40:11", "list of numbers"},
      {"indices = [0, 2]", "indices = [0, 2.5]", "30:17", "2.5, a number"},
      {"[gravity]", "[[gravity]]", "12", "not a table"},
      {"[[external_charge]]", "[external_charge]", "42", "[[external_charge]]"},
      {"[time]", "[[time]]", "3:1", "\"time\" is a list of 1, not a table"},
      {"[\"-y\", \"x\", \"a*sin(t)\"]", "[\"-y\", \"x\", 0]", "46:26", "3 expressions"},
      {"[\"-y\", \"x\", \"a*sin(t)\"]", "\"-y\"", "46:14", "3 expressions"},
      {"constants = { a = 2.0 }", "constants = { a = \"2\" }", "47:19", "\"2\", a text"},
      // Ranges, NaN and infinity.
      {"step = 0.5", "step = 0", "4:8", "\"step\" in [time] is 0, out of range; allowed: number > 0, in s"},
      {"step = 0.5", "step = -0.50", "4:8", "-0.50, out of range"},
      {"step = 0.5", "step = nan", "4:8", "nan, not a finite number"},
      {"mass = 2.0", "mass = inf", "23:8", "inf, not a finite number"},
      {"rotate = [0.0, 0.0, 0.0]", "rotate = [0.0, nan, 0.0]", "22:16", "nan"},
      {"duration = 2.0", "duration = -2.0", "5:12", "≥ 0"},
      {"duration = 2.0", "steps = -4", "5:9", "-4, out of range"},
      {"tolerance = 1e-6", "tolerance = 0.0", "8:13", "> 0"},
      {"tolerance = 1e-6", "max_iterations = 0", "8:18", "≥ 1"},
      {"softening = 0.0", "softening = -1.0", "11:13", "≥ 0"},
      {"softening = 0.0", "accuracy = 2.0", "11:12", "≤ 1"},
      {"softening = 0.0", "constant = 0", "11:12", "> 0"},
      {"drag = 0.0", "drag = -0.1", "15:8", "≥ 0"},
      {"every = 1", "compression = 10", "17:15", "≤ 9"},
      {"every = 1", "every = 0", "17:9", "≥ 1"},
      {"mass = 2.0", "mass = 0.0", "23:8", "> 0"},
      {"mass = 2.0", "masses = [1, 1, 1, -1]", "23:20", "-1, out of range"},
      {"scale = 1.0", "scale = 0.0", "21:9", "> 0"},
      {"stiffness = 10.0", "stiffness = -10.0", "27:15", "≥ 0"},
      {"from = \"edges\"", "from = \"nearest\"\n  neighbours = 0", "27:16", "≥ 1"},
      {"position = [2.0, 0.0, 0.0]", "width = -1.0", "44:9", "≥ 0"},
      {"[[1, 0, 0], [1, 1, 0]]", "[[1, 0, 0], [1, -1, 0]]", "33:9", "bounds in y"},
      // Words.
      {"method = \"imex\"", "method = \"imx\"", "7:10", "did you mean \"imex\""},
      {"from = \"edges\"", "from = \"egdes\"", "26:10", "did you mean \"edges\""},
      {"every = 1", "precision = \"half\"", "17:13", "\"double\", \"single\""},
      {"times = [0, 1, 2]", "times = [0, 1, 2]\n  interpolation = \"smooth\"", "41:19",
       "\"linear\", \"step\", \"cubic\""},
      // Not available in this version.
      {"method = \"imex\"", "method = \"multirate\"", "7:10",
       "method \"multirate\" is not available in this version"},
      {"method = \"imex\"", "method = \"multirate\"", "7:10", "not available in this version"},
      {"tolerance = 1e-6", "elastic_solver = \"newton\"", "8:18", "newton_cg"},
      {"softening = 0.0", "ddef.grid_points = 0", "11:20",
       "\"grid_points\" in [coulomb.ddef] is 0, out of range"},
      {"softening = 0.0", "ddef.grid_points = 1000001", "11:20", "whole number ≥ 1 and ≤ 1000000"},
      {"softening = 0.0", "ddef.half_taylor = 1", "11:20", "true or false"},
      {"solver = \"auto\"", "solver = \"fmm\"\naccuracy = 1e-12", "11:12", "allowed with it: 1e-10 or more"},
      {"solver = \"auto\"", "solver = \"cuda\"", "10:10", "solver \"cuda\" is not available in this version"},
      {"softening = 0.0", "device = \"cuda\"", "11:10", "device \"cuda\" is not available in this version"},
      {"mesh = \"square.obj\"", "mesh = \"beam.stl\"", "20:8",
       "the mesh format of \"beam.stl\" is unknown; allowed: .obj, .ply, .msh, .vtk, .vtu, .mesh, .node, "
       ".ele"},
      {"mesh = \"square.obj\"", "mesh = \"beam.node\"", "20:8", "file \"beam.node\" cannot be read"},
      {"mesh = \"square.obj\"", "generate = { shape = \"voxels\" }", "20:22",
       "shape \"voxels\" needs \"surface\"; a mesh file"},
      {"mesh = \"square.obj\"", "generate = { shape = \"fill\", surface = \"lost.obj\" }", "20:40",
       "file \"lost.obj\" cannot be read"},
      {"mesh = \"square.obj\"", "generate = { shape = \"fill\", surface = \"square.obj\" }", "20",
       "leaves no element"},
      {"mesh = \"square.obj\"", "generate = { shape = \"fill\", surface = \"a.png\" }", "20:40",
       "\"surface\" = \"a.png\"; a mesh file"},
      // Missing.
      {"[time]\nstep = 0.5\nduration = 2.0\n", "", "1:1", "[time] is missing"},
      {"duration = 2.0", "", "3:1", "neither \"steps\" nor \"duration\""},
      {"mesh = \"square.obj\"", "", "18:1", "neither \"mesh\" nor \"generate\""},
      {"mass = 2.0", "", "18:1", "neither \"mass\" nor \"total_mass\" nor \"masses\" nor \"density\""},
      {"acceleration = [0.0, 0.0, -9.81]", "", "12:1", "\"acceleration\" is missing in [gravity]"},
      {"  stiffness = 10.0", "", "25:3", "neither \"stiffness\" nor \"modulus\""},
      {"  name = \"left\"", "", "28:3", "\"name\" is missing in [[body.group]]"},
      {"  indices = [0, 2]", "", "28:3", "neither \"box\" nor \"indices\" nor \"attribute\""},
      {"  value = -3e-6", "", "34:3", "neither \"value\" nor \"values\""},
      {"  group = \"left\"\n", "", "34:3", "\"group\" is missing"},
      {"  times = [0, 1, 2]\n", "", "40:3", "\"offsets\" is written without \"times\""},
      {"  value = -3e-6", "  values = [1, 2]", "36:3", "\"values\" is written without \"times\""},
      {"charge = -42e-6", "", "42:1", "neither \"charge\" nor \"charges\""},
      {"expression = [\"-y\", \"x\", \"a*sin(t)\"]", "", "45:1", "\"expression\" is missing"},
      {"mesh = \"square.obj\"", "generate = { width = 2.0 }", "20:12", "\"generate\" has no \"shape\""},
      {"from = \"edges\"", "from = \"pairs\"", "25", "needs \"pairs\""},
      // Contradictions.
      {"duration = 2.0", "duration = 2.0\nsteps = 4", "6:1", "\"steps\" contradicts \"duration\""},
      {"duration = 2.0", "duration = 2.1", "5:12", "4.2 steps"},
      {"duration = 2.0", "duration = 1e300", "5:12", "steps"},
      {"mass = 2.0", "mass = 2.0\ntotal_mass = 8.0", "24:1", "\"total_mass\" contradicts \"mass\""},
      {"charge = 1e-6", "charge = 1e-6\ncharges = [1, 2, 3, 4]", "25:1",
       "\"charges\" contradicts \"charge\""},
      {"charge = 1e-6", "velocity = [1, 0, 0]\nvelocities = [[0,0,0],[0,0,0],[0,0,0],[0,0,0]]", "25:1",
       "at most one of"},
      {"mesh = \"square.obj\"", "mesh = \"square.obj\"\ngenerate = { shape = \"grid\" }", "21:1",
       "contradicts \"mesh\""},
      {"  stiffness = 10.0", "  stiffness = 10.0\n  modulus = 1", "28:3",
       "exactly one of stiffness, modulus"},
      {"  stiffness = 10.0", "  stiffness = 1\n  rest_length_scale = 1\n  rest_lengths = [1, 1, 1, 1, 1]",
       "29:3", "at most one of"},
      {"  stiffness = 10.0", "  stiffness = 10.0\n  neighbours = 3", "28:3",
       "does not go with from = \"edges\""},
      {"  stiffness = 10.0", "  stiffness = 10.0\n  pairs = [[0, 1]]", "28:3",
       "does not go with from = \"edges\""},
      {"  indices = [0, 2]", "  indices = [0, 2]\n  attribute = \"lower\"", "31:3",
       "exactly one of box, indices, attribute"},
      {"  value = -3e-6", "  value = -3e-6\n  times = [0]\n  values = [1]", "38:3",
       "\"values\" contradicts \"value\""},
      {"  value = -3e-6", "  value = -3e-6\n  times = [0]", "37:3", "without values, but with value"},
      {"  value = -3e-6", "  value = -3e-6\n  interpolation = \"step\"", "37:3", "without key-frames"},
      {"charge = -42e-6", "charge = 1\ntimes = [0]\ncharges = [1]", "45:1",
       "\"charges\" contradicts \"charge\""},
      {"position = [2.0, 0.0, 0.0]", "position = [2.0, 0.0, 0.0]\ntimes = [0]\npositions = [[2, 0, 0]]",
       "46:1", "contradicts"},
      // Key-frames.
      {"times = [0, 1, 2]", "times = [0, 2, 1]", "40:11", "does not increase at 1 after 2"},
      {"times = [0, 1, 2]", "times = [0, 1, 1]", "40:11", "does not increase"},
      {"times = [0, 1, 2]", "times = [0, 1]", "41:13", "\"offsets\" has 3 entries, \"times\" has 2"},
      {"[[0, 0, 0], [0, 0, 1], [0, 0, 2]]", "[[0, 0, 3], [0, 0, 1], [0, 0, 2]]", "41:13",
       "at time 0 is [0, 0, 3]"},
      {"position = [2.0, 0.0, 0.0]", "times = [1, 0]\npositions = [[2, 0, 0], [3, 0, 0]]", "44:9",
       "does not increase"},
      {"times = [0, 1, 2]", "times = []", "40:11", "\"times\" in [[body.pin]] is empty"},
      // Names, groups and vertices.
      {"  group = \"left\"", "  group = \"lfet\"", "35:11", "no group \"lfet\"; did you mean \"left\""},
      {"  group = \"right\"", "  group = \"middle\"", "39:11",
       "no group \"middle\"; allowed: left, right; [[body.group]] names groups: attribute = \"middle\" there "
       "takes the "
       "vertices that the mesh file calls so"},
      {"  name = \"right\"", "  name = \"left\"", "32:10", "two groups of body \"a\" are called \"left\""},
      {"", "[[body]]\nname = \"a\"\nmesh = \"square.obj\"\nmass = 1\ntranslate = [5, 0, 0]\n", "49:8",
       "two bodies are called \"a\""},
      {"name = \"a\"", "name = \"\"", "19:8", "empty"},
      {"[[1, 0, 0], [1, 1, 0]]", "[[5, 5, 5], [6, 6, 6]]", "33:9", "group \"right\" is empty"},
      {"indices = [0, 2]", "indices = []", "30:13", "empty"},
      {"indices = [0, 2]", "indices = [0, 4]", "30:13", "vertex 4 of body \"a\", which has 4"},
      {"indices = [0, 2]", "indices = [0, -1]", "30:17", "-1"},
      {"indices = [0, 2]", "attribute = \"loewr\"", "30:15", "did you mean \"lower\""},
      {"group = \"right\"", "group = \"right\"\n  [[body.pin]]\n  group = \"right\"", "41:11",
       "vertex 1 of body \"a\" is pinned by"},
      // Springs.
      {"from = \"edges\"", "from = \"diagonals\"", "26:10", "\"diagonals\" yields no spring"},
      {"from = \"edges\"", "from = \"pairs\"\n  pairs = [[0, 9]]", "27:11", "the pair [0, 9] names vertex 9"},
      {"from = \"edges\"", "from = \"pairs\"\n  pairs = [[0, 1], [1, 0]]", "27:11", "written twice"},
      {"from = \"edges\"", "from = \"pairs\"\n  pairs = [[1, 1]]", "27:12", "to itself"},
      {"from = \"edges\"", "from = \"pairs\"\n  pairs = [[0, 1, 2]]", "27:12", "a list of 3"},
      {"from = \"edges\"", "from = \"pairs\"\n  pairs = []", "27:11", "empty"},
      {"stiffness = 10.0", "stiffnesses = [1, 2]", "27:17", "has 2 entries; allowed: 5"},
      {"stiffness = 10.0", "stiffness = 1\n  rest_lengths = [1, 1, 1, 1, 1, 1]", "28:18",
       "has 6 entries; allowed: 5"},
      {"stiffness = 10.0", "modulus = 1\n  rest_length_scale = 0", "27:13", "rest length 0"},
      // Loads.
      {"  [[body.springs]]", "  [[body.load]]\n  [[body.springs]]", "25:3",
       "neither \"group\" nor \"forces\" is written in [[body.load]]"},
      {"  [[body.springs]]", "  [[body.load]]\n  [[body.springs]]", "25:3",
       "neither \"force\" nor \"forces\" is written in [[body.load]]"},
      {"  [[body.springs]]", "  [[body.load]]\n  group = \"left\"\n  [[body.springs]]", "25:3",
       "neither \"force\" nor \"forces\""},
      {"  [[body.springs]]", "  [[body.load]]\n  force = [0, 0, 1]\n  [[body.springs]]", "25:3",
       "neither \"group\" nor \"forces\""},
      {"  [[body.springs]]", "  [[body.load]]\n  group = \"lfet\"\n  force = [0, 0, 1]\n  [[body.springs]]",
       "26:11", "no group \"lfet\"; did you mean \"left\""},
      {"  [[body.springs]]", "  [[body.load]]\n  group = \"\"\n  force = [0, 0, 1]\n  [[body.springs]]",
       "26:11", "empty"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  forces = [[0, 0, 1]]\n  [[body.springs]]", "27:3",
       "\"forces\" contradicts \"group\" in [[body.load]]"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  forces = [[0, 0, 1]]\n  [[body.springs]]",
       "28:3", "\"forces\" contradicts \"force\" in [[body.load]]"},
      {"  [[body.springs]]", "  [[body.load]]\n  group = \"left\"\n  force = 3.0\n  [[body.springs]]",
       "27:11", "allowed: 3 numbers, in N"},
      {"  [[body.springs]]", "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, nan]\n  [[body.springs]]",
       "27:18", "nan, not a finite number"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  value = 2\n  [[body.springs]]", "28:3",
       "unknown key \"value\" in [[body.load]]; did you mean \"values\""},
      {"  [[body.springs]]", "  [[body.load]]\n  forces = [[0, 0, 1]]\n  [[body.springs]]", "26:12",
       "has 1 entry; allowed: 4"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  forces = [[0, 0, 1], [0, 0], [0, 0, 1], [0, 0, 1]]\n  [[body.springs]]", "26:24",
       "a list of 2"},
      {"  [[body.springs]]", "  [[body.load]]\n  forces = \"nothing.csv\"\n  [[body.springs]]", "26:12",
       "file \"nothing.csv\" cannot be read"},
      {"  [[body.springs]]", "  [[body.load]]\n  forces = \"wide.csv\"\n  [[body.springs]]", "wide.csv:1:1",
       "2 columns"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  times = [0, 1]\n  [[body.springs]]",
       "28:3", "without values"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  values = [0, 1]\n  [[body.springs]]",
       "28:3", "\"values\" is written without \"times\""},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  interpolation = \"step\"\n  "
       "[[body.springs]]",
       "28:3", "without key-frames"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  times = [0, 0]\n  values = [0, 1]\n  "
       "[[body.springs]]",
       "28:11", "does not increase"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  times = [0, 1, 2]\n  values = [0, 1]\n  "
       "[[body.springs]]",
       "29:12", "\"values\" has 2 entries, \"times\" has 3"},
      {"  [[body.springs]]",
       "  [[body.load]]\n  group = \"left\"\n  force = [0, 0, 1]\n  times = [0, 1]\n  values = [0, inf]\n  "
       "[[body.springs]]",
       "29:16", "inf, not a finite number"},
      // Obstacles.
      {"", OBSTACLE "shape = \"plane\"\n" ABOVE, "48:1", "\"name\" is missing"},
      {"", OBSTACLE "name = \"a\"\n", "48:1", "\"shape\" is missing"},
      {"", "[[obstacle]]\nname = \"a\"\nshape = \"plane\"\nstiffness = 1\n" ABOVE, "48:1",
       "\"law\" is missing"},
      {"", "[[obstacle]]\nname = \"a\"\nshape = \"plane\"\nlaw = \"penalty\"\n" ABOVE, "48:1",
       "law = \"penalty\" needs \"stiffness\" in [[obstacle]]"},
      {"", OBSTACLE "name = \"\"\nshape = \"plane\"\n" ABOVE, "51:8", "empty"},
      {"", OBSTACLE "name = \"a\"\nshape = \"disc\"\n", "52:9",
       "unknown shape \"disc\"; allowed: \"plane\", \"sphere\""},
      {"", OBSTACLE "name = \"a\"\nshape = \"mesh\"\n", "48:1", "shape = \"mesh\" needs \"mesh\""},
      {"", OBSTACLE "name = \"a\"\nshape = \"mesh\"\nmesh = \"square.obj\"\n", "53:8",
       "obstacle \"a\": the surface is open: the edge between vertices 0 and 1 has one triangle"},
      {"", OBSTACLE "name = \"a\"\nshape = \"mesh\"\nmesh = \"nothing.obj\"\n", "53:8",
       "file \"nothing.obj\" cannot be read"},
      {"", OBSTACLE "name = \"a\"\nshape = \"mesh\"\nmesh = \"square.stl\"\n", "53:8",
       "format of \"square.stl\" is unknown"},
      {"", OBSTACLE "name = \"a\"\nshape = \"mesh\"\nmesh = \"square.obj\"\nscale = 0\n", "54:9",
       "out of range; allowed: number > 0"},
      {"", OBSTACLE "name = \"a\"\nshape = \"box\"\ncentre = [0, 0, 9]\n", "48:1",
       "shape = \"box\" needs \"size\" in [[obstacle]]; a box has centre and size, and may have rotate and "
       "inside"},
      {"", OBSTACLE "name = \"a\"\nshape = \"box\"\ncentre = [0, 0, 9]\nsize = [1, 0, 1]\n", "54:12",
       "\"size\" in [[obstacle]] is 0, out of range; allowed: 3 numbers > 0, in m"},
      {"",
       OBSTACLE
       "name = \"a\"\nshape = \"cylinder\"\ncentre = [0, 0, 9]\naxis = [0, 0, 0]\nradius = 1\nlength = 1\n",
       "54:8", "\"axis\" in [[obstacle]] is [0, 0, 0]: it has no direction"},
      {"", OBSTACLE "name = \"a\"\nshape = \"capsule\"\ncentre = [0, 0, 9]\naxis = [0, 0, 1]\nradius = 1\n",
       "48:1",
       "shape = \"capsule\" needs \"length\" in [[obstacle]]; a capsule has centre, axis, radius and length"},
      {"", FLOOR ABOVE "inside = true\n", "55:10",
       "\"inside\" does not go with shape = \"plane\"; it is for shape = \"sphere\", \"box\", \"cylinder\" "
       "or \"capsule\" only"},
      {"", FLOOR ABOVE "times = [0, 1]\n", "55:1", "\"times\" is written without offsets or rotations"},
      {"", FLOOR ABOVE "offsets = [[0, 0, 0]]\n", "55:1", "\"offsets\" is written without \"times\""},
      {"", FLOOR ABOVE "interpolation = \"step\"\n", "55:1",
       "\"interpolation\" is written without key-frames"},
      {"", FLOOR ABOVE "times = [0, 1]\nrotations = [[0, 0, 0]]\n", "56:13",
       "\"rotations\" has 1 entry, \"times\" has 2"},
      {"", FLOOR ABOVE "times = [1, 0]\noffsets = [[0, 0, 0], [0, 0, 1]]\n", "55:9",
       "does not increase at 0 after 1"},
      {"", "[[obstacle]]\nname = \"a\"\nlaw = \"sticking\"\nshape = \"plane\"\n" ABOVE, "50:7",
       "law \"sticking\" is not available in this version"},
      {"", EXACT "stiffness = 1\n" ABOVE, "52:13",
       "\"stiffness\" does not go with law = \"exact\"; it is for law = \"penalty\" only"},
      {"", EXACT "friction_stiffness = 1\n" ABOVE, "52:22",
       "\"friction_stiffness\" does not go with law = \"exact\"; it is for law = \"penalty\" only"},
      {"", EXACT "friction = 2.5\n" ABOVE, "52:12",
       "\"friction\" = 2.5 is too large for law = \"exact\"; allowed: at most 2"},
      {"", FLOOR "normal = [0, 0, 1]\n", "48:1", "shape = \"plane\" needs \"point\""},
      {"", FLOOR "point = [0, 0, 1]\n", "48:1", "shape = \"plane\" needs \"normal\""},
      {"", FLOOR ABOVE "centre = [0, 0, 1]\n", "55:10",
       "\"centre\" does not go with shape = \"plane\"; it is for shape = \"sphere\", \"box\", \"cylinder\" "
       "or \"capsule\" only"},
      {"", FLOOR ABOVE "radius = 1\n", "55:10", "\"radius\" does not go with shape = \"plane\""},
      {"", BALL "radius = 1\n", "48:1", "shape = \"sphere\" needs \"centre\""},
      {"", BALL "centre = [0, 0, 9]\n", "48:1", "shape = \"sphere\" needs \"radius\""},
      {"", BALL "centre = [0, 0, 9]\nradius = 1\nnormal = [0, 0, 1]\n", "55:10",
       "\"normal\" does not go with shape"},
      {"", BALL "centre = [0, 0, 9]\nradius = 1\npoint = [0, 0, 1]\n", "55:9",
       "\"point\" does not go with shape"},
      {"", BALL "centre = [0, 0, 9]\nradius = 0\n", "54:10", "out of range; allowed: number > 0, in m"},
      {"", BALL "centre = [0, 0, 9]\nradius = nan\n", "54:10", "nan, not a finite number"},
      {"", FLOOR "point = [0, 0, 0]\nnormal = [0, 0, 0]\n", "54:10", "it has no direction"},
      {"", FLOOR "point = [0, 0, 0]\nnormal = [0, 0]\n", "54:10", "3 numbers"},
      {"", "[[obstacle]]\nname = \"a\"\nshape = \"plane\"\nlaw = \"penalty\"\nstiffness = -1\n" ABOVE,
       "52:13", "\"stiffness\" in [[obstacle]] is -1, out of range"},
      {"", "[[obstacle]]\nname = \"a\"\nshape = \"plane\"\nlaw = \"penalty\"\nstiffness = \"hard\"\n" ABOVE,
       "52:13", "\"hard\", a text; allowed: number"},
      {"", FLOOR ABOVE "exponent = 1.5\n", "55:12", "out of range; allowed: number ≥ 2"},
      {"", FLOOR ABOVE "friction = -0.1\n", "55:12", "out of range; allowed: number ≥ 0"},
      {"", FLOOR ABOVE "friction_stiffness = 0\n", "55:22", "out of range; allowed: number > 0, in N s/m"},
      {"", FLOOR ABOVE "friction = 0.5\n", "55:12", "\"friction\" is written without \"friction_stiffness\""},
      {"", FLOOR ABOVE "frictoin = 1\n", "55:1", "did you mean \"friction\""},
      {"", FLOOR ABOVE FLOOR ABOVE, "58:8", "two obstacles are called \"floor\""},
      // Files and meshes.
      {"mesh = \"square.obj\"", "mesh = \"nothing.obj\"", "20:8", "file \"nothing.obj\" cannot be read"},
      {"mesh = \"square.obj\"", "mesh = \"\"", "20:8", "empty"},
      {"mesh = \"square.obj\"", "mesh = \"square.stl\"", "20:8", "format of \"square.stl\" is unknown"},
      {"mesh = \"square.obj\"", "mesh = \"bad.obj\"", "bad.obj:2:7: error", "\"x\""},
      {"mesh = \"square.obj\"", "mesh = \"bad.obj\"", "bad.obj:3:", "9"},
      {"mesh = \"square.obj\"", "mesh = \"empty.obj\"", "empty.obj", "vert"},
      {"mesh = \"square.obj\"", "mesh = \"bad.ply\"", "bad.ply:1", "ply"},
      {"position = [2.0, 0.0, 0.0]", "mesh = \"nothing.ply\"", "44:8", "file \"nothing.ply\" cannot be read"},
      {"mass = 2.0", "masses = \"nothing.csv\"", "23:10", "file \"nothing.csv\" cannot be read"},
      {"mass = 2.0", "masses = \"three.csv\"", "23:10", "has 3 entries; allowed: 4"},
      {"mass = 2.0", "masses = \"wide.csv\"", "wide.csv:1:1", "2 columns"},
      {"mass = 2.0", "masses = \"negative.csv\"", "negative.csv:3", "-1 is out of range"},
      {"mass = 2.0", "masses = \"word.csv\"", "word.csv:2:1", "heavy"},
      {"charge = 1e-6", "charges = [1, 2, 3]", "24:11", "has 3 entries; allowed: 4"},
      {"charge = 1e-6", "velocities = [[0, 0, 0], [1, 0]]", "24:26", "a list of 2"},
      {"mesh = \"square.obj\"", "generate = { shape = \"gird\" }", "20:22",
       "unknown shape \"gird\"; did you mean \"grid\"? allowed: torus"},
      {"mesh = \"square.obj\"", "generate = { shape = \"cube\" }", "20:22",
       "unknown shape \"cube\"; allowed: torus"},
      {"mesh = \"square.obj\"", "generate = { shape = \"grid\", rowz = 3 }", "20:", "\"rowz\""},
      {"mesh = \"square.obj\"", "generate = { shape = \"grid\", rows = true }", "20:37", "is true"},
      {"mesh = \"square.obj\"", "generate = { shape = 3 }", "20:22", "\"shape\" in \"generate\" is 3"},
      // Charges.
      {"mass = 2.0", "mass = 2.0\ninitial_positions = [[0,0,0],[5,0,0],[0,0,0],[6,0,0]]", "24:21",
       "vertex 0 of body \"a\" and vertex 2 of body \"a\" coincide"},
      {"position = [2.0, 0.0, 0.0]", "position = [1.0, 1.0, 0.0]", "44:12",
       "vertex 3 of body \"a\" is on a point"},
      // Expressions.
      {"\"-y\"", "\"-yy\"", "46:17", "unknown name \"yy\""},
      {"\"a*sin(t)\"", "\"a*sni(t)\"", "46:29", "did you mean \"sin\""},
      {"\"a*sin(t)\"", "\"a*sin(t\"", "46:34", "\")\""},
      {"\"-y\", \"x\"", "\"é\", \"$\"", "46:21", "\"$\""},
      {"\"x\"", "\"\"", "46:22", "empty"},
      {"\"x\"", "\"2 \\u002b\"", "46:21", "too early"},
      {"{ a = 2.0 }", "{ b = 2.0 }", "46:27", "unknown name \"a\""},
      {"{ a = 2.0 }", "{ a = 2.0, sin = 1 }", "47:24", "cannot be called \"sin\""},
      {"{ a = 2.0 }", "{ a = 2.0, charges = 1 }", "47:24", "cannot be called \"charges\""},
      {"{ a = 2.0 }", "{ a = 2.0, \"b c\" = 1 }", "47:24", "cannot be called \"b c\""},
      {"{ a = 2.0 }", "{ a = inf }", "47:19", "inf"},
  };
  return rows;
}

Files files() {
  Files files = usual_files();
  files["bad.obj"] = "v 0 0 0\nv 1 0 x\nf 1 2 9\n";
  files["empty.obj"] = "# nothing\n";
  files["bad.ply"] = "plyy\n";
  files["three.csv"] = "mass\n1\n2\n3\n";
  files["wide.csv"] = "mass,charge\n1,1\n2,2\n3,3\n4,4\n";
  files["negative.csv"] = "mass\n1\n-1\n1\n1\n";
  files["word.csv"] = "mass\nheavy\n1\n1\n1\n";
  return files;
}

std::string edited(const Row& row) {
  std::string text = base;
  const std::string from = row.from;
  if (from.empty()) return text + row.to;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), row.to);
}

TEST(Findings, TheBaseSceneHasNone) {
  EXPECT_EQ(findings_of(base, {}, files()), "");
}

class FindingTable : public ::testing::TestWithParam<std::size_t> {};

TEST_P(FindingTable, IsFoundWhereItStands) {
  const Row& row = table()[GetParam()];
  const std::string text = edited(row);
  const std::string found = findings_of(text, {}, files());
  const bool is_in_scene = row.place[0] >= '0' && row.place[0] <= '9';
  const std::string place = is_in_scene ? std::string("scene.toml:") + row.place : row.place;
  bool matches = false;
  std::size_t start = 0;
  while (start < found.size()) {
    const auto end = std::min(found.find('\n', start), found.size());
    const std::string line = found.substr(start, end - start);
    EXPECT_THAT(line, HasSubstr("error: "));
    const char after = line.size() > place.size() ? line[place.size()] : ' ';
    matches |= line.starts_with(place) && !(after >= '0' && after <= '9' && place.back() != ':') &&
               line.find(row.word) != std::string::npos;
    start = end + 1;
  }
  EXPECT_TRUE(matches) << "edit: " << row.to << "\nwanted: " << place << " … " << row.word << "\nfound:\n"
                       << found;
}

INSTANTIATE_TEST_SUITE_P(Rows, FindingTable, ::testing::Range<std::size_t>(0, table().size()));

TEST(Findings, ExactObstaclesNeedAMethodThatSolvesForThem) {
  const std::string text = edited({"", EXACT ABOVE, "", ""});
  EXPECT_THAT(
      findings_of(text, {"integrator.method=verlet"}, files()),
      HasSubstr(
          "scene.toml:50:7: error: law = \"exact\" does not go with method = \"verlet\"; allowed: method = "
          "\"imex\", \"newton\" or \"auto\", or law = \"penalty\""));
  EXPECT_THAT(
      findings_of(text, {"integrator.elastic_solver=lbfgs"}, files()),
      HasSubstr("scene.toml:50:7: error: law = \"exact\" does not go with elastic_solver = \"lbfgs\""));
  EXPECT_EQ(findings_of(text, {"integrator.method=newton"}, files()), "");
}

TEST(Findings, OneMistakeIsToldOnce) {
  std::size_t more = 0;
  for (const Row& row : table()) {
    const std::string found = findings_of(edited(row), {}, files());
    more += static_cast<std::size_t>(std::count(found.begin(), found.end(), '\n'));
  }
  // A handful of rows make two faults (a misspelt required key is unknown and missing, …).
  EXPECT_LE(more, table().size() / 6);
}

TEST(Findings, AllComeAtOnceInOrder) {
  std::string text = base;
  const auto edit = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  edit("step = 0.5", "stpe = 0.5");
  edit("method = \"imex\"", "method = \"multirate\"");
  edit("drag = 0.0", "drag = nan");
  edit("square.obj", "bad.obj");
  edit("stiffness = 10.0", "stiffness = \"stiff\"");
  edit("value = -3e-6", "value = -3e-6\n  times = [0]");
  edit("\"-y\"", "\"-y)\"");
  const std::string found = findings_of(text, {"output.every=0"}, files());
  std::size_t last = 0;
  for (const char* line :
       {"scene.toml:3:1: error", "scene.toml:4:1: error", "scene.toml:7:10: error", "scene.toml:15:8: error",
        "scene.toml:27:15: error", "scene.toml:37:3: error", "scene.toml:47:18: error",
        "--set output.every: error", "bad.obj:2:7: error", "bad.obj:3:7: error"}) {
    const auto at = found.find(line);
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
}  // namespace electret::test
