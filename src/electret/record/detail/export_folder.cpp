#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/detail/export_folder.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/unfinished.hpp>

namespace electret {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* note_name = ".electret-export.json";

[[noreturn]] void refuse(const std::string& part, const std::string& what, const std::string& allowed) {
  throw InputError(Finding{{}, in_quotes(part) + " " + what, allowed});
}

/// Makes sure that what was written survives a loss of power before it gets its name. The first file that is
/// synchronised takes the others along.
void bring_to_disk(const std::string& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const int descriptor = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
    const int error = descriptor >= 0 && ::fdatasync(descriptor) == 0 ? 0 : errno;
    if (descriptor >= 0) ::close(descriptor);
    // Other errors mean that there is nothing to be synchronised.
    if (error == EIO || error == ENOSPC || error == EDQUOT)
      throw IoError("cannot write " + entry.path().string() + ": " + std::strerror(error),
                    entry.path().string());
  }
}

}  // namespace

ExportFolder::ExportFolder(const std::string& out, std::string of, Earlier earlier)
    : out_((fs::absolute(out) / "").lexically_normal().parent_path().string()),
      part_(out_ + ".part"),
      of_(std::move(of)) {
  std::error_code error;
  const bool is_there = fs::exists(fs::symlink_status(part_, error)) && !fs::is_empty(part_, error);
  if (is_there && !fs::exists(note(), error))
    refuse(part_, "is there and is no unfinished export", "remove it, or name another folder with -o");
  lock_ = std::make_unique<RunLock>(part_, "export");
  try {
    if (is_there) read_note(earlier);
    save(frames_);
  } catch (const IoError&) {
    fs::remove(part_, error);  // If it is still empty.
    throw;
  }
}

ExportFolder::~ExportFolder() {
  std::error_code ignored;
  if (!is_finished_ && frames_ == 0) fs::remove_all(part_, ignored);
}

std::string ExportFolder::note() const {
  return path(note_name);
}

void ExportFolder::read_note(Earlier earlier) {
  if (earlier == Earlier::refuse)
    refuse(part_, "holds an unfinished export", "--resume goes on with it, --overwrite starts afresh");
  if (earlier == Earlier::replace) return start_afresh();
  try {
    const Json json = Json::parse(read_file(note()));
    if (json.at("of").get<std::string>() != of_)
      refuse(part_, "holds an unfinished export of something else, or the run has changed since",
             "--overwrite starts afresh");
    frames_ = json.at("frames").get<Count>();
    lengths_ = json.at("lengths").get<std::map<std::string, Count>>();
  } catch (const Json::exception&) {
    refuse(part_, "holds an unfinished export whose note is damaged", "--overwrite starts afresh");
  }
  check_lengths();
}

/// A file may have grown since the note. If one has become shorter, as by a loss of power, the export cannot
/// go on.
void ExportFolder::check_lengths() const {
  for (const auto& [name, length] : lengths_) {
    std::error_code error;
    const auto size = fs::file_size(path(name), error);
    if (error || static_cast<Count>(size) < length)
      refuse(part_, "holds an unfinished export whose " + in_quotes(name) + " is damaged",
             "--overwrite starts afresh");
  }
}

/// Notes the lengths of the files that do not grow. The files of a half-written frame are written again.
void ExportFolder::note_whole_files() {
  for (const auto& entry : fs::directory_iterator(part_)) {
    const std::string name = entry.path().filename().string();
    if (name == note_name || lengths_.contains(name) || growing_.contains(name)) continue;
    lengths_[name] = static_cast<Count>(entry.file_size());
  }
}

void ExportFolder::start_afresh() {
  for (const auto& entry : fs::directory_iterator(part_))
    if (entry.path().filename() != note_name) fs::remove_all(entry.path());
}

OutputFile& ExportFolder::growing(const std::string& name) {
  auto& file = growing_[name];
  if (!file) file = std::make_unique<OutputFile>(path(name), lengths_[name]);
  return *file;
}

void ExportFolder::save(Count frames) {
  frames_ = frames;
  for (const auto& [name, file] : growing_) {
    file->flush();
    lengths_[name] = file->length();
  }
  if (frames_ > 0) note_whole_files();
  write_file_whole(note(), Json{{"of", of_}, {"frames", frames_}, {"lengths", lengths_}}.dump());
}

Count ExportFolder::finish() {
  for (const auto& [name, file] : growing_) file->close();
  const auto files = std::distance(fs::directory_iterator(part_), fs::directory_iterator()) - 1;
  bring_to_disk(part_);
  if (::rename(part_.c_str(), out_.c_str()) != 0)
    throw IoError("cannot write " + out_ + ": " + std::strerror(errno), out_);
  is_finished_ = true;
  std::error_code ignored;
  fs::remove(out_ + "/" + note_name, ignored);
  return files;
}

}  // namespace electret
