#include "schema_cases.hpp"

#include <electret/scene/body_contact.hpp>
#include <electret/scene/changes.hpp>

#include "scene_text.hpp"

namespace electret::test {
namespace {

const Body& body(const Assembly& a) {
  return a.scene.bodies.at(0);
}
const SpringTable& springs(const Assembly& a) {
  return body(a).springs.at(0);
}
const ExternalCharge& external(const Assembly& a) {
  return a.scene.external_charges.at(0);
}

std::string with_external(const std::string& text) {
  return scene_with("[[external_charge]]\n" + text);
}
std::string without_mass(const std::string& text) {
  return "[time]\nstep = 0.5\nsteps = 4\n[[body]]\nname = \"a\"\nmesh = \"square.obj\"\n" + text;
}

const std::string scaled_load = "group = \"g\"\nforce = [0, 0, 1]\ntimes = [0, 2]\nvalues = [1, 3]\n";
std::string with_muscle(const std::string& text) {
  return with_material("[[body.muscle]]\n" + text);
}
const Muscle& muscle(const Assembly& a) {
  return body(a).muscles.at(0);
}

/// A camera; the text goes on within its table.
std::string with_camera(const std::string& text = "") {
  return scene_with(
      "[[camera]]\nname = \"desk\"\nposition = [1, -2, 3]\ntowards = [0, 2, 0]\nfocal_length = 900\n" + text);
}
const Pinhole& camera(const Assembly& a) {
  return a.cameras.at(0).view;
}
/// Two balls, the second body first.
std::string with_balls(const std::string& text = "") {
  return scene_with(
      "[[body]]\nname = \"b\"\nmesh = \"quad.obj\"\nmass = 1\ntranslate = [0, 0, 9]\n"
      "[[ball_contact]]\nbodies = [\"b\", \"a\"]\nradius = 0.5\nstiffnesses = [2, 3]\n" +
      text);
}
const BallContactTrack& balls(const Assembly& a) {
  return a.ball_contacts.at(0);
}

std::string with_ball() {
  return scene_with(
      "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\ncentre = [1, 2, 3]\nradius = 0.5\nlaw = "
      "\"penalty\"\nstiffness = 100\n");
}

/// A grab of the vertices 2 and 1; the text goes on within its table.
std::string with_grab(const std::string& text = "", const std::string& weights = "weights = [0.75, 0.25]\n") {
  return scene_with(
      "[[grab]]\nbody = \"a\"\nvertices = [2, 1]\nstiffness = 30\ntimes = [0.5, 1]\n"
      "targets = [[0, 0, 1], [2, 0, 3]]\n" +
      weights + text);
}
const GrabTrack& grab(const Assembly& a) {
  return a.grabs.at(0);
}

/// An obstacle of the shape that `text` says, above the body.
std::string with_shape(const std::string& text) {
  return scene_with("[[obstacle]]\nname = \"a\"\nlaw = \"penalty\"\nstiffness = 100\n" + text);
}

/// A floor below the body that pushes exactly, with `text` before it.
std::string over_floor(const std::string& text) {
  return scene_with(text +
                    "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, -1]\n"
                    "normal = [0, 0, 1]\n");
}

const std::string round = "shape = \"cylinder\"\ncentre = [1, 2, 9]\nradius = 5\nlength = 3\n";
const std::string block = "shape = \"mesh\"\nmesh = \"block.obj\"\n";
const std::string swinging = "times = [0, 2]\noffsets = [[0, 0, 0], [0, 0, -2]]\n";
const std::string pulling = "fibre = [0, 3, 4]\nstiffness = 2e4\n";
const std::string scaled_muscle = pulling + "times = [0, 2]\nvalues = [1, 0.5]\n";
const std::string moving = "charge = 1\ntimes = [0, 2]\npositions = [[5, 0, 0], [7, 0, 0]]\n";

}  // namespace

std::map<std::string, SchemaCase> schema_cases() {
  return {
      {"scene.name",
       {scene_with("", "[scene]\nname = \"é t\"\n"), [](auto& a) { return a.scene.name == "é t"; }}},
      {"time.step", {scene_with(""), [](auto& a) { return a.scene.time.step == 0.5; }}},
      {"time.steps", {scene_with(""), [](auto& a) { return a.scene.time.steps == 4; }}},
      {"time.duration",
       {"time = { step = 0.03, duration = 15 }\n[[body]]\nmesh = \"square.obj\"\nmass = 1\n",
        [](auto& a) { return a.scene.time.steps == 500; }}},
      {"integrator.method",
       {scene_with("[integrator]\nmethod = \"verlet\""),
        [](auto& a) { return a.scene.integrator.method == "verlet"; }}},
      {"integrator.tolerance",
       {scene_with("[integrator]\ntolerance = 1e-11"),
        [](auto& a) { return a.scene.integrator.tolerance == 1e-11; }}},
      {"integrator.max_iterations",
       {scene_with("[integrator]\nmax_iterations = 7"),
        [](auto& a) { return a.scene.integrator.max_iterations == 7; }}},
      {"integrator.elastic_solver",
       {scene_with("[integrator]\nelastic_solver = \"local_global\""),
        [](auto& a) { return a.scene.integrator.elastic_solver == "local_global"; }}},
      {"integrator.linear_solver",
       {scene_with("[integrator]\nlinear_solver = \"jacobi\""),
        [](auto& a) { return a.scene.integrator.linear_solver == "jacobi"; }}},
      {"integrator.jacobi_weight",
       {scene_with("[integrator]\njacobi_weight = 0.25"),
        [](auto& a) { return a.scene.integrator.jacobi_weight == 0.25; }}},
      {"coulomb.solver",
       {scene_with("[coulomb]\nsolver = \"direct\""),
        [](auto& a) { return a.scene.coulomb.value().solver == "direct"; }}},
      {"coulomb.accuracy",
       {scene_with("[coulomb]\naccuracy = 1e-4"),
        [](auto& a) { return a.scene.coulomb.value().accuracy == 1e-4; }}},
      {"coulomb.constant",
       {scene_with("[coulomb]\nconstant = 9"),
        [](auto& a) { return a.scene.coulomb.value().constant == 9.0; }}},
      {"coulomb.ddef.grid_points",
       {scene_with("[coulomb]\nddef.grid_points = 77"),
        [](auto& a) { return a.scene.coulomb.value().ddef_grid_points == Count{77}; }}},
      {"coulomb.ddef.half_taylor",
       {scene_with("[coulomb]\nddef.half_taylor = true"),
        [](auto& a) { return a.scene.coulomb.value().ddef_half_taylor; }}},
      {"coulomb.softening",
       {scene_with("[coulomb]\nsoftening = 0.1"),
        [](auto& a) { return a.scene.coulomb.value().softening == 0.1; }}},
      {"coulomb.device",
       {scene_with("[coulomb]\ndevice = \"gpu:Radeon 780M#2\""),
        [](auto& a) { return a.scene.coulomb.value().device == "gpu:Radeon 780M#2"; }}},
      {"gravity.acceleration",
       {scene_with("[gravity]\nacceleration = [1, 2, -3.5]"),
        [](auto& a) {
          return a.scene.gravity == Vec3{1, 2, -3.5};
        }}},
      {"damping.drag",
       {scene_with("[damping]\ndrag = 0.25"), [](auto& a) { return a.scene.damping.drag == 0.25; }}},
      {"damping.spring",
       {scene_with("[damping]\nspring = 0.5"), [](auto& a) { return a.scene.damping.spring == 0.5; }}},
      {"output.every",
       {scene_with("[output]\nevery = 3"), [](auto& a) { return a.scene.output.every == 3; }}},
      {"output.velocities",
       {scene_with("[output]\nvelocities = false"), [](auto& a) { return !a.scene.output.velocities; }}},
      {"output.precision",
       {scene_with("[output]\nprecision = \"single\""),
        [](auto& a) { return a.scene.output.precision == "single"; }}},
      {"output.compression",
       {scene_with("[output]\ncompression = 9"), [](auto& a) { return a.scene.output.compression == 9; }}},
      {"body.name", {scene_with(""), [](auto& a) { return body(a).name == "a"; }}},
      {"body.mesh",
       {scene_with(""), [](auto& a) { return body(a).mesh == "square.obj" && a.masses.size() == 4; }}},
      {"body.generate",
       {"time = { step = 1, steps = 1 }\n[[body]]\nmass = 1\ngenerate = { shape = \"grid\", rows = 3, "
        "columns = 4 }\n",
        [](auto& a) { return body(a).generate.value().shape == "grid" && a.masses.size() == 12; }}},
      {"body.scale",
       {scene_with("scale = 3"),
        [](auto& a) {
          return a.rest_positions[1] == Vec3{3, 0, 0};
        }}},
      {"body.rotate",
       {scene_with("rotate = [0, 0, 90]"),
        [](auto& a) {
          return a.rest_positions[1] == Vec3{0, 1, 0};
        }}},
      {"body.translate",
       {scene_with("translate = [0, 0, 2]"),
        [](auto& a) {
          return a.rest_positions[1] == Vec3{1, 0, 2};
        }}},
      {"body.velocity",
       {scene_with("velocity = [1, 2, 3]"),
        [](auto& a) {
          return a.initial_velocities[2] == Vec3{1, 2, 3};
        }}},
      {"body.velocities",
       {scene_with("velocities = [[0,0,0],[0,0,0],[4,5,6],[0,0,0]]"),
        [](auto& a) {
          return a.initial_velocities[2] == Vec3{4, 5, 6};
        }}},
      {"body.initial_positions",
       {scene_with("initial_positions = [[0,0,0],[2,0,0],[0,2,0],[2,2,0]]"),
        [](auto& a) {
          return a.initial_positions[3] == Vec3{2, 2, 0} && a.rest_positions[3] == Vec3{1, 1, 0};
        }}},
      {"body.mass", {scene_with(""), [](auto& a) { return a.masses == std::vector<double>(4, 2.0); }}},
      {"body.total_mass",
       {without_mass("total_mass = 2"), [](auto& a) { return a.masses == std::vector<double>(4, 0.5); }}},
      {"body.masses",
       {without_mass("masses = [1, 2, 3, 4]"),
        [](auto& a) {
          return a.masses == std::vector<double>{1, 2, 3, 4};
        }}},
      {"body.charge",
       {scene_with("charge = -1e-6"), [](auto& a) { return a.charges == std::vector<double>(4, -1e-6); }}},
      {"body.total_charge",
       {scene_with("total_charge = 8"), [](auto& a) { return a.charges == std::vector<double>(4, 2.0); }}},
      {"body.charges",
       {scene_with("charges = [1, -2, 3, 0]"),
        [](auto& a) {
          return a.charges == std::vector<double>{1, -2, 3, 0};
        }}},
      {"body.springs.from",
       {with_springs("from = \"bending\"\nstiffness = 1"),
        [](auto& a) { return springs(a).from == "bending" && a.springs.size() == 1; }}},
      {"body.springs.stiffness",
       {with_springs("stiffness = 10"), [](auto& a) { return a.springs.at(4).stiffness == 10.0; }}},
      {"body.springs.modulus",
       {with_springs("modulus = 10\nrest_length_scale = 2"),
        [](auto& a) { return a.springs.at(0).stiffness == 5.0; }}},
      {"body.springs.stiffnesses",
       {with_springs("stiffnesses = [1, 2, 3, 4, 5]"),
        [](auto& a) { return a.springs.at(3).stiffness == 4.0; }}},
      {"body.springs.rest_length_scale",
       {with_springs("stiffness = 1\nrest_length_scale = 0.5"),
        [](auto& a) { return a.springs.at(0).rest_length == 0.5; }}},
      {"body.springs.rest_lengths",
       {with_springs("stiffness = 1\nrest_lengths = [1, 2, 3, 4, 5]"),
        [](auto& a) { return a.springs.at(3).rest_length == 4.0; }}},
      {"body.springs.neighbours",
       {with_springs("from = \"nearest\"\nneighbours = 3\nstiffness = 1"),
        [](auto& a) { return a.springs.size() == 6; }}},
      {"body.springs.pairs",
       {with_springs("from = \"pairs\"\npairs = [[2, 3], [0, 1]]\nstiffness = 1"),
        [](auto& a) { return a.springs.size() == 2 && a.springs[0].i == 2; }}},
      {"body.group.name", {with_pin(""), [](auto& a) { return body(a).groups[0].name == "g"; }}},
      {"body.group.box",
       {scene_with("[[body.group]]\nname = \"b\"\nbox = [[1, 0, 0], [1, 1, 0]]\n[[body.pin]]\ngroup = \"b\""),
        [](auto& a) {
          return a.pin_tracks.at(0).vertices == std::vector<Index>{1, 3};
        }}},
      {"body.group.indices",
       {with_pin(""),
        [](auto& a) {
          return a.pin_tracks.at(0).vertices == std::vector<Index>{1, 2};
        }}},
      {"body.group.attribute",
       {scene_with("[[body.group]]\nname = \"b\"\nattribute = \"upper\"\n[[body.pin]]\ngroup = \"b\""),
        [](auto& a) {
          return a.pin_tracks.at(0).vertices == std::vector<Index>{1, 2, 3};
        }}},
      {"body.group_charge.group",
       {with_group_charge("value = 3"),
        [](auto& a) {
          return a.charge_tracks.at(0).vertices == std::vector<Index>{1, 2};
        }}},
      {"body.group_charge.value",
       {with_group_charge("value = 3"),
        [](auto& a) { return a.charge_tracks.at(0).charge.values == std::vector<double>{3}; }}},
      {"body.group_charge.times",
       {with_group_charge("times = [0, 2]\nvalues = [1, 3]"),
        [](auto& a) {
          return a.charge_tracks.at(0).key_framed && evaluate(a.charge_tracks[0].charge, 1.0, 0.5) == 2.0;
        }}},
      {"body.group_charge.values",
       {with_group_charge("times = [0, 2]\nvalues = [1, 3]"),
        [](auto& a) {
          return a.charge_tracks.at(0).charge.values == std::vector<double>{1, 3};
        }}},
      {"body.group_charge.interpolation",
       {with_group_charge("times = [0, 2]\nvalues = [1, 3]\ninterpolation = \"cubic\""),
        [](auto& a) { return a.charge_tracks.at(0).charge.interpolation == Interpolation::cubic; }}},
      {"body.pin.group",
       {with_pin(""), [](auto& a) { return a.pin_tracks.size() == 1 && a.pin_tracks[0].offsets.empty(); }}},
      {"body.pin.normal",
       {with_pin("normal = [0, 0, -2]"),
        [](auto& a) {
          return a.pin_tracks.at(0).hold.normal == Vec3{0, 0, -1} && !a.pin_tracks[0].hold.is_whole();
        }}},
      {"body.pin.axis",
       {with_pin("axis = [0, 3, 0]"),
        [](auto& a) {
          return a.pin_tracks.at(0).hold.projector().rows == Mat3{{Vec3{1, 0, 0}, {}, {0, 0, 1}}}.rows;
        }}},
      {"body.pin.times",
       {with_pin("times = [0, 2]\noffsets = [[0,0,0],[0,0,4]]"),
        [](auto& a) {
          return evaluate(a.pin_tracks.at(0).offsets, 1.0, 0.5) == Vec3{0, 0, 2};
        }}},
      {"body.pin.offsets",
       {with_pin("times = [0, 2]\noffsets = [[0,0,0],[0,0,4]]"),
        [](auto& a) {
          return a.pin_tracks.at(0).offsets.values.at(1) == Vec3{0, 0, 4};
        }}},
      {"body.pin.interpolation",
       {with_pin("times = [0, 2]\noffsets = [[0,0,0],[0,0,4]]\ninterpolation = \"step\""),
        [](auto& a) { return a.pin_tracks.at(0).offsets.interpolation == Interpolation::step; }}},
      {"body.load.group",
       {with_load("group = \"g\"\nforce = [1, 2, 3]"),
        [](auto& a) {
          return a.load_tracks.at(0).vertices == std::vector<Index>{1, 2};
        }}},
      {"body.load.force",
       {with_load("group = \"g\"\nforce = [1, 2, 3]"),
        [](auto& a) {
          return a.load_tracks.at(0).forces == VectorArray{{1, 2, 3}} && a.load_tracks[0].factor.empty();
        }}},
      {"body.load.forces",
       {with_load("forces = [[0,0,0],[1,2,3],[0,0,4],[5,0,0]]"),
        [](auto& a) {
          return a.load_tracks.at(0).vertices == std::vector<Index>{0, 1, 2, 3} &&
                 a.load_tracks[0].forces == VectorArray{{0, 0, 0}, {1, 2, 3}, {0, 0, 4}, {5, 0, 0}};
        }}},
      {"body.load.times",
       {with_load(scaled_load),
        [](auto& a) {
          return a.load_tracks.at(0).factor.times == std::vector<double>{0, 2};
        }}},
      {"body.load.values",
       {with_load(scaled_load),
        [](auto& a) { return evaluate(a.load_tracks.at(0).factor, 1.0, 0.5) == 2.0; }}},
      {"body.load.interpolation",
       {with_load(scaled_load + "interpolation = \"cubic\""),
        [](auto& a) { return a.load_tracks.at(0).factor.interpolation == Interpolation::cubic; }}},
      {"body.density", {solid_with(""), [](auto& a) { return std::abs(a.masses.at(0) - 0.75) < 1e-14; }}},
      {"body.material.model",
       {with_material(""), [](auto& a) { return a.materials.at(0).model == "corotated"; }}},
      {"body.material.youngs_modulus",
       {with_material(""),
        [](auto& a) {
          return a.materials.at(0).youngs_modulus == std::vector<double>{1e5, 1e5};
        }}},
      {"body.material.poissons_ratio",
       {with_material(""),
        [](auto& a) {
          return a.materials.at(0).poissons_ratio == std::vector<double>{0.3, 0.3};
        }}},
      {"body.material.group",
       {with_material("group = \"e\"\n", "[[body.element_group]]\nname = \"e\"\nindices = [1]\n"),
        [](auto& a) { return a.materials.at(0).elements.hexahedra == std::vector<Index>{1}; }}},
      {"body.element_group.name",
       {solid_with("[[body.element_group]]\nname = \"e\"\nindices = [1]"),
        [](auto& a) { return a.element_groups.at(0).name == "e"; }}},
      {"body.element_group.box",
       {solid_with("[[body.element_group]]\nname = \"e\"\nbox = [[0, 0, 0], [0.5, 0.5, 0.5]]"),
        [](auto& a) { return a.element_groups.at(0).elements.hexahedra == std::vector<Index>{0}; }}},
      {"body.element_group.attribute",
       {"[time]\nstep = 1\nsteps = 1\n[[body]]\nmesh = \"two.msh\"\ndensity = "
        "1\n[[body.element_group]]\nname = "
        "\"e\"\nattribute = \"far\"",
        [](auto& a) { return a.element_groups.at(0).elements.tetrahedra == std::vector<Index>{1}; }}},
      {"body.element_group.indices",
       {solid_with("[[body.element_group]]\nname = \"e\"\nindices = [1, 0, 1]"),
        [](auto& a) {
          return a.element_groups.at(0).elements.hexahedra == std::vector<Index>{0, 1};
        }}},
      {"body.muscle.group",
       {solid_with("[[body.element_group]]\nname = \"e\"\nindices = [1]\n[[body.muscle]]\ngroup = \"e\"\n" +
                   pulling + "activation = 0.8"),
        [](auto& a) { return a.muscles.at(0).elements.hexahedra == std::vector<Index>{1}; }}},
      {"body.muscle.fibre",
       {with_muscle(pulling + "activation = 0.8"),
        [](auto& a) {
          return norm(a.muscles.at(0).fibres.at(1) - Vec3{0.0, 0.6, 0.8}) < 1e-15;
        }}},
      {"body.muscle.fibres",
       {with_muscle("fibres = [[0, 3, 4], [2, 0, 0]]\nstiffness = 1\nactivation = 1"),
        [](auto& a) {
          return norm(a.muscles.at(0).fibres.at(0) - Vec3{0.0, 0.6, 0.8}) < 1e-15 &&
                 a.muscles[0].fibres.at(1) == Vec3{1, 0, 0};
        }}},
      {"body.muscle.expression",
       {with_muscle(pulling + "expression = \"1 + 0.25*t/h\""),
        [](auto& a) {
          return a.muscles.at(0).activations.empty() && a.muscles[0].formula.value(1.0, 0.5) == 1.5;
        }}},
      {"body.muscle.constants",
       {with_muscle(pulling + "expression = \"1 + A*t\"\nconstants = { A = 2.0 }"),
        [](auto& a) {
          return muscle(a).constants.at("A") == 2.0 && a.muscles.at(0).formula.value(1.0, 0.5) == 3.0;
        }}},
      {"body.muscle.stiffness",
       {with_muscle(pulling + "activation = 0.8"),
        [](auto& a) {
          return a.muscles.at(0).stiffness == std::vector<double>{2e4, 2e4};
        }}},
      {"body.muscle.activation",
       {with_muscle(pulling + "activation = 0.8"),
        [](auto& a) {
          return a.muscles.at(0).activations == std::vector<double>{0.8, 0.8} && a.muscles[0].keys.empty();
        }}},
      {"body.muscle.activations",
       {with_muscle(pulling + "activations = [0.8, 1.2]"),
        [](auto& a) {
          return a.muscles.at(0).activations == std::vector<double>{0.8, 1.2};
        }}},
      {"body.muscle.times",
       {with_muscle(scaled_muscle),
        [](auto& a) {
          return muscle(a).keys.times == std::vector<double>{0, 2} && a.muscles.size() == 1;
        }}},
      {"body.muscle.values",
       {with_muscle(scaled_muscle),
        [](auto& a) {
          return a.muscles.at(0).activations.empty() && evaluate(a.muscles[0].keys, 1.0, 0.5) == 0.75;
        }}},
      {"body.muscle.interpolation",
       {with_muscle(scaled_muscle + "interpolation = \"cubic\""),
        [](auto& a) { return a.muscles.at(0).keys.interpolation == Interpolation::cubic; }}},
      {"external_charge.charge",
       {with_external("charge = 5"),
        [](auto& a) { return external(a).charge.values.at(0) == 5.0 || a.masses.empty(); }}},
      {"external_charge.position",
       {with_external("charge = 5\nposition = [9, 8, 7]"),
        [](auto& a) {
          return external(a).position.values.at(0) == Vec3{9, 8, 7};
        }}},
      {"external_charge.times",
       {with_external(moving),
        [](auto& a) {
          return external(a).position.times == std::vector<double>{0, 2};
        }}},
      {"external_charge.charges",
       {with_external("position = [9, 9, 9]\ntimes = [0, 2]\ncharges = [1, 2]"),
        [](auto& a) {
          return external(a).charge.values == std::vector<double>{1, 2};
        }}},
      {"external_charge.positions",
       {with_external(moving),
        [](auto& a) {
          return external(a).position.values.at(1) == Vec3{7, 0, 0};
        }}},
      {"external_charge.interpolation",
       {with_external(moving + "interpolation = \"cubic\""),
        [](auto& a) { return external(a).position.interpolation == Interpolation::cubic; }}},
      {"external_charge.mesh",
       {with_external("charge = 1\nposition = [0, 0, 9]\nmesh = \"quad.obj\""),
        [](auto& a) { return a.external_charges.at(0).points.size() == 4; }}},
      {"external_charge.width",
       {with_external("charge = 1\nwidth = 0.25"),
        [](auto& a) { return a.external_charges.at(0).width == 0.25; }}},
      {"obstacle.name",
       {with_obstacle(), [](auto& a) { return a.obstacles.at(0).name == "obstacle.floor"; }}},
      {"obstacle.shape",
       {with_obstacle(),
        [](auto& a) { return a.obstacles.at(0).surface.shape->drawing(0).plane.has_value(); }}},
      {"obstacle.point",
       {with_obstacle(),
        [](auto& a) {
          return a.obstacles.at(0).surface.origin == Vec3{0, 0, -1};
        }}},
      {"obstacle.normal",
       {with_obstacle(),
        [](auto& a) {
          return norm(*a.obstacles.at(0).surface.shape->drawing(0).plane - Vec3{0, 0.6, 0.8}) < 1e-15;
        }}},
      {"obstacle.centre",
       {with_ball(),
        [](auto& a) {
          return a.obstacles.at(0).surface.origin == Vec3{1, 2, 3};
        }}},
      {"obstacle.radius",
       {with_ball(), [](auto& a) { return a.obstacles.at(0).surface.shape->reach() == 0.5; }}},
      {"obstacle.size",
       {with_shape("shape = \"box\"\ncentre = [1, 2, 9]\nsize = [2, 4, 6]"),
        [](auto& a) {
          return view(a.obstacles.at(0).surface, {1, 2, 13}).distance == 1.0 &&
                 view(a.obstacles[0].surface, {1, 5, 9}).distance == 1.0;
        }}},
      {"obstacle.rotate",
       {with_shape("shape = \"box\"\ncentre = [1, 2, 9]\nsize = [2, 4, 6]\nrotate = [90, 0, 0]"),
        [](auto& a) {
          return view(a.obstacles.at(0).surface, {1, 2, 13}).distance == 2.0;
        }}},
      {"obstacle.axis",
       {with_shape(round + "axis = [0, 3, 4]"),
        [](auto& a) {
          return norm(view(a.obstacles.at(0).surface, Vec3{1, 2, 9} + Vec3{0, 3, 4}).normal -
                      Vec3{0, 0.6, 0.8}) < 1e-15;
        }}},
      {"obstacle.length",
       {with_shape(round + "axis = [0, 0, 1]"),
        [](auto& a) {
          return view(a.obstacles.at(0).surface, {1, 2, 12}).distance == 1.5;
        }}},
      {"obstacle.towards",
       {with_shape(
            "shape = \"trough\"\ncentre = [1, 2, 9]\naxis = [0, 0, 1]\ntowards = [0, 2, 0]\nradius = 1.5\n"
            "length = 4\nangle = 90\n"),
        [](auto& a) {
          return std::abs(view(a.obstacles.at(0).surface, {1, 3, 9}).distance - 0.5) < 1e-15;
        }}},
      {"obstacle.angle",
       {with_shape(
            "shape = \"trough\"\ncentre = [1, 2, 9]\naxis = [0, 0, 1]\ntowards = [0, 2, 0]\nradius = 1.5\n"
            "length = 4\nangle = 180\n"),
        [](auto& a) {
          return std::abs(view(a.obstacles.at(0).surface, {4.5, 1, 9}).distance - std::sqrt(5.0)) < 1e-12;
        }}},
      {"obstacle.inside",
       {with_shape(round + "axis = [0, 0, 1]\ninside = true"),
        [](auto& a) {
          return view(a.obstacles.at(0).surface, {1, 2, 12}).distance == -1.5;
        }}},
      {"obstacle.mesh",
       {with_shape(block),
        [](auto& a) {
          return view(a.obstacles.at(0).surface, {0, 0, 0}).distance < 0;
        }}},
      {"obstacle.scale",
       {with_shape(block + "scale = 3"),
        [](auto& a) {
          return std::abs(view(a.obstacles.at(0).surface, {0, 0, -4}).distance - 1.0) < 1e-15;
        }}},
      {"obstacle.translate",
       {with_shape(block + "translate = [0, 0, -9]"),
        [](auto& a) {
          return a.obstacles.at(0).surface.origin == Vec3{0, 0, -9} &&
                 std::abs(view(a.obstacles[0].surface, {0, 0, -11}).distance - 1.0) < 1e-15;
        }}},
      {"obstacle.times",
       {with_obstacle(swinging),
        [](auto& a) {
          return a.obstacles.at(0).placement(1.0, 0.5).offset == Vec3{0, 0, -1};
        }}},
      {"obstacle.offsets",
       {with_obstacle(swinging),
        [](auto& a) {
          return a.obstacles.at(0).placement(1.0, 0.5).velocity == Vec3{0, 0, -1};
        }}},
      {"obstacle.rotations",
       {with_obstacle("times = [0, 2]\nrotations = [[0, 0, 0], [0, 0, 90]]"),
        [](auto& a) {
          const Placement at = a.obstacles.at(0).placement(1.0, 0.5);
          return at.rotation == Vec3{0, 0, 45} && at.turning == Vec3{0, 0, 45} && at.offset == Vec3{};
        }}},
      {"obstacle.interpolation",
       {with_obstacle(swinging + "interpolation = \"step\""),
        [](auto& a) { return a.obstacles.at(0).placement(1.0, 0.5) == Placement{}; }}},
      {"obstacle.law",
       {scene_with("[[obstacle]]\nname = \"a\"\nlaw = \"exact\"\nshape = \"plane\"\npoint = [0, 0, -1]\n"
                   "normal = [0, 0, 1]\n"),
        [](auto& a) { return a.obstacles.at(0).is_exact; }}},
      {"contact.law",
       {over_floor("[contact]\nlaw = \"penalty\"\n") + "stiffness = 3\n",
        [](auto& a) { return !a.obstacles.at(0).is_exact && a.obstacles[0].stiffness == 3.0; }}},
      {"contact.against",
       {scene_with("[contact]\nagainst = [\"self\"]\nthickness = 0.25\n"),
        [](auto& a) { return body_pairs(a).may_touch(0, 0); }}},
      {"contact.pair.ignore",
       {scene_with(
            "[contact]\nagainst = [\"self\"]\nthickness = 0.25\n[[contact.pair]]\nbetween = [\"a\", \"a\"]\n"
            "ignore = true\n"),
        [](auto& a) { return !body_pairs(a).may_touch(0, 0); }}},
      {"contact.thickness",
       {over_floor("[contact]\nthickness = 0.25\n"),
        [](auto& a) { return a.scene.contact.value().thickness == 0.25; }}},
      {"contact.friction",
       {over_floor("[contact]\nfriction = 0.5\n"),
        [](auto& a) { return friction_between(a, 0, 0).value == 0.5; }}},
      {"contact.bodies",
       {over_floor("[contact]\nbodies = [\"b\"]\n[[body]]\nname = \"b\"\nmesh = \"square.obj\"\nmass = 1\n"),
        [](auto& a) {
          return touching_vertices(a, std::vector<char>(8, 1)) == std::vector<Index>{4, 5, 6, 7};
        }}},
      {"contact.pair.between",
       {over_floor("[contact]\nfriction = 0.5\n[[contact.pair]]\nbetween = [\"floor\", \"a\"]\n"
                   "friction = 0.25\n") +
            "friction = 0.75\n",
        [](auto& a) { return friction_between(a, 0, 0).value == 0.25; }}},
      {"change.step",
       {scene_with("[[change]]\nstep = 3\nset = [\"body.0.mass=3\"]\n"),
        [](auto& a) { return a.scene.changes.at(0).step == 3; }}},
      {"change.unset",
       {scene_with("[[change]]\nstep = 3\nunset = [\"gravity\"]\n[gravity]\nacceleration = [0, 0, 1]\n"),
        [](auto& a) { return a.scene.changes.at(0).unset == std::vector<std::string>{"gravity"}; }}},
      {"change.set",
       {scene_with("[[change]]\nstep = 3\nset = [\"body.0.mass=3\", \"damping.drag=1\"]\n"),
        [](auto& a) {
          return changed_assembly(a, 1).masses.at(0) == 3.0 &&
                 changed_assembly(a, 1).scene.damping.drag == 1.0;
        }}},
      {"contact.pair.friction",
       {over_floor("[contact]\n[[contact.pair]]\nbetween = [\"a\", \"floor\"]\nfriction = 0.25\n"),
        [](auto& a) { return a.contact_pairs.at(0).friction == 0.25; }}},
      {"body.contact.group",
       {with_group("[[body.contact]]\ngroup = \"g\""),
        [](auto& a) {
          return touching_vertices(a, {1, 1, 0, 1}) == std::vector<Index>{1};
        }}},
      {"obstacle.stiffness", {with_obstacle(), [](auto& a) { return a.obstacles.at(0).stiffness == 100.0; }}},
      {"obstacle.exponent",
       {with_obstacle("exponent = 2.5"), [](auto& a) { return a.obstacles.at(0).exponent == 2.5; }}},
      {"obstacle.friction",
       {with_obstacle("friction = 0.5\nfriction_stiffness = 3"),
        [](auto& a) { return a.obstacles.at(0).friction == 0.5; }}},
      {"obstacle.friction_stiffness",
       {with_obstacle("friction = 0.5\nfriction_stiffness = 3"),
        [](auto& a) { return a.obstacles.at(0).friction_stiffness == 3.0; }}},
      {"electric_field.expression",
       {scene_with("[[electric_field]]\nexpression = [\"-y\", \"x\", \"3\"]"),
        [](auto& a) {
          return a.fields.at(0).components[0].value({1, 2, 3}, 0, {}) == -2.0 &&
                 a.fields[0].components[2].value({}, 0, {}) == 3.0;
        }}},
      {"electric_field.constants",
       {scene_with("[[electric_field]]\nexpression = [\"b*a\", \"0\", \"b\"]\nconstants = { b = 2, a = 3 }"),
        [](auto& a) {
          return a.fields.at(0).constant_names == std::vector<std::string>{"a", "b"} &&
                 a.fields[0].components[0].value({}, 0, a.fields[0].constants) == 6.0 &&
                 a.fields[0].components[2].value({}, 0, a.fields[0].constants) == 2.0;
        }}},
      {"grab.body",
       {scene_with("[[body]]\nname = \"b\"\nmesh = \"quad.obj\"\nmass = 1\ntranslate = [0, 0, 9]\n"
                   "[[grab]]\nbody = \"b\"\nvertices = [3, 0]\nstiffness = 1\ntimes = [0]\n"
                   "targets = [[0, 0, 9]]\n"),
        [](auto& a) {
          return grab(a).vertices == std::vector<Index>{7, 4} &&
                 grab(a).weights == std::vector<double>{0.5, 0.5};
        }}},
      {"grab.vertices",
       {with_grab(),
        [](auto& a) {
          return grab(a).vertices == std::vector<Index>{2, 1};
        }}},
      {"grab.weights",
       {with_grab(),
        [](auto& a) {
          return grab(a).weights == std::vector<double>{0.75, 0.25};
        }}},
      {"grab.stiffness", {with_grab(), [](auto& a) { return grab(a).stiffness == 30.0; }}},
      {"grab.damping", {with_grab("damping = 2\n"), [](auto& a) { return grab(a).damping == 2.0; }}},
      {"grab.times",
       {with_grab(),
        [](auto& a) {
          return !grab(a).acts_at(0.0, 0.5) && grab(a).acts_at(0.5, 0.5) && grab(a).acts_at(1e9, 0.5);
        }}},
      {"grab.targets",
       {with_grab(),
        [](auto& a) {
          return evaluate(grab(a).targets, 0.75, 0.5) == Vec3{1, 0, 2};
        }}},
      {"grab.interpolation",
       {with_grab("interpolation = \"step\"\n"),
        [](auto& a) { return grab(a).targets.interpolation == Interpolation::step; }}},
      {"grab.until",
       {with_grab("until = 1.5\n"),
        [](auto& a) { return grab(a).acts_at(1.0, 0.5) && !grab(a).acts_at(1.5, 0.5); }}},
      {"camera.name", {with_camera(), [](auto& a) { return a.cameras.at(0).name == "camera.desk"; }}},
      {"camera.position",
       {with_camera(),
        [](auto& a) {
          return camera(a).position == Vec3{1, -2, 3};
        }}},
      {"camera.towards",
       {with_camera(),
        [](auto& a) {
          return camera(a).axes.rows[2] == Vec3{0, -1, 0};
        }}},
      {"camera.up",
       {with_camera("up = [5, 1, 0]"),
        [](auto& a) {
          return camera(a).axes.rows[1] == Vec3{1, 0, 0};
        }}},
      {"camera.focal_length", {with_camera(), [](auto& a) { return camera(a).focal_length == 900.0; }}},
      {"camera.rotate",
       {with_camera("rotate = [4, 5, 6]"),
        [](auto& a) {
          return camera(a).rotate == Vec3{4, 5, 6};
        }}},
      {"camera.translate",
       {with_camera("translate = [4, 5, 6]"),
        [](auto& a) {
          return camera(a).translate == Vec3{4, 5, 6};
        }}},
      {"camera.zoom", {with_camera("zoom = 1.5"), [](auto& a) { return camera(a).zoom == 1.5; }}},
      {"ball_contact.bodies",
       {with_balls(),
        [](auto& a) {
          return balls(a).bodies == std::vector<std::size_t>{1, 0};
        }}},
      {"ball_contact.radius", {with_balls(), [](auto& a) { return balls(a).radius == 0.5; }}},
      {"ball_contact.stiffnesses",
       {with_balls(),
        [](auto& a) {
          return balls(a).stiffnesses == std::vector<double>{2, 3} &&
                 balls(a).frictions == std::vector<double>{0, 0};
        }}},
      {"ball_contact.frictions",
       {with_balls("frictions = [0.25, 0.5]"),
        [](auto& a) {
          return balls(a).frictions == std::vector<double>{0.25, 0.5};
        }}},
      {"hydrodynamics.density",
       {scene_with("[[hydrodynamics]]\ndensity = 2"), [](auto& a) { return a.waters.at(0).density == 2.0; }}},
      {"hydrodynamics.velocity",
       {scene_with("[[hydrodynamics]]\nvelocity = [1, 2, 3]"),
        [](auto& a) {
          return a.waters.at(0).velocity == Vec3{1, 2, 3};
        }}},
      {"hydrodynamics.drag",
       {scene_with("[[hydrodynamics]]\ndrag = [1, 2, 3, 4]"),
        [](auto& a) {
          return a.waters.at(0).drag == std::vector<double>{1, 2, 3, 4};
        }}},
      {"hydrodynamics.thrust",
       {scene_with("[[hydrodynamics]]\nthrust = [1, 2, 3, 4]"),
        [](auto& a) {
          return a.waters.at(0).thrust == std::vector<double>{1, 2, 3, 4};
        }}},
      {"hydrodynamics.max_force",
       {scene_with("[[hydrodynamics]]\nmax_force = 7"),
        [](auto& a) { return a.waters.at(0).max_force == 7.0; }}},
      {"hydrodynamics.bodies",
       {scene_with("[[body]]\nname = \"b\"\nmesh = \"quad.obj\"\nmass = 1\ntranslate = [0, 0, 9]\n"
                   "[[hydrodynamics]]\nbodies = [\"b\"]"),
        [](auto& a) {
          return a.waters.at(0).faces.size() == a.faces.size() / 2 && a.waters[0].faces[0].corners[0] >= 4;
        }}},
  };
}

}  // namespace electret::test
