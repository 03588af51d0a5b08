#pragma once
/// \file
/// How tables of a scene are checked, whether it was read or made in C++.

#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <electret/scene/report.hpp>
#include <electret/scene/tables/table.hpp>

namespace electret {

class SceneChecking {
 public:
  SceneChecking(const Scene& of, Report& to) : scene(of), report(to) {}

  const Scene& scene;
  Report& report;
  const Body* body = nullptr;  ///< The body whose tables are checked.

  void add(const std::string& key, std::string message, std::string allowed) {
    report.add(scene.source, key, std::move(message), std::move(allowed));
  }
  [[nodiscard]] bool none_bad(const std::string& key, std::initializer_list<const char*> names) const;

  /// Checks the ranges, choices and alternatives of one table's members, as its schema has them.
  void rows(const SchemaTable& table, const std::string& key, void* object);

  /// Finds a name that is empty or was given before, in the list whose item is at `key`. `one` is "a group",
  /// `two` "two groups of body "a"", `rule` what is allowed.
  void name(const std::string& name, const std::string& key, const std::string& one, const std::string& two,
            const std::string& rule);

  /// Finds a group of vertices, or of elements, that the body does not have.
  void known_group(const std::string& group, const std::string& key);
  void known_element_group(const std::string& group, const std::string& key);

  void mesh_format(const std::string& file, const std::string& key);

  /// Checks that there are as many times as values, increasing and all finite. Returns whether the key-frames
  /// can be evaluated.
  bool key_frames(const KeyFrames<double>& keys, const std::string& key, const std::string& values_key);
  bool key_frames(const KeyFrames<Vec3>& keys, const std::string& key, const std::string& values_key);

  /// The same if any are written and nothing is wrong with `keys_of_table`.
  template <class T>
  void optional_key_frames(const KeyFrames<T>& keys, const std::string& key, const char* values_key,
                           std::initializer_list<const char*> keys_of_table) {
    if ((!keys.times.empty() || !keys.values.empty()) && none_bad(key, keys_of_table))
      key_frames(keys, key, values_key);
  }

  /// Finds a method that is for springs alone. `what` is "body.0.material.1 is a material".
  void method_for_elements(const std::string& what);

 private:
  void choice(const SchemaRow& row, const std::string& key, const std::string& word);
  void one_of(const SchemaTable& table, const Alternatives& choice, const std::string& key, void* object);
  template <class T>
  bool frames(const KeyFrames<T>& keys, const std::string& key, const std::string& values_key);
  bool key_times(const std::vector<double>& times, const std::string& key);

  std::map<std::string, std::set<std::string>> names_;  ///< Of each list.
};

/// Checks the settings at the member `path` of the scene.
template <auto... path>
void check_setting(const SceneTable& table, SceneChecking& checking, const std::string&, void* scene) {
  checking.rows(table.schema, table.schema.name, &(*static_cast<Scene*>(scene).*....*path));
}

/// Calls check(checking, item, its key) for each item of a list.
template <auto list, auto check>
void check_items(const SceneTable& table, SceneChecking& checking, const std::string& key, void* parent) {
  auto& items = list_of(parent, list);
  const std::string own = key_of(table, key) + ".";
  for (std::size_t i = 0; i < items.size(); ++i) check(checking, items[i], own + std::to_string(i));
}

/// The same after the rows, which fill the items themselves.
template <auto list, auto check>
void check_each(const SceneTable& table, SceneChecking& checking, const std::string& key, void* parent) {
  auto& items = list_of(parent, list);
  const std::string own = key_of(table, key) + ".";
  for (std::size_t i = 0; i < items.size(); ++i) {
    checking.rows(table.schema, own + std::to_string(i), &items[i]);
    check(checking, items[i], own + std::to_string(i));
  }
}

}  // namespace electret
