#include <algorithm>
#include <array>
#include <string_view>

#include <electret/scene/changes.hpp>
#include <electret/scene/tables/changes.hpp>
#include <electret/scene/tables/table_file.hpp>

namespace electret {
namespace {

/// Notes where each text of a list stands, so that findings about it are located there.
void note_items(SceneReading& reading, const Node& own, const std::string& at, const char* list) {
  const Node::Member* member = own.member(list);
  if (member == nullptr) return;
  for (std::size_t i = 0; i < member->node.items.size(); ++i)
    reading.context.source[at + "." + list + "." + std::to_string(i)] =
        reading.context.document.locate(member->node.items[i].place);
}

void read_changes(const SceneTable& table, SceneReading& reading, const std::string& key, const Node& node,
                  void* parent) {
  auto& changes = list_of(parent, &Scene::changes);
  reading.tables.many<Change>(key, node, table.schema.name, changes,
                              [&](auto&, const Node& own, const std::string& at) {
                                note_items(reading, own, at, "set");
                                note_items(reading, own, at, "unset");
                              });
}

/// Why a change cannot set or remove `key`; "" if it can.
std::string why_fixed(std::string_view key) {
  const std::string_view first = key.substr(0, key.find('.'));
  if (first == "change") return "changes themselves do not change";
  if (first == "output") return "a run is recorded in one way from its start to its end";
  if (first == "scene") return "a scene keeps its name";
  if (first == "time" && key != "time.step") return "the length of the run is known from its start";
  return "";
}

void check_changed_key(SceneChecking& checking, const std::string& text, const std::string& at) {
  const std::string key = key_of_override(text), why = why_fixed(key);
  if (!why.empty())
    checking.add(at, "a change cannot change " + in_quotes(key) + ": " + why,
                 "allowed: keys that keep vertices and pins, and of [time] \"step\"");
}

void check_change(SceneChecking& checking, const Change& change, const std::string& at) {
  if (change.set.empty() && change.unset.empty() && checking.none_bad(at, {"set", "unset"}))
    checking.add(at, "the change at step " + std::to_string(change.step) + " changes nothing",
                 "write for example set = [\"body.0.springs.0.stiffness=20.0\"]");
  for (std::size_t i = 0; i < change.set.size(); ++i)
    check_changed_key(checking, change.set[i], at + ".set." + std::to_string(i));
  for (std::size_t i = 0; i < change.unset.size(); ++i)
    check_changed_key(checking, change.unset[i], at + ".unset." + std::to_string(i));
}

/// Changes are made in the order in which they are written.
void check_changes(const SceneTable& table, SceneChecking& checking, const std::string& key, void* parent) {
  auto& changes = list_of(parent, &Scene::changes);
  const std::string own = key_of(table, key) + ".";
  Count last = 0;
  for (std::size_t k = 0; k < changes.size(); ++k) {
    const std::string at = own + std::to_string(k);
    checking.rows(table.schema, at, &changes[k]);
    check_change(checking, changes[k], at);
    if (!checking.none_bad(at, {"step"})) continue;
    if (changes[k].step < last)
      checking.add(at + ".step",
                   "the change at step " + std::to_string(changes[k].step) + " stands behind one at step " +
                       std::to_string(last),
                   "allowed: changes in the order in which they are made; several may have one step");
    last = std::max(last, changes[k].step);
  }
}

/// Only a scene that has changes has this part, so that checkpoints of versions without changes still fit.
void identify_changes(const SceneTable&, const Assembly& assembly, Identity& to) {
  if (assembly.scene.changes.empty()) return;
  Hash& hash = to.part("changes");
  for (const Change& change : assembly.scene.changes) hash.add(change.step).add(change.set).add(change.unset);
  if (assembly.changed) hash.add(assembly.changed->files_read());
}

}  // namespace

SceneTable change_table() {
  using namespace schema;
  SceneTable table;
  table.schema = {
      .name = "change",
      .is_repeated = true,
      .description =
          "What changes in the scene while it runs, in the order in which changes are made. A change keeps "
          "the "
          "vertices, the pins and the places at the start.",
      .rows = {
          row<&Change::step>("step").at_least(0).required().says(
              "The change is made before the step that starts from this state; 0 is the start."),
          row<&Change::unset>("unset").says("Keys that are removed, as by `--unset`, before others are set."),
          row<&Change::set>("set").says(
              "\"KEY=VALUE\", as for `--set`. With `time.step`, time goes on from where it is.")}};
  table.read = read_changes;
  table.check = check_changes;
  table.identify = identify_changes;
  return table;
}

}  // namespace electret
