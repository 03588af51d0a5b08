#pragma once
/// \file
/// Writing of the part files of a sweep.

#include <functional>
#include <memory>
#include <string>

#include <electret/record/result_table.hpp>
#include <electret/sweep/sweep_folder.hpp>
#include <electret/sweep/sweep_run.hpp>

namespace electret {

/// What a part's list of begun runs says of a run that was stopped on request: it is no attempt.
[[nodiscard]] constexpr Count taken_back(Count run) {
  return -1 - run;
}

/// The attribute of a part that says how many parts were there when it was begun.
inline constexpr const char* order_attribute = "order";

/// Writes rows of runs into one part file of a sweep.
class PartWriter {
 public:
  /// Meshes are kept in `meshes`, if it is given, beyond the part's own life.
  PartWriter(const SweepFolder& folder, const SweepPlan& plan, Count first, Count last,
             std::shared_ptr<MeshStore> meshes = nullptr);
  /// Does the run and adds its row, and settles its folder if it has one. Throws Cancelled as `sweep_run`,
  /// and IoError with the file or folder.
  SweepStatus run(Count run, const std::stop_token& stop, const std::function<void()>& each_step = {});
  void add(const SweepRow& row);
  /// Notes that a run begins, whose row the caller makes; `take_back`: that it was stopped on request.
  void begin(Count run);
  void take_back(Count run) { begin(taken_back(run)); }
  /// Processor time of the runs that were done here, s.
  [[nodiscard]] double cpu() const { return cpu_; }

 private:
  const SweepPlan& plan_;
  std::string folder_, path_;
  double cpu_ = 0.0;
  std::shared_ptr<MeshStore> meshes_;
  ResultTableWriter table_;
};

}  // namespace electret
