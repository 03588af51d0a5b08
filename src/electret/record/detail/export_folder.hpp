#pragma once
/// \file
/// The folder of an export while it is unfinished: OUT.part, with a note of how far it is, so that an
/// interrupted export can go on.

#include <map>
#include <memory>
#include <string>

#include <electret/core/types.hpp>
#include <electret/record/detail/output_file.hpp>
#include <electret/record/run_directory.hpp>

namespace electret {

class ExportFolder {
 public:
  /// What to do with an unfinished export that is there.
  enum class Earlier { refuse, resume, replace };

  /// Makes OUT.part, or goes on with the one there. `of` says what is exported and how, as one text: an
  /// unfinished export of anything else is refused. Throws InputError for that, for one that is there and is
  /// neither to be resumed nor replaced, for one that has lost a part of a file, and where another process
  /// writes it; IoError.
  ExportFolder(const std::string& out, std::string of, Earlier earlier);
  /// An unfinished one stays for the next, unless no frame is in it.
  ~ExportFolder();
  ExportFolder(const ExportFolder&) = delete;
  ExportFolder& operator=(const ExportFolder&) = delete;

  /// The frames that are in it already.
  [[nodiscard]] Count frames() const { return frames_; }
  /// A file that grows by frames, at its end; of no bytes where it is new.
  OutputFile& growing(const std::string& name);
  /// The path of any other file.
  [[nodiscard]] std::string path(const std::string& name) const { return part_ + "/" + name; }

  /// Notes that `frames` are in it.
  void save(Count frames);
  /// Brings everything to the disk and gives the folder its name. The number of files.
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
