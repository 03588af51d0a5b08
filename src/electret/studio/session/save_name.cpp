#include <filesystem>
#include <functional>

#include <sys/stat.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/session_files.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/studio/session/choices.hpp>
#include <electret/studio/session/save_name.hpp>

namespace electret::studio {
namespace {

namespace fs = std::filesystem;

/// Files are written under a longer name first, and systems take names of at most 255 bytes.
constexpr std::size_t longest_name = 200;

constexpr std::string_view scene_ending = ".toml", session_ending = ".studio";

std::string trimmed(const std::string& typed) {
  const std::size_t first = typed.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return typed.substr(first, typed.find_last_not_of(' ') - first + 1);
}

/// Why it is no part of a path that can be seen; "" if it is.
std::string fault_of_name(const std::string& name) {
  if (name.empty()) return "a name is missing";
  if (!is_utf8(name)) return "the name is no Unicode text";
  if (name.find_first_of("/\\") != std::string::npos)
    return "a name has no / and no \\: it goes into the folder that is said";
  if (printable(name) != name || name.find('\0') != std::string::npos)
    return "the name has characters that cannot be seen";
  if (name.starts_with('.')) return "the name begins with a point, so that it would be hidden";
  if (name.size() > longest_name) return "the name has more than " + std::to_string(longest_name) + " bytes";
  return "";
}

/// What a check of a folder says against it; "" if nothing.
std::string said_by(const std::function<void()>& check) {
  try {
    check();
  } catch (const InputError& refused) {
    return refused.findings().front().message;
  }
  return "";
}

std::string file_name_of(const std::string& path) {
  return in_quotes(fs::path(path).filename().string());
}

}  // namespace

std::string file_of_name(const std::string& typed, std::string& why) {
  std::string name = trimmed(typed);
  if (!name.empty() && !name.ends_with(scene_ending)) name += scene_ending;
  why = fault_of_name(name);
  if (why.empty() && (is_of_session(name) || name == "session.toml" || name.starts_with("session.before")))
    why = "the studio has files of such names for its sessions: choose another name";
  return why.empty() ? name : "";
}

std::string folder_of_name(const std::string& typed, std::string& why) {
  const std::string name = trimmed(typed);
  why = fault_of_name(name);
  if (why.empty() && name.ends_with(session_ending))
    why = "the studio has folders of such names for its sessions: choose another name";
  return why.empty() ? name : "";
}

bool is_write_protected(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  return (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || ::access(path.c_str(), W_OK) != 0;
}

std::string why_not_over(const std::string& path, const std::string* known, bool over) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  const std::string name = file_name_of(path);
  if (!fs::exists(status)) return "";
  if (!fs::is_regular_file(status)) return name + " beside the scene is no regular file";
  if (is_write_protected(path))
    return name + " is write-protected: allow writing (chmod u+w), then save again";
  if (over || (known != nullptr && read_regular_file(path) == *known)) return "";
  return name + " was changed by something else since it was read: it is not written over";
}

std::string why_not_there(const std::string& path, bool over) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  const std::string name = file_name_of(path);
  if (!fs::exists(status)) return "";
  if (!fs::is_regular_file(status)) return name + " is there and is no regular file: choose another name";
  if (is_write_protected(path)) return name + " is there and is write-protected: choose another name";
  if (!looks_like_scene(path)) return name + " is there and is no scene: choose another name";
  return over ? "" : name + " is there already: it is not written over";
}

std::string why_no_run_there(const std::string& directory, const std::string& scene_file, bool over) {
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(directory, error)))
    return in_quotes(directory) + " is a link: choose another name";
  const RunDirectory folder(directory);
  if (const auto why = said_by([&] { folder.check_usable(); }); !why.empty())
    return why + ": choose another name";
  if (folder.contents() != RunDirectory::Contents::run) return "";
  std::string found = said_by([&] { folder.check_replaceable(scene_file); });
  if (folder.session_scene() || holds_begun_session(directory)) return found + ": choose another name";
  if (found.empty()) found = "the output folder " + in_quotes(directory) + " holds a run";
  return over ? "" : found + ": it is not written over";
}

}  // namespace electret::studio
