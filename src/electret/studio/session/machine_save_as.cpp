/// A scene that is saved under another name.

#include <filesystem>
#include <map>
#include <utility>

#include <electret/core/errors.hpp>
#include <electret/record/unfinished.hpp>
#include <electret/scene/mesh_store.hpp>
#include <electret/studio/session/choices.hpp>
#include <electret/studio/session/machine.hpp>
#include <electret/studio/session/save_name.hpp>
#include <electret/studio/session/scene_edits.hpp>

namespace electret::studio {
namespace {

namespace fs = std::filesystem;

/// A file of charges that neither the folder has nor the text names.
std::string charges_file_of_copy(const std::string& folder, const std::string& body, const std::string& text,
                                 const PaintedFiles& taken) {
  return free_charges_file(body, [&](const std::string& file) {
    std::error_code error;
    return text.find(file) != std::string::npos || taken.contains(file) ||
           fs::exists(fs::symlink_status(fs::path(folder) / file, error));
  });
}

std::string name_of_body(const Node& root, std::size_t body) {
  const Node::Member* name = root.member("body")->node.items[body].member("name");
  return name != nullptr ? name->node.text : std::string();
}

}  // namespace

/// Painted charges get files of the copy's own: what is painted there later must not change the original.
TextState Machine::copy_in(const std::string& folder) const {
  TextState copy{history_.text(), {}};
  std::string fault;
  const auto tree = tree_of(copy.text, fault);
  if (!tree) return copy;
  std::map<std::string, std::string> names;
  std::vector<TextEdit> edits;
  for (const ChargedBody& each : bodies_with_files(tree->root())) {
    const auto now = history_.painted().find(each.file);
    if (now == history_.painted().end()) continue;
    std::string& name = names[each.file];
    if (name.empty()) {
      name = charges_file_of_copy(folder, name_of_body(tree->root(), each.body), copy.text, copy.painted);
      copy.painted[name] = now->second;
    }
    for (TextEdit& edit : set_charges_file(tree->root(), each.body, name)) edits.push_back(std::move(edit));
  }
  if (!edits.empty()) copy.text = edited_text(copy.text, document_.name, edits);
  return copy;
}

/// The file goes beside the scene's own, so that relative paths lead to the same files; that of a scene
/// without a file into the folder where the studio was started.
std::string Machine::save_as(int page, const std::string& name, bool over) {
  std::string why;
  const std::string file = file_of_name(name, why);
  if (!why.empty()) return why;
  const bool has_file = target_.kind == Target::Kind::file;
  if (has_file && fs::path(target_.path).filename() == file) return obey(page, Save{over});
  const std::string folder = folder_holding(target_.path);
  if (!target_.is_trusted && !is_at_or_below(folder, options_.folder))
    return "the scene's folder is not below the folder where the studio was started";
  if (!has_file && replay_) return "steps are replayed: save when they are done, or stop it";
  const std::string path = place_in(folder, file);
  if (why = why_not_there(path, over); !why.empty()) return why;
  SavedInfo saved{path};
  try {
    const TextState copy = copy_in(folder);
    for (const auto& [table, painted] : copy.painted) {
      write_file_whole(place_in(folder, table), *painted.bytes);
      saved.tables.push_back(table);
    }
    write_file_whole(path, copy.text);
  } catch (const InputError& unreadable) {
    return in_one(unreadable.findings());
  } catch (const IoError& full) {
    return full.what();
  }
  if (has_file) {
    copy_ = target_of_file(path);
    copy_->is_trusted = target_.is_trusted;
    copy_->is_copy = true;
    saved.copy = copy_mark + path;
  } else {
    become_file(path);
  }
  tell(saved, page);
  return "";
}

/// The scene that had no file has one, and its session goes on.
void Machine::become_file(const std::string& path) {
  target_ = target_of_file(path);
  live_target_ = path;
  document_.name = fs::path(path).filename().string();
  document_.path = path;
  note_saved({});
  move_session();
  tell_text();
  tell_system();
  tell_files();
  tell_earlier();
}

}  // namespace electret::studio
