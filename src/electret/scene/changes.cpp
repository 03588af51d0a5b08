#include <algorithm>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/scene/assemble_scene.hpp>
#include <electret/scene/changed_scene.hpp>
#include <electret/scene/changes.hpp>
#include <electret/scene/changes_check.hpp>
#include <electret/scene/identity.hpp>
#include <electret/scene/read_document.hpp>

namespace electret {

Document SceneOrigin::document(std::vector<Finding>& findings) const {
  return tree ? Document(*tree, overrides, findings) : Document(text, file, overrides, findings);
}

ChangedScenes::ChangedScenes(SceneOrigin origin, FileReader read_file)
    : origin_(std::move(origin)), read_file_(std::move(read_file)) {}

const std::string& ChangedScenes::bytes_of(const std::string& path) const {
  const auto found = files_.find(path);
  return found != files_.end() ? found->second : files_.emplace(path, read_file_(path)).first->second;
}

FileReader ChangedScenes::reader() const {
  return [this](const std::string& path) { return bytes_of(path); };
}

std::uint64_t ChangedScenes::files_read() const {
  const std::lock_guard lock(mutex_);
  Hash hash;
  for (const auto& [path, bytes] : files_)
    if (!of_start_.contains(path)) hash.add(std::string_view(bytes));
  return hash.value();
}

Document changed_document(const SceneOrigin& origin, const Scene& scene, std::size_t made,
                          std::vector<Finding>& findings) {
  Document document = origin.document(findings);
  for (std::size_t k = 0; k < made; ++k) {
    const Change& change = scene.changes[k];
    const std::string key = "change." + std::to_string(k) + ".";
    const auto where = [&](const char* list, std::size_t i) {
      return place_of(scene.source, key + list + "." + std::to_string(i));
    };
    for (std::size_t i = 0; i < change.unset.size(); ++i)
      document.unset(change.unset[i], where("unset", i), findings);
    for (std::size_t i = 0; i < change.set.size(); ++i)
      document.set(change.set[i], where("set", i), findings);
  }
  return document;
}

namespace {

/// Reads `scene` again from the document of its changed tables; `findings` are those of making it.
Scene read_changed(const Document& document, const std::vector<Finding>& findings, const Scene& scene,
                   std::size_t made, Report& report) {
  Scene changed;
  changed.folder = scene.folder;
  changed.text = scene.text;
  changed.overrides = scene.overrides;
  changed.changes_made = made;
  report.add_all(findings, "");
  read_document(changed, document, report, &scene.time);
  return changed;
}

}  // namespace

Scene changed_scene(const SceneOrigin& origin, const Scene& scene, std::size_t made, Report& report) {
  std::vector<Finding> findings;
  const Document document = changed_document(origin, scene, made, findings);
  return read_changed(document, findings, scene, made, report);
}

Document ChangedScenes::document(const Scene& scene, std::size_t made, std::vector<Finding>& findings) const {
  return changed_document(origin_, scene, made, findings);
}

Scene ChangedScenes::read(const Scene& scene, std::size_t made, Report& report) const {
  std::vector<Finding> findings;
  const Document with_changes = document(scene, made, findings);
  return read_changed(with_changes, findings, scene, made, report);
}

Assembly ChangedScenes::assembled(const Scene& scene, std::size_t made, Report& report) const {
  return assemble_scene(read(scene, made, report), reader(), report, &store_);
}

Assembly ChangedScenes::with(const Scene& scene, std::size_t made) const {
  const std::lock_guard lock(mutex_);
  Report report;
  Assembly assembly = assembled(scene, made, report);
  report.throw_if_any(origin_.file);
  return assembly;
}

void ChangedScenes::check_keys(Scene& scene, Report& report) const {
  if (report.is_bad("change") || report.is_bad("time")) return;
  std::vector<Finding> ignored;
  ChangeReport changes(scene, origin_.file, report);
  RunLength length(scene, origin_.document(ignored), report);
  for (std::size_t k = 0; k < scene.changes.size(); ++k) {
    if (!length.reaches(k)) return;
    Report own;
    const Scene changed = read(scene, k + 1, own);
    if (!changes.add_new(k, own)) return;
    length.change(k, changed.time.step);
  }
  length.end();
}

void ChangedScenes::check_assemblies(const Assembly& start, Report& report) {
  const std::lock_guard lock(mutex_);
  for (const auto& [path, bytes] : files_) of_start_.insert(path);
  const Scene& scene = start.scene;
  if (report.is_bad("change") || report.is_bad("time")) return;
  ChangeReport changes(scene, origin_.file, report);
  const bool is_start_whole = report.empty();
  Assembly before = start;
  for (std::size_t k = 0; k < scene.changes.size(); ++k) {
    Report own;
    Assembly after = assembled(scene, k + 1, own);
    if (!changes.add_new(k, own) || !is_start_whole) return;
    if (!check_kept(before, after, k, report)) return;
    change_charges_ |= are_charges_changed(before, after);
    before = std::move(after);
  }
}

Assembly changed_assembly(const Assembly& assembly, std::size_t made) {
  require(assembly.changed != nullptr, "a scene with changes knows how they are made");
  Assembly changed = assembly.changed->with(assembly.scene, made);
  changed.changed = assembly.changed;
  for (std::size_t k = 0; k < std::min(changed.fields.size(), assembly.fields.size()); ++k)
    changed.fields[k].function = assembly.fields[k].function;
  return changed;
}

std::size_t changes_before(const Scene& scene, Count step) {
  const auto first = std::find_if(scene.changes.begin(), scene.changes.end(),
                                  [&](const Change& change) { return change.step >= step; });
  return static_cast<std::size_t>(first - scene.changes.begin());
}

bool is_change_due(const Scene& scene, Count step) {
  return scene.changes_made < scene.changes.size() && scene.changes[scene.changes_made].step <= step;
}

std::vector<Finding> findings_about_changes(const Scene& scene, std::string_view what) {
  std::vector<Finding> findings;
  for (std::size_t k = 0; k < scene.changes.size(); ++k)
    findings.push_back({place_of(scene.source, "change." + std::to_string(k)),
                        std::string(what) + " cannot pass the change at step " +
                            std::to_string(scene.changes[k].step) + ": its derivative is not available",
                        "allowed: a scene without [[change]], such as with --unset change"});
  return findings;
}

void refuse_changes(const Scene& scene, std::string_view what) {
  if (auto findings = findings_about_changes(scene, what); !findings.empty())
    throw InputError(std::move(findings));
}

}  // namespace electret
