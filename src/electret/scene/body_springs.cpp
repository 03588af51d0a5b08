#include <algorithm>

#include <electret/geometry/springs.hpp>
#include <electret/geometry/volume.hpp>
#include <electret/scene/body_parts.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

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

}  // namespace

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

}  // namespace electret
