#pragma once
/// \file
/// A sweep's folder: the names of its files, its beginning, and its parts.

#include <string>
#include <vector>

#include <electret/sweep/sweep_plan.hpp>
#include <electret/sweep/sweep_run.hpp>

namespace electret {

class SweepFolder {
 public:
  explicit SweepFolder(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string job() const { return path_ + "/job.toml"; }
  [[nodiscard]] std::string design() const { return path_ + "/design.csv"; }
  [[nodiscard]] std::string inputs() const { return path_ + "/inputs"; }
  [[nodiscard]] std::string parts() const { return path_ + "/parts"; }
  [[nodiscard]] std::string results() const { return path_ + "/sweep.h5"; }
  [[nodiscard]] std::string table() const { return path_ + "/runs.csv"; }
  [[nodiscard]] std::string plot() const { return path_ + "/sweep.svg"; }
  [[nodiscard]] std::string summary() const { return path_ + "/summary.json"; }

  /// Whether a sweep has begun here.
  [[nodiscard]] bool exists() const;
  /// Begins the sweep here, or goes on with the one that is here. That one must have the same identity, and a
  /// design of which this one has all runs, and perhaps more; else InputError says what differs. With
  /// `overwrite`, any earlier sweep here is removed. Throws InputError if something else is here, and IoError
  /// if the folder cannot be written.
  void begin(const SweepPlan& plan, bool overwrite) const;
  /// The sweep that is here, as it began, without its checks. The scene and its files come from the folder,
  /// so that it stands alone. Throws InputError if there is none.
  [[nodiscard]] SweepPlan plan() const;

  /// Removes the sweep's pictures, before others are drawn.
  void remove_pictures() const;
  /// The part files, by name.
  [[nodiscard]] std::vector<std::string> part_files() const;
  /// A name for a part that no other process takes: FIRST-LAST.HOST.PID.h5.
  [[nodiscard]] std::string new_part(Count first, Count last) const;

 private:
  void write_inputs(const SweepPlan& plan) const;
  void remove_files() const;
  void check_continues(const SweepPlan& plan) const;

  std::string path_;
};

/// What a part's list of begun runs says of a run that was stopped on request: it is no attempt.
[[nodiscard]] constexpr Count taken_back(Count run) {
  return -1 - run;
}

/// Writes rows of runs into one part file of a sweep.
class PartWriter {
 public:
  PartWriter(const SweepFolder& folder, const SweepPlan& plan, Count first, Count last);
  /// Does the run and adds its row. Throws Cancelled as `sweep_run`, and IoError.
  SweepStatus run(Count run, const std::stop_token& stop);
  void add(const SweepRow& row);

 private:
  const SweepPlan& plan_;
  std::string path_;
  MeshStore meshes_;
  ResultTableWriter table_;
};

}  // namespace electret
