#pragma once
/// \file
/// How tables are read into the scene: the usual ways, for the tables' files.

#include <string>
#include <vector>

#include <electret/scene/table_reader.hpp>
#include <electret/scene/tables/table.hpp>

namespace electret {

struct SceneReading {
  Scene& scene;
  const ReadContext& context;
  TableReader& tables;
  const TimeOptions* known_time = nullptr;  ///< If the length of the run is that of another scene.

  /// Checks what was written of a table's key-frames: both times and values, and no interpolation without
  /// them.
  void check_keys(const SchemaTable& table, const Node& node, const std::string& key) const;
};

namespace detail {

template <class Kept, class Written>
Written written_of(Kept (*)(SceneReading&, Written&, const Node&, const std::string&));

}  // namespace detail

/// Reads a table of settings into the member `path` of the scene.
template <auto... path>
void read_setting(const SceneTable& table, SceneReading& reading, const std::string& key, const Node& node,
                  void*) {
  reading.tables.one(key, node, table.schema.name, (reading.scene.*....*path));
}

/// Reads a repeated table into `list`, a member of the struct of the table around it.
template <auto list>
void read_each(const SceneTable& table, SceneReading& reading, const std::string& key, const Node& node,
               void* parent) {
  auto& items = list_of(parent, list);
  using Item = typename std::remove_reference_t<decltype(items)>::value_type;
  reading.tables.many<Item>(
      key, node, table.schema.name, items,
      [&](auto&, const Node& own, const std::string& at) { reading.check_keys(table.schema, own, at); });
}

/// The same if finish(reading, item as written, its node, its key) checks the item, or makes what is kept.
template <auto list, auto finish>
void read_each(const SceneTable& table, SceneReading& reading, const std::string& key, const Node& node,
               void* parent) {
  using WrittenValue = decltype(detail::written_of(finish));
  reading.tables.many<WrittenValue>(key, node, table.schema.name, list_of(parent, list),
                                    [&](WrittenValue& item, const Node& own, const std::string& at) {
                                      reading.check_keys(table.schema, own, at);
                                      return finish(reading, item, own, at);
                                    });
}

}  // namespace electret
