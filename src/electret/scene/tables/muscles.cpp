#include <algorithm>

#include <electret/scene/activation_check.hpp>
#include <electret/scene/expression_findings.hpp>
#include <electret/scene/muscle_fibres.hpp>
#include <electret/scene/tables/muscles.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind muscle_stiffness =
    numbers_of_tracks<&Assembly::muscles, &MuscleTrack::stiffness>();
constinit const NumberKind activations = numbers_of_tracks<&Assembly::muscles, &MuscleTrack::activations>();
constinit const NumberKind activation_keys =
    numbers_of_tracks<&Assembly::muscles, &MuscleTrack::keys, &KeyFrames<double>::values>();
constinit const NumberKind activation_constants =
    numbers_of_tracks<&Assembly::muscles, &MuscleTrack::formula, &ActivationFormula::constants>();
}  // namespace number

namespace {

/// Each constant is a parameter, by its name.
void constants_by_name(const Assembly& a, std::vector<Parameter>& found) {
  std::vector<Parameter> named;
  for (const Parameter& muscle : found)
    for (const Index constant : muscle.members) {
      const MuscleTrack& track = a.muscles[muscle.source.index];
      Parameter& p = named.emplace_back(muscle);
      p.name = track.name + "." + track.formula.constant_names[static_cast<std::size_t>(constant)];
      p.members = {constant};
    }
  found = std::move(named);
}

bool changes_step(const Scene& scene) {
  return std::any_of(scene.changes.begin(), scene.changes.end(), [](const Change& change) {
    return std::any_of(change.set.begin(), change.set.end(), [](const std::string& set) {
      return set.find("time") < set.find("step") && set.find("step") != std::string::npos;
    });
  });
}

/// Finds the first time of the run at which a formula has no activation, though the method reads it.
void check_steps(SceneChecking& checking, const ActivationFormula& formula, const std::string& key) {
  const auto& time = checking.scene.time;
  if (!checking.none_bad("time", {"step", "steps", "duration"}) || !(time.step > 0.0)) return;
  // The legs are known once all changes have been read; the scene after a change is checked again then.
  if (checking.scene.changes_made > 0 && time.legs.empty() && changes_step(checking.scene)) return;
  const auto found = first_without_activation(formula, checking.scene);
  if (found)
    checking.add(
        key, "the activation is " + number_text(found->value) + " at t = " + number_text(found->time) + " s",
        "allowed: an expression that is finite and at least " + number_text(least_activation) +
            " at every step of the run");
}

void check_formula(SceneChecking& checking, const Muscle& muscle, const std::string& key) {
  if (!checking.none_bad(key, {"expression", "constants"})) return;
  if (muscle.expression.empty()) {
    if (!muscle.constants.empty())
      checking.add(key + ".constants", "\"constants\" in [[body.muscle]] are those of no expression",
                   "allowed: with \"expression\"");
    return;
  }
  for (const auto& [name, value] : muscle.constants)
    if (!is_activation_constant(name))
      checking.add(key + ".constants." + name,
                   "a constant of an activation cannot be called " + in_quotes(name),
                   allowed_activation_constants());
  std::vector<ExpressionError> errors;
  const ActivationFormula formula = ActivationFormula::parse(muscle.expression, muscle.constants, errors);
  add_expression_findings(checking.report, checking.scene.source, key + ".expression", muscle.expression,
                          errors);
  if (errors.empty()) check_steps(checking, formula, key + ".expression");
}

void check_muscle(SceneChecking& checking, const Muscle& muscle, const std::string& key) {
  checking.known_element_group(muscle.group, key);
  if (muscle.fibre && muscle.fibre->around.value_or(muscle.fibre->along) == Vec3{} &&
      !checking.report.is_bad(key + ".fibre"))
    checking.add(key + ".fibre",
                 (muscle.fibre->around ? "\"around\" in the fibre of" : "\"fibre\" in") +
                     std::string(" [[body.muscle]] is [0, 0, 0]: it has no direction"),
                 "allowed: three numbers that are not all 0");
  checking.optional_key_frames(muscle.keys, key, "values",
                               {"values", "times", "activation", "activations", "expression"});
  check_formula(checking, muscle, key);
  checking.method_for_elements(key + " is a muscle");
}

std::optional<MuscleTrack> muscle_track(Assembling& assembling, const Muscle& muscle,
                                        const std::string& key) {
  BodyContext& context = *assembling.body;
  if (!has_elements(context, key + ".fibre", "a muscle", "muscles are for meshes of tetrahedra or hexahedra"))
    return std::nullopt;
  MuscleTrack track;
  track.body = context.number;
  track.name = context.name_of(key);
  track.elements = elements_of(context, muscle.group);
  auto fibres = muscle_fibres(context, muscle, track.elements, key);
  if (!fibres) return std::nullopt;
  track.fibres = std::move(*fibres);
  track.stiffness.assign(track.elements.size(), muscle.stiffness);
  track.keys = muscle.keys;
  std::vector<ExpressionError> errors;
  if (!muscle.expression.empty())
    track.formula = ActivationFormula::parse(muscle.expression, muscle.constants, errors);
  if (muscle.activation) track.activations.assign(track.elements.size(), *muscle.activation);
  if (!muscle.activations.given()) return track;
  auto values = per_item(context, muscle.activations, key + ".activations", "body.muscle",
                         track.elements.size(), "elements of the muscle");
  if (!values) return std::nullopt;
  track.activations = std::move(*values);
  return track;
}

void check_muscle_track(const Assembly& a, const MuscleTrack& track) {
  check_set(a, track.elements);
  const std::size_t count = track.elements.size();
  require_argument(track.stiffness.size() == count && track.fibres.size() == count &&
                       (track.changes() ? track.keys.times.size() == track.keys.values.size()
                                        : track.activations.size() == count),
                   "assembly: a muscle's numbers are not as many as its elements");
  require_argument(track.formula.constants.size() == track.formula.constant_names.size(),
                   "assembly: a muscle's constants are not as many as their names");
  for (const std::vector<double>* values : {&track.activations, &track.keys.values})
    require_argument(std::all_of(values->begin(), values->end(),
                                 [](double activation) { return activation >= least_activation; }),
                     "assembly: a muscle's activation is below -1");
  require_argument(std::all_of(track.fibres.begin(), track.fibres.end(),
                               [](const Vec3& fibre) { return norm(fibre) > 0.0; }),
                   "assembly: a muscle's fibre has no direction");
}

auto muscle_identity(const MuscleTrack& track) {
  return std::tie(track.elements, track.fibres, track.stiffness, track.activations, track.keys,
                  track.formula.text, track.formula.constant_names, track.formula.constants);
}

void drive_muscles(const SceneTable& table, const Assembly& a, std::vector<DrivenInput>& to) {
  const NumberRange& range = table.schema.row("activation")->range;
  std::size_t first = 0;
  for (const MuscleTrack& track : a.muscles) {
    const auto elements = consecutive(first, track.elements.size());
    to.push_back(DrivenInput(track.name + ".activation", "", input::activations, elements).within(range));
    to.push_back(
        DrivenInput(track.name + ".activations", "", input::activations, elements).each().within(range));
    first += elements.size();
  }
}

std::vector<SchemaRow> muscle_rows() {
  using namespace schema;
  return {
      row<&Muscle::group>("group").says("Name of an element group; absent: all elements."),
      row<&Muscle::fibre>("fibre").says(
          "Direction of the fibres at rest, world axes; its length does not matter. `{ around = [0, 1, 0] "
          "}`: "
          "around that axis through the mean of the body's elements, c × axis for an element at c from it."),
      row<&Muscle::fibres>("fibres").says("Direction of each element's fibre, in the group's order."),
      row<&Muscle::stiffness>("stiffness").unit("Pa").above(0).required().says("Stiffness along the fibre."),
      row<&Muscle::activation>("activation")
          .at_least(least_activation)
          .says("The stretch along the fibre that the muscle pulls towards. 1: the rest length; "
                "less: shorter; below 0: shorter than any body can be, with a warning."),
      row<&Muscle::activations>("activations")
          .at_least(least_activation)
          .says("Activation of each element, in the group's order."),
      row<&Muscle::expression>("expression")
          .in_words("expression")
          .says(
              "Activation of all elements, ≥ -1, in t (the time at which a method reads it, s), h (the time "
              "step, s) and the constants; see Expressions. `imex` reads it at the end of a step."),
      row<&Muscle::constants>("constants").says("Named numbers of the expression: `{ A = 0.7 }`."),
      times_row<&Muscle::keys, &KeyFrames<double>::times>(),
      values_row<&Muscle::keys>("values")
          .at_least(least_activation)
          .says("Key-frames: one activation per time."),
      interpolation_row<&Muscle::keys, &KeyFrames<double>::interpolation>()};
}

}  // namespace

SceneTable muscle_table() {
  SceneTable table;
  table.schema = {
      .name = "body.muscle",
      .is_repeated = true,
      .description =
          "Volume elements that pull towards a given stretch along a fibre, in addition to their materials.",
      .rows = muscle_rows(),
      .alternatives = {
          {.keys = {"fibre", "fibres"}, .one_is_required = true},
          {.keys = {"activation", "activations", "values", "expression"}, .one_is_required = true}}};
  table.called = "body.NAME.muscle.I";
  table.numbers = {
      {&number::activations,
       Per::element,
       {{"activation",
         "Activation common to the muscle's elements: the stretch along the fibre that it pulls towards."},
        {"activations", "Activation, element by element."}}},
      {&number::activation_keys, Per::own, {{"values", "Key-framed activation, key by key."}}},
      {.kind = &number::activation_constants,
       .per = Per::own,
       .keys = {NumberKey("constants", "Named constant of an activation's expression.")
                    .as("NAME")
                    .then(constants_by_name)},
       .names_of = [](const Assembly& a, std::size_t k) -> const std::vector<std::string>& {
         return a.muscles[k].formula.constant_names;
       }},
      {&number::muscle_stiffness, Per::element, {{"stiffness", "Stiffness of the muscle along its fibre."}}}};
  table.name_of = name_of_track<&Assembly::muscles>;
  table.read = read_each<&Body::muscles>;
  table.check = check_each<&Body::muscles, check_muscle>;
  table.assemble = add_each<&Body::muscles, &Assembly::muscles, muscle_track>;
  table.check_assembly = check_tracks<&Assembly::muscles, check_muscle_track>;
  table.join = join_elements<&Assembly::muscles>;
  table.part = "muscles";
  table.identify = identify_tracks<&Assembly::muscles, muscle_identity>;
  table.drive = drive_muscles;
  return table;
}

}  // namespace electret
