#include <algorithm>
#include <set>

#include <electret/geometry/springs.hpp>
#include <electret/geometry/volume.hpp>
#include <electret/scene/tables/springs.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {

namespace number {
constinit const NumberKind spring_stiffness = numbers_of_items<&Assembly::springs, &Spring::stiffness>();
constinit const NumberKind rest_lengths = numbers_of_items<&Assembly::springs, &Spring::rest_length>();
}  // namespace number

namespace {

/// Checks the keys that belong to one kind of springs only.
void read_springs(SceneReading& reading, SpringTable& springs, const Node& node, const std::string& key) {
  const auto& [document, report, source] = reading.context;
  if (report.is_bad(key + ".from")) return;
  for (const auto& [name, kind] : {std::pair("neighbours", "nearest"), {"pairs", "pairs"}}) {
    const Node::Member* member = node.member(name);
    if (member != nullptr && springs.from != kind)
      report.add_at(document.locate(member->place), key + "." + name,
                    in_quotes(name) + " does not go with from = " + in_quotes(springs.from),
                    std::string("it is for from = \"") + kind + "\" only");
  }
  if (springs.from == "pairs" && node.member("pairs") == nullptr)
    report.add(source, key + ".pairs", "from = \"pairs\" needs \"pairs\" in [[body.springs]]",
               "write for example pairs = [[0, 1], [1, 2]]");
}

void check_pairs(SceneChecking& checking, const std::vector<Edge>& pairs, const std::string& key) {
  std::set<Edge> seen;
  ListFindings findings;
  const auto fault = [&](std::string message, std::string allowed) {
    if (findings.admit_another()) checking.add(key, std::move(message), std::move(allowed));
  };
  for (const Edge& pair : pairs) {
    const Edge sorted{std::min(pair[0], pair[1]), std::max(pair[0], pair[1])};
    const std::string text = "[" + std::to_string(pair[0]) + ", " + std::to_string(pair[1]) + "]";
    if (pair[0] == pair[1])
      fault("the pair " + text + " joins a vertex to itself", "allowed: pairs of two different vertices");
    else if (!seen.insert(sorted).second)
      fault("the pair " + text + " is written twice", "a pair appears once within one [[body.springs]]");
  }
  findings.report_omitted(checking.report, checking.scene.source, key, "\"pairs\" in [[body.springs]]",
                          "allowed: each pair of two different vertices once");
}

void check_springs(SceneChecking& checking, const SpringTable& springs, const std::string& key) {
  check_pairs(checking, springs.pairs, key + ".pairs");
}

struct TableContext {
  BodyContext& body;
  const SpringTable& table;
  std::string key;  ///< "body.0.springs.1".

  void add(const char* name, std::string message, std::string allowed) const {
    body.report.add(body.scene.source, key + "." + name, std::move(message), std::move(allowed));
  }
  [[nodiscard]] bool is_bad(const char* name) const { return body.report.is_bad(key + "." + name); }
};

/// The pairs as written. None, and a finding, if one of them names a vertex that does not exist.
std::vector<Edge> written_pairs(const TableContext& context) {
  const auto& body = context.body;
  const std::string allowed = "allowed: 0 … " + std::to_string(body.size() - 1);
  ListFindings findings;
  for (const Edge& pair : context.table.pairs) {
    const Index largest = std::max(pair[0], pair[1]);
    if (static_cast<std::size_t>(largest) < body.size() || !findings.admit_another()) continue;
    context.add("pairs",
                "the pair [" + std::to_string(pair[0]) + ", " + std::to_string(pair[1]) + "] names vertex " +
                    std::to_string(largest) + " of body " + in_quotes(body.body.name) + ", which has " +
                    std::to_string(body.size()),
                allowed);
  }
  findings.report_omitted(body.report, body.scene.source, context.key + ".pairs",
                          "\"pairs\" in [[body.springs]]", allowed);
  if (!findings.empty()) return {};
  return context.table.pairs;
}

/// The pairs that a table joins; none if there is a finding.
std::vector<Edge> pairs_of(const TableContext& context) {
  const Mesh& mesh = context.body.mesh;
  const std::string& from = context.table.from;
  if (from == "edges") return edges(mesh);
  if (from == "diagonals") return diagonals(mesh);
  if (from == "bending") return bending(mesh);
  if (from == "volume") return volume_edges(mesh);
  if (from == "nearest") return nearest(mesh.vertices, context.table.neighbours);
  return written_pairs(context);
}

/// Sets the rest lengths: those that are written, or the lengths in the mesh as placed times the scale.
void set_rest_lengths(const TableContext& context, std::vector<Spring>& springs) {
  if (context.table.rest_lengths.given()) {
    const auto lengths = per_item(context.body, context.table.rest_lengths, context.key + ".rest_lengths",
                                  "body.springs", springs.size(), "springs of this table");
    for (std::size_t s = 0; lengths && s < springs.size(); ++s) springs[s].rest_length = (*lengths)[s];
    return;
  }
  const auto& x = context.body.mesh.vertices;
  const double scale = context.table.rest_length_scale.value_or(1.0);
  for (Spring& spring : springs)
    spring.rest_length =
        norm(x[static_cast<std::size_t>(spring.i)] - x[static_cast<std::size_t>(spring.j)]) * scale;
}

void set_stiffnesses(const TableContext& context, std::vector<Spring>& springs) {
  const SpringTable& table = context.table;
  if (table.stiffnesses.given()) {
    const auto values = per_item(context.body, table.stiffnesses, context.key + ".stiffnesses",
                                 "body.springs", springs.size(), "springs of this table");
    for (std::size_t s = 0; values && s < springs.size(); ++s) springs[s].stiffness = (*values)[s];
    return;
  }
  for (Spring& spring : springs)
    spring.stiffness = table.modulus ? *table.modulus / spring.rest_length : table.stiffness.value_or(0.0);
  if (!table.modulus || context.is_bad("rest_lengths") || context.is_bad("rest_length_scale")) return;
  const auto bad =
      std::find_if(springs.begin(), springs.end(), [](const Spring& s) { return !(s.rest_length > 0.0); });
  if (bad != springs.end())
    context.add("modulus",
                "\"modulus\" = " + number_text(*table.modulus) +
                    " divides by the rest length 0 of the spring between vertices " + std::to_string(bad->i) +
                    " and " + std::to_string(bad->j) + " of body " + in_quotes(context.body.body.name),
                "allowed: rest lengths > 0, or stiffness in N/m");
}

/// The springs of the body's table `number`, with local indices, sorted by (smaller, larger); `pairs` stay as
/// written.
std::vector<Spring> table_springs(BodyContext& body, std::size_t number) {
  const TableContext context{body, body.body.springs[number],
                             body.key + ".springs." + std::to_string(number)};
  if (context.is_bad("from") || context.is_bad("neighbours") || context.is_bad("pairs")) return {};
  std::vector<Spring> springs;
  for (const Edge& pair : pairs_of(context)) springs.push_back({pair[0], pair[1], 0.0, 0.0});
  if (springs.empty()) {
    if (!context.is_bad("pairs"))
      context.add(
          "from",
          "from = " + in_quotes(context.table.from) + " yields no spring on body " +
              in_quotes(body.body.name),
          "a table yields at least one spring; a mesh of vertices alone has springs from nearest or pairs");
    return {};
  }
  set_rest_lengths(context, springs);
  set_stiffnesses(context, springs);
  return springs;
}

void add_springs(const SceneTable&, Assembling& assembling) {
  BodyContext& context = *assembling.body;
  Assembly& result = assembling.result;
  for (std::size_t t = 0; t < context.body.springs.size(); ++t) {
    for (Spring spring : table_springs(context, t)) {
      spring.i += context.first, spring.j += context.first;
      result.springs.push_back(spring);
    }
    result.spring_offsets.push_back(static_cast<Count>(result.springs.size()));
  }
}

void check_joined(const Assembly& a) {
  for (const Spring& spring : a.springs) {
    require_argument(are_below(Edge{spring.i, spring.j}, a.masses.size()),
                     "assembly: a spring's end is no vertex");
    require_argument(spring.i != spring.j, "assembly: a spring joins a vertex to itself");
  }
}

void join_springs(const Assembly& a, std::vector<bool>& joined) {
  for (const Spring& spring : a.springs)
    for (const Index end : {spring.i, spring.j}) joined[static_cast<std::size_t>(end)] = true;
}

std::vector<SchemaRow> spring_rows() {
  using namespace schema;
  return {
      row<&SpringTable::from>("from")
          .one_of({"edges", "diagonals", "bending", "nearest", "pairs", "volume"})
          .says("Which vertices are joined (see Springs)."),
      row<&SpringTable::stiffness>("stiffness").unit("N/m").at_least(0).says("Stiffness of every spring."),
      row<&SpringTable::modulus>("modulus").unit("N").at_least(0).says(
          "Stiffness times rest length, the same for every spring."),
      row<&SpringTable::stiffnesses>("stiffnesses")
          .unit("N/m")
          .at_least(0)
          .says("Stiffness of each spring, in the run's order (see Springs)."),
      row<&SpringTable::rest_length_scale>("rest_length_scale")
          .at_least(0)
          .standard("1.0")
          .says("Rest length = length in the mesh as placed, times this."),
      row<&SpringTable::rest_lengths>("rest_lengths")
          .unit("m")
          .at_least(0)
          .says("Rest length of each spring, in the run's order (see Springs)."),
      row<&SpringTable::neighbours>("neighbours")
          .at_least(1)
          .says("`nearest` only: how many neighbours each vertex chooses."),
      row<&SpringTable::pairs>("pairs").at_least(0).says(
          "`pairs` only: `[[0, 1], [1, 2]]`, vertices of the body, from 0.")};
}

}  // namespace

SceneTable springs_table() {
  SceneTable table;
  table.schema = {.name = "body.springs",
                  .is_repeated = true,
                  .description = "Springs of the body.",
                  .rows = spring_rows(),
                  .alternatives = {{.keys = {"stiffness", "modulus", "stiffnesses"}, .one_is_required = true},
                                   {.keys = {"rest_length_scale", "rest_lengths"}}}};
  table.called = "body.NAME";
  table.numbers = {
      {&number::spring_stiffness,
       Per::spring,
       {{"stiffness", "Stiffness common to the body's springs."},
        {"stiffnesses", "Stiffness, spring by spring."}}},
      {&number::rest_lengths,
       Per::spring,
       {{"rest_lengths", "Rest length, spring by spring; a change leaves the stiffness as it is."}},
       "modulus",
       &number::spring_stiffness}};
  table.read = read_each<&Body::springs, read_springs>;
  table.check = check_each<&Body::springs, check_springs>;
  table.assemble = add_springs;
  table.check_assembly = check_joined;
  table.join = join_springs;
  return table;
}

}  // namespace electret
