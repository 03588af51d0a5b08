#pragma once
/// \file
/// What a table of the scene format says about itself: its keys, and the numbers that they set. The reader,
/// the checks, the reference, parameters and saved scenes are made from it.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <electret/scene/numbers.hpp>
#include <electret/scene/parameters.hpp>
#include <electret/scene/schema.hpp>

namespace electret {

/// What the rows of an array of numbers belong to.
enum class Per {
  vertex,   ///< The vertices of all bodies.
  spring,   ///< The springs of all bodies.
  element,  ///< The elements of a track; a single value is the same for all of them.
  own       ///< The track itself: a number, or its key-frames, or a list of its own.
};

/// A key that sets numbers, and the parameter that it makes.
struct NumberKey {
  /// `name` is a key of the table; "" if no key sets the numbers.
  NumberKey(std::string name, std::string says)
      : key(std::move(name)), description(std::move(says)), called(key) {}

  NumberKey& as(std::string end_of_name) { return called = std::move(end_of_name), *this; }
  NumberKey& in(std::string of_numbers_without_key) {
    return unit = std::move(of_numbers_without_key), *this;
  }
  NumberKey& when(bool (*is_set)(const Assembly&, std::size_t)) { return applies = is_set, *this; }
  NumberKey& then(void (*change)(const Assembly&, std::vector<Parameter>&)) { return adjust = change, *this; }

  std::string key, description;
  std::string called;  ///< The end of the parameter's name; "" if the name ends before.
  std::string unit;    ///< If there is no key.
  /// Whether this key, and not another one, sets the array `index`. Null: always.
  bool (*applies)(const Assembly& assembly, std::size_t index) = nullptr;
  /// Changes what was found by the rules. Null: nothing.
  void (*adjust)(const Assembly& assembly, std::vector<Parameter>& found) = nullptr;
};

/// Numbers of one kind, and the keys that set them.
struct NumberRow {
  const NumberKind* kind = nullptr;
  Per per = Per::own;
  std::vector<NumberKey> keys;
  /// If the table has this key, its meaning changes with these numbers. A saved scene then has the numbers
  /// `relative` in place of the key.
  const char* relative_key = nullptr;
  const NumberKind* relative = nullptr;
  /// The names of the numbers, if they are members of a table within the table.
  const std::vector<std::string>& (*names_of)(const Assembly& assembly, std::size_t index) = nullptr;
};

struct DrivenInput;
struct Node;
struct SceneReading;
struct Assembling;
class SceneChecking;
class Identity;

/// A table, and what is done with it. The functions that may be null do nothing then.
struct SceneTable {
  SchemaTable schema{};
  /// The beginning of its parameters' names in the reference: "body.NAME.muscle.I".
  std::string called{};
  std::vector<NumberRow> numbers{};
  /// The beginning of the name of array `index`'s parameters. Null: as the table's key.
  std::string (*name_of)(const Assembly& assembly, std::size_t index) = nullptr;

  /// Reads the table, if it is written within `node`, which is at `key`. `parent` is what the table around it
  /// fills: the Scene or a Body (reading.hpp). Null: another table reads it.
  void (*read)(const SceneTable&, SceneReading&, const std::string& key, const Node& node,
               void* parent) = nullptr;
  /// Adds every fault that the report does not have yet (checking.hpp).
  void (*check)(const SceneTable&, SceneChecking&, const std::string& key, void* parent) = nullptr;
  /// Adds what the table says to the assembly (body_parts.hpp).
  void (*assemble)(const SceneTable&, Assembling&) = nullptr;
  /// Throws std::invalid_argument if the table's tracks in an assembly do not fit (check_assembly.hpp).
  void (*check_assembly)(const Assembly&) = nullptr;
  /// Adds what determines a run (identity.hpp), to the part of this name if there is just one.
  std::string part{};
  void (*identify)(const SceneTable&, const Assembly&, Identity&) = nullptr;
  /// Marks the vertices that the table's elements hold together.
  void (*join)(const Assembly&, std::vector<bool>& joined) = nullptr;
  /// Adds what a caller may drive of the table's numbers (driven_inputs.hpp).
  void (*drive)(const SceneTable&, const Assembly&, std::vector<DrivenInput>&) = nullptr;
};

/// The list that a repeated table fills, a member of `parent`.
template <class Parent, class Item>
std::vector<Item>& list_of(void* parent, std::vector<Item> Parent::*list) {
  return static_cast<Parent*>(parent)->*list;
}

/// The key of a table that is within the table at `key`: "body.0.springs".
std::string key_of(const SceneTable& table, const std::string& key);

/// The tables within the table called `name`; those of the scene itself if it is "".
std::vector<const SceneTable*> tables_within(std::string_view name);

/// The name that track `index` of a list has.
template <auto list>
std::string name_of_track(const Assembly& assembly, std::size_t index) {
  return (assembly.*list)[index].name;
}

/// All tables, in the order of the reference: settings, bodies, what acts on the bodies, output.
const std::vector<SceneTable>& scene_tables();

/// n: whether an element of any table holds the vertex to others.
std::vector<bool> joined_vertices(const Assembly& assembly);

/// "body.NAME" of body `b`. A body that was made without a scene has the name that the reader would give it.
std::string body_key(const Assembly& assembly, std::size_t b);

}  // namespace electret
