#include <filesystem>
#include <set>
#include <system_error>

#include <nlohmann/json.hpp>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/picture_list.hpp>
#include <electret/record/unfinished.hpp>

namespace electret {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* list_name = ".electret-pictures.json";

std::string list_of(const RunDirectory& run) {
  return run.path() + "/" + list_name;
}

/// Whether a list may name this file: a picture or a movie in the folder, or in one below it.
bool is_allowed(const fs::path& file) {
  if (file.empty() || file.is_absolute() || *file.begin() == "..") return false;
  return file == file.lexically_normal() && (file.extension() == ".png" || file.extension() == ".mp4");
}

/// The files' paths from the run's folder. A list that is missing or damaged has none.
std::set<std::string> listed(const RunDirectory& run) {
  try {
    auto files = Json::parse(read_file(list_of(run))).at("files").get<std::set<std::string>>();
    std::erase_if(files, [](const std::string& file) { return !is_allowed(file); });
    return files;
  } catch (const Json::exception&) {
    return {};
  } catch (const IoError&) {
    return {};
  }
}

/// Whether no link leads out of the run's folder on the way to the file.
bool is_below(const fs::path& file, const RunDirectory& run) {
  std::error_code error;
  const fs::path folder = fs::canonical(run.path(), error);
  return fs::weakly_canonical(folder / file.parent_path(), error) == (folder / file).parent_path();
}

}  // namespace

void note_pictures(const RunDirectory& run, const std::vector<std::string>& paths) {
  auto files = listed(run);
  const std::size_t before = files.size();
  const fs::path folder = fs::weakly_canonical(run.path());
  for (const std::string& path : paths) {
    const fs::path from_folder = fs::weakly_canonical(path).lexically_relative(folder);
    if (is_allowed(from_folder) && is_utf8(from_folder.string())) files.insert(from_folder.string());
  }
  if (files.size() > before) write_file_whole(list_of(run), Json{{"files", files}}.dump(1) + "\n");
}

void remove_pictures(const RunDirectory& run) {
  std::set<std::string> folders;
  for (const std::string& file : listed(run)) {
    if (!is_below(file, run)) continue;
    const fs::path path = fs::path(run.path()) / file;
    std::error_code error;
    if (!fs::is_directory(fs::symlink_status(path, error))) fs::remove(path, error);
    if (error) throw IoError("cannot remove " + path.string() + ": " + error.message(), path.string());
    remove_left_of(path.string());
    if (const fs::path folder = fs::path(file).parent_path(); !folder.empty())
      folders.insert(folder.string());
  }
  std::error_code ignored;
  for (const std::string& folder : folders)  // Only one that is empty is removed.
    fs::remove(fs::path(run.path()) / folder, ignored);
  fs::remove(list_of(run), ignored);
  remove_left_of(list_of(run));
}

}  // namespace electret
