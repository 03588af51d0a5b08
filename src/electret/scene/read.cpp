#include <algorithm>
#include <filesystem>
#include <iterator>

#include <electret/geometry/read.hpp>
#include <electret/scene/assemble_scene.hpp>
#include <electret/scene/check.hpp>
#include <electret/scene/read.hpp>
#include <electret/scene/tables/reading.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

void read_tables(Scene& scene, const Document& document, Report& report) {
  const Node& root = document.root();
  const ReadContext context{document, report, scene.source};
  TableReader tables(scene_schema(), context);
  SceneReading reading{scene, context, tables};
  scene.source[""] = document.locate(root.place);
  for (const auto& [key, by] : document.removed()) scene.source[key] = by;
  tables.unknown_keys(root, "", "", {});
  for (const SceneTable* table : tables_within("")) table->read(*table, reading, "", root, &scene);
}

void read_document(Scene& scene, const Document& document, Report& report) {
  read_tables(scene, document, report);
  check_scene(scene, report);
}

/// Reads and checks; findings go to `report`. Returns whether there is anything to go on with.
bool read_into(Scene& scene, std::string_view text, const std::string& file_name, const std::string& folder,
               const std::vector<std::string>& overrides, Report& report) {
  scene.folder = folder;
  scene.text = std::string(text);
  scene.overrides = overrides;
  std::vector<Finding> findings;
  const Document document(scene.text, file_name, overrides, findings);
  report.add_all(findings, "");
  if (!document.is_readable()) return false;
  read_document(scene, document, report);
  return true;
}

Assembly loaded(std::string_view text, const std::string& file_name, const std::string& folder,
                const std::vector<std::string>& overrides, const FileReader& read_file, MeshStore* store) {
  Scene scene;
  Report report;
  Assembly assembly;
  if (read_into(scene, text, file_name, folder, overrides, report))
    assembly = assemble_scene(std::move(scene), read_file, report, store);
  report.throw_if_any(file_name);
  return assembly;
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

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
  Scene scene;
  Report report;
  read_into(scene, text, file_name, folder, overrides, report);
  report.throw_if_any(file_name);
  return scene;
}

Scene read_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return parse_scene(read_whole_file(path), path, folder_of(path), overrides);
}

Assembly load_scene_text(std::string_view text, const std::string& file_name, const std::string& folder,
                         const std::vector<std::string>& overrides, const FileReader& read_file) {
  return loaded(text, file_name, folder, overrides, read_file, nullptr);
}

Assembly load_scene_text(std::string_view text, const std::string& file_name, const std::string& folder,
                         const std::vector<std::string>& overrides, const FileReader& read_file,
                         MeshStore& store) {
  return loaded(text, file_name, folder, overrides, read_file, &store);
}

Assembly load_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return load_scene_text(read_whole_file(path), path, folder_of(path), overrides, read_regular_file);
}

Assembly load_scene_tree(const Node& root, const std::string& folder,
                         const std::vector<std::string>& overrides, const FileReader& read_file) {
  Scene scene;
  scene.folder = folder;
  scene.text = toml_text(root);
  scene.overrides = overrides;
  Report report;
  std::vector<Finding> findings;
  const Document document(root, overrides, findings);
  report.add_all(findings, "");
  read_document(scene, document, report);
  Assembly assembly = assemble_scene(std::move(scene), read_file, report);
  report.throw_if_any("");
  return assembly;
}

}  // namespace electret
