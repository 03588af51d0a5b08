#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include <electret/core/text.hpp>
#include <electret/scene/assembly.hpp>
#include <electret/studio/session/choices.hpp>
#include <electret/studio/session/save_name.hpp>

namespace electret::studio {
namespace {

namespace fs = std::filesystem;

/// Files are written under a longer name first, and systems take names of at most 255 bytes.
constexpr std::size_t longest_name = 200;

constexpr std::string_view scene_ending = ".toml";

std::string file_name_of(const std::string& path) {
  return in_quotes(fs::path(path).filename().string());
}

}  // namespace

std::string file_of_name(const std::string& typed, std::string& why) {
  const std::size_t first = typed.find_first_not_of(' ');
  if (first == std::string::npos) {
    why = "a name is missing";
    return "";
  }
  std::string name = typed.substr(first, typed.find_last_not_of(' ') - first + 1);
  if (!name.ends_with(scene_ending)) name += scene_ending;
  if (!is_utf8(name))
    why = "the name is no Unicode text";
  else if (name.find_first_of("/\\") != std::string::npos)
    why = "a name has no / and no \\: the file goes into the folder that is said";
  else if (printable(name) != name || name.find('\0') != std::string::npos)
    why = "the name has characters that cannot be seen";
  else if (name.starts_with('.'))
    why = "the name begins with a point, so that the file would be hidden";
  else if (name.size() > longest_name)
    why = "the name has more than " + std::to_string(longest_name) + " bytes";
  else if (is_of_session(name) || name == "session.toml" || name.starts_with("session.before"))
    why = "the studio has files of such names for its sessions: choose another name";
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

}  // namespace electret::studio
