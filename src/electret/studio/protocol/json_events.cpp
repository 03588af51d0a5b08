#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include <electret/studio/protocol/json.hpp>
#include <electret/studio/session/fields.hpp>

namespace electret::studio {
namespace {

using nlohmann::json;

json number_json(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}
json number_json(const std::optional<double>& value) {
  return value ? number_json(*value) : json(nullptr);
}
json vector_json(const Vec3& v) {
  return {number_json(v.x), number_json(v.y), number_json(v.z)};
}

json to_json(const Answer& e) {
  json message{{"t", "re"}, {"re", e.id}, {"ok", e.error.empty()}};
  if (!e.error.empty()) message["error"] = e.error;
  return message;
}

json to_json(const Welcome& e) {
  return {{"t", "welcome"},
          {"protocol", protocol_version},
          {"version", e.version},
          {"page", e.page},
          {"limits", {{"message", most_message_bytes}, {"pages", most_pages}}}};
}

json to_json(const StateInfo& e) {
  json message{{"t", "state"},
               {"state", name_of(e.phase)},
               {"step", e.step},
               {"time", number_json(e.time)},
               {"last_step", e.last_step},
               {"recorded", {{"first", e.recorded_first}, {"last", e.recorded_last}}},
               {"wanted", e.as_fast_as_possible ? json(nullptr) : number_json(e.wanted)},
               {"reached", number_json(e.reached)},
               {"step_ms", number_json(e.step_ms)},
               {"beyond", e.beyond}};
  if (e.field_ms || e.elastic_ms)
    message["parts_ms"] = {{"field", number_json(e.field_ms)}, {"elastic", number_json(e.elastic_ms)}};
  if (!e.reason.empty()) message["reason"] = e.reason;
  if (!e.advice.empty()) message["advice"] = e.advice;
  if (e.vertex) message["vertex"] = *e.vertex;
  if (!e.scalar.empty()) message["scalar"] = e.scalar;
  return message;
}

json findings_json(const std::vector<DocumentFinding>& all) {
  json findings = json::array();
  for (const DocumentFinding& each : all)
    findings.push_back({{"severity", each.severity},
                        {"line", each.line},
                        {"column", each.column},
                        {"file", each.file},
                        {"message", each.message}});
  return findings;
}

json to_json(const DocumentInfo& e) {
  return {{"t", "document"},
          {"name", e.name},
          {"path", e.path},
          {"text", e.text},
          {"findings", findings_json(e.findings)},
          {"unsaved", e.unsaved},
          {"undo", e.can_undo},
          {"redo", e.can_redo},
          {"revision", e.revision},
          {"waiting", e.waiting}};
}

json to_json(const TextChecked& e) {
  json message{{"t", "checked"},     {"number", e.number},   {"findings", findings_json(e.findings)},
               {"effect", e.effect}, {"waiting", e.waiting}, {"applied", e.is_applied}};
  if (!e.error.empty()) message["error"] = e.error;
  return message;
}

json to_json(const KeysInfo& e) {
  json tables = json::array();
  for (const KeyTable& each : e.tables) {
    json lanes = json::array();
    for (const KeyLane& lane : each.lanes)
      lanes.push_back({{"key", lane.key},
                       {"unit", lane.unit},
                       {"columns", lane.columns},
                       {"constant", lane.constant},
                       {"values", lane.values},
                       {"value", lane.value}});
    tables.push_back({{"key", each.key},
                      {"label", each.label},
                      {"times", each.times},
                      {"interpolation", each.interpolation},
                      {"lanes", lanes}});
  }
  return {{"t", "keys"}, {"tables", tables}, {"stale", e.stale_from ? json(*e.stale_from) : json(nullptr)}};
}

json bound_json(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

json row_json(const FieldRow& field) {
  const SchemaRow& row = *field.row;
  json one{{"key", row.key},        {"kind", field.kind},           {"effect", name_of(field.effect)},
           {"unit", row.unit},      {"default", row.default_value}, {"about", row.description},
           {"choices", row.choices}};
  if (row.range.minimum > -std::numeric_limits<double>::infinity() ||
      row.range.maximum < std::numeric_limits<double>::infinity())
    one["range"] = {{"least", bound_json(row.range.minimum)},
                    {"most", bound_json(row.range.maximum)},
                    {"above", row.range.minimum_excluded},
                    {"below", row.range.maximum_excluded},
                    {"says", to_string(row.range)}};
  return one;
}

json to_json(const SchemaInfo&) {
  json tables = json::array();
  for (const FieldSchema& each : field_schema()) {
    json rows = json::array();
    for (const FieldRow& row : each.rows) rows.push_back(row_json(row));
    json together = json::array();
    for (const Alternatives& keys : each.table->alternatives) together.push_back(keys.keys);
    tables.push_back({{"table", each.table->name},
                      {"about", each.table->description},
                      {"rows", std::move(rows)},
                      {"alternatives", std::move(together)}});
  }
  return {{"t", "schema"}, {"tables", tables}};
}

json to_json(const FieldsInfo& e) {
  json tables = json::array();
  for (const FieldTable& each : e.tables) {
    json values = json::object();
    for (const auto& [key, toml] : each.values) values[key] = toml;
    tables.push_back({{"key", each.key}, {"table", each.table}, {"label", each.label}, {"values", values}});
  }
  return {{"t", "fields"}, {"tables", tables}};
}

json to_json(const ChangesInfo& e) {
  json changes = json::array();
  for (const ChangeInfo& each : e.changes)
    changes.push_back({{"step", each.step},
                       {"time", number_json(each.time)},
                       {"set", each.set},
                       {"energy", number_json(each.energy)}});
  return {{"t", "changes"}, {"changes", changes}, {"all", e.all}};
}

json to_json(const EarlierInfo& e) {
  json message{
      {"t", "earlier"}, {"path", e.path}, {"steps", e.steps}, {"cut", e.is_cut}, {"edited", e.is_text_other}};
  if (!e.damage.empty()) message["damage"] = e.damage;
  return message;
}

json to_json(const SavedInfo& e) {
  return {{"t", "saved"}, {"path", e.path}, {"copy", e.copy}, {"tables", e.tables}};
}

json to_json(const FilesInfo& e) {
  json changed = json::array();
  for (const FileChange& each : e.changed) changed.push_back({{"path", each.path}, {"gone", each.is_gone}});
  return {{"t", "files"}, {"changed", changed}};
}

json to_json(const BodyInfo& e) {
  return {{"name", e.name},
          {"first", e.first},
          {"count", e.count},
          {"shown_first", e.shown_first},
          {"shown_count", e.shown_count},
          {"springs", {e.first_spring, e.springs}},
          {"faces", {e.first_face, e.faces}},
          {"charge", number_json(e.charge)},
          {"mass", number_json(e.mass)},
          {"filled", e.filled},
          {"solid", e.solid}};
}

json to_json(const GroupInfo& e) {
  return {
      {"body", e.body}, {"name", e.name}, {"offset", e.offset}, {"count", e.count}, {"charged", e.charged}};
}

json to_json(const ExternalInfo& e) {
  return {{"name", e.name},
          {"kind", e.kind},
          {"charge", number_json(e.charge)},
          {"position", vector_json(e.position)},
          {"width", number_json(e.width)}};
}

json to_json(const ObstacleInfo& e) {
  json size = json::array(), placement = json::array(), vertices = json::array(), lines = json::array();
  for (const double value : e.size) size.push_back(number_json(value));
  for (const double value : e.placement) placement.push_back(number_json(value));
  for (const Vec3& each : e.vertices) vertices.push_back(vector_json(each));
  for (const auto& [from, to] : e.lines) lines.push_back({vector_json(from), vector_json(to)});
  return {
      {"name", e.name},         {"shape", e.shape},
      {"size", size},           {"inside", e.inside},
      {"placement", placement}, {"drawing", {{"vertices", vertices}, {"faces", e.faces}, {"lines", lines}}}};
}

json to_json(const FieldInfo& e) {
  return {{"kind", e.kind}, {"value", vector_json(e.value)}};
}

json to_json(const ScalarInfo& e) {
  return {{"name", e.name},  {"label", e.label},
          {"unit", e.unit},  {"symmetric", e.symmetric},
          {"per", "vertex"}, {"range", {number_json(e.low), number_json(e.high)}}};
}

template <class Rows>
json list_json(const Rows& rows) {
  json list = json::array();
  for (const auto& each : rows) list.push_back(to_json(each));
  return list;
}

json legs_json(const std::vector<LegInfo>& legs) {
  json list = json::array();
  for (const LegInfo& each : legs)
    list.push_back({each.step, number_json(each.time), number_json(each.time_step)});
  return list;
}

json to_json(const SystemInfo& e) {
  return {{"t", "system"},
          {"generation", e.generation},
          {"name", e.name},
          {"method", e.method},
          {"time_step", number_json(e.time_step)},
          {"legs", legs_json(e.legs)},
          {"rebuild_ms", number_json(e.rebuild_ms)},
          {"vertices", e.vertices},
          {"bodies", list_json(e.bodies)},
          {"groups", list_json(e.groups)},
          {"external", list_json(e.external)},
          {"obstacles", list_json(e.obstacles)},
          {"pins", e.pins},
          {"fields", list_json(e.fields)},
          {"gravity", vector_json(e.gravity)},
          {"scalars", list_json(e.scalars)},
          {"box", {{"centre", vector_json(e.centre)}, {"size", number_json(e.size)}}},
          {"warnings", e.warnings},
          {"folder", e.folder},
          {"run", e.run},
          {"frames", e.frames},
          {"growing", e.growing},
          {"last_step", e.last_step}};
}

json to_json(const EnergyRows& e) {
  json rows = json::array();
  for (const auto& each : e.rows) {
    json row = json::array();
    for (const double value : each) row.push_back(number_json(value));
    rows.push_back(std::move(row));
  }
  return {{"t", "energies"},
          {"from", e.from},
          {"columns",
           {"time", "kinetic", "elastic", "coulomb", "external", "gravity", "total", "work", "dissipation"}},
          {"rows", rows},
          {"restart", e.restart}};
}

json to_json(const ProgressInfo& e) {
  return {{"t", "progress"}, {"what", e.what}, {"done", e.done}, {"total", e.total}};
}

json to_json(const NoticeInfo& e) {
  return {{"t", "notice"}, {"text", e.text}, {"severity", e.severity}};
}

json to_json(const ChoicesInfo& e) {
  json entries = json::array();
  for (const OpenChoice& each : e.entries)
    entries.push_back(
        {{"name", each.name}, {"kind", each.kind}, {"title", each.title}, {"folder", each.folder}});
  return {{"t", "choices"}, {"entries", entries}};
}

json to_json(const HandsInfo& e) {
  json hands = json::array();
  for (const HandInfo& each : e.hands) {
    json one{{"number", each.number},
             {"kind", each.kind},
             {"body", each.body},
             {"vertices", each.vertices},
             {"stiffness", number_json(each.stiffness)},
             {"damping", number_json(each.damping)}};
    if (each.charge) {
      one["charge"] = number_json(*each.charge);
      one["width"] = number_json(*each.width);
    }
    if (each.kind == "held" || each.kind == "ball") {
      one["page"] = each.page;
      one["hand"] = each.hand;
    }
    hands.push_back(std::move(one));
  }
  return {{"t", "hands"}, {"hands", hands}};
}

json to_json(const TracingInfo& e) {
  json message{{"t", "tracing"}, {"number", e.number}, {"done", e.done}, {"total", e.total}};
  if (!e.error.empty()) message["error"] = e.error;
  return message;
}

json to_json(const GradientInfo& e) {
  json message{{"t", "gradient"}, {"number", e.number}, {"done", e.done}, {"total", e.total}};
  if (!e.error.empty()) message["error"] = e.error;
  if (!e.is_done) return message;
  json table = json::array();
  for (const GradientRow& row : e.table)
    table.push_back(
        {{"name", row.name}, {"unit", row.unit}, {"size", row.size}, {"value", number_json(row.value)}});
  message["loss"] = number_json(e.loss);
  message["steps"] = e.steps;
  message["notice"] = e.notice;
  message["table"] = std::move(table);
  return message;
}

json to_json(const RecordingInfo& e) {
  json message{{"t", "recording"}, {"folder", e.folder},  {"done", e.done},
               {"total", e.total}, {"going", e.is_going}, {"open", e.open}};
  if (!e.error.empty()) message["error"] = e.error;
  return message;
}

json to_json(const VertexGradient&) {
  return {};
}
json to_json(const SessionInfo& e) {
  json files = json::array(), journal = json::array();
  for (const SessionFile& each : e.files) files.push_back({{"name", each.name}, {"bytes", each.bytes}});
  for (const JournalEntry& each : e.journal)
    journal.push_back({{"step", each.step},
                       {"time", number_json(each.time)},
                       {"what", each.what},
                       {"until", each.until ? json(*each.until) : json(nullptr)}});
  return {{"t", "session"}, {"folder", e.folder}, {"files", files}, {"journal", journal}, {"all", e.all}};
}

json to_json(const FieldValues&) {
  return {};
}
json to_json(const AskedFrame&) {
  return {};
}
json to_json(const TracedPicture&) {
  return {};
}

json to_json(const Bye&) {
  return {{"t", "bye"}};
}

json to_json(const std::shared_ptr<const Topology>&) {
  return {};
}

}  // namespace

std::string write_event(const Event& event) {
  const json message = std::visit([](const auto& each) { return to_json(each); }, event);
  if (message.is_null()) return {};
  // Names of files may have bytes that are no UTF-8.
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace electret::studio
