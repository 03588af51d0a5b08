#include <algorithm>
#include <array>
#include <string_view>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/studio/session/fields.hpp>

namespace electret::studio {
namespace {

/// Longer values are no fields.
constexpr std::size_t longest_value = 400;

/// What has a place of its own in the page, or does nothing there.
bool is_left_out(const SchemaTable& table) {
  constexpr std::array<std::string_view, 10> names{"scene",
                                                   "output",
                                                   "change",
                                                   "camera",
                                                   "grab",
                                                   "body.group",
                                                   "body.element_group",
                                                   "body.group_charge",
                                                   "body.contact",
                                                   "contact.pair"};
  return std::find(names.begin(), names.end(), table.name) != names.end();
}

/// The same of keys: charges have a panel, key-frames the timeline, and lists and files the text.
bool is_left_out(const SchemaTable& table, const SchemaRow& row) {
  constexpr std::array<std::string_view, 3> charged{"charge", "total_charge", "position"};
  const bool is_charged = table.name == "body" || table.name == "external_charge";
  return row.is_later || row.is_framed || row.key == "times" || row.key == "interpolation" ||
         (is_charged && std::find(charged.begin(), charged.end(), row.key) != charged.end());
}

std::string kind_of(const SchemaRow& row) {
  const std::string& type = row.type;
  if (type.starts_with("list") || type.starts_with("path") || type.starts_with("2 corners")) return "";
  if (type.starts_with("whole number")) return "whole";
  if (type.starts_with("number")) return "number";
  if (type == "true or false") return "flag";
  if (!row.choices.empty()) return "choice";
  if (type.starts_with("3 numbers")) return "vector";
  if (type == "expression") return "text";
  if (type == "3 expressions") return "toml";
  return type == "table of named numbers" ? "numbers" : "";
}

/// "body.0.springs.0.stiffness" of "body.springs" and "stiffness": what an edit does depends on no number.
std::string key_in(const SchemaTable& table, const std::string& key) {
  std::string text, name;
  for (const std::string_view part : parts_of(table.name)) {
    name += (name.empty() ? "" : ".") + std::string(part);
    text += (text.empty() ? "" : ".") + std::string(part);
    const auto& schema = scene_schema();
    const auto found = std::find_if(schema.begin(), schema.end(),
                                    [&](const SchemaTable& each) { return each.name == name; });
    if (found != schema.end() && found->is_repeated) text += ".0";
  }
  return text + "." + key;
}

std::vector<FieldSchema> make_schema() {
  std::vector<FieldSchema> all;
  for (const SchemaTable& table : scene_schema()) {
    if (is_left_out(table)) continue;
    FieldSchema one{&table};
    for (const SchemaRow& row : table.rows)
      if (const std::string kind = kind_of(row); !kind.empty() && !is_left_out(table, row))
        one.rows.push_back({&row, kind, effect_of(key_in(table, row.key))});
    if (!one.rows.empty()) all.push_back(std::move(one));
  }
  return all;
}

const FieldSchema* schema_named(std::string_view name) {
  for (const FieldSchema& each : field_schema())
    if (each.table->name == name) return &each;
  return nullptr;
}

/// Whether the scene has such a table even if the text does not: all its keys may be left out, or, of
/// gravity, there is a value that is the same as none.
bool is_always_there(const SchemaTable& table) {
  return table.name == "time" || table.name == "integrator" || table.name == "gravity" ||
         table.name == "damping";
}

std::string text_in(const Node& table, const char* key) {
  const Node::Member* found = table.member(key);
  return found != nullptr && found->node.kind == Node::Kind::text ? found->node.text : std::string();
}

/// "springs 2 of torus", "obstacle floor", "integrator".
std::string field_label(const SchemaTable& table, const Node& node, std::size_t number, std::size_t count,
                        const std::string& body) {
  std::string kind = table.name.substr(table.name.rfind('.') + 1);
  std::replace(kind.begin(), kind.end(), '_', ' ');
  const std::string name = text_in(node, "name");
  if (table.name == "body") return name.empty() ? kind + " " + std::to_string(number + 1) : name;
  std::string label = kind + (!name.empty() ? " " + name : count > 1 ? " " + std::to_string(number + 1) : "");
  if (!body.empty()) label += " of " + body;
  return label;
}

void add_value(const std::string& key, const Node& node, FieldTable& to) {
  if (node.kind == Node::Kind::date) return;
  if (std::string toml = toml_value(node); toml.size() <= longest_value)
    to.values.emplace_back(key, std::move(toml));
}

FieldTable field_table(const FieldSchema& schema, const Node& node, const std::string& key,
                       std::string label) {
  FieldTable table{key, schema.table->name, std::move(label)};
  for (const FieldRow& each : schema.rows) {
    const Node::Member* found = node.member(each.row->key);
    if (found == nullptr) continue;
    if (each.kind != "numbers")
      add_value(each.row->key, found->node, table);
    else
      for (const Node::Member& own : found->node.members)
        add_value(each.row->key + "." + toml_key(own.key), own.node, table);
  }
  return table;
}

/// Goes down the names of a table of the schema.
void add_field_tables(const FieldSchema& schema, std::string_view names, const Node& node,
                      const std::string& key, const std::string& body, FieldsInfo& to) {
  const std::size_t dot = names.find('.');
  const std::string name(names.substr(0, dot));
  const Node::Member* found = node.member(name);
  const std::string at = key.empty() ? name : key + "." + name;
  if (found == nullptr) {
    if (key.empty() && dot == std::string_view::npos && is_always_there(*schema.table))
      to.tables.push_back({at, name, field_label(*schema.table, Node(), 0, 1, "")});
    return;
  }
  const bool is_list = found->node.kind == Node::Kind::array;
  const std::size_t count = is_list ? found->node.items.size() : 1;
  for (std::size_t k = 0; k < count; ++k) {
    const Node& item = is_list ? found->node.items[k] : found->node;
    if (item.kind != Node::Kind::table) continue;
    const std::string own = is_list ? at + "." + std::to_string(k) : at;
    if (dot != std::string_view::npos)
      add_field_tables(schema, names.substr(dot + 1), item, own,
                       name == "body" ? text_in(item, "name") : body, to);
    else
      to.tables.push_back(field_table(schema, item, own, field_label(*schema.table, item, k, count, body)));
  }
}

[[noreturn]] void refuse(std::string message, std::string allowed = {}) {
  throw InputError(Finding{{}, std::move(message), std::move(allowed)});
}

bool is_written(const Node& root, const std::string& key) {
  const Node* node = &root;
  for (const std::string_view part : parts_of(key)) {
    if (node->kind == Node::Kind::array) {
      const auto number = static_cast<std::size_t>(std::stoul(std::string(part)));
      if (number >= node->items.size()) return false;
      node = &node->items[number];
      continue;
    }
    const Node::Member* found = node->member(part);
    if (found == nullptr) return false;
    node = &found->node;
  }
  return true;
}

/// One value, and nothing behind it.
void require_value(const std::string& toml) {
  std::vector<Finding> findings;
  const Document alone("value = " + toml + "\n", "", {}, findings);
  if (!findings.empty() || alone.root().members.size() != 1)
    refuse(in_quotes(toml) + " is no value", "write for example 20.0, true or \"imex\"");
}

}  // namespace

const std::vector<FieldSchema>& field_schema() {
  static const std::vector<FieldSchema> all = make_schema();
  return all;
}

FieldsInfo fields_of(const Node& root) {
  FieldsInfo info;
  for (const FieldSchema& each : field_schema()) add_field_tables(each, each.table->name, root, "", "", info);
  return info;
}

std::vector<TextEdit> edits_of_field(const Node& root, const std::string& key,
                                     const std::optional<std::string>& toml) {
  const FieldsInfo fields = fields_of(root);
  const FieldTable* table = nullptr;
  for (const FieldTable& each : fields.tables)
    if (key.starts_with(each.key + ".") && (table == nullptr || each.key.size() > table->key.size()))
      table = &each;
  if (table == nullptr) refuse("the scene has no field " + in_quotes(key));
  const std::string own = key.substr(table->key.size() + 1);
  const FieldSchema& schema = *schema_named(table->table);
  const auto has = [&](const std::string& name) {
    return std::any_of(table->values.begin(), table->values.end(),
                       [&](const auto& each) { return each.first == name; });
  };
  const FieldRow* row = nullptr;
  for (const FieldRow& each : schema.rows)
    if (each.kind == "numbers" ? own.starts_with(each.row->key + ".") && has(own) : each.row->key == own)
      row = &each;
  if (row == nullptr) refuse("the scene has no field " + in_quotes(key));
  if (!toml) return has(own) ? std::vector{TextEdit::remove(key)} : std::vector<TextEdit>();
  require_value(*toml);
  std::vector<TextEdit> edits{TextEdit::set(key, *toml)};
  for (const Alternatives& each : schema.table->alternatives) {
    if (std::find(each.keys.begin(), each.keys.end(), own) == each.keys.end()) continue;
    for (const std::string& other : each.keys)
      if (other != own && is_written(root, table->key + "." + other))
        edits.push_back(TextEdit::remove(table->key + "." + other));
  }
  return edits;
}

}  // namespace electret::studio
