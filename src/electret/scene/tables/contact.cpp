#include <algorithm>

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
  if (unknown == 0 && !members_of(scene, pair).are_in(scene))
    checking.add(
        key + ".between",
        in_quotes(pair.between[0]) + " and " + in_quotes(pair.between[1]) + " are not a body and an obstacle",
        "allowed: one of either; bodies do not touch each other");
}

void check_pairs(SceneChecking& checking, const std::vector<ContactPair>& pairs) {
  const Scene& scene = checking.scene;
  std::vector<BodyAndObstacle> known;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string key = "contact.pair." + std::to_string(i), between = key + ".between";
    if (checking.report.is_bad(between)) continue;
    if (pairs[i].between.size() != 2) {
      checking.add(between, "\"between\" has " + counted(pairs[i].between.size(), "name", "names"),
                   "allowed: two, of a body and of an obstacle");
      continue;
    }
    check_names(checking, pairs[i], key);
    if (checking.report.is_bad(between)) continue;
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
}

void assemble_contact(const SceneTable&, Assembling& assembling) {
  const Scene& scene = assembling.result.scene;
  if (!scene.contact || assembling.report.is_bad("contact") || assembling.report.is_bad("obstacle")) return;
  assembling.result.contact_friction = scene.contact->friction.value_or(0.0);
  for (const ContactPair& pair : scene.contact->pairs) {
    const BodyAndObstacle members = members_of(scene, pair);
    assembling.result.contact_pairs.push_back({members.body, members.obstacle, pair.friction});
  }
}

void check_contact_tracks(const Assembly& a) {
  for (const ContactPairTrack& track : a.contact_pairs)
    require_argument(track.body + 1 < a.body_offsets.size() && track.obstacle < a.obstacles.size(),
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
    hash.add(static_cast<Count>(track.body)).add(static_cast<Count>(track.obstacle)).add(track.friction);
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

bool has_common_friction(const Assembly& a, std::size_t) {
  return std::any_of(a.obstacles.begin(), a.obstacles.end(), takes_common_friction);
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
  for (const Index pin : pinned_vertices(assembly)) is_free[static_cast<std::size_t>(pin)] = 0;
  return touching_vertices(assembly, is_free);
}

SceneTable contact_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "contact",
      .description =
          "What obstacles share. Of friction the coefficient of a `[[contact.pair]]` comes first, then that "
          "of "
          "the `[[obstacle]]`, then the one here.",
      .rows = {
          row<&ContactOptions::law>("law").one_of(obstacle_laws).says("The law of obstacles that name none."),
          row<&ContactOptions::thickness>("thickness")
              .unit("m")
              .at_least(0)
              .says("Laws `exact` and `sticking`: obstacles are thicker than their shapes by this much, and "
                    "their "
                    "edges and "
                    "corners "
                    "are round. With `exact`, a vertex whose way within a step would go through a shape then "
                    "ends the run."),
          row<&ContactOptions::friction>("friction")
              .at_least(0)
              .at_most(most_friction)
              .says("Law `exact`: Coulomb's coefficient of obstacles that have none. Default: 0."),
          row<&ContactOptions::bodies>("bodies").says(
              "Laws `exact` and `sticking`: the names of the bodies that touch obstacles. Default: all.")}};
  table.called = "contact";
  table.numbers = {
      {&number::contact_friction,
       Per::own,
       {NumberKey("friction", "The coefficient of friction of exact obstacles that have none of their own.")
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
  table.schema = {.name = "contact.pair",
                  .is_repeated = true,
                  .description = "The friction of one body on one exact obstacle.",
                  .rows = {row<&ContactPair::between>("between").required().says(
                               "The names of the body and the obstacle, in either order."),
                           row<&ContactPair::friction>("friction")
                               .at_least(0)
                               .at_most(most_friction)
                               .required()
                               .says("Coulomb's coefficient.")}};
  table.called = "contact.pair.I";
  table.numbers = {{&number::contact_pair_friction,
                    Per::own,
                    {{"friction", "The coefficient of friction of a body on an obstacle."}}}};
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
