#include <algorithm>
#include <cmath>

#include <electret/scene/body_contact.hpp>
#include <electret/scene/held_directions.hpp>
#include <electret/scene/obstacle.hpp>
#include <electret/scene/tables/contact.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind contact_friction = numbers_of<&Assembly::contact_friction>();
constinit const NumberKind contact_pair_friction =
    numbers_of_tracks<&Assembly::contact_pairs, &ContactPairTrack::friction>();
}  // namespace number

namespace {

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

/// The number of the item called `name`; as many as there are if none is.
template <class Items>
std::size_t number_of(const Items& items, const std::string& name) {
  return static_cast<std::size_t>(
      std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; }) -
      items.begin());
}

struct BodyAndObstacle {
  std::size_t body = 0, obstacle = 0;
  [[nodiscard]] bool are_in(const Scene& scene) const {
    return body < scene.bodies.size() && obstacle < scene.obstacles.size();
  }
};

/// What `pair` is between. Its two names may be in either order.
BodyAndObstacle members_of(const Scene& scene, const ContactPair& pair) {
  BodyAndObstacle found{number_of(scene.bodies, pair.between[0]),
                        number_of(scene.obstacles, pair.between[1])};
  if (!found.are_in(scene))
    found = {number_of(scene.bodies, pair.between[1]), number_of(scene.obstacles, pair.between[0])};
  return found;
}

void read_contact(const SceneTable&, SceneReading& reading, const std::string&, const Node& root, void*) {
  const Node::Member* member = root.member("contact");
  if (member == nullptr) return;
  ContactOptions options;
  reading.tables.one("", root, "contact", options);
  if (member->node.kind == Node::Kind::table)
    reading.tables.many<ContactPair>("contact", member->node, "contact.pair", options.pairs,
                                     [](auto&, auto&, auto&) {});
  reading.scene.contact = std::move(options);
}

/// The two bodies of `pair`, the smaller number first; one beyond them if one is none.
std::array<std::size_t, 2> bodies_of(const Scene& scene, const ContactPair& pair) {
  const std::size_t a = number_of(scene.bodies, pair.between[0]),
                    b = number_of(scene.bodies, pair.between[1]);
  return {std::min(a, b), std::max(a, b)};
}

bool is_of_bodies(const Scene& scene, const ContactPair& pair) {
  return !members_of(scene, pair).are_in(scene) && bodies_of(scene, pair)[1] < scene.bodies.size();
}

bool is_against(const ContactOptions& contact, std::string_view partner) {
  return std::find(contact.against.begin(), contact.against.end(), partner) != contact.against.end();
}

/// Finds names of no body or obstacle in `between`.
void check_names(SceneChecking& checking, const ContactPair& pair, const std::string& key) {
  const Scene& scene = checking.scene;
  const std::vector<std::string> bodies = names_of(scene.bodies), obstacles = names_of(scene.obstacles);
  std::vector<std::string> all = bodies;
  all.insert(all.end(), obstacles.begin(), obstacles.end());
  std::size_t unknown = 0;
  for (const std::string& name : pair.between) {
    if (std::find(all.begin(), all.end(), name) != all.end()) continue;
    ++unknown;
    checking.add(key + ".between", "the scene has no body or obstacle " + in_quotes(name),
                 suggestion(name, all));
  }
  for (std::size_t k = 0; k < pair.between.size(); ++k) {
    const std::string& name = pair.between[k];
    if (k > 0 && name == pair.between[0]) continue;
    if (number_of(scene.bodies, name) < bodies.size() && number_of(scene.obstacles, name) < obstacles.size())
      checking.add(key + ".between", in_quotes(name) + " is the name of a body and of an obstacle",
                   "allowed: a name that one of them has alone");
  }
  if (unknown == 0 && !members_of(scene, pair).are_in(scene) && !is_of_bodies(scene, pair))
    checking.add(key + ".between",
                 in_quotes(pair.between[0]) + " and " + in_quotes(pair.between[1]) + " are both obstacles",
                 "allowed: a body and an obstacle, two bodies, or a body twice");
}

/// Finds a pair of bodies that do not touch, and one that was given before.
void check_pair_of_bodies(SceneChecking& checking, const ContactPair& pair, const std::string& key,
                          std::vector<std::array<std::size_t, 2>>& known) {
  const Scene& scene = checking.scene;
  const std::array<std::size_t, 2> bodies = bodies_of(scene, pair);
  const bool is_self = bodies[0] == bodies[1];
  const std::string partner = is_self ? "self" : "bodies",
                    named = is_self ? "body " + in_quotes(pair.between[0]) + " and itself"
                                    : "bodies " + in_quotes(pair.between[0]) + " and " +
                                          in_quotes(pair.between[1]);
  if (!is_against(*scene.contact, partner))
    checking.add(key + ".between",
                 "the pair is of " + named + ", but [contact] against does not name " + in_quotes(partner),
                 "allowed: against = [\"obstacles\", \"bodies\", \"self\"], or the part of it that is meant");
  if (std::find(known.begin(), known.end(), bodies) != known.end())
    checking.add(key + ".between", "two pairs are of " + named, "allowed: one for each two bodies");
  if (pair.friction && std::isinf(*pair.friction) && !checking.report.is_bad(key + ".friction"))
    checking.add(key + ".friction", "friction = \"stick\" does not go with the pair of " + named,
                 "allowed: a body and an obstacle, or a number");
  known.push_back(bodies);
}

/// Finds what a pair lacks or has too much.
void check_pair_keys(SceneChecking& checking, const ContactPair& pair, const std::string& key) {
  if (checking.report.is_bad(key + ".friction") || checking.report.is_bad(key + ".ignore")) return;
  if (!pair.friction && !pair.ignore)
    checking.add(key, "\"friction\" is missing in [[contact.pair]]",
                 "allowed: either friction, or ignore = true");
  if (pair.friction && pair.ignore)
    checking.add(key + ".friction", "\"friction\" does not go with ignore = true", "allowed: one of the two");
}

void check_pairs(SceneChecking& checking, const std::vector<ContactPair>& pairs) {
  const Scene& scene = checking.scene;
  std::vector<BodyAndObstacle> known;
  std::vector<std::array<std::size_t, 2>> known_bodies;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string key = "contact.pair." + std::to_string(i), between = key + ".between";
    check_pair_keys(checking, pairs[i], key);
    if (checking.report.is_bad(between)) continue;
    if (pairs[i].between.size() != 2) {
      checking.add(between, "\"between\" has " + counted(pairs[i].between.size(), "name", "names"),
                   "allowed: two, of a body and an obstacle, or of bodies");
      continue;
    }
    check_names(checking, pairs[i], key);
    if (checking.report.is_bad(between)) continue;
    if (is_of_bodies(scene, pairs[i])) {
      check_pair_of_bodies(checking, pairs[i], key, known_bodies);
      continue;
    }
    if (pairs[i].ignore)
      checking.add(key + ".ignore", "\"ignore\" is for pairs of bodies",
                   "allowed: [contact] bodies, which names those that touch obstacles");
    const BodyAndObstacle members = members_of(scene, pairs[i]);
    const Obstacle& obstacle = scene.obstacles[members.obstacle];
    if (law_of(scene, obstacle) == "penalty")
      checking.add(between,
                   "obstacle " + in_quotes(obstacle.name) +
                       " has law = \"penalty\", whose friction is the same for all bodies",
                   "allowed: obstacles with law = \"exact\"");
    if (law_of(scene, obstacle) == "sticking")
      checking.add(between,
                   "obstacle " + in_quotes(obstacle.name) +
                       " has law = \"sticking\", and what touches it does not slide",
                   "allowed: obstacles with law = \"exact\"");
    if (std::any_of(known.begin(), known.end(), [&](const BodyAndObstacle& other) {
          return other.body == members.body && other.obstacle == members.obstacle;
        }))
      checking.add(between,
                   "two pairs are between body " + in_quotes(scene.bodies[members.body].name) +
                       " and obstacle " + in_quotes(obstacle.name),
                   "allowed: one for each body and obstacle");
    known.push_back(members);
  }
}

/// Finds what does not go together with contact of bodies.
void check_against(SceneChecking& checking, const ContactOptions& contact) {
  const Scene& scene = checking.scene;
  const std::string key = "contact.against";
  if (checking.report.is_bad(key)) return;
  std::vector<std::string> words = contact.against;
  std::sort(words.begin(), words.end());
  const std::string all =
      "allowed: each of \"obstacles\", \"bodies\" and \"self\" at most once, one at least";
  if (words.empty()) return checking.add(key, "\"against\" in [contact] is empty", all);
  if (const auto twice = std::adjacent_find(words.begin(), words.end()); twice != words.end())
    return checking.add(key, in_quotes(*twice) + " is in \"against\" twice", all);
  if (!is_against(contact, "obstacles"))
    for (std::size_t o = 0; o < scene.obstacles.size(); ++o)
      if (law_of(scene, scene.obstacles[o]) != "penalty")
        checking.add(key,
                     "\"against\" leaves out obstacles, but obstacle " + in_quotes(scene.obstacles[o].name) +
                         " is to be touched",
                     "allowed: \"obstacles\" in it, or no such obstacle");
  if (!touches_bodies(scene)) return;
  if (std::isinf(contact.friction.value_or(0.0)) && !checking.report.is_bad("contact.friction"))
    checking.add("contact.friction", "friction = \"stick\" in [contact] does not go with contact of bodies",
                 "allowed: a number here, and friction = \"stick\" in [[obstacle]]");
  if (!checking.report.is_bad("contact.thickness") && !(contact.thickness > 0.0))
    checking.add(scene.source.contains("contact.thickness") ? "contact.thickness" : key,
                 "contact of bodies needs a thickness, the distance below which they repel each other",
                 "allowed: [contact] thickness > 0, in m, of at most half of the shortest edge");
  const std::string &method = scene.integrator.method, &solver = scene.integrator.elastic_solver;
  if (method != "imex" && method != "newton" && method != "auto" &&
      !checking.report.is_bad("integrator.method"))
    checking.add(key, "contact of bodies does not go with method = " + in_quotes(method),
                 "allowed: method = \"imex\", \"newton\" or \"auto\"");
  if (solver != "auto" && solver != "newton_cg" && !checking.report.is_bad("integrator.elastic_solver"))
    checking.add(key, "contact of bodies does not go with elastic_solver = " + in_quotes(solver),
                 "allowed: elastic_solver = \"auto\" or \"newton_cg\"");
}

void check_contact(const SceneTable& table, SceneChecking& checking, const std::string&, void* object) {
  std::optional<ContactOptions>& contact = static_cast<Scene*>(object)->contact;
  if (!contact) return;
  checking.rows(table.schema, "contact", &*contact);
  const SchemaTable& pair_table = schema_table("contact.pair");
  for (std::size_t i = 0; i < contact->pairs.size(); ++i)
    checking.rows(pair_table, "contact.pair." + std::to_string(i), &contact->pairs[i]);
  const std::vector<std::string> bodies = names_of(checking.scene.bodies);
  if (!checking.report.is_bad("contact.bodies"))
    for (const std::string& name : contact->bodies)
      if (std::find(bodies.begin(), bodies.end(), name) == bodies.end())
        checking.add("contact.bodies", "the scene has no body " + in_quotes(name), suggestion(name, bodies));
  check_pairs(checking, contact->pairs);
  check_against(checking, *contact);
}

void assemble_contact(const SceneTable&, Assembling& assembling) {
  const Scene& scene = assembling.result.scene;
  if (!scene.contact || assembling.report.is_bad("contact") || assembling.report.is_bad("obstacle")) return;
  assembling.result.contact_friction = scene.contact->friction.value_or(0.0);
  for (const ContactPair& pair : scene.contact->pairs) {
    ContactPairTrack& track = assembling.result.contact_pairs.emplace_back();
    track.friction = pair.friction.value_or(0.0);
    track.is_ignored = pair.ignore;
    if (is_of_bodies(scene, pair)) {
      track.body = bodies_of(scene, pair)[0], track.other = bodies_of(scene, pair)[1];
    } else {
      const BodyAndObstacle members = members_of(scene, pair);
      track.body = members.body, track.obstacle = members.obstacle;
    }
  }
}

void check_contact_tracks(const Assembly& a) {
  for (const ContactPairTrack& track : a.contact_pairs)
    require_argument(track.body + 1 < a.body_offsets.size() &&
                         (track.other == ContactPairTrack::none ? track.obstacle < a.obstacles.size()
                                                                : track.other + 1 < a.body_offsets.size()),
                     "assembly: a pair in contact names no body or obstacle");
  for (const ContactGroup& group : a.contact_groups)
    require_argument(group.body + 1 < a.body_offsets.size() && are_below(group.vertices, a.masses.size()),
                     "assembly: a contact group names no body or vertex");
}

/// The laws are those of the obstacles. The numbers are the assembly's: a fit changes them there.
void identify_contact(const SceneTable&, const Assembly& a, Identity& to) {
  const std::optional<ContactOptions>& contact = a.scene.contact;
  if (!contact) return;
  Hash& hash = to.part("obstacles").add(contact->thickness).add(a.contact_friction).add(contact->bodies);
  for (const ContactPairTrack& track : a.contact_pairs)
    if (track.other == ContactPairTrack::none)
      hash.add(static_cast<Count>(track.body)).add(static_cast<Count>(track.obstacle)).add(track.friction);
  if (!touches_bodies(a.scene)) return;
  Hash& bodies = to.part("contact of bodies").add(contact->against);
  for (const ContactPairTrack& track : a.contact_pairs)
    if (track.other != ContactPairTrack::none)
      bodies.add(static_cast<Count>(track.body))
          .add(static_cast<Count>(track.other))
          .add(track.friction)
          .add(track.is_ignored ? 1.0 : 0.0);
}

void check_contact_group(SceneChecking& checking, const ContactVertices& contact, const std::string& key) {
  checking.known_group(contact.group, key);
}

std::optional<ContactGroup> contact_group(Assembling& assembling, const ContactVertices& contact,
                                          const std::string&) {
  return ContactGroup{assembling.body->number, assembling.body->members(contact.group)};
}

void identify_contact_groups(const SceneTable&, const Assembly& a, Identity& to) {
  for (const ContactGroup& group : a.contact_groups) to.part("contact groups").add(group.vertices);
}

bool takes_common_friction(const ObstacleTrack& track) {
  return track.is_exact && track.takes_common_friction;
}

/// A friction that sticks is no number to derive by or to fit.
bool has_common_friction(const Assembly& a, std::size_t) {
  return std::isfinite(a.contact_friction) &&
         (touches_bodies(a.scene) ||
          std::any_of(a.obstacles.begin(), a.obstacles.end(), takes_common_friction));
}

bool has_pair_friction(const Assembly& a, std::size_t pair) {
  return !a.contact_pairs[pair].is_ignored && std::isfinite(a.contact_pairs[pair].friction);
}

}  // namespace

ContactFriction friction_between(const Assembly& assembly, std::size_t body, std::size_t obstacle) {
  const auto& pairs = assembly.contact_pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i].body == body && pairs[i].obstacle == obstacle)
      return {pairs[i].friction, {number::contact_pair_friction, i}};
  const ObstacleTrack& track = assembly.obstacles[obstacle];
  if (takes_common_friction(track)) return {assembly.contact_friction, {number::contact_friction}};
  return {track.friction, {number::obstacle_friction, obstacle}};
}

ContactFriction friction_between_bodies(const Assembly& assembly, std::size_t a, std::size_t b) {
  const auto& pairs = assembly.contact_pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i].body == std::min(a, b) && pairs[i].other == std::max(a, b))
      return {pairs[i].friction, {number::contact_pair_friction, i}};
  return {assembly.contact_friction, {number::contact_friction}};
}

std::vector<Index> touching_vertices(const Assembly& assembly, const std::vector<char>& is_free) {
  std::vector<char> may_touch(assembly.masses.size(), 1);
  const auto mark = [&](const auto& elements, char value) {
    for (const auto& element : elements)
      for (const Index v : element) may_touch[static_cast<std::size_t>(v)] = value;
  };
  mark(assembly.tetrahedra, 0);
  mark(assembly.hexahedra, 0);
  mark(assembly.faces, 1);
  const auto body_range = [&](std::size_t body) {
    return std::pair(may_touch.begin() + assembly.body_offsets[body],
                     may_touch.begin() + assembly.body_offsets[body + 1]);
  };
  const auto fill_body = [&](std::size_t body) {
    const auto [begin, end] = body_range(body);
    std::fill(begin, end, char{0});
  };
  for (const ContactGroup& group : assembly.contact_groups) fill_body(group.body);
  for (const ContactGroup& group : assembly.contact_groups)
    for (const Index v : group.vertices) may_touch[static_cast<std::size_t>(v)] = 1;
  const auto& bodies = assembly.scene.bodies;
  if (assembly.scene.contact && !assembly.scene.contact->bodies.empty())
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const auto& named = assembly.scene.contact->bodies;
      if (std::find(named.begin(), named.end(), bodies[b].name) == named.end()) fill_body(b);
    }
  std::vector<Index> touching;
  for (std::size_t v = 0; v < may_touch.size(); ++v)
    if (may_touch[v] != 0 && is_free[v] != 0) touching.push_back(static_cast<Index>(v));
  return touching;
}

std::vector<Index> touching_vertices(const Assembly& assembly) {
  std::vector<char> is_free(assembly.masses.size(), 1);
  for (const Index pin : fixed_vertices(assembly)) is_free[static_cast<std::size_t>(pin)] = 0;
  return touching_vertices(assembly, is_free);
}

SceneTable contact_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "contact",
      .description =
          "What touches what, and what obstacles share. Of friction the coefficient of a `[[contact.pair]]` "
          "comes "
          "first, then that of the `[[obstacle]]`, then the one here. Bodies repel each other below the "
          "thickness.",
      .rows = {
          row<&ContactOptions::against>("against")
              .one_of(contact_partners)
              .standard("[\"obstacles\"]")
              .says("What bodies may touch: obstacles, other bodies, themselves. `bodies` and `self` need a "
                    "thickness "
                    "and methods imex or newton."),
          row<&ContactOptions::law>("law").one_of(obstacle_laws).says("The law of obstacles that name none."),
          row<&ContactOptions::thickness>("thickness")
              .unit("m")
              .at_least(0)
              .says("Laws `exact` and `sticking`: obstacles are thicker than their shapes by this much, and "
                    "their edges and corners are round. With `exact`, a vertex whose way within a step would "
                    "go through a shape then ends the run. Bodies: the distance below which they repel each "
                    "other."),
          row<&ContactOptions::friction>("friction")
              .at_least(0)
              .at_most(most_friction)
              .one_of({"stick"})
              .says("Coulomb's coefficient of bodies on each other and, with law `exact`, of obstacles that "
                    "have none. `stick`: what touches such an obstacle does not slide; not of bodies on each "
                    "other. Default: 0."),
          row<&ContactOptions::bodies>("bodies").says(
              "Laws `exact` and `sticking`: the names of the bodies that touch obstacles. Default: all.")}};
  table.called = "contact";
  table.numbers = {{&number::contact_friction,
                    Per::own,
                    {NumberKey("friction",
                               "The coefficient of friction of exact obstacles that have none of their own, "
                               "and of bodies on each other.")
                         .when(has_common_friction)}}};
  table.read = read_contact;
  table.check = check_contact;
  table.assemble = assemble_contact;
  table.check_assembly = check_contact_tracks;
  table.identify = identify_contact;
  return table;
}

SceneTable contact_pair_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "contact.pair",
      .is_repeated = true,
      .description =
          "The friction of a body on an exact obstacle, of two bodies on each other, or of a "
          "body on itself; or two bodies that do not touch.",
      .rows = {
          row<&ContactPair::between>("between").required().says(
              "The names of the body and the obstacle, in either order, or of two bodies. A "
              "body twice: its contact with itself."),
          row<&ContactPair::friction>("friction")
              .at_least(0)
              .at_most(most_friction)
              .one_of({"stick"})
              .says("Coulomb's coefficient. `stick`: the body does not slide on the obstacle. Either this "
                    "or `ignore`."),
          row<&ContactPair::ignore>("ignore").says(
              "If true, the two bodies pass through each other, or the body through itself.")}};
  table.called = "contact.pair.I";
  table.numbers = {
      {&number::contact_pair_friction,
       Per::own,
       {NumberKey("friction", "The coefficient of friction of a body on an obstacle, or on a body.")
            .when(has_pair_friction)}}};
  return table;
}

SceneTable body_contact_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "body.contact",
      .is_repeated = true,
      .description =
          "Vertices that may touch exact and sticking obstacles. Without such a table these are the body's "
          "vertices, but for the inner ones of solids. Pinned vertices never touch.",
      .rows = {row<&ContactVertices::group>("group").required().says("Name of the group.")}};
  table.read = read_each<&Body::contacts>;
  table.check = check_each<&Body::contacts, check_contact_group>;
  table.assemble = add_each<&Body::contacts, &Assembly::contact_groups, contact_group>;
  table.identify = identify_contact_groups;
  return table;
}

}  // namespace electret
