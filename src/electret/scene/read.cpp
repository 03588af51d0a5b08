#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>

#include <electret/geometry/read.hpp>
#include <electret/scene/assemble_scene.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/check.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/read_document.hpp>
#include <electret/scene/tables/reading.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

void read_tables(Scene& scene, const Document& document, Report& report, const TimeOptions* known_time) {
  const Node& root = document.root();
  const ReadContext context{document, report, scene.source};
  TableReader tables(scene_schema(), context);
  SceneReading reading{scene, context, tables, known_time};
  scene.source[""] = document.locate(root.place);
  for (const auto& [key, by] : document.removed()) scene.source[key] = by;
  tables.unknown_keys(root, "", "", {});
  for (const SceneTable* table : tables_within("")) table->read(*table, reading, "", root, &scene);
}

/// A scene that was read, and what makes its changes, if it has any.
struct SceneAsRead {
  Scene scene;
  std::shared_ptr<ChangedScenes> changed;
  bool is_readable = false;  ///< Whether there is anything to go on with.
};

/// Reads and checks; findings go to `report`. Changes read files with `read_file`.
SceneAsRead read_origin(SceneOrigin origin, const FileReader& read_file, Report& report) {
  SceneAsRead result;
  Scene& scene = result.scene;
  scene.folder = origin.folder;
  scene.text = origin.tree ? toml_text(*origin.tree) : origin.text;
  scene.overrides = origin.overrides;
  std::vector<Finding> findings;
  const Document document = origin.document(findings);
  report.add_all(findings, "");
  if (!document.is_readable()) return result;
  result.is_readable = true;
  read_document(scene, document, report);
  if (scene.changes.empty()) return result;
  result.changed = std::make_shared<ChangedScenes>(std::move(origin), read_file);
  result.changed->check_keys(scene, report);
  return result;
}

/// Reads, assembles and checks; `first_file` is that of the findings that come first.
Assembly loaded(SceneOrigin origin, const FileReader& read_file, MeshStore* store, const Control& control) {
  Report report;
  const std::string first_file = origin.file;
  SceneAsRead read = read_origin(std::move(origin), read_file, report);
  Assembly assembly;
  if (read.is_readable)
    assembly = assemble_read(std::move(read.scene), read.changed, read_file, report, store, control);
  report.throw_if_any(first_file);
  return assembly;
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

void read_document(Scene& scene, const Document& document, Report& report, const TimeOptions* known_time) {
  read_tables(scene, document, report, known_time);
  check_scene(scene, report);
}

void SceneReading::check_keys(const SchemaTable& table, const Node& node, const std::string& key) const {
  const auto is_written = [&](const std::string& name) { return node.member(name) != nullptr; };
  std::vector<std::string> lists, constants;  // Constants take the place of a list.
  for (const SchemaRow& row : table.rows)
    if (row.is_framed) lists.push_back(row.key);
  if (lists.empty()) return;
  for (const Alternatives& choice : table.alternatives)
    if (std::find_first_of(choice.keys.begin(), choice.keys.end(), lists.begin(), lists.end()) !=
        choice.keys.end())
      std::copy_if(choice.keys.begin(), choice.keys.end(), std::back_inserter(constants),
                   [&](const std::string& name) { return is_written(name) && !table.row(name)->is_framed; });
  const auto list = std::find_if(lists.begin(), lists.end(), is_written);
  const auto fault = [&](const std::string& name, std::string message) {
    const Node::Member* member = node.member(name);
    const Location where =
        member != nullptr ? context.document.locate(member->place) : place_of(context.source, key);
    context.report.add_at(where, key + "." + name, std::move(message),
                          "key-frames are times with as many " + joined(lists, " or "));
  };
  if (list != lists.end() && !is_written("times"))
    fault(*list, in_quotes(*list) + " is written without \"times\"");
  if (list != lists.end()) return;
  if (is_written("times"))
    fault("times", "\"times\" is written without " + joined(lists, " or ") +
                       (constants.empty() ? "" : ", but with " + joined(constants)));
  else if (is_written("interpolation"))
    fault("interpolation", "\"interpolation\" is written without key-frames");
}

Scene parse_scene(std::string_view text, const std::string& file_name, const std::string& folder,
                  const std::vector<std::string>& overrides) {
  Report report;
  Scene scene =
      read_origin({std::string(text), {}, file_name, folder, overrides}, read_regular_file, report).scene;
  report.throw_if_any(file_name);
  return scene;
}

Scene read_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return parse_scene(read_whole_file(path), path, folder_of(path), overrides);
}

Assembly load_scene_text(std::string_view text, const std::string& file_name, const std::string& folder,
                         const std::vector<std::string>& overrides, const FileReader& read_file) {
  return loaded({std::string(text), {}, file_name, folder, overrides}, read_file, nullptr, {});
}

Assembly load_scene_text(std::string_view text, const std::string& file_name, const std::string& folder,
                         const std::vector<std::string>& overrides, const FileReader& read_file,
                         MeshStore& store, const Control& control) {
  return loaded({std::string(text), {}, file_name, folder, overrides}, read_file, &store, control);
}

Assembly load_scene(const std::string& path, const std::vector<std::string>& overrides, MeshStore& store,
                    const Control& control) {
  return load_scene_text(read_whole_file(path), path, folder_of(path), overrides, read_regular_file, store,
                         control);
}

Assembly load_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return load_scene_text(read_whole_file(path), path, folder_of(path), overrides, read_regular_file);
}

Assembly load_scene_tree(const Node& root, const std::string& folder,
                         const std::vector<std::string>& overrides, const FileReader& read_file) {
  return loaded({{}, root, {}, folder, overrides}, read_file, nullptr, {});
}

}  // namespace electret
