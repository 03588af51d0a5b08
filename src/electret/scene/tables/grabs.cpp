#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <electret/scene/held_directions.hpp>
#include <electret/scene/tables/grabs.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind grab_stiffness = numbers_of_tracks<&Assembly::grabs, &GrabTrack::stiffness>();
constinit const NumberKind grab_damping = numbers_of_tracks<&Assembly::grabs, &GrabTrack::damping>();
constinit const NumberKind grab_targets =
    numbers_of_tracks<&Assembly::grabs, &GrabTrack::targets, &KeyFrames<Vec3>::values>();
}  // namespace number

namespace {

void check_body(SceneChecking& checking, const Grab& grab, const std::string& key) {
  if (checking.report.is_bad(key + ".body")) return;
  std::vector<std::string> bodies;
  for (const Body& body : checking.scene.bodies) bodies.push_back(body.name);
  if (std::find(bodies.begin(), bodies.end(), grab.body) == bodies.end())
    checking.add(key + ".body", "the scene has no body " + in_quotes(grab.body),
                 suggestion(grab.body, bodies));
}

void check_vertices(SceneChecking& checking, const Grab& grab, const std::string& key) {
  const std::string own = key + ".vertices", allowed = "allowed: each vertex once";
  if (checking.report.is_bad(own)) return;
  if (grab.vertices.empty()) return checking.add(own, "\"vertices\" is empty", "allowed: one vertex or more");
  std::set<Index> known, told;
  ListFindings findings;
  for (const Index vertex : grab.vertices)
    if (!known.insert(vertex).second && told.insert(vertex).second && findings.admit_another())
      checking.add(own, "vertex " + std::to_string(vertex) + " is in \"vertices\" twice", allowed);
  findings.report_omitted(checking.report, checking.scene.source, own, "\"vertices\"", allowed);
}

void check_weights(SceneChecking& checking, const Grab& grab, const std::string& key) {
  if (grab.weights.empty() || !checking.none_bad(key, {"weights"})) return;
  if (!checking.report.is_bad(key + ".vertices") && grab.weights.size() != grab.vertices.size())
    return checking.add(key + ".weights",
                        "\"weights\" has " + counted(grab.weights.size(), "entry", "entries") +
                            ", \"vertices\" has " + std::to_string(grab.vertices.size()),
                        "allowed: as many as vertices");
  const double sum = std::accumulate(grab.weights.begin(), grab.weights.end(), 0.0);
  if (!(std::abs(sum - 1.0) <= grab_weight_tolerance))
    checking.add(key + ".weights", "the weights sum to " + number_text(sum),
                 "allowed: weights ≥ 0 whose sum is 1, to " + number_text(grab_weight_tolerance));
}

void check_times(SceneChecking& checking, const Grab& grab, const std::string& key) {
  const bool are_keys =
      checking.none_bad(key, {"times", "targets"}) && checking.key_frames(grab.targets, key, "targets");
  if (!are_keys || !grab.until || checking.report.is_bad(key + ".until")) return;
  const double first = grab.targets.times.front();
  if (!(*grab.until > first))
    checking.add(key + ".until",
                 "the grab ends at " + number_text(*grab.until) + " s and begins at " + number_text(first) +
                     " s, the first of its times",
                 "allowed: a time after the first one");
}

void check_grab(SceneChecking& checking, const Grab& grab, const std::string& key) {
  check_body(checking, grab, key);
  check_vertices(checking, grab, key);
  check_weights(checking, grab, key);
  check_times(checking, grab, key);
}

/// Finds vertices that a body of `count` vertices does not have.
bool are_of_body(Assembling& assembling, const Grab& grab, const std::string& key, Count count) {
  const Scene& scene = assembling.result.scene;
  const std::string own = key + ".vertices", allowed = "allowed: 0 … " + std::to_string(count - 1);
  ListFindings findings;
  for (const Index vertex : grab.vertices)
    if ((vertex < 0 || vertex >= count) && findings.admit_another())
      assembling.report.add(scene.source, own,
                            "\"vertices\" names vertex " + std::to_string(vertex) + " of body " +
                                in_quotes(grab.body) + ", which has " + std::to_string(count),
                            allowed);
  findings.report_omitted(assembling.report, scene.source, own, "\"vertices\"", allowed);
  return findings.empty();
}

/// Finds vertices that pins hold in all directions and that have a weight: the grab cannot move them.
void find_pinned(Assembling& assembling, const Grab& grab, const GrabTrack& track, const std::string& key) {
  const Scene& scene = assembling.result.scene;
  const std::vector<Index> fixed = fixed_vertices(assembling.result);
  const std::string own = key + (grab.weights.empty() ? ".vertices" : ".weights"),
                    allowed = "allowed: weight 0 for vertices that a pin holds";
  ListFindings findings;
  for (std::size_t k = 0; k < track.vertices.size(); ++k)
    if (track.weights[k] > 0.0 && std::binary_search(fixed.begin(), fixed.end(), track.vertices[k]) &&
        findings.admit_another())
      assembling.report.add(scene.source, own,
                            "vertex " + std::to_string(grab.vertices[k]) + " of body " +
                                in_quotes(grab.body) + " is pinned and has the weight " +
                                number_text(track.weights[k]),
                            allowed);
  findings.report_omitted(assembling.report, scene.source, own, "the grab", allowed);
}

std::optional<GrabTrack> grab_track(Assembling& assembling, const Grab& grab, const std::string& key) {
  const Assembly& a = assembling.result;
  const auto& bodies = a.scene.bodies;
  const auto body = static_cast<std::size_t>(
      std::find_if(bodies.begin(), bodies.end(), [&](const Body& each) { return each.name == grab.body; }) -
      bodies.begin());
  // A body whose mesh is missing has no vertices.
  if (body + 1 >= a.body_offsets.size() || a.body_offsets[body] == a.body_offsets[body + 1])
    return std::nullopt;
  const Count first = a.body_offsets[body], count = a.body_offsets[body + 1] - first;
  if (!are_of_body(assembling, grab, key, count)) return std::nullopt;
  GrabTrack track{{}, grab.weights, grab.stiffness, grab.damping, grab.targets};
  for (const Index vertex : grab.vertices) track.vertices.push_back(static_cast<Index>(first) + vertex);
  if (track.weights.empty())
    track.weights.assign(track.vertices.size(), 1.0 / static_cast<double>(track.vertices.size()));
  if (grab.until) track.until = *grab.until;
  find_pinned(assembling, grab, track, key);
  return track;
}

void check_grab_track(const Assembly& a, const GrabTrack& track) {
  const double sum = std::accumulate(track.weights.begin(), track.weights.end(), 0.0);
  require_argument(are_below(track.vertices, a.masses.size()) && !track.vertices.empty() &&
                       track.weights.size() == track.vertices.size() && are_keys(track.targets, false),
                   "assembly: a grab's vertices, weights and targets do not fit");
  require_argument(
      std::all_of(track.weights.begin(), track.weights.end(), [](double weight) { return weight >= 0.0; }) &&
          std::abs(sum - 1.0) <= grab_weight_tolerance,
      "assembly: a grab's weights are below 0 or do not sum to 1");
}

auto grab_identity(const GrabTrack& track) {
  return std::tie(track.vertices, track.weights, track.stiffness, track.damping, track.targets, track.until);
}

/// Scenes without grabs keep the fingerprints that they had.
void identify_grabs(const SceneTable& table, const Assembly& a, Identity& to) {
  if (!a.grabs.empty()) identify_tracks<&Assembly::grabs, grab_identity>(table, a, to);
}

/// A row of derivatives is a target, a stiffness and a damping.
void drive_grabs(const SceneTable&, const Assembly& a, std::vector<DrivenInput>& to) {
  NumberRange not_negative;
  not_negative.minimum = 0.0;
  for (std::size_t k = 0; k < a.grabs.size(); ++k) {
    const std::string name = "grab." + std::to_string(k);
    to.push_back(DrivenInput(name + ".target", "m", input::grabs, {k}).part(0, 3));
    to.push_back(DrivenInput(name + ".stiffness", "N/m", input::grabs, {k}).part(3, 1).within(not_negative));
    to.push_back(DrivenInput(name + ".damping", "N s/m", input::grabs, {k}).part(4, 1).within(not_negative));
  }
}

std::vector<SchemaRow> grab_rows() {
  using namespace schema;
  return {row<&Grab::body>("body").required().says("Name of the body."),
          row<&Grab::vertices>("vertices").required().says("Vertices of the body, each once."),
          row<&Grab::weights>("weights").at_least(0).says(
              "One per vertex; their sum is 1. Vertices that a pin holds have weight 0. Default: all the "
              "same."),
          row<&Grab::stiffness>("stiffness")
              .unit("N/m")
              .at_least(0)
              .required()
              .says("Stiffness of the spring from the target to the weighted mean of the vertices."),
          row<&Grab::damping>("damping").unit("N s/m").at_least(0).says(
              "Force against the weighted mean of the vertices' velocities, per m/s of it."),
          row<&Grab::targets, &KeyFrames<Vec3>::times>("times").unit("s").required().says(
              "Strictly increasing times of the targets. There is no force before the first one."),
          row<&Grab::targets, &KeyFrames<Vec3>::values>("targets").unit("m").required().says(
              "Where the grab pulls to, one point per time, world axes."),
          interpolation_row<&Grab::targets, &KeyFrames<Vec3>::interpolation>(),
          row<&Grab::until>("until").unit("s").says(
              "After the first time: there is no force from here on. Default: the grab does not end.")};
}

}  // namespace

SceneTable grab_table() {
  SceneTable table;
  table.schema = {
      .name = "grab",
      .is_repeated = true,
      .description =
          "Pulls the weighted mean of some vertices to a point that may move, with a spring and a "
          "damper, as a hand does. Several grabs add up.",
      .rows = grab_rows()};
  table.called = "grab.I";
  table.numbers = {{&number::grab_stiffness, Per::own, {{"stiffness", "Stiffness of a grab."}}},
                   {&number::grab_damping, Per::own, {{"damping", "Damping of a grab."}}},
                   {&number::grab_targets, Per::own, {{"targets", "Where a grab pulls to, key by key."}}}};
  table.read = read_each<&Scene::grabs>;
  table.check = check_each<&Scene::grabs, check_grab>;
  table.assemble = add_each<&Scene::grabs, &Assembly::grabs, grab_track>;
  table.check_assembly = check_tracks<&Assembly::grabs, check_grab_track>;
  table.part = "grabs";
  table.identify = identify_grabs;
  table.drive = drive_grabs;
  return table;
}

}  // namespace electret
