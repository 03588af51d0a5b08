#pragma once
/// \file
/// The folder of an export. It is called OUT.part until the export is complete, and has a note
/// (.electret-export.json) of what is exported and how far that has come. So an interrupted export can go on,
/// and a later export knows a complete one as its own.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <electret/core/types.hpp>
#include <electret/record/detail/output_file.hpp>
#include <electret/record/run_directory.hpp>

namespace electret {

/// What is exported.
struct ExportIdentity {
  std::string run;  ///< The path of its trajectory, as it is with links resolved.
  std::string format;
  std::string whole;  ///< The above and all else that decides what is written, in one text.
};

class ExportFolder {
 public:
  /// What to do with an earlier export.
  enum class Earlier {
    refuse,  ///< Replaces a complete one of this run and format, and refuses an unfinished one.
    resume,  ///< Goes on with an unfinished one; a complete one must be the same.
    replace  ///< Replaces it, whatever its format.
  };

  /// Makes OUT.part, or goes on with the one there. A complete export of the run that is replaced becomes
  /// OUT.part, so that files in it that no export made stay. Throws InputError if something else is at OUT or
  /// OUT.part, an export that may not be replaced, or one that another process is writing, and if an
  /// unfinished export has lost a part of a file. Throws IoError.
  ExportFolder(const std::string& out, ExportIdentity of, Earlier earlier);
  /// An unfinished folder stays for a later export, unless it has no frame.
  ~ExportFolder();
  ExportFolder(const ExportFolder&) = delete;
  ExportFolder& operator=(const ExportFolder&) = delete;

  /// Whether the same export is complete already; nothing may be written then.
  [[nodiscard]] bool is_complete() const { return is_finished_; }
  /// Whether an unfinished export was there.
  [[nodiscard]] bool was_unfinished() const { return was_unfinished_; }
  /// The number of frames that it already has.
  [[nodiscard]] Count frames() const { return frames_; }
  /// A file that grows by frames, opened at its end; a new one is empty.
  OutputFile& growing(const std::string& name);
  /// The path of any other file.
  std::string path(const std::string& name);

  /// Notes that it has `frames` frames.
  void save(Count frames);
  /// Notes that the export has all its `frames` frames, flushes everything to the disk and gives the folder
  /// its final name.
  void finish(Count frames);
  /// Nothing can come of this export: an unfinished folder is to be removed.
  void abandon() { frames_ = 0; }
  /// The number of files of an export that is complete.
  [[nodiscard]] Count files() const { return static_cast<Count>(lengths_.size()); }

 private:
  struct Note;

  /// Whether there is a complete export to be replaced.
  [[nodiscard]] bool check_place(Earlier earlier);
  void begin_part(Earlier earlier, bool replaces);
  void take_over();
  void read_part(Earlier earlier);
  void check_lengths(const std::string& folder) const;
  void find_others();
  void note_whole_files();
  void start_afresh();
  void write_note(bool is_done);

  std::string out_, part_;
  ExportIdentity of_;
  Count frames_ = 0;
  bool is_finished_ = false, was_unfinished_ = false;
  std::map<std::string, Count> lengths_;  ///< Of its files, as far as they are noted.
  std::vector<std::string> unnoted_;      ///< Names of files that do not grow, since the last note.
  std::set<std::string> others_;          ///< Files that no export made.
  std::map<std::string, std::unique_ptr<OutputFile>> growing_;
  std::unique_ptr<RunLock> lock_;
};

}  // namespace electret
