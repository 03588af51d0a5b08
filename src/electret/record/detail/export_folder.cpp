#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
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

constexpr std::array<std::string_view, 1> note_names{".electret-export.json"};
constexpr const char* elsewhere = "another folder (-o) leaves it alone";

std::string note_in(const std::string& folder) {
  return folder + "/" + std::string(note_names[0]);
}

[[noreturn]] void refuse(const std::string& folder, const std::string& what, const std::string& allowed) {
  throw InputError(Finding{{}, in_quotes(folder) + " " + what, allowed});
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

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

}  // namespace

/// What .electret-export.json says.
struct ExportFolder::Note {
  std::string run, format, whole;
  Count frames = 0;
  bool is_done = false;
  std::map<std::string, Count> lengths;
  std::set<std::string> others;

  /// Nothing if the folder has no readable note.
  static std::optional<Note> read(const std::string& folder) {
    try {
      const Json json = Json::parse(read_file(note_in(folder)));
      Note note;
      note.whole = json.at("of").get<std::string>();
      note.run = json.value("run", "");
      note.format = json.value("format", "");
      note.frames = json.at("frames").get<Count>();
      note.is_done = json.value("done", false);
      note.lengths = json.at("lengths").get<std::map<std::string, Count>>();
      note.others = json.value("others", note.others);
      return note;
    } catch (const Json::exception&) {
      return std::nullopt;
    } catch (const IoError&) {
      return std::nullopt;
    }
  }
};

ExportFolder::ExportFolder(const std::string& out, ExportIdentity of, Earlier earlier)
    : out_((fs::absolute(out) / "").lexically_normal().parent_path().string()),
      part_(out_ + ".part"),
      of_(std::move(of)) {
  const bool replaces = check_place(earlier);
  if (!is_finished_) begin_part(earlier, replaces);
}

ExportFolder::~ExportFolder() {
  if (is_finished_ || frames_ > 0) return;
  std::error_code ignored;
  others_.empty() ? fs::remove_all(part_, ignored) : 0;
}

/// Finds out what is at OUT.
bool ExportFolder::check_place(Earlier earlier) {
  std::error_code error;
  if (!is_there(out_)) return false;
  if (!fs::is_directory(out_, error)) refuse(out_, "is no folder", "allowed: a new or empty folder");
  if (fs::is_empty(out_, error)) return false;
  const auto note = Note::read(out_);
  if (!note || !note->is_done)
    refuse(out_, "is not empty and holds no export of this run",
           "allowed: a new or empty folder, or one with an earlier export of this run");
  if (note->run != of_.run)
    refuse(out_, "holds an export of another run, " + in_quotes(note->run), "give another folder (-o)");
  if (earlier == Earlier::replace) return true;
  if (note->format != of_.format)
    refuse(out_, "holds an export to " + note->format, std::string("--overwrite replaces it, ") + elsewhere);
  if (earlier == Earlier::refuse) return true;
  if (note->whole != of_.whole)
    refuse(
        out_,
        "holds a complete export that is not this one: the run, the program or an option has changed since",
        "the same command without --resume replaces it");
  lengths_ = note->lengths;
  check_lengths(out_);
  frames_ = note->frames;
  is_finished_ = true;
  return false;
}

void ExportFolder::begin_part(Earlier earlier, bool replaces) {
  std::error_code error;
  const bool was_there = is_there(part_);
  const bool has_note = was_there && fs::exists(note_in(part_), error);
  if (was_there && !has_note &&
      (!fs::is_directory(part_, error) || !holds_only_unfinished(part_, note_names)))
    refuse(part_, "is there and is no unfinished export", "remove it, or name another folder with -o");
  if (has_note && replaces)
    refuse(part_, "holds an unfinished export, and " + in_quotes(out_) + " a complete one",
           "remove one of them, or name another folder with -o");
  lock_ = std::make_unique<RunLock>(part_, "export");
  try {
    remove_unfinished(part_, note_names);
    if (has_note) read_part(earlier);
    if (replaces) take_over();
    save(frames_);
  } catch (const IoError&) {
    fs::remove(part_, error);  // If it is still empty.
    throw;
  }
}

/// Makes the complete export at OUT to OUT.part, which is empty, in one step, and removes its files.
void ExportFolder::take_over() {
  auto lock = std::make_unique<RunLock>(out_, "export");
  if (::rename(out_.c_str(), part_.c_str()) != 0)
    throw IoError("cannot replace " + out_ + ": " + std::strerror(errno), out_);
  lock_ = std::move(lock);
  const auto note = Note::read(part_);
  if (note) lengths_ = note->lengths;
  find_others();
  start_afresh();
}

void ExportFolder::read_part(Earlier earlier) {
  const auto note = Note::read(part_);
  if (!note && earlier != Earlier::replace)
    refuse(part_, "holds an unfinished export whose note is damaged", "--overwrite starts afresh");
  was_unfinished_ = true;
  if (note) {
    lengths_ = note->lengths;
    others_ = note->others;
    if (note->is_done) find_others();  // It is one that was to be replaced.
  }
  const bool was_complete = note && note->is_done && earlier == Earlier::refuse;
  if (earlier == Earlier::replace || was_complete || (note && note->frames == 0)) return start_afresh();
  if (earlier == Earlier::refuse)
    refuse(part_, "holds an unfinished export", "--resume goes on with it, --overwrite starts afresh");
  if (note->whole != of_.whole)
    refuse(part_, "holds an unfinished export of something else, or the run has changed since",
           "--overwrite starts afresh");
  frames_ = note->frames;
  check_lengths(part_);
}

/// A file may have grown since the note. If one has become shorter, as by a loss of power, the export cannot
/// go on.
void ExportFolder::check_lengths(const std::string& folder) const {
  const bool is_part = folder == part_;
  for (const auto& [name, length] : lengths_) {
    std::error_code error;
    const auto size = fs::file_size(folder + "/" + name, error);
    if (error || static_cast<Count>(size) < length)
      refuse(folder,
             std::string("holds ") + (is_part ? "an unfinished" : "a complete") + " export whose " +
                 in_quotes(name) + " is damaged",
             "--overwrite starts afresh");
  }
}

/// All that is in a complete export beside its files.
void ExportFolder::find_others() {
  for (const auto& entry : fs::directory_iterator(part_))
    if (const std::string name = entry.path().filename().string();
        name != note_names[0] && is_utf8(name) && !lengths_.contains(name))
      others_.insert(name);
}

/// Notes the lengths of the files that do not grow. The files of a half-written frame are written again.
void ExportFolder::note_whole_files() {
  std::error_code error;
  for (const std::string& name : unnoted_)
    lengths_[name] = static_cast<Count>(fs::file_size(part_ + "/" + name, error));
  unnoted_.clear();
}

std::string ExportFolder::path(const std::string& name) {
  unnoted_.push_back(name);
  return part_ + "/" + name;
}

/// Says first that there is no frame, so that a kill in between leaves nothing that looks like an export. No
/// export's files have names that are not UTF-8.
void ExportFolder::start_afresh() {
  frames_ = 0;
  lengths_.clear();
  write_note(false);
  for (const auto& entry : fs::directory_iterator(part_)) {
    const std::string name = entry.path().filename().string();
    std::error_code error;
    if (name != note_names[0] && is_utf8(name) && !others_.contains(name)) fs::remove(entry.path(), error);
    if (error) throw IoError("cannot replace " + entry.path().string() + ": " + error.message());
  }
}

OutputFile& ExportFolder::growing(const std::string& name) {
  auto& file = growing_[name];
  if (!file) file = std::make_unique<OutputFile>(part_ + "/" + name, lengths_[name]);
  return *file;
}

void ExportFolder::save(Count frames) {
  frames_ = frames;
  for (const auto& [name, file] : growing_) {
    file->flush();
    lengths_[name] = file->length();
  }
  if (frames_ > 0) note_whole_files();
  write_note(false);
}

void ExportFolder::write_note(bool is_done) {
  const Json note = {{"of", of_.whole},     {"run", of_.run},    {"format", of_.format}, {"frames", frames_},
                     {"lengths", lengths_}, {"others", others_}, {"done", is_done}};
  write_file_whole(note_in(part_), note.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void ExportFolder::finish(Count frames) {
  frames_ = frames;
  for (const auto& [name, file] : growing_) {
    file->close();
    lengths_[name] = file->length();
  }
  growing_.clear();
  note_whole_files();
  write_note(true);
  bring_to_disk(part_);
  if (::rename(part_.c_str(), out_.c_str()) != 0)
    throw IoError("cannot write " + out_ + ": " + std::strerror(errno), out_);
  is_finished_ = true;
}

}  // namespace electret
