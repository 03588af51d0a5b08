#pragma once
/// \file
/// The folder of an unfinished export: OUT.part, with a note of how far it has come, so that an interrupted
/// export can go on.

#include <map>
#include <memory>
#include <string>

#include <electret/core/types.hpp>
#include <electret/record/detail/output_file.hpp>
#include <electret/record/run_directory.hpp>

namespace electret {

class ExportFolder {
 public:
  /// What to do with an unfinished export that is already there.
  enum class Earlier { refuse, resume, replace };

  /// Makes OUT.part, or goes on with the one there. `of` describes in one text what is exported and how.
  /// Throws InputError if an unfinished export is there that is of anything else, is neither to be resumed
  /// nor replaced, has lost a part of a file, or is being written by another process. Throws IoError.
  ExportFolder(const std::string& out, std::string of, Earlier earlier);
  /// An unfinished folder stays for a later export, unless it has no frame.
  ~ExportFolder();
  ExportFolder(const ExportFolder&) = delete;
  ExportFolder& operator=(const ExportFolder&) = delete;

  /// The number of frames that it already has.
  [[nodiscard]] Count frames() const { return frames_; }
  /// A file that grows by frames, opened at its end; a new one is empty.
  OutputFile& growing(const std::string& name);
  /// The path of any other file.
  [[nodiscard]] std::string path(const std::string& name) const { return part_ + "/" + name; }

  /// Notes that it has `frames` frames.
  void save(Count frames);
  /// Flushes everything to the disk and gives the folder its final name. Returns the number of files.
  Count finish();

 private:
  [[nodiscard]] std::string note() const;
  void read_note(Earlier earlier);
  void check_lengths() const;
  void note_whole_files();
  void start_afresh();

  std::string out_, part_, of_;
  Count frames_ = 0;
  bool is_finished_ = false;
  std::map<std::string, Count> lengths_;
  std::map<std::string, std::unique_ptr<OutputFile>> growing_;
  std::unique_ptr<RunLock> lock_;
};

}  // namespace electret
