#include <algorithm>
#include <cmath>

#include <electret/geometry/read.hpp>
#include <electret/scene/check.hpp>
#include <electret/scene/link_characters.hpp>
#include <electret/scene/member_checks.hpp>
#include <electret/scene/messages.hpp>
#include <electret/scene/tables/checking.hpp>
#include <electret/scene/words.hpp>

namespace electret {
namespace {

/// What helps if no table of the body's [[body.TABLE]] has the name `group`. The mesh, which may have it,
/// is not read yet.
std::string known_by(const std::vector<std::string>& names, const std::string& group,
                     const std::string& table, const std::string& members) {
  if (!closest_name(group, names).empty()) return suggestion(group, names);
  return (names.empty() ? "" : suggestion(group, names) + "; ") + "[[body." + table +
         "]] names groups: attribute = " + in_quotes(group) + " there takes the " + members +
         " that the mesh file calls so";
}

/// The names of a body's groups, in their order.
template <class Groups>
std::vector<std::string> names_of(const Groups& groups) {
  std::vector<std::string> names;
  for (const auto& group : groups) names.push_back(group.name);
  return names;
}

bool finite(double value) {
  return std::isfinite(value);
}
bool finite(const Vec3& value) {
  return is_finite(value);
}

}  // namespace

bool SceneChecking::none_bad(const std::string& key, std::initializer_list<const char*> names) const {
  return std::none_of(names.begin(), names.end(),
                      [&](const char* name) { return report.is_bad(key + "." + name); });
}

void SceneChecking::rows(const SchemaTable& table, const std::string& key, void* object) {
  for (const SchemaRow& row : table.rows) {
    if (row.is_later || report.is_bad(key + "." + row.key)) continue;
    const Slot slot = row.slot(object);
    const auto number = std::visit(detail::OutOfRange(row), slot.target);
    if (number)
      add(key + "." + row.key,
          in_quotes(row.key) + " in " + table.title() + " is " + number_text(*number) + ", out of range",
          allowed_values(row));
    const auto* word = std::get_if<std::string*>(&slot.target);
    // A choice that may be left out, and for which no default stands, is empty then.
    const bool is_left_out =
        word != nullptr && (*word)->empty() && !row.is_required && row.default_value.empty();
    if (word != nullptr && !row.choices.empty() && !is_left_out) choice(row, key, **word);
    const auto* words = std::get_if<std::vector<std::string>*>(&slot.target);
    if (words == nullptr || row.choices.empty()) continue;
    for (const std::string& each : **words)
      if (!report.is_bad(key + "." + row.key)) choice(row, key, each);
  }
  for (const Alternatives& alternatives : table.alternatives) one_of(table, alternatives, key, object);
}

void SceneChecking::choice(const SchemaRow& row, const std::string& key, const std::string& word) {
  if (allows_word(row, word)) return;
  WordFinding finding = word_finding(row, word);
  add(key + "." + row.key, std::move(finding.message), std::move(finding.allowed));
}

void SceneChecking::one_of(const SchemaTable& table, const Alternatives& choice, const std::string& key,
                           void* object) {
  if (table.name == "time") return;  // The member `steps` alone says how long the run is.
  std::vector<std::string> given;
  for (const auto& name : choice.keys) {
    if (report.is_bad(key + "." + name) || report.is_bad(key + ".contradiction." + name)) return;
    if (std::visit(detail::IsGiven{}, table.row(name)->slot(object).target)) given.push_back(name);
  }
  const bool has_mesh =
      choice.keys.front() == "mesh" && static_cast<const Body*>(object)->given_mesh.has_value();
  if (given.empty() && choice.one_is_required && !has_mesh)
    add(key + "." + choice.keys.front(), none_of(table, choice), "exactly one of them is required");
  for (std::size_t i = 1; i < given.size(); ++i)
    add(key + "." + given[i], both_of(table, given[0], given[i]), only_one_of(choice));
}

void SceneChecking::name(const std::string& name, const std::string& key, const std::string& one,
                         const std::string& two, const std::string& rule) {
  if (report.is_bad(key + ".name")) return;
  if (name.empty())
    add(key + ".name", one + " has no name", "allowed: a text of at least one character");
  else if (name.find(slash_of_links) != std::string::npos || name == dot_of_links)
    add(key + ".name", "the name " + in_quotes(name) + " has the character as which runs keep \"/\" or \".\"",
        "write \"/\" or \".\" itself, or another character");
  else if (!names_[key.substr(0, key.rfind('.'))].insert(name).second)
    add(key + ".name", two + " are called " + in_quotes(name), rule);
}

void SceneChecking::known_group(const std::string& group, const std::string& key) {
  const std::vector<std::string> names = names_of(body->groups);
  if (report.is_bad(key + ".group") || std::find(names.begin(), names.end(), group) != names.end()) return;
  add(key + ".group", "body " + in_quotes(body->name) + " has no group " + in_quotes(group),
      known_by(names, group, "group", "vertices"));
}

void SceneChecking::known_element_group(const std::string& group, const std::string& key) {
  const std::vector<std::string> names = names_of(body->element_groups);
  if (group.empty() || report.is_bad(key + ".group") ||
      std::find(names.begin(), names.end(), group) != names.end())
    return;
  add(key + ".group", "body " + in_quotes(body->name) + " has no element group " + in_quotes(group),
      known_by(names, group, "element_group", "elements"));
}

void SceneChecking::mesh_format(const std::string& file, const std::string& key) {
  if (find_mesh_format(file) != nullptr) return;
  add(key, "the mesh format of " + in_quotes(file) + " is unknown", "allowed: " + mesh_extensions());
}

void SceneChecking::method_for_elements(const std::string& what) {
  if (scene.integrator.method == "linear_implicit" && !report.is_bad("integrator.method"))
    add("integrator.method", "method \"linear_implicit\" is for springs alone, and " + what,
        "allowed with elements: " + joined(all_but("linear_implicit", integrator_methods)));
}

template <class T>
bool SceneChecking::frames(const KeyFrames<T>& keys, const std::string& key, const std::string& values_key) {
  if (report.is_bad(key + "." + values_key)) return false;
  const auto fault = [&](std::string message, std::string allowed) {
    return add(key + "." + values_key, std::move(message), std::move(allowed)), false;
  };
  if (keys.values.empty())
    return fault(in_quotes(values_key) + " is missing", "a value, or times and values");
  const bool are_times = !report.is_bad(key + ".times") && key_times(keys.times, key + ".times");
  if (keys.values.size() != keys.times.size())
    return fault(in_quotes(values_key) + " has " + counted(keys.values.size(), "entry", "entries") +
                     ", \"times\" has " + std::to_string(keys.times.size()),
                 "allowed: as many as times");
  const auto infinite =
      std::count_if(keys.values.begin(), keys.values.end(), [](const T& value) { return !finite(value); });
  if (infinite > 0)
    return fault(in_quotes(values_key) + " is not finite in " +
                     counted(static_cast<std::size_t>(infinite), "entry", "entries"),
                 "allowed: finite numbers");
  return are_times;
}

bool SceneChecking::key_frames(const KeyFrames<double>& keys, const std::string& key,
                               const std::string& values_key) {
  return frames(keys, key, values_key);
}

bool SceneChecking::key_frames(const KeyFrames<Vec3>& keys, const std::string& key,
                               const std::string& values_key) {
  return frames(keys, key, values_key);
}

bool SceneChecking::key_times(const std::vector<double>& times, const std::string& key) {
  const std::string allowed = "allowed: strictly increasing finite times";
  ListFindings findings;
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (std::isfinite(times[k]) && (k == 0 || times[k] > times[k - 1])) continue;
    if (!findings.admit_another()) continue;
    add(key,
        "\"times\" does not increase at " + number_text(times[k]) +
            (k > 0 ? " after " + number_text(times[k - 1]) : ""),
        allowed);
  }
  findings.report_omitted(report, scene.source, key, "\"times\"", allowed);
  return findings.empty();
}

void check_scene(Scene& scene, Report& report) {
  SceneChecking checking(scene, report);
  for (const SceneTable* table : tables_within(""))
    if (table->check != nullptr) table->check(*table, checking, "", &scene);
}

}  // namespace electret
