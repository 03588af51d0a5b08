/// Painted charges that are in files, and what Save writes.

#include <algorithm>
#include <filesystem>
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

}  // namespace

/// Where the session's files are made. They are written there with session.toml.
std::string Machine::folder_of_painted() const {
  const SessionFolder* folder = next_folder_ ? next_folder_.get() : folder_.get();
  return folder != nullptr ? folder->path() : options_.folder;
}

/// The file that a body has already, else a new one, in place of none that is there.
std::string Machine::file_for_charges(const Node& root, std::size_t body, const std::string& name) const {
  for (const ChargedBody& each : bodies_with_own_files(root, history_.text()))
    if (each.body == body && history_.painted().contains(each.file)) return each.file;
  const fs::path folder = folder_holding(target_.path);
  return free_charges_file(name, [&](const std::string& file) {
    std::error_code error;
    return history_.text().find(file) != std::string::npos ||
           (!saved_painted_.contains(file) && fs::exists(fs::symlink_status(folder / file, error)));
  });
}

/// Gives a body these charges (C), as one step of undo: in the text, or in a file if they are many and the
/// scene has one.
std::string Machine::paint(std::size_t body, const std::string& name, const std::vector<double>& charges) {
  std::string fault;
  const auto tree = tree_for_fields(fault);
  if (!tree) return fault;
  if (charges.size() <= most_inline_charges || target_.kind != Target::Kind::file)
    return edit_text(set_charges(tree->root(), body, charges), 0.0);
  const std::string file = file_for_charges(tree->root(), body, name);
  TextState next = history_.now();
  std::string table = charges_table(charges);
  const auto known = next.painted.find(file);
  if (known == next.painted.end() || *known->second.bytes != table)
    next.painted[file] = painted_->add(folder_of_painted(), file, std::move(table));
  const std::vector<TextEdit> edits = set_charges_file(tree->root(), body, file);
  try {
    next.text = edited_text(next.text, document_.name, edits);
  } catch (const InputError& error) {
    return in_one(error.findings());
  }
  auto why = go_on_with(next, [&] {
    if (next != history_.now()) history_.put(next);
  });
  if (why.empty() && !edits.empty())
    tell(NoticeInfo{"the charges of " + std::to_string(charges.size()) + " vertices are in " + file +
                        ", which Save writes beside the scene",
                    "note"});
  return why;
}

/// What Save writes beside the scene: the files that the text names, if others are there.
PaintedFiles Machine::files_to_save() const {
  PaintedFiles files;
  std::string fault;
  const auto tree = tree_of(history_.text(), fault);
  if (!tree) return files;
  for (const ChargedBody& each : bodies_with_files(tree->root())) {
    const auto now = history_.painted().find(each.file);
    if (now == history_.painted().end()) continue;
    const auto saved = saved_painted_.find(each.file);
    if (saved == saved_painted_.end() || saved->second != now->second) files.insert(*now);
  }
  return files;
}

bool Machine::is_text_unsaved() const {
  return history_.text() != saved_text_ || (history_.painted() != saved_painted_ && !files_to_save().empty());
}

/// The files are written beside and renamed, so that each is whole whatever happens; the scene is the last.
std::string Machine::obey(int page, const Save& save) {
  if (auto why = why_no_edits(); !why.empty()) return why;
  if (save.name) return save_as(page, *save.name, save.over);
  if (target_.kind != Target::Kind::file)
    return "this scene is part of the program and has no file: save it under a name";
  // Through a link nothing is written elsewhere.
  if (!target_.is_trusted && !is_within(target_.path, options_.folder))
    return "the scene's file is not below the folder where the studio was started";
  const fs::path folder = folder_holding(target_.path);
  const PaintedFiles tables = files_to_save();
  try {
    std::string there;
    std::error_code error;
    if (fs::exists(target_.path, error)) there = read_regular_file(target_.path);
    if (is_write_protected(target_.path))
      return "the file is write-protected: allow writing (chmod u+w), then save again";
    if (!save.over && there != saved_text_)
      return "the file was changed by something else since it was read: it is not written over";
    for (const auto& [name, file] : tables) {
      const auto known = saved_painted_.find(name);
      const std::string* bytes = known != saved_painted_.end() ? known->second.bytes.get() : nullptr;
      if (auto why = why_not_over((folder / name).string(), bytes, save.over); !why.empty()) return why;
    }
    for (const auto& [name, file] : tables) write_file_whole((folder / name).string(), *file.bytes);
    write_file_whole(target_.path, history_.text());
  } catch (const InputError& unreadable) {
    return in_one(unreadable.findings());
  } catch (const IoError& full) {
    return full.what();
  }
  note_saved(tables);
  tell_files();
  tell_text();
  return "";
}

void Machine::note_saved(const PaintedFiles& tables) {
  saved_text_ = page_text_ = history_.text();
  if (watched_) watched_->note(target_.path, file_stamp(target_.path), saved_text_);
  for (const auto& [name, file] : tables) {
    saved_painted_[name] = file;
    const std::string path = place_in(folder_holding(target_.path), name);
    if (watched_) watched_->note(path, file_stamp(path), *file.bytes);
  }
}

/// The session's files that its text, its start and its changes name.
std::vector<PaintedFile> Machine::painted_in_use() const {
  std::vector<PaintedFile> used;
  const auto add = [&](const PaintedFile& file) {
    const auto is_it = [&](const PaintedFile& other) { return other.path == file.path; };
    if (std::none_of(used.begin(), used.end(), is_it)) used.push_back(file);
  };
  for (const PaintedFiles* files : {&start_painted_, &history_.painted()})
    for (const auto& [name, file] : *files) add(file);
  for (const Change& change : live_->simulator().system().assembly.scene.changes)
    for (const std::string& each : change.set)
      if (const auto file = painted_->named_by(each, live_->source().folder)) add(*file);
  return used;
}

}  // namespace electret::studio
