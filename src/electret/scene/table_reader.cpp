#include <algorithm>
#include <tuple>

#include <electret/core/text.hpp>
#include <electret/scene/messages.hpp>
#include <electret/scene/table_reader.hpp>
#include <electret/scene/words.hpp>

namespace electret {

std::string key_within(const std::string& key, const std::string& name) {
  return key.empty() ? name : key + "." + name;
}

const SchemaTable& TableReader::table_named(const std::string& name) const {
  for (const SchemaTable& table : schema_)
    if (table.name == name) return table;
  throw InternalError("the schema has no table \"" + name + "\"");
}

const Node* TableReader::found(const Node& node, const SchemaTable& table, const std::string& own_key) {
  const Node::Member* member = node.member(table.name.substr(table.name.rfind('.') + 1));
  if (member != nullptr) {
    context_.source[own_key] = context_.document.locate(member->node.place);
    return &member->node;
  }
  if (table.is_required)
    context_.report.add(context_.source, own_key, table.title() + " is missing", "it is required");
  return nullptr;
}

void TableReader::not_a_table(const Node& node, const SchemaTable& table, const std::string& own_key) {
  // In a list of tables, each item that is no table is a finding where it is written or overridden.
  const auto is_table = [](const Node& item) { return item.kind == Node::Kind::table; };
  const bool is_list = std::any_of(node.items.begin(), node.items.end(), [&](const Node& item) {
    return is_table(item) || item.place.override_number != node.place.override_number;
  });
  for (std::size_t i = 0; table.is_repeated && is_list && i < node.items.size(); ++i)
    if (!is_table(node.items[i]))
      context_.report.add_at(context_.document.locate(node.items[i].place), own_key,
                             in_quotes(key_within(own_key, std::to_string(i))) + " is " +
                                 context_.document.as_written(node.items[i]) + ", not a table",
                             "it is written " + table.title());
  if (table.is_repeated && is_list) return;
  context_.report.add(context_.source, own_key,
                      in_quotes(table.name) + " is " + context_.document.as_written(node) +
                          (table.is_repeated ? ", not a list of tables" : ", not a table"),
                      "it is written " + table.title());
}

void TableReader::rows(const SchemaTable& table, const Node& node, const std::string& key, void* object) {
  unknown_keys(node, table.name, key, table.rows);
  for (const SchemaRow& row : table.rows) {
    const Node::Member* member = node.member(row.key);
    const std::string row_key = key_within(key, row.key);
    if (member == nullptr) {
      if (row.is_required)
        context_.report.add(context_.source, row_key, in_quotes(row.key) + " is missing in " + table.title(),
                            "it is required; " + allowed_values(row));
      continue;
    }
    context_.source[row_key] = context_.document.locate(member->node.place);
    if (row.is_later)
      context_.report.add_at(
          context_.document.locate(member->place), row_key,
          in_quotes(row.key) + " in " + table.title() + " is not available in this version", "leave it out");
    else
      read_value(context_, table, row, row_key, member->node, row.slot(object));
  }
  for (const Alternatives& choice : table.alternatives) alternatives(table, choice, node, key);
}

void TableReader::alternatives(const SchemaTable& table, const Alternatives& choice, const Node& node,
                               const std::string& key) {
  std::vector<const Node::Member*> written;
  for (const auto& name : choice.keys)
    if (const auto* member = node.member(name)) written.push_back(member);
  std::stable_sort(written.begin(), written.end(), [](const auto* a, const auto* b) {
    const auto order = [](const Place& p) { return std::tuple(p.override_number, p.line, p.column); };
    return order(a->place) < order(b->place);
  });
  if (written.empty() && choice.one_is_required) {
    const auto removed = std::find_if(choice.keys.begin(), choice.keys.end(), [&](const auto& name) {
      return context_.source.contains(key_within(key, name));
    });
    const std::string& name = removed == choice.keys.end() ? choice.keys.front() : *removed;
    context_.report.add(context_.source, key_within(key, name), none_of(table, choice),
                        "exactly one of them is required");
  }
  for (std::size_t i = 1; i < written.size(); ++i)
    context_.report.add_at(context_.document.locate(written[i]->place),
                           key_within(key, "contradiction." + written[i]->key),
                           both_of(table, written[0]->key, written[i]->key), only_one_of(choice));
}

void TableReader::unknown_keys(const Node& node, const std::string& name, const std::string& key,
                               const std::vector<SchemaRow>& rows) {
  std::vector<std::string> known;
  for (const SchemaRow& row : rows) known.push_back(row.key);
  for (const SchemaTable& table : schema_) {
    const auto dot = table.name.rfind('.');
    if ((dot == std::string::npos ? "" : table.name.substr(0, dot)) != name) continue;
    known.push_back(table.name.substr(dot + 1));  // npos + 1 is 0: the whole name of a top-level table.
  }
  const std::string where = name.empty() ? "" : " in " + table_named(name).title();
  for (const auto& member : node.members)
    if (std::find(known.begin(), known.end(), member.key) == known.end())
      context_.report.add_at(context_.document.locate(member.place), key_within(key, member.key),
                             "unknown key " + in_quotes(member.key) + where, in_place_of(member, known));
}

std::string TableReader::in_place_of(const Node::Member& member,
                                     const std::vector<std::string>& known) const {
  const bool is_table = member.node.kind == Node::Kind::table || member.node.is_table_list();
  for (const SchemaTable& table : schema_)
    if (is_table && table.name.ends_with("." + member.key)) return "did you mean " + table.title() + "?";
  return suggestion(member.key, known);
}

}  // namespace electret
