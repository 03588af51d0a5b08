#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <electret/core/arguments.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/scene/changed_scene.hpp>
#include <electret/scene/overrides_between.hpp>
#include <electret/scene/schema.hpp>
#include <electret/scene/tables/table.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/scene/write.hpp>

namespace electret {
namespace {

namespace fs = std::filesystem;

Node& member_of(Node& table, const std::string& key) {
  for (Node::Member& member : table.members)
    if (member.key == key) return member.node;
  table.members.push_back({key, {}, Node{}});
  return table.members.back().node;
}

/// The item `index` of a list within a table of settings: of `[[contact.pair]]`.
Node& item_of_settings(Node& root, const std::string& table, const std::string& key, std::size_t index) {
  return member_of(member_of(root, table), key).items.at(index);
}

/// The item `index` of the lists `key` of all bodies, counted through one body's list after the other.
Node& item_of_bodies(Node& root, const std::string& key, std::size_t index) {
  for (Node& body : member_of(root, "body").items) {
    if (body.member(key) == nullptr) continue;
    auto& items = member_of(body, key).items;
    if (index < items.size()) return items[index];
    index -= items.size();
  }
  throw InternalError("a scene's text has fewer tables [[body." + key + "]] than were read of it");
}

/// Whether `key` holds a list, with one row per vertex, element or key-frame.
bool is_list(const SchemaTable& table, const std::string& key) {
  const SchemaRow* row = table.row(key);
  return row != nullptr && row->type.starts_with("list");
}

/// The first key of `row` that holds a list, or one value; "" if there is none.
std::string first_key(const SchemaTable& table, const NumberRow& row, bool with_list) {
  for (const NumberKey& each : row.keys)
    if (!each.key.empty() && is_list(table, each.key) == with_list) return each.key;
  return "";
}

/// `row` with those of its keys that set the array `index`.
NumberRow for_array(NumberRow row, const Assembly& assembly, std::size_t index) {
  std::erase_if(row.keys, [&](const NumberKey& key) {
    return key.applies != nullptr && !key.applies(assembly, index);
  });
  return row;
}

/// Sets `key`, and removes the keys of which only one may be written with it.
void set_alone(Node& node, const SchemaTable& table, const std::string& key, Node value) {
  for (const Alternatives& choice : table.alternatives)
    if (std::find(choice.keys.begin(), choice.keys.end(), key) != choice.keys.end())
      for (const std::string& other : choice.keys)
        if (other != key) remove_member(node, other);
  set_member(node, key, std::move(value));
}

/// Some rows of an array of numbers.
class Rows {
 public:
  Rows(Numbers<const double> numbers, std::size_t columns, std::size_t first, std::size_t count)
      : numbers_(numbers), columns_(columns), first_(first), count_(count) {}

  [[nodiscard]] Node node(std::size_t k) const {
    if (columns_ == 1) return number_node(number(k, 0));
    return row_node({number(k, 0), number(k, 1), number(k, 2)});
  }
  [[nodiscard]] Node list() const {
    Node list = list_node({});
    for (std::size_t k = 0; k < count_; ++k) list.items.push_back(node(k));
    return list;
  }
  [[nodiscard]] bool are_equal() const {
    for (std::size_t k = 1; k < count_; ++k)
      for (std::size_t c = 0; c < columns_; ++c)
        if (!(number(k, c) == number(0, c))) return false;
    return true;
  }

 private:
  [[nodiscard]] double number(std::size_t k, std::size_t column) const {
    return numbers_[(first_ + k) * columns_ + column];
  }
  Numbers<const double> numbers_;
  std::size_t columns_, first_, count_;
};

class Writer {
 public:
  Writer(const Assembly& assembly, Node root) : assembly_(assembly), root_(std::move(root)) {}

  void write(const Parameter& parameter) {
    for (const SceneTable& table : scene_tables())
      for (const NumberRow& row : table.numbers)
        if (row.kind == parameter.source.kind) write(parameter, table, row);
  }

  [[nodiscard]] const Node& root() const { return root_; }

 private:
  void write(const Parameter& parameter, const SceneTable& table, const NumberRow& row) {
    require_argument(!parameter.key.empty(), "scene_text: a scene has no key for a parameter");
    if (row.per == Per::vertex) return write_slices(parameter, table, row, assembly_.body_offsets);
    if (row.per == Per::spring) return write_slices(parameter, table, row, assembly_.spring_offsets);
    const std::size_t index = parameter.source.index;
    set(parameter, table, row.per == Per::own ? for_array(row, assembly_, index) : row,
        item(table.schema, index), rows_of(row, index));
  }

  /// Each table that has one of the members gets its slice of the numbers.
  void write_slices(const Parameter& parameter, const SceneTable& table, const NumberRow& row,
                    const std::vector<Count>& offsets) {
    for (std::size_t t = 0; t + 1 < offsets.size(); ++t) {
      const Count first = offsets[t], end = offsets[t + 1];
      if (std::none_of(parameter.members.begin(), parameter.members.end(),
                       [&](Index i) { return i >= first && i < end; }))
        continue;
      const auto slice = [&](const NumberRow& of) {
        return Rows(numbers(assembly_, *of.kind), of.kind->columns, static_cast<std::size_t>(first),
                    static_cast<std::size_t>(end - first));
      };
      Node& node = item(table.schema, t);
      set(parameter, table, row, node, slice(row));
      if (row.relative_key == nullptr || node.member(row.relative_key) == nullptr) continue;
      for (const NumberRow& other : table.numbers)
        if (other.kind == row.relative) set_one_or_each(table.schema, other, node, slice(other));
    }
  }

  [[nodiscard]] Rows rows_of(const NumberRow& row, std::size_t index) const {
    const auto all = numbers(assembly_, {*row.kind, index});
    return {all, row.kind->columns, 0, all.count / row.kind->columns};
  }

  void set(const Parameter& parameter, const SceneTable& table, const NumberRow& row, Node& node,
           const Rows& rows) {
    const SchemaTable& schema = table.schema;
    const std::string one = first_key(schema, row, false), each = first_key(schema, row, true);
    if (!parameter.shares.empty())
      return set_alone(node, schema, parameter.key, number_node(parameter.read(assembly_).front()));
    if (row.names_of != nullptr) return set_named(member_of(node, one), row, parameter.source.index);
    if (row.per == Per::element && each.empty())
      return set_alone(node, schema, one, number_node(parameter.read(assembly_).front()));
    set_one_or_each(schema, row, node, rows);
  }

  /// Sets one value, or a list: as the table has it if the numbers are the track's own, else one value if all
  /// are equal.
  static void set_one_or_each(const SchemaTable& schema, const NumberRow& row, Node& node, const Rows& rows) {
    const std::string one = first_key(schema, row, false), each = first_key(schema, row, true);
    const bool is_one =
        each.empty() ||
        (!one.empty() && (row.per == Per::own ? node.member(each) == nullptr : rows.are_equal()));
    set_alone(node, schema, is_one ? one : each, is_one ? rows.node(0) : rows.list());
  }

  void set_named(Node& node, const NumberRow& row, std::size_t index) const {
    const auto values = numbers(assembly_, {*row.kind, index});
    const std::vector<std::string>& names = row.names_of(assembly_, index);
    for (std::size_t k = 0; k < values.count; ++k) set_member(node, names[k], number_node(values[k]));
  }

  /// The table `index` of those called as `table`, counted through all bodies.
  Node& item(const SchemaTable& table, std::size_t index) {
    const auto dot = table.name.rfind('.');
    const std::string within = table.name.substr(0, dot);
    if (dot != std::string::npos && !schema_table(within).is_repeated)
      return item_of_settings(root_, within, table.name.substr(dot + 1), index);
    if (dot != std::string::npos) return item_of_bodies(root_, table.name.substr(dot + 1), index);
    Node& node = member_of(root_, table.name);
    return table.is_repeated ? node.items[index] : node;
  }

  const Assembly& assembly_;
  Node root_;
};

/// `path` with its links followed, as far as the disk lets us know them.
fs::path without_links(const fs::path& path) {
  std::error_code error;
  const fs::path found = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : found;
}

/// The files that a scene may name, as seen from `folder`.
class Paths {
 public:
  Paths(const std::string& from, const std::string& folder)
      : from_(without_links(fs::current_path() / from)),
        folder_(without_links(fs::current_path() / folder)) {}

  /// Throws InputError for a path that no scene can hold.
  void move(Node& root) const {
    for (const FileKey& file : file_keys()) move(root, file.table, file.key, "");
    if (root.member("change") == nullptr) return;
    std::size_t k = 0;
    for (Node& change : member_of(root, "change").items) {
      const std::string key = "change." + std::to_string(k++) + ".set.";
      if (change.member("set") == nullptr) continue;
      auto& assignments = member_of(change, "set").items;
      for (std::size_t i = 0; i < assignments.size(); ++i)
        move_assignment(assignments[i].text, key + std::to_string(i));
    }
  }

  /// "body.0.charges=FILE" of a change, which is at `place`.
  void move_assignment(std::string& text, const std::string& place) const {
    const std::string key = key_of_override(text), path = without_numbers(key);
    Node value = value_of_override(text.substr(std::min(text.find('=') + 1, text.size())));
    bool is_moved = false;
    for (const FileKey& file : file_keys()) {
      const std::string whole = file.table + "." + file.key;
      if (path == whole && value.kind == Node::Kind::text) {
        value.text = moved(value.text, place), is_moved = true;
      } else if (whole.starts_with(path + ".") && value.kind != Node::Kind::text) {
        const std::string rest = whole.substr(path.size() + 1);
        const auto dot = rest.rfind('.');
        for (Node* table : tables_of(value))
          move(*table, dot == std::string::npos ? "" : rest.substr(0, dot), file.key, place + "."),
              is_moved = true;
      }
    }
    if (is_moved) text = key + "=" + toml_value(value);
  }

  /// Links to folders are followed, because ".." after one leads to what is above its target. A link to the
  /// file is not: the target's name may lack the ending that says the format.
  [[nodiscard]] std::string moved(const std::string& file, const std::string& place) const {
    const fs::path path(file);
    if (path.empty() || path.is_absolute() || from_ == folder_) return file;
    const fs::path whole = without_links(from_ / path.parent_path()) / path.filename();
    const fs::path seen = whole.lexically_relative(folder_);
    std::string text = (seen.empty() ? whole : seen).string();
    if (!is_utf8(text))
      throw InputError(Finding{{place, 0, 0},
                               in_quotes(text) + " is no Unicode text, and a scene names files by text",
                               "rename the folder, or save the scene beside the file"});
    return text;
  }

 private:
  /// Moves `key` in the tables called `path` within `table`, whose own key ends `place`: all of them if it is
  /// repeated.
  void move(Node& table, const std::string& path, const std::string& key, const std::string& place) const {
    if (path.empty()) {
      const auto* member = table.member(key);
      if (member != nullptr && member->node.kind == Node::Kind::text)
        set_member(table, key, text_node(moved(member->node.text, place + key)));
      return;
    }
    const auto dot = std::min(path.find('.'), path.size());
    const std::string first = path.substr(0, dot), rest = path.substr(std::min(dot + 1, path.size()));
    if (table.member(first) == nullptr) return;
    Node& inner = member_of(table, first);
    if (inner.kind == Node::Kind::table) return move(inner, rest, key, place + first + ".");
    for (std::size_t i = 0; i < inner.items.size(); ++i)
      move(inner.items[i], rest, key, place + first + "." + std::to_string(i) + ".");
  }

  static std::vector<Node*> tables_of(Node& value) {
    std::vector<Node*> tables;
    if (value.kind == Node::Kind::table) tables.push_back(&value);
    for (Node& item : value.items)
      if (item.kind == Node::Kind::table) tables.push_back(&item);
    return tables;
  }

  /// The key's parts that are no numbers of items.
  static std::string without_numbers(const std::string& key) {
    std::string path;
    for (std::size_t at = 0; at <= key.size();) {
      const std::size_t dot = std::min(key.find('.', at), key.size());
      const std::string part = key.substr(at, dot - at);
      if (part.find_first_not_of("0123456789") != std::string::npos) path += (path.empty() ? "" : ".") + part;
      at = dot + 1;
    }
    return path;
  }

  fs::path from_, folder_;  ///< Absolute, without links.
};

/// The tables of the scene's text, with its overrides.
Node tables_of(const Scene& scene) {
  if (scene.text.empty())
    throw InputError(Finding{{}, "the scene was read from no file", "give one read from TOML"});
  std::vector<Finding> findings;
  const Document document(scene.text, "", scene.overrides, findings);
  require_argument(findings.empty(), "scene_text: the assembly's text is not that of a scene that was read");
  return document.root();
}

/// The same after the changes that were made, which are no longer among those to come.
Node changed_tables_of(const Scene& scene) {
  if (scene.changes_made == 0) return tables_of(scene);
  std::vector<Finding> findings;
  const SceneOrigin origin{scene.text, {}, "", scene.folder, scene.overrides};
  Node root = changed_document(origin, scene, scene.changes_made, findings).root();
  require_argument(findings.empty(), "the assembly's text is not that of a scene that was read");
  auto& changes = member_of(root, "change").items;
  changes.erase(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(scene.changes_made));
  if (changes.empty()) remove_member(root, "change");
  // A duration need not be a whole number of the steps of now.
  Node steps = number_node(static_cast<double>(scene.time.steps));
  steps.kind = Node::Kind::whole, steps.whole = scene.time.steps;
  Node& time = member_of(root, "time");
  remove_member(time, "duration");
  set_member(time, "steps", std::move(steps));
  return root;
}

/// `root` with the current values of these parameters.
Node with_values(const Assembly& assembly, const std::vector<Parameter>& changed, Node root) {
  for (const Parameter& parameter : changed)
    static_cast<void>(parameter.read(assembly));  // Checks that it fits.
  Writer writer(assembly, std::move(root));
  for (const Parameter& parameter : changed) writer.write(parameter);
  return writer.root();
}

}  // namespace

Node with_moved_paths(Node root, const std::string& from, const std::string& folder) {
  Paths(from, folder).move(root);
  return root;
}

std::vector<std::string> with_moved_paths(std::vector<std::string> assignments, const std::string& from,
                                          const std::string& folder) {
  const Paths paths(from, folder);
  for (std::string& each : assignments) paths.move_assignment(each, key_of_override(each));
  return assignments;
}

std::string moved_path(const std::string& file, const std::string& from, const std::string& folder) {
  return Paths(from, folder).moved(file, file);
}

std::string scene_text(const Assembly& assembly, const std::vector<Parameter>& changed,
                       const std::string& folder) {
  Node root = with_values(assembly, changed, tables_of(assembly.scene));
  return toml_text(with_moved_paths(std::move(root), assembly.scene.folder, folder));
}

std::vector<std::string> present_overrides(const Assembly& assembly, const std::vector<Parameter>& changed) {
  const Scene& scene = assembly.scene;
  std::vector<Parameter> written = changed;
  std::erase_if(written, [](const Parameter& parameter) { return parameter.key.empty(); });
  const Node before = tables_of(scene), after = with_values(assembly, written, changed_tables_of(scene));
  std::vector<std::string> overrides = scene.overrides;
  for (std::string& each : overrides_between(before, after)) overrides.push_back(std::move(each));
  return overrides;
}

}  // namespace electret
