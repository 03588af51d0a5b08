#include <electret/core/direction.hpp>
#include <electret/scene/tables/muscles.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind muscle_stiffness =
    numbers_of_tracks<&Assembly::muscles, &MuscleTrack::stiffness>();
constinit const NumberKind activations = numbers_of_tracks<&Assembly::muscles, &MuscleTrack::activations>();
constinit const NumberKind activation_keys =
    numbers_of_tracks<&Assembly::muscles, &MuscleTrack::keys, &KeyFrames<double>::values>();
}  // namespace number

namespace {

void check_muscle(SceneChecking& checking, const Muscle& muscle, const std::string& key) {
  checking.known_element_group(muscle.group, key);
  if (muscle.fibre == Vec3{} && !checking.report.is_bad(key + ".fibre"))
    checking.add(key + ".fibre", "\"fibre\" in [[body.muscle]] is [0, 0, 0]: it has no direction",
                 "allowed: three numbers that are not all 0");
  checking.optional_key_frames(muscle.keys, key, "values", {"values", "times", "activation", "activations"});
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
  track.fibre = direction_of(muscle.fibre);
  track.stiffness.assign(track.elements.size(), muscle.stiffness);
  track.keys = muscle.keys;
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
  require_argument(track.stiffness.size() == count &&
                       (track.keys.empty() ? track.activations.size() == count
                                           : track.keys.times.size() == track.keys.values.size()),
                   "assembly: a muscle's numbers are not as many as its elements");
  require_argument(std::all_of(track.keys.values.begin(), track.keys.values.end(),
                               [](double activation) { return activation >= 0.0; }),
                   "assembly: a muscle's activation is negative");
  require_argument(norm(track.fibre) > 0.0, "assembly: a muscle's fibre has no direction");
}

auto muscle_identity(const MuscleTrack& track) {
  return std::tie(track.elements, track.fibre, track.stiffness, track.activations, track.keys);
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
      row<&Muscle::fibre>("fibre").required().says(
          "Direction of the fibre at rest, world axes; its length does not matter."),
      row<&Muscle::stiffness>("stiffness").unit("Pa").above(0).required().says("Stiffness along the fibre."),
      row<&Muscle::activation>("activation")
          .at_least(0)
          .says("The stretch along the fibre that the muscle pulls towards. 1: the rest length; "
                "less: shorter."),
      row<&Muscle::activations>("activations")
          .at_least(0)
          .says("Activation of each element, in the group's order."),
      times_row<&Muscle::keys, &KeyFrames<double>::times>(),
      values_row<&Muscle::keys>("values").at_least(0).says("Key-frames: one activation per time."),
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
      .alternatives = {{.keys = {"activation", "activations", "values"}, .one_is_required = true}}};
  table.called = "body.NAME.muscle.I";
  table.numbers = {
      {&number::activations,
       Per::element,
       {{"activation",
         "Activation common to the muscle's elements: the stretch along the fibre that it pulls towards."},
        {"activations", "Activation, element by element."}}},
      {&number::activation_keys, Per::own, {{"values", "Key-framed activation, key by key."}}},
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
