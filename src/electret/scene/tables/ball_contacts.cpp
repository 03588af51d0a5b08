#include <algorithm>
#include <optional>

#include <electret/scene/tables/ball_contacts.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind ball_radius =
    numbers_of_tracks<&Assembly::ball_contacts, &BallContactTrack::radius>();
constinit const NumberKind ball_stiffnesses =
    numbers_of_tracks<&Assembly::ball_contacts, &BallContactTrack::stiffnesses>();
constinit const NumberKind ball_frictions =
    numbers_of_tracks<&Assembly::ball_contacts, &BallContactTrack::frictions>();
}  // namespace number

namespace {

std::vector<std::string> names_of_bodies(const Scene& scene) {
  std::vector<std::string> names;
  for (const Body& body : scene.bodies) names.push_back(body.name);
  return names;
}

void check_balls(SceneChecking& checking, const BallContactOptions& contact, const std::string& key) {
  const std::vector<std::string> known = names_of_bodies(checking.scene);
  const std::string of_bodies = key + ".bodies";
  if (checking.report.is_bad(of_bodies)) return;
  if (contact.bodies.size() < 2)
    return checking.add(of_bodies, "\"bodies\" has " + counted(contact.bodies.size(), "name", "names"),
                        "allowed: two balls or more");
  for (std::size_t i = 0; i < contact.bodies.size(); ++i) {
    const std::string& name = contact.bodies[i];
    if (std::find(known.begin(), known.end(), name) == known.end())
      checking.add(of_bodies, "the scene has no body " + in_quotes(name), suggestion(name, known));
    const auto before = contact.bodies.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(contact.bodies.begin(), before, name) != before)
      checking.add(of_bodies, "body " + in_quotes(name) + " is twice in \"bodies\"",
                   "allowed: each ball once");
  }
  const auto check_count = [&](const std::vector<double>& values, const char* name, bool may_be_absent) {
    const std::string own = key + "." + name;
    if (checking.report.is_bad(own) || (values.empty() && may_be_absent)) return;
    if (values.size() != contact.bodies.size())
      checking.add(own, in_quotes(name) + " has " + counted(values.size(), "number", "numbers"),
                   "allowed: " + std::to_string(contact.bodies.size()) + ", one for each of \"bodies\"");
  };
  check_count(contact.stiffnesses, "stiffnesses", false);
  check_count(contact.frictions, "frictions", true);
}

std::optional<BallContactTrack> ball_contact_track(Assembling& assembling, const BallContactOptions& contact,
                                                   const std::string&) {
  const std::vector<std::string> names = names_of_bodies(assembling.result.scene);
  BallContactTrack track{contact.radius, contact.stiffnesses, contact.frictions, {}};
  track.frictions.resize(contact.bodies.size());
  for (const std::string& name : contact.bodies)
    track.bodies.push_back(
        static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
  return track;
}

void check_ball_contact_track(const Assembly& a, const BallContactTrack& track) {
  const auto has_vertices = [&](std::size_t b) {
    return b + 1 < a.body_offsets.size() && a.body_offsets[b] < a.body_offsets[b + 1];
  };
  require_argument(track.stiffnesses.size() == track.bodies.size() &&
                       track.frictions.size() == track.bodies.size() &&
                       std::all_of(track.bodies.begin(), track.bodies.end(), has_vertices),
                   "assembly: a ball_contact has not one stiffness and friction per ball, or a ball that the "
                   "assembly does not have");
}

/// The numbers are the assembly's: a fit changes them there.
void identify_ball_contacts(const SceneTable& table, const Assembly& assembly, Identity& to) {
  Hash& hash = to.part("ball contacts");
  for (std::size_t k = 0; k < assembly.ball_contacts.size(); ++k) {
    BallContactOptions contact = assembly.scene.ball_contacts[k];
    const BallContactTrack& track = assembly.ball_contacts[k];
    contact.radius = track.radius;
    contact.stiffnesses = track.stiffnesses;
    contact.frictions = track.frictions;
    hash.add_rows(table.schema, &contact);
  }
}

}  // namespace

SceneTable ball_contact_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "ball_contact",
      .is_repeated = true,
      .description =
          "Balls that push each other where they touch, by a spring between their centres, and rub on each "
          "other in the plane of x and y: the force of [DiffPD] section 7.5.",
      .rows = {row<&BallContactOptions::bodies>("bodies").required().says(
                   "Names of the balls, two or more. A ball's centre is the mean of its vertices."),
               row<&BallContactOptions::radius>("radius").unit("m").above(0).required().says(
                   "Radius of the balls: they touch where centres are less than twice as far apart."),
               row<&BallContactOptions::stiffnesses>("stiffnesses")
                   .unit("N/m")
                   .at_least(0)
                   .required()
                   .says("One for each ball: push on it, divided by how far the balls overlap."),
               row<&BallContactOptions::frictions>("frictions")
                   .at_least(0)
                   .says("One for each ball: friction divided by push. Default: 0.")}};
  table.called = "ball_contact.I";
  table.numbers = {
      {&number::ball_radius, Per::own, {{"radius", "Radius of balls that push each other."}}},
      {&number::ball_stiffnesses, Per::own, {{"stiffnesses", "Stiffness of the push on each ball."}}},
      {&number::ball_frictions, Per::own, {{"frictions", "Friction divided by push, of each ball."}}}};
  table.read = read_each<&Scene::ball_contacts>;
  table.check = check_each<&Scene::ball_contacts, check_balls>;
  table.assemble = add_each<&Scene::ball_contacts, &Assembly::ball_contacts, ball_contact_track>;
  table.check_assembly = check_tracks<&Assembly::ball_contacts, check_ball_contact_track>;
  table.identify = identify_ball_contacts;
  return table;
}

}  // namespace electret
