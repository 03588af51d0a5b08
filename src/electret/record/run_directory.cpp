#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/geometry/read.hpp>
#include <electret/record/detail/hdf5.hpp>
#include <electret/record/directory_in_use.hpp>
#include <electret/record/picture_list.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/record/session_files.hpp>
#include <electret/record/summary.hpp>
#include <electret/record/unfinished.hpp>

namespace electret {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 10> file_names{
    "checkpoint.h5", "summary.json",  "energy.csv",   "observables.csv",    "energy.svg",
    "index.html",    "trajectory.h5", "session.toml", "session.start.toml", "session.text.toml"};

std::optional<RunResult> summary_at(const std::string& path) {
  try {
    return read_summary(path);
  } catch (const IoError&) {
    return std::nullopt;
  }
}

bool has_our_trajectory(const std::string& path) {
  try {
    return hdf5::has_attribute(hdf5::open_for_reading(path).get(), "format_version");
  } catch (const IoError&) {
    return false;
  }
}

void remove(const std::string& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw IoError("cannot replace " + file + ": " + error.message(), file);
}

}  // namespace

RunLock::RunLock(const std::string& path, const std::string& what) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw IoError("cannot make the output folder " + path + ": " + error.message(), path);
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) return;
  // Who looks whether the lock is held has it for a moment.
  for (int look = 0; look < 5; ++look) {
    if (look > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  }
  ::close(descriptor_);
  throw DirectoryInUseError(
      Finding{{},
              "another " + what + " is being written to the output folder \"" + path + "\"",
              "wait for its end, or give another folder"});
}

RunLock::~RunLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RunDirectory::Contents RunDirectory::contents() const {
  std::error_code error;
  const auto status = fs::status(path_, error);
  if (status.type() == fs::file_type::not_found) return Contents::absent;
  if (status.type() == fs::file_type::none)
    throw IoError("cannot look into " + path_ + ": " + error.message(), path_);
  if (status.type() != fs::file_type::directory) return Contents::foreign;
  const bool empty = fs::is_empty(path_, error);
  if (error) throw IoError("cannot look into " + path_ + ": " + error.message(), path_);
  if (empty) return Contents::empty;
  const bool run = holds_only_unfinished(path_, file_names) || summary_at(summary()).has_value() ||
                   has_our_trajectory(trajectory()) || session_scene().has_value() ||
                   holds_begun_session(path_);
  return run ? Contents::run : Contents::foreign;
}

void RunDirectory::check(bool run_is_allowed) const {
  const Contents found = contents();
  if (found == Contents::absent || found == Contents::empty || (found == Contents::run && run_is_allowed))
    return;
  std::error_code ignored;
  const std::string what = !fs::is_directory(path_, ignored) ? "no folder"
                           : run_is_allowed                  ? "not empty and holds no Electret run"
                                                             : "not empty";
  throw InputError(Finding{{},
                           "the output folder \"" + path_ + "\" is " + what,
                           std::string("allowed: a new or empty folder") +
                               (run_is_allowed ? ", or one with an earlier run of this scene file" : "")});
}

void RunDirectory::check_usable() const {
  check(true);
}

void RunDirectory::check_empty() const {
  check(false);
}

void RunDirectory::check_replaceable(const std::string& scene_file) const {
  std::error_code ignored;
  const auto there = [&](const std::string& file) { return fs::exists(file, ignored); };
  const std::string elsewhere = "another output folder (-o) leaves it alone";
  if (const auto scene = session_scene())
    throw InputError(
        Finding{{},
                "the output folder \"" + path_ + "\" holds a session of the studio with " + *scene,
                "--overwrite replaces it, " + elsewhere});
  if (fs::is_directory(path_, ignored) && holds_begun_session(path_))
    throw InputError(Finding{{},
                             "the output folder \"" + path_ + "\" holds texts of the studio's sessions",
                             "--overwrite replaces them, " + elsewhere});
  if (!there(trajectory()) && !there(checkpoint())) return;
  const auto earlier = summary_at(summary());
  std::string found, ways = "--resume goes on with it, --overwrite replaces it, " + elsewhere;
  if (!earlier) {
    found = "an unfinished run, without a summary";
  } else if (earlier->scene_file != scene_file) {
    found = "a run of " + (earlier->scene_file.empty() ? "no scene file"
                           : earlier->scene_file == standard_input
                               ? "a scene from standard input"
                               : "another scene file, " + earlier->scene_file);
    ways = "--overwrite replaces it, " + elsewhere;
  } else if (earlier->status == RunStatus::diverged) {  // The same scene would diverge there again.
    found = "a run that diverged";
    ways = "--overwrite replaces it, with a smaller step for example; " + elsewhere;
  } else if (earlier->status != RunStatus::done) {
    found = "an unfinished run: its status is " + to_string(earlier->status);
  } else if (scene_file == standard_input) {  // It is unknown whether that was the same scene.
    found = "a run of a scene from standard input";
    ways = "--overwrite replaces it, " + elsewhere;
  }
  if (found.empty()) return;
  throw InputError(Finding{{}, "the output folder \"" + path_ + "\" holds " + found, ways});
}

std::optional<std::string> RunDirectory::session_scene() const {
  std::error_code ignored;
  if (fs::exists(trajectory(), ignored) || fs::exists(summary(), ignored)) return std::nullopt;
  std::ifstream file(session());
  std::string line;
  if (!std::getline(file, line) || !line.starts_with(session_mark)) return std::nullopt;
  line.erase(0, std::string_view(session_mark).size());
  if (line.empty() || fs::path(line).is_absolute()) return line;
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path_) / line, error);
  return error ? line : printable(whole.string());
}

std::string RunDirectory::scene_name(const std::string& scene_file) const {
  std::error_code error;
  const fs::path here = fs::weakly_canonical(fs::absolute(path_), error), scene = scene_file;
  const auto top_of = [](const fs::path& path) { return path.relative_path().begin()->string(); };
  if (error || scene.is_relative() || here == here.root_path() || top_of(here) != top_of(scene))
    return printable(scene_file);
  return printable(scene.lexically_relative(here).string());
}

std::optional<Finding> RunDirectory::missing_run() const {
  std::error_code ignored;
  if (!fs::is_directory(path_, ignored))
    return Finding{{path_, 0, 0}, "is no folder", "give the directory of a run"};
  if (contents() != Contents::run)
    return Finding{{path_, 0, 0}, "holds no Electret run", "give the directory of a run"};
  return std::nullopt;
}

TrajectoryReader RunDirectory::open() const {
  if (auto finding = missing_run()) throw InputError(std::move(*finding));
  try {
    return TrajectoryReader(trajectory());
  } catch (const IoError& error) {
    throw InputError(Finding{{}, error.what(), "give the directory of a run whose trajectory.h5 is whole"});
  }
}

void RunDirectory::clear(const std::function<void()>& renew_summary, const std::string& scene_file) const {
  remove(checkpoint());
  renew_summary();
  for (const auto& file : {energies(), observables(), plot(), page(), trajectory()}) remove(file);
  if (std::error_code absent; !fs::equivalent(session(), scene_file, absent))
    for (const auto& file : {session(), session_start(), session_text()}) remove(file);
  remove_pictures(*this);
}

void RunDirectory::remove_unfinished() const {
  electret::remove_unfinished(path_, file_names);
}

std::vector<std::string> RunDirectory::files() const {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const std::string_view name : file_names)
    if (fs::exists(path_ + "/" + std::string(name), ignored)) found.emplace_back(name);
  return found;
}

std::string scene_file_of(const Scene& scene) {
  const auto root = scene.source.find("");
  if (root == scene.source.end() || root->second.file.empty()) return "";
  if (root->second.file == standard_input) return root->second.file;
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(root->second.file), error);
  return error ? root->second.file : path.string();
}

}  // namespace electret
