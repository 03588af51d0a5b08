#pragma once
/// \file
/// Reads tables of a document by their schema: every row, unknown keys, contradictions, missing keys. Scenes
/// and fitting jobs use it.

#include <string>
#include <type_traits>
#include <vector>

#include <electret/scene/values.hpp>

namespace electret {

/// "a.b", or "b" within the document itself.
std::string key_within(const std::string& key, const std::string& name);

class TableReader {
 public:
  /// All arguments must outlive the reader.
  TableReader(const std::vector<SchemaTable>& schema, const ReadContext& context)
      : schema_(schema), context_(context) {}

  /// If the table `name` (dotted in the schema) is written within `node`, reads it into `object`.
  template <class Object>
  void one(const std::string& key, const Node& node, const std::string& name, Object& object) {
    const SchemaTable& table = table_named(name);
    const std::string own_key = key_within(key, name.substr(name.rfind('.') + 1));
    const Node* own = found(node, table, own_key);
    if (own == nullptr) return;
    if (own->kind != Node::Kind::table) return not_a_table(*own, table, own_key);
    rows(table, *own, own_key, &object);
  }

  /// Reads the repeated table `name` within `node`. Each item is read into a Table, which `finish` completes.
  template <class Table, class Object, class Finish>
  void many(const std::string& key, const Node& node, const std::string& name, std::vector<Object>& objects,
            Finish finish) {
    const SchemaTable& table = table_named(name);
    const std::string own_key = key_within(key, name.substr(name.rfind('.') + 1));
    const Node* own = found(node, table, own_key);
    if (own == nullptr) return;
    if (!own->is_table_list()) return not_a_table(*own, table, own_key);
    for (std::size_t i = 0; i < own->items.size(); ++i) {
      const std::string item_key = key_within(own_key, std::to_string(i));
      context_.source[item_key] = context_.document.locate(own->items[i].place);
      Table object;
      rows(table, own->items[i], item_key, &object);
      if constexpr (std::is_same_v<Table, Object>) {
        finish(object, own->items[i], item_key);
        objects.push_back(std::move(object));
      } else {
        objects.push_back(finish(object, own->items[i], item_key));
      }
    }
  }

  /// Reads every row of `table`, then looks for unknown keys and for contradictions.
  void rows(const SchemaTable& table, const Node& node, const std::string& key, void* object);
  /// Finds keys of `node` that are neither among `rows` nor tables within the table `name`.
  void unknown_keys(const Node& node, const std::string& name, const std::string& key,
                    const std::vector<SchemaRow>& rows);

 private:
  /// What is allowed in place of an unknown key: the table of that name within another table, else one of the
  /// `known` keys.
  [[nodiscard]] std::string in_place_of(const Node::Member& member,
                                        const std::vector<std::string>& known) const;
  [[nodiscard]] const SchemaTable& table_named(const std::string& name) const;
  /// The node of a table. Notes its place. Null if the table is not written, which is a finding if it is
  /// required.
  const Node* found(const Node& node, const SchemaTable& table, const std::string& own_key);
  void not_a_table(const Node& node, const SchemaTable& table, const std::string& own_key);
  void alternatives(const SchemaTable& table, const Alternatives& choice, const Node& node,
                    const std::string& key);

  const std::vector<SchemaTable>& schema_;
  const ReadContext& context_;
};

}  // namespace electret
