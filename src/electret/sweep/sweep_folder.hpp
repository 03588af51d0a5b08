#pragma once
/// \file
/// A sweep's folder: the names of its files, and its beginning.

#include <mutex>
#include <string>
#include <vector>

#include <electret/sweep/sweep_plan.hpp>

namespace electret {

class SweepFolder {
 public:
  explicit SweepFolder(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string job() const { return path_ + job_name; }
  [[nodiscard]] std::string design() const { return path_ + design_name; }
  [[nodiscard]] std::string inputs() const { return path_ + "/" + inputs_name; }
  [[nodiscard]] std::string parts() const { return path_ + "/parts"; }
  [[nodiscard]] std::string results() const { return path_ + "/sweep.h5"; }
  [[nodiscard]] std::string table() const { return path_ + "/runs.csv"; }
  [[nodiscard]] std::string summary() const { return path_ + "/summary.json"; }
  [[nodiscard]] std::string best() const { return path_ + "/best.toml"; }

  /// Whether a sweep has begun here.
  [[nodiscard]] bool exists() const;
  /// Begins the sweep here, or goes on with the one that is here. That one must have the same identity, and a
  /// design of which this one has all runs, and perhaps more; else InputError says what differs. With
  /// `overwrite`, any earlier sweep here is removed. Throws InputError if something else is here, and IoError
  /// if the folder cannot be written. Runs that were appended remain; the job's own are then as they were,
  /// and `plan` gives the whole design. Several processes may begin the same sweep at the same time.
  void begin(const SweepPlan& plan, bool overwrite) const;
  /// How many runs the job gave; those after them were appended.
  [[nodiscard]] Count runs_of_job() const;
  /// How many runs design.csv has, of which only the lines are counted; 0 without the file.
  [[nodiscard]] Count runs() const;
  /// The sweep that is here, as it began, without its checks. The scene and its files come from the folder,
  /// so that it stands alone. Throws InputError if there is none.
  [[nodiscard]] SweepPlan plan() const;

  /// Fixes what a caller's function gives of each run (SweepPlan::mapped). The first call decides; throws
  /// InputError if that was something else.
  void set_mapped(const std::vector<ResultColumn>& columns) const;

  /// Throws InputError if what the runs give was fixed so: nobody but their caller can do them.
  void refuse_mapped() const;

  /// Removes the sweep's pictures, before others are drawn.
  void remove_pictures() const;
  /// The part files, by name.
  [[nodiscard]] std::vector<std::string> part_files() const;
  /// Those that a process of this machine has written, or an earlier one of the same number.
  [[nodiscard]] std::vector<std::string> part_files_of(int process) const;
  /// A name for a part that nobody else takes, on any thread or machine: FIRST-LAST.HOST.PID.h5. Its file
  /// with ".new" at the end is made empty. Throws IoError if it cannot be.
  [[nodiscard]] std::string new_part(Count first, Count last) const;

 private:
  static constexpr const char* job_name = "/job.toml";
  static constexpr const char* design_name = "/design.csv";
  static constexpr const char* inputs_name = "inputs";
  /// Where the files are written with which a sweep begins.
  struct InputPaths {
    std::string inputs, job, design;
  };

  [[nodiscard]] bool is_own() const;
  void check_free() const;
  [[nodiscard]] bool begin_new(const SweepPlan& plan) const;
  void put_beginning_in_place() const;
  static void write_inputs(const InputPaths& to, const SweepPlan& plan, const SweepDesign& design,
                           Count runs_of_job);
  void read_mapped(SweepPlan& plan) const;
  void remove_files() const;
  void check_continues(const SweepPlan& plan) const;
  /// Throws InputError if runs of the job are missing in design.csv.
  void check_design_is_whole(const SweepDesign& read) const;

  std::string path_;
};

/// The name of this machine, as parts have it.
[[nodiscard]] std::string host_name();
/// The end of a part's name until a reader can open it: a process that is killed meanwhile leaves no part.
inline constexpr const char* unfinished_part = ".new";

/// Lets no other thread or process change the sweep's design meanwhile; waits until none does. A file system
/// without locks holds only this process's threads back.
class DesignLock {
 public:
  explicit DesignLock(const SweepFolder& folder);
  ~DesignLock();
  DesignLock(const DesignLock&) = delete;
  DesignLock& operator=(const DesignLock&) = delete;

 private:
  std::unique_lock<std::mutex> threads_;
  int descriptor_;
};

}  // namespace electret
