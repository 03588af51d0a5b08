#include "record/key_pairs.hpp"

#include <stdexcept>

namespace electret::test {
namespace {

const std::string time = "[time]\nstep = 0.5\nsteps = 4\n";
const std::string mesh = "[[body]]\nname = \"a\"\nmesh = \"square.obj\"\n";
const std::string body = mesh + "mass = 1\n";
const std::string springs = body + "[[body.springs]]\n";
const std::string groups = body +
                           "[[body.group]]\nname = \"left\"\nindices = [0, 1]\n"
                           "[[body.group]]\nname = \"right\"\nindices = [2]\n";
const std::string group_charge = groups + "[[body.group_charge]]\n";
const std::string pin = groups + "[[body.pin]]\n";
const std::string load = groups + "[[body.load]]\n";
const std::string external = body + "[[external_charge]]\n";
const std::string field = body + "[[electric_field]]\n";
const std::string water = body + "[[hydrodynamics]]\n";
const std::string grab = body + "[[grab]]\n";
const std::string plane = body + "[[obstacle]]\nname = \"a\"\nshape = \"plane\"\nlaw = \"penalty\"\n";
const std::string ball = body + "[[obstacle]]\nname = \"a\"\nshape = \"sphere\"\nlaw = \"penalty\"\n";
const std::string keys = "times = [0, 1, 3]\n";

using Pair = std::pair<std::string, std::string>;

/// `start` with the one or the other behind it.
Pair after(const std::string& start, const std::string& one, const std::string& other) {
  return {time + start + one + "\n", time + start + other + "\n"};
}

std::map<std::string, Pair> settings() {
  return {
      {"scene.name", after(body + "[scene]\n", "name = \"a\"", "name = \"b\"")},
      {"time.step", {"[time]\nstep = 0.5\nsteps = 4\n" + body, "[time]\nstep = 0.4\nsteps = 4\n" + body}},
      {"time.steps", {"[time]\nstep = 0.5\nsteps = 4\n" + body, "[time]\nstep = 0.5\nsteps = 5\n" + body}},
      {"time.duration",
       {"[time]\nstep = 0.5\nduration = 4\n" + body, "[time]\nstep = 0.5\nduration = 5\n" + body}},
      {"integrator.method", after(body + "[integrator]\n", "method = \"imex\"", "method = \"verlet\"")},
      {"integrator.tolerance", after(body + "[integrator]\n", "tolerance = 1e-6", "tolerance = 1e-7")},
      {"integrator.max_iterations",
       after(body + "[integrator]\n", "max_iterations = 200", "max_iterations = 7")},
      {"integrator.elastic_solver",
       after(body + "[integrator]\n", "elastic_solver = \"lbfgs\"", "elastic_solver = \"local_global\"")},
      {"integrator.linear_solver",
       after(body + "[integrator]\n", "linear_solver = \"cg\"", "linear_solver = \"jacobi\"")},
      {"integrator.jacobi_weight",
       after(body + "[integrator]\n", "jacobi_weight = 0.3", "jacobi_weight = 0.25")},
      {"coulomb.solver", after(body + "[coulomb]\n", "solver = \"direct\"", "solver = \"fmm\"")},
      {"coulomb.accuracy", after(body + "[coulomb]\n", "", "accuracy = 1e-4")},
      {"coulomb.constant", after(body + "[coulomb]\n", "constant = 9e9", "constant = 8e9")},
      {"coulomb.softening", after(body + "[coulomb]\n", "softening = 0.1", "softening = 0.2")},
      {"coulomb.device", after(body + "[coulomb]\n", "device = \"auto\"", "device = \"cpu\"")},
      {"coulomb.ddef.grid_points",
       after(body + "[coulomb]\nsolver = \"ddef\"\n", "ddef.grid_points = 5", "ddef.grid_points = 6")},
      {"coulomb.ddef.half_taylor",
       after(body + "[coulomb]\nsolver = \"ddef\"\n", "", "ddef.half_taylor = true")},
      {"gravity.acceleration",
       after(body + "[gravity]\n", "acceleration = [0, 0, -9]", "acceleration = [0, 0, -8]")},
      {"damping.drag", after(body + "[damping]\n", "drag = 0", "drag = 0.1")},
      {"damping.spring", after(body + "[damping]\n", "spring = 0", "spring = 0.1")},
      {"change.step", after(body + "[[change]]\nset = [\"body.0.mass=3\"]\n", "step = 1", "step = 2")},
      {"change.set",
       after(body + "[[change]]\nstep = 1\n", "set = [\"body.0.mass=3\"]", "set = [\"body.0.mass=4\"]")},
      {"change.unset", after(body + "[gravity]\nacceleration = [0, 0, 1]\n[[change]]\nstep = 1\nset = "
                                    "[\"body.0.mass=3\"]\n",
                             "", "unset = [\"gravity\"]")},
      {"output.every", after(body + "[output]\n", "every = 1", "every = 2")},
      {"output.velocities", after(body + "[output]\n", "velocities = true", "velocities = false")},
      {"output.precision", after(body + "[output]\n", "precision = \"double\"", "precision = \"single\"")},
      {"output.compression", after(body + "[output]\n", "compression = 0", "compression = 1")},
  };
}

std::map<std::string, Pair> bodies() {
  const std::string four = "[[body]]\nname = \"a\"\nmass = 1\n";
  return {
      {"body.name", {time + body, time + "[[body]]\nname = \"b\"\nmesh = \"square.obj\"\nmass = 1\n"}},
      {"body.mesh", after(four, "mesh = \"square.obj\"", "mesh = \"oblong.obj\"")},
      {"body.generate", after(four, "generate = { shape = \"sphere\", vertices = 20 }",
                              "generate = { shape = \"sphere\", vertices = 21 }")},
      {"body.scale", after(body, "scale = 1", "scale = 2")},
      {"body.rotate", after(body, "rotate = [0, 0, 0]", "rotate = [0, 0, 10]")},
      {"body.translate", after(body, "translate = [0, 0, 0]", "translate = [0, 0, 1]")},
      {"body.velocity", after(body, "velocity = [0, 0, 0]", "velocity = [0, 0, 1]")},
      {"body.velocities", after(body, "", "velocities = [[0,0,1],[0,0,0],[0,0,0],[0,0,0]]")},
      {"body.initial_positions", after(body, "", "initial_positions = [[0,0,1],[1,0,0],[1,1,0],[0,1,0]]")},
      {"body.mass", after(mesh, "mass = 1", "mass = 2")},
      {"body.total_mass", after(mesh, "total_mass = 1", "total_mass = 2")},
      {"body.masses", after(mesh, "masses = [1, 1, 1, 1]", "masses = [1, 1, 1, 2]")},
      {"body.charge", after(body, "charge = 0", "charge = 1")},
      {"body.total_charge", after(body, "total_charge = 0", "total_charge = 1")},
      {"body.charges", after(body, "charges = [0, 0, 0, 0]", "charges = [0, 0, 0, 1]")},
  };
}

std::map<std::string, Pair> solids() {
  const std::string box =
      "[[body]]\ngenerate = { shape = \"box\", cells = [2, 1, 1], cell_size = 1.0 }\ndensity = 1\n";
  const std::string group = box + "[[body.element_group]]\n";
  const std::string two =
      group + "name = \"e\"\nindices = [0]\n[[body.element_group]]\nname = \"f\"\nindices = [1]\n";
  const std::string material = two + "[[body.material]]\n";
  const std::string model = "model = \"linear\"\n", ratio = "poissons_ratio = 0.3\n",
                    modulus = "youngs_modulus = 1\n";
  const std::string muscle = two + "[[body.muscle]]\n";
  const std::string pull = "fibre = [1, 0, 0]\nstiffness = 1\n", half = "activation = 0.5\n";
  const std::string physical =
      "[[body]]\nmesh = \"two.msh\"\ndensity = 1\n[[body.element_group]]\nname = \"g\"\n";
  return {
      {"body.density", after("[[body]]\ngenerate = { shape = \"box\" }\n", "density = 1", "density = 2")},
      {"body.material.model", after(material + modulus + ratio, model, "model = \"corotated\"")},
      {"body.material.youngs_modulus", after(material + model + ratio, modulus, "youngs_modulus = 2")},
      {"body.material.poissons_ratio", after(material + model + modulus, ratio, "poissons_ratio = 0.2")},
      {"body.material.group", after(material + model + modulus + ratio, "group = \"e\"", "group = \"f\"")},
      {"body.muscle.group", after(muscle + pull + half, "group = \"e\"", "group = \"f\"")},
      {"body.muscle.fibre",
       after(muscle + "stiffness = 1\n" + half, "fibre = [1, 0, 0]", "fibre = [1, 1, 0]")},
      {"body.muscle.fibres", after(muscle + "stiffness = 1\n" + half, "fibres = [[1, 0, 0], [0, 1, 0]]",
                                   "fibres = [[1, 0, 0], [0, 0, 1]]")},
      {"body.muscle.expression", after(muscle + pull, "expression = \"1 + t\"", "expression = \"1 + 2*t\"")},
      {"body.muscle.constants", after(muscle + pull + "expression = \"1 + A*t\"\n",
                                      "constants = { A = 1, B = 2 }", "constants = { A = 2, B = 2 }")},
      {"body.muscle.stiffness",
       after(muscle + "fibre = [1, 0, 0]\n" + half, "stiffness = 1", "stiffness = 2")},
      {"body.muscle.activation", after(muscle + pull, half, "activation = 0.6")},
      {"body.muscle.activations", after(muscle + pull, "activations = [1, 1]", "activations = [1, 2]")},
      {"body.muscle.times", after(muscle + pull + "values = [0, 1]\n", "times = [0, 1]", "times = [0, 2]")},
      {"body.muscle.values", after(muscle + pull + "times = [0, 1]\n", "values = [0, 1]", "values = [0, 2]")},
      {"body.muscle.interpolation", after(muscle + pull + keys + "values = [0, 1, 0]\n",
                                          "interpolation = \"linear\"", "interpolation = \"cubic\"")},
      {"body.element_group.name", after(group + "indices = [0]\n", "name = \"e\"", "name = \"f\"")},
      {"body.element_group.box",
       after(group + "name = \"e\"\n", "box = [[-1, -1, -1], [1, 1, 1]]", "box = [[0, -1, -1], [1, 1, 1]]")},
      {"body.element_group.indices", after(group + "name = \"e\"\n", "indices = [0]", "indices = [1]")},
      {"body.element_group.attribute", after(physical, "attribute = \"near\"", "attribute = \"far\"")},
  };
}

std::map<std::string, Pair> parts_of_bodies() {
  const std::string stiff = "stiffness = 1\n";
  const std::string pairs = springs + stiff + "from = \"pairs\"\n";
  const std::string nearest = springs + stiff + "from = \"nearest\"\n";
  const std::string group = body + "[[body.group]]\n";
  const std::string moved = "group = \"left\"\n" + keys + "offsets = [[0,0,0],[0,0,1],[0,1,0]]\n";
  const std::string charged = "group = \"left\"\n" + keys + "values = [0, 1, 3]\n";
  return {
      {"body.springs.from", after(springs + stiff, "from = \"edges\"", "from = \"diagonals\"")},
      {"body.springs.stiffness", after(springs, "stiffness = 1", "stiffness = 2")},
      {"body.springs.modulus", after(springs, "modulus = 1", "modulus = 2")},
      {"body.springs.stiffnesses",
       after(springs, "stiffnesses = [1, 1, 1, 1]", "stiffnesses = [1, 1, 1, 2]")},
      {"body.springs.rest_length_scale",
       after(springs + stiff, "rest_length_scale = 1", "rest_length_scale = 2")},
      {"body.springs.rest_lengths", after(springs + stiff, "", "rest_lengths = [1, 1, 1, 2]")},
      {"body.springs.neighbours", after(nearest, "neighbours = 1", "neighbours = 3")},
      {"body.springs.pairs", after(pairs, "pairs = [[0, 1]]", "pairs = [[0, 2]]")},
      {"body.group.name", after(group + "indices = [0]\n", "name = \"left\"", "name = \"right\"")},
      {"body.group.box",
       after(group + "name = \"g\"\n", "box = [[0, 0, 0], [1, 1, 1]]", "box = [[0.5, 0, 0], [1, 1, 1]]")},
      {"body.group.indices", after(group + "name = \"g\"\n", "indices = [0]", "indices = [1]")},
      {"body.group.attribute",
       after(group + "name = \"g\"\n", "attribute = \"some\"", "attribute = \"all\"")},
      {"body.group_charge.group",
       after(group_charge + "value = 1\n", "group = \"left\"", "group = \"right\"")},
      {"body.group_charge.value", after(group_charge + "group = \"left\"\n", "value = 1", "value = 2")},
      {"body.group_charge.times",
       after(group_charge + "group = \"left\"\nvalues = [0, 1]\n", "times = [0, 1]", "times = [0, 2]")},
      {"body.group_charge.values",
       after(group_charge + "group = \"left\"\ntimes = [0, 1]\n", "values = [0, 1]", "values = [0, 2]")},
      {"body.group_charge.interpolation",
       after(group_charge + charged, "interpolation = \"linear\"", "interpolation = \"cubic\"")},
      {"body.load.group", after(load + "force = [0,0,1]\n", "group = \"left\"", "group = \"right\"")},
      {"body.load.force", after(load + "group = \"left\"\n", "force = [0,0,1]", "force = [0,0,2]")},
      {"body.load.forces", after(load, "forces = [[0,0,1],[0,0,0],[0,0,0],[0,0,0]]",
                                 "forces = [[0,0,1],[0,0,0],[0,0,0],[0,0,2]]")},
      {"body.load.times", after(load + "group = \"left\"\nforce = [0,0,1]\nvalues = [0, 1]\n",
                                "times = [0, 1]", "times = [0, 2]")},
      {"body.load.values", after(load + "group = \"left\"\nforce = [0,0,1]\ntimes = [0, 1]\n",
                                 "values = [0, 1]", "values = [0, 2]")},
      {"body.load.interpolation",
       after(load + "group = \"left\"\nforce = [0,0,1]\n" + keys + "values = [0, 1, 0]\n",
             "interpolation = \"linear\"", "interpolation = \"cubic\"")},
      {"body.pin.group", after(pin, "group = \"left\"", "group = \"right\"")},
      {"body.pin.normal", after(pin + "group = \"left\"\n", "normal = [0, 0, 1]", "normal = [0, 1, 0]")},
      {"body.pin.axis", after(pin + "group = \"left\"\n", "axis = [0, 0, 1]", "axis = [0, 1, 0]")},
      {"body.pin.times",
       after(pin + "group = \"left\"\noffsets = [[0,0,0],[0,0,1]]\n", "times = [0, 1]", "times = [0, 2]")},
      {"body.pin.offsets", after(pin + "group = \"left\"\ntimes = [0, 1]\n", "offsets = [[0,0,0],[0,0,1]]",
                                 "offsets = [[0,0,0],[0,0,2]]")},
      {"body.pin.interpolation",
       after(pin + moved, "interpolation = \"linear\"", "interpolation = \"cubic\"")},
  };
}

std::map<std::string, Pair> external_charges() {
  const std::string far = "position = [0, 0, 5]\n";
  const std::string moving = "charge = 1\n" + keys;
  const std::string of_a = "body = \"a\"\n", held = "vertices = [0, 1]\n";
  const std::string where = "times = [0]\ntargets = [[0, 0, 1]]\n", pulled = "stiffness = 1\n" + where;
  return {
      {"external_charge.charge", after(external + far, "charge = 1", "charge = 2")},
      {"external_charge.position",
       after(external + "charge = 1\n", "position = [0, 0, 5]", "position = [0, 0, 6]")},
      {"external_charge.times",
       after(external + far + "charges = [0, 1]\n", "times = [0, 1]", "times = [0, 2]")},
      {"external_charge.charges",
       after(external + far + "times = [0, 1]\n", "charges = [0, 1]", "charges = [0, 2]")},
      {"external_charge.positions", after(external + moving, "positions = [[0,0,5],[0,0,6],[0,0,7]]",
                                          "positions = [[0,0,5],[0,0,6],[0,0,8]]")},
      {"external_charge.interpolation", after(external + far + keys + "charges = [0, 1, 0]\n",
                                              "interpolation = \"linear\"", "interpolation = \"cubic\"")},
      {"external_charge.mesh",
       after(external + far + "charge = 1\n", "mesh = \"square.obj\"", "mesh = \"oblong.obj\"")},
      {"external_charge.width", after(external + far + "charge = 1\n", "width = 0", "width = 0.1")},
      {"electric_field.expression",
       after(field, "expression = [\"x\", \"y\", \"z\"]", "expression = [\"x\", \"y\", \"t\"]")},
      {"electric_field.constants", after(field + "expression = [\"a\", \"0\", \"0\"]\n",
                                         "constants = { a = 1 }", "constants = { a = 2 }")},
      {"grab.body",
       after(body + "[[body]]\nname = \"b\"\nmesh = \"square.obj\"\nmass = 1\ntranslate = [0, 0, 9]\n" +
                 "[[grab]]\n" + held + pulled,
             "body = \"a\"", "body = \"b\"")},
      {"grab.vertices", after(grab + of_a + pulled, "vertices = [0, 1]", "vertices = [0, 2]")},
      {"grab.weights", after(grab + of_a + held + pulled, "weights = [0.5, 0.5]", "weights = [0.25, 0.75]")},
      {"grab.stiffness", after(grab + of_a + held + where, "stiffness = 1", "stiffness = 2")},
      {"grab.damping", after(grab + of_a + held + pulled, "damping = 0", "damping = 1")},
      {"grab.times",
       after(grab + of_a + held + "stiffness = 1\ntargets = [[0, 0, 1]]\n", "times = [0]", "times = [1]")},
      {"grab.targets", after(grab + of_a + held + "stiffness = 1\ntimes = [0]\n", "targets = [[0, 0, 1]]",
                             "targets = [[0, 0, 2]]")},
      {"grab.interpolation",
       after(grab + of_a + held + "stiffness = 1\n" + keys + "targets = [[0, 0, 1], [0, 0, 2], [0, 0, 1]]\n",
             "interpolation = \"linear\"", "interpolation = \"cubic\"")},
      {"grab.until", after(grab + of_a + held + pulled, "until = 1", "until = 2")},
      {"hydrodynamics.density", after(water, "density = 1", "density = 2")},
      {"hydrodynamics.velocity", after(water, "velocity = [0, 0, 1]", "velocity = [0, 0, 2]")},
      {"hydrodynamics.drag", after(water, "drag = [1, 2, 3, 4]", "drag = [1, 2, 3, 5]")},
      {"hydrodynamics.thrust", after(water, "thrust = [1, 2, 3, 4]", "thrust = [1, 2, 3, 5]")},
      {"hydrodynamics.max_force", after(water, "max_force = 1", "max_force = 2")},
      {"hydrodynamics.bodies",
       after(body + "[[body]]\nname = \"b\"\nmesh = \"square.obj\"\nmass = 1\ntranslate = [0, 0, 9]\n" +
                 "[[hydrodynamics]]\n",
             "bodies = [\"a\"]", "bodies = [\"b\"]")},
  };
}

/// Balls and a camera.
std::map<std::string, Pair> balls_and_cameras() {
  const std::string far = "mesh = \"square.obj\"\nmass = 1\ntranslate = [0, 0, ";
  const std::string others = body + "[[body]]\nname = \"b\"\n" + far + "9]\n[[body]]\nname = \"c\"\n" + far +
                             "18]\n[[ball_contact]]\n";
  const std::string pair = "bodies = [\"a\", \"b\"]\n", round = "radius = 1\n",
                    stiff = "stiffnesses = [1, 2]\n";
  const std::string camera = body + "[[camera]]\n";
  const std::string named = "name = \"a\"\n", at = "position = [0, 0, 1]\n",
                    towards = "towards = [0, 1, 0]\n", focal = "focal_length = 900\n";
  const std::string whole = camera + named + at + towards + focal;
  return {
      {"ball_contact.bodies", after(others + round + stiff, pair, "bodies = [\"a\", \"c\"]")},
      {"ball_contact.radius", after(others + pair + stiff, round, "radius = 2")},
      {"ball_contact.stiffnesses", after(others + pair + round, stiff, "stiffnesses = [1, 3]")},
      {"ball_contact.frictions",
       after(others + pair + round + stiff, "frictions = [0.1, 0.2]", "frictions = [0.1, 0.3]")},
      {"camera.name", after(camera + at + towards + focal, named, "name = \"b\"")},
      {"camera.position", after(camera + named + towards + focal, at, "position = [0, 0, 2]")},
      {"camera.towards", after(camera + named + at + focal, towards, "towards = [1, 1, 0]")},
      {"camera.focal_length", after(camera + named + at + towards, focal, "focal_length = 901")},
      {"camera.up", after(whole, "up = [0, 0, 1]", "up = [1, 0, 1]")},
      {"camera.rotate", after(whole, "rotate = [0, 0, 1]", "rotate = [0, 0, 2]")},
      {"camera.translate", after(whole, "translate = [0, 0, 1]", "translate = [0, 0, 2]")},
      {"camera.zoom", after(whole, "zoom = 1.1", "zoom = 1.2")},
  };
}

std::map<std::string, Pair> obstacles() {
  const std::string above = "point = [0, 0, -1]\nnormal = [0, 0, 1]\n", stiff = "stiffness = 10\n";
  const std::string floor = plane + above + stiff;
  const std::string exact = body + "[[obstacle]]\nname = \"o\"\nshape = \"plane\"\n" + above + "[contact]\n";
  const std::string other = "[[obstacle]]\nname = \"p\"\nshape = \"plane\"\n" + above;
  const std::string centre = "centre = [0, 0, -9]\n";
  const auto shaped = [&](const std::string& shape) {
    return body + "[[obstacle]]\nname = \"a\"\nlaw = \"penalty\"\nshape = \"" + shape + "\"\n" + stiff;
  };
  const std::string box = shaped("box") + centre, round = shaped("capsule") + centre + "radius = 1\n";
  const std::string trough = shaped("trough") + centre + "axis = [0, 0, 1]\nradius = 1\nlength = 1\n";
  const std::string block = shaped("mesh") + "mesh = \"block.obj\"\n";
  const std::string offsets = "offsets = [[0, 0, 0], [0, 0, -1], [0, 0, -2]]\n";
  return {
      {"obstacle.name",
       {time + floor, time + body +
                          "[[obstacle]]\nname = \"b\"\nshape = \"plane\"\nlaw = "
                          "\"penalty\"\n" +
                          above + stiff}},
      {"obstacle.shape", {time + floor, time + ball + centre + "radius = 1\n" + stiff}},
      {"obstacle.point",
       after(plane + stiff + "normal = [0, 0, 1]\n", "point = [0, 0, -1]", "point = [0, 0, -2]")},
      {"obstacle.normal",
       after(plane + stiff + "point = [0, 0, -1]\n", "normal = [0, 0, 1]", "normal = [0, 1, 1]")},
      {"obstacle.centre", after(ball + stiff + "radius = 1\n", "centre = [0, 0, -9]", "centre = [0, 0, -8]")},
      {"obstacle.radius", after(ball + stiff + centre, "radius = 1", "radius = 2")},
      {"obstacle.size", after(box, "size = [1, 1, 1]", "size = [1, 1, 2]")},
      {"obstacle.rotate", after(box + "size = [1, 1, 1]\n", "rotate = [0, 0, 10]", "rotate = [0, 0, 20]")},
      {"obstacle.axis", after(round + "length = 1\n", "axis = [0, 0, 1]", "axis = [0, 1, 1]")},
      {"obstacle.length", after(round + "axis = [0, 0, 1]\n", "length = 1", "length = 2")},
      {"obstacle.towards", after(trough + "angle = 90\n", "towards = [0, 1, 0]", "towards = [1, 1, 0]")},
      {"obstacle.angle", after(trough + "towards = [0, 1, 0]\n", "angle = 90", "angle = 91")},
      {"obstacle.inside", after(round + "axis = [0, 0, 1]\nlength = 1\n", "inside = true", "inside = false")},
      {"obstacle.mesh", after(shaped("mesh"), "mesh = \"block.obj\"", "mesh = \"oblong_block.obj\"")},
      {"obstacle.scale", after(block, "scale = 1", "scale = 2")},
      {"obstacle.translate", after(block, "translate = [0, 0, 1]", "translate = [0, 0, 2]")},
      {"obstacle.times", after(floor + offsets, keys, "times = [0, 1, 2]\n")},
      {"obstacle.offsets", after(floor + keys, offsets, "offsets = [[0, 0, 0], [0, 0, -1], [0, 0, 0]]\n")},
      {"obstacle.rotations", after(floor + keys, "rotations = [[0, 0, 0], [0, 0, 1], [0, 0, 2]]",
                                   "rotations = [[0, 0, 0], [0, 0, 1], [0, 0, 3]]")},
      {"obstacle.interpolation",
       after(floor + keys + offsets, "interpolation = \"linear\"", "interpolation = \"cubic\"")},
      {"obstacle.law",
       {time + plane + above + "stiffness = 10\n",
        time + body + "[[obstacle]]\nname = \"a\"\nshape = \"plane\"\nlaw = \"exact\"\n" + above}},
      {"contact.law", after(body + "[[obstacle]]\nname = \"o\"\nshape = \"plane\"\n" + above,
                            "[contact]\nlaw = \"exact\"", "stiffness = 1\n[contact]\nlaw = \"penalty\"")},
      {"contact.thickness", after(body + "[contact]\n", "thickness = 0.1", "thickness = 0.2")},
      {"contact.friction", after(body + "[contact]\n", "friction = 0.1", "friction = 0.2")},
      {"contact.against",
       after(body + "[contact]\nthickness = 0.1\n", "", "against = [\"obstacles\", \"bodies\"]")},
      {"contact.pair.ignore", after(body + "[contact]\nthickness = 0.1\nagainst = "
                                           "[\"self\"]\n[[contact.pair]]\nbetween = [\"a\", \"a\"]\n",
                                    "friction = 0", "ignore = true")},
      {"contact.bodies", after(body + "[contact]\n", "", "bodies = [\"a\"]")},
      {"contact.pair.between", after(exact + other + "[[contact.pair]]\nfriction = 0.1\n",
                                     "between = [\"a\", \"o\"]", "between = [\"a\", \"p\"]")},
      {"contact.pair.friction",
       after(exact + "[[contact.pair]]\nbetween = [\"a\", \"o\"]\n", "friction = 0.1", "friction = 0.2")},
      {"body.contact.group", after(groups + "[[body.contact]]\n", "group = \"left\"", "group = \"right\"")},
      {"obstacle.stiffness", after(plane + above, "stiffness = 10", "stiffness = 20")},
      {"obstacle.exponent", after(floor, "exponent = 3", "exponent = 2")},
      {"obstacle.friction", after(floor + "friction_stiffness = 1\n", "friction = 0.5", "friction = 0.6")},
      {"obstacle.friction_stiffness",
       after(floor + "friction = 0.5\n", "friction_stiffness = 1", "friction_stiffness = 2")},
  };
}

}  // namespace

std::map<std::string, Pair> key_pairs() {
  std::map<std::string, Pair> all = settings();
  for (auto part :
       {bodies(), solids(), parts_of_bodies(), external_charges(), balls_and_cameras(), obstacles()})
    all.merge(part);
  return all;
}

std::string written_file(const std::string& path) {
  const std::string far = path.find("oblong") != std::string::npos ? "2" : "1";
  if (path.ends_with(".msh"))
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n3 1 \"near\"\n3 2 "
           "\"far\"\n$EndPhysicalNames\n"
           "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
           "$Elements\n2\n1 4 1 1 1 2 3 4\n2 4 1 2 2 3 4 5\n$EndElements\n";
  if (path.ends_with("block.obj"))
    return "v 0 0 0\nv " + far + " 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  if (!path.ends_with(".obj")) throw std::runtime_error("no such file: " + path);
  return "v 0 0 0\nv " + far + " 0 0\nv " + far + " 1 0\nv 0 1 0\ng all\nf 1 2 3 4\ng some\nl 1 2\n";
}

}  // namespace electret::test
